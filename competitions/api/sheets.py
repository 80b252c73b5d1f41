"""Further tables as files to take away (docs/files.md)."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from competitions import sheets
from competitions.api.base import ClubsView, CompetitionView
from competitions.api.docs import ANNA, BERT, COMPETITION, ROUND
from competitions.api.files import FORM, FileRenderer, WorkbookRenderer
from competitions.api.versions import of_club_sessions, of_published, of_tables
from competitions.files.reading import MEDIA_TYPES, Form
from competitions.selectors import latest_row
from games import selectors
from games.api.base import PublicReadView
from games.api.clubs import club_of
from games.api.docs import operation
from games.api.rendering import JSONRenderer
from games.api.scopes import Scope
from games.api.versions import of_club_players, of_session


def sheet(
    operation_id: str,
    *,
    summary: str,
    description: str,
    example: str,
    path: list[Any],
    query: tuple[OpenApiParameter, ...] = (),
    codes: str = "",
) -> Any:
    """Describe such a file."""
    return operation(
        operation_id,
        tag="exports",
        summary=summary,
        description=f"{description} As CSV or XLSX (docs/files.md), by the ending of the address.",
        answer=OpenApiTypes.BINARY,
        example=example,
        media={"text/csv": example, MEDIA_TYPES["xlsx"]: "The same columns, as a workbook."},
        path=[*path, FORM],
        query=query,
        codes=codes,
        versioned=True,
    )


class SheetView(ClubsView):
    rates = {"GET": "bulk"}
    renderer_classes = [JSONRenderer, FileRenderer, WorkbookRenderer]

    def file(self, data: bytes, name: str, form: Form) -> HttpResponse:
        headers = {
            "Content-Disposition": f'attachment; filename="{name}.{form}"',
            "X-Content-Type-Options": "nosniff",
        }
        return HttpResponse(data, content_type=MEDIA_TYPES[form], headers=headers)


class SessionTableFile(SheetView, PublicReadView):
    scopes = {"GET": Scope.SESSIONS_READ}

    @sheet(
        "session_table_file",
        summary="A session's table as a file",
        description="A row for everybody who sat in a seat, with what of its total is theirs.",
        example=f"place,seat,name,player_id,deals,points,total,wins,cards_left\r\n1,1,Anna,{ANNA},5,3,3,3,7\r\n",
        path=["session"],
    )
    def get(self, request: Request, session: str, form: Form) -> HttpResponse:
        row = selectors.visible_session(self.caller, session)
        if unchanged := self.unchanged(of_session(self.caller, row)):
            return unchanged
        return self.file(sheets.session_table(self.caller, session, form), f"{session}-table", form)


class PlayersFile(SheetView):
    scopes = {"GET": Scope.SESSIONS_READ}

    @sheet(
        "club_players_file",
        summary="A club's players as a file",
        description="By name, but for those merged into others. For members of the club.",
        example=f"name,player_id,bot,active\r\nAnna,{ANNA},,yes\r\n",
        path=["club"],
    )
    def get(self, request: Request, club: str, form: Form) -> HttpResponse:
        if unchanged := self.unchanged(of_club_players(self.caller, club_of(self.caller, club))):
            return unchanged
        return self.file(sheets.players(self.caller, club, form), f"{club}-players", form)


class SessionsFile(SheetView):
    scopes = {"GET": Scope.SESSIONS_READ}
    parameters = {"GET": ("since",)}

    @sheet(
        "club_sessions_file",
        summary="A club's sessions as a file",
        description="Newest first, at most 50,000. For members of the club.",
        example="label,session_id,opened,status,rules,scheme,seats,deals,public,round,table\r\n"
        "Thursday,k3v9qm2xw7pt,2026-11-29 19:00 UTC,closed,pagat,wins,4,5,no,,\r\n",
        path=["club"],
        query=(OpenApiParameter("since", str, description="Only sessions opened at or after this time."),),
    )
    def get(self, request: Request, club: str, form: Form) -> HttpResponse:
        since = self.query.time("since")
        if unchanged := self.unchanged(of_club_sessions(self.caller, club_of(self.caller, club))):
            return unchanged
        return self.file(sheets.sessions(self.caller, club, form, since=since), f"{club}-sessions", form)


class RoundsFile(SheetView, CompetitionView):
    scopes = {"GET": Scope.STANDINGS_READ}

    @sheet(
        "rounds_file",
        summary="Rounds as a file",
        description="All rounds, planned and played, with how many tables are opened.",
        example="round,title,day,status,tables,publication\r\n3,Third evening,2026-11-26,open,6,5\r\n",
        path=[COMPETITION],
    )
    def get(self, request: Request, competition: str, form: Form) -> HttpResponse:
        row, now = self.competition(competition), timezone.now()
        if unchanged := self.unchanged(of_tables(self.caller, row, now=now), published=row.public):
            return unchanged
        return self.file(sheets.rounds(self.caller, row, form, now=now), f"{competition}-rounds", form)


class DrawFile(SheetView, CompetitionView):
    scopes = {"GET": Scope.STANDINGS_READ}

    @sheet(
        "draw_file",
        summary="A draw as a file",
        description="As published; to scorers and organisers as it stands. Seats are counted from 1; who sits out has "
        "no table.",
        example=f"round,table,seat,name,player_id,substitute,substitute_id\r\n3,1,1,Anna,{ANNA},Bert,{BERT}\r\n",
        path=[COMPETITION, ROUND],
        codes="not_published",
    )
    def get(self, request: Request, competition: str, number: int, form: Form) -> HttpResponse:
        row, now = self.competition(competition), timezone.now()
        if unchanged := self.unchanged(of_tables(self.caller, row, now=now, number=number), published=row.public):
            return unchanged
        data = sheets.draw(self.caller, row, form, number=number, now=now)
        return self.file(data, f"{competition}-draw-{number}", form)


class CrosstableFile(SheetView, CompetitionView):
    scopes = {"GET": Scope.STANDINGS_READ}

    @sheet(
        "crosstable_file",
        summary="Who met whom, as a file",
        description="As in the latest standings that are out: a row for each two who met, in the order of the "
        "standings, with how often the first came in ahead, behind or level.",
        example=f"name,player_id,met,met_id,times,ahead,behind,level\r\nAnna,{ANNA},Bert,{BERT},3,2,1,0\r\n",
        path=[COMPETITION],
        codes="not_published",
    )
    def get(self, request: Request, competition: str, form: Form) -> HttpResponse:
        row, now = self.competition(competition), timezone.now()
        latest = latest_row(row, "standings", now=now)
        if unchanged := self.unchanged(of_published(row, latest), published=row.public):
            return unchanged
        return self.file(sheets.met(row, form, now=now), f"{competition}-crosstable", form)
