"""Entries, results and standings as files to take away (docs/files.md)."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from competitions import downloads, selectors, showing
from competitions.api.base import ClubsView, CompetitionView
from competitions.api.docs import ANNA, COMPETITION
from competitions.api.versions import of_log, of_numbers, of_publications, of_published, of_tables
from competitions.files.reading import MEDIA_TYPES, Form
from competitions.models import Competition
from games.api.docs import NUMBER, operation, whole
from games.api.rendering import JSONRenderer
from games.api.scopes import UNPUBLISHED, Scope

FORM = OpenApiParameter("form", str, OpenApiParameter.PATH, enum=list(MEDIA_TYPES), description="The form of the file.")


class FileRenderer(JSONRenderer):
    """So that asking for CSV is no mistake; what is refused is JSON, as everywhere."""

    media_type = "text/csv"
    format = "csv"


class WorkbookRenderer(FileRenderer):
    media_type = MEDIA_TYPES["xlsx"]
    format = "xlsx"


def download(
    operation_id: str,
    *,
    summary: str,
    description: str,
    example: str,
    query: list[OpenApiParameter],
    codes: str = "forbidden",
) -> Any:
    """Describe a file to take away."""
    return operation(
        operation_id,
        tag="exports",
        summary=summary,
        description=f"{description} As CSV or XLSX (docs/files.md), by the ending of the address.",
        answer=OpenApiTypes.BINARY,
        example=example,
        media={"text/csv": example, MEDIA_TYPES["xlsx"]: "The same columns, as a workbook."},
        path=[COMPETITION, FORM],
        query=query,
        codes=codes,
        versioned=True,
    )


class FileView(ClubsView):
    rates = {"GET": "bulk"}
    renderer_classes = [JSONRenderer, FileRenderer, WorkbookRenderer]

    def file(self, competition: Competition, what: str, form: Form, data: bytes) -> HttpResponse:
        headers = downloads.headers(competition, what, form)
        return HttpResponse(data, content_type=MEDIA_TYPES[form], headers=headers)


class EntriesFile(FileView):
    scopes = {"GET": Scope.STANDINGS_READ}

    @download(
        "entries_file",
        summary="Who competes, as a file",
        description="In the order of entering. For members of the club.",
        example=f"name,player_id,seed,from_round,withdrawn_from\r\nAnna,{ANNA},3,1,\r\n",
        query=[],
    )
    def get(self, request: Request, competition: str, form: Form) -> HttpResponse:
        row = self.competition(competition)
        if unchanged := self.unchanged(of_log(self.caller, row)):
            return unchanged
        return self.file(row, "entries", form, downloads.entries_sheet(self.caller, row, form))


class ResultsFile(FileView):
    scopes = {"GET": UNPUBLISHED}
    parameters = {"GET": ("round",)}

    @download(
        "results_file",
        summary="The deals on record, as a file",
        description="Finished deals that are not void, a row a seat; seats are counted from 1. Scorers and organisers.",
        example=f"round,table,deal,dealer,seat,name,player_id,cards_left\r\n1,1,1,2,1,Anna,{ANNA},0\r\n",
        query=[OpenApiParameter("round", whole(1, 32_000), description="Only of this round.")],
    )
    def get(self, request: Request, competition: str, form: Form) -> HttpResponse:
        row = self.competition(competition)
        number = self.query.whole("round", least=1, most=32_000)
        if unchanged := self.unchanged(of_tables(self.caller, row, now=timezone.now(), number=number)):
            return unchanged
        return self.file(row, "results", form, downloads.results_sheet(self.caller, row, form, number=number))


class StandingsFile(FileView, CompetitionView):
    scopes = {"GET": Scope.STANDINGS_READ}
    parameters = {"GET": ("publication", "after_round")}

    @download(
        "standings_file",
        summary="Standings as a file",
        description="The latest that are out; scorers and organisers get those of now.",
        codes="forbidden not_published no_such_round",
        example=f"rank,name,player_id,total,wins\r\n1,Anna,{ANNA},'5000/3,2\r\n",
        query=[
            OpenApiParameter("publication", NUMBER, description="As published under this number."),
            OpenApiParameter(
                "after_round", whole(1, 32_000), description="As they were after this round: scorers and organisers."
            ),
        ],
    )
    def get(self, request: Request, competition: str, form: Form) -> HttpResponse:
        row, now = self.competition(competition), timezone.now()
        number = self.query.whole("publication", least=1, most=999_999_999)
        after_round = self.query.whole("after_round", least=1, most=32_000)
        if number is not None:
            version = of_publications(
                self.caller, row, [selectors.publication_row(self.caller, row, number, now=now)], now=now
            )
        elif after_round is not None or selectors.sees_whole(self.caller, row):
            version = of_numbers(self.caller, row)
        else:
            version = of_published(row, selectors.latest_row(row, "standings", now=now))
        if unchanged := self.unchanged(version, published=row.public):
            return unchanged
        found = selectors.standings_for(self.caller, row, number=number, after_round=after_round, now=now)
        shown = showing.standings_shown(found.standings)
        return self.file(row, "standings", form, downloads.standings_sheet(shown, form))
