"""Entries, results and points out of files (docs/files.md)."""

import hashlib
from collections.abc import Callable
from typing import Any, ClassVar

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from competitions import selectors
from competitions.api.base import LARGEST_VERSION, ClubsView
from competitions.api.docs import COMPETITION, EFFECTS, ID, VERSION, EffectsShape
from competitions.files.reading import MEDIA_TYPES, Form
from competitions.services.importing import Imported, import_entries, import_points
from competitions.services.results import import_results
from games.api.base import DOOR
from games.api.docs import KEY, operation
from games.api.imports import players_named
from games.api.parsing import BadRequest, RecordFileParser
from games.api.scopes import Scope
from scoring.wording import say

XLSX = MEDIA_TYPES["xlsx"]
DRY_RUN = OpenApiParameter("dry_run", bool, required=True, description="true: only say what would happen (200).")
PLAYER = OpenApiParameter(
    "player",
    str,
    many=True,
    description="NAME=ID, repeated: which player a name of the file means, where several have it.",
)
REASON = OpenApiParameter("reason", str, required=True, description="Kept in the log with every row.")


class TableFileParser(RecordFileParser):
    """CSV, of at most 5 MiB; handed on as bytes."""

    media_type = "text/csv"


class WorkbookParser(RecordFileParser):
    """XLSX, of at most 5 MiB; handed on as bytes."""

    media_type = XLSX


class FileImported(serializers.Serializer[Any]):
    """What came of a file, or in a dry run would come of it."""

    dry_run = serializers.BooleanField()
    competition = serializers.CharField()
    seq = serializers.IntegerField(help_text="The competition's last event. In a dry run it means nothing later.")
    report = serializers.DictField(
        help_text="How many `rows` there were, and how many of them (of results, of their `deals`) came to what: "
        "unchanged, entered, withdrawn, adjusted, confirmed. Names that become players in `new_players`."
    )
    version = serializers.IntegerField(allow_null=True, help_text="Of a dry run: what it is of, for `?version=`.")
    effects = EffectsShape(allow_null=True, help_text="Of a dry run: what it would change.")
    sentences = serializers.ListField(
        child=serializers.CharField(), allow_null=True, help_text="Of a dry run: the effects for people."
    )


def imported_example(**report: Any) -> dict[str, Any]:
    return {
        "dry_run": False,
        "competition": ID,
        "seq": 41,
        "report": report,
        "version": None,
        "effects": None,
        "sentences": None,
    }


def importing(
    operation_id: str, *, summary: str, description: str, query: list[OpenApiParameter], codes: str = "", **report: Any
) -> Any:
    """Describe an import."""
    whole = imported_example(**report)
    dry = {
        **whole,
        "dry_run": True,
        "version": 61,
        "effects": EFFECTS,
        "sentences": ["Anna: 2nd → 1st, 1500 → 1505 points."],
    }
    return operation(
        operation_id,
        tag="imports",
        summary=summary,
        description=f"{description} The columns are those of docs/files.md. All of it is stored or nothing: "
        "`import_faults` lists every bad row in `errors`, by line and column. First send it with `dry_run=true`.",
        codes=f"forbidden moved_on competition_finished bad_file bad_columns import_faults {codes}",
        answer=FileImported,
        example=whole,
        status=201,
        request={"text/csv": OpenApiTypes.BINARY, XLSX: OpenApiTypes.BINARY},
        path=[COMPETITION],
        query=[DRY_RUN, PLAYER, *query],
        key=KEY,
        dry_run=(FileImported, dry),
    )


class ImportView(ClubsView):
    """A view that takes a file."""

    rates = {"POST": "bulk"}
    parser_classes = [TableFileParser, WorkbookParser]
    repeated = ("player",)
    further: ClassVar[tuple[str, ...]] = ()

    def imported(self, request: Request, competition: str, service: Callable[..., Imported], **about: Any) -> Response:
        """Call `service` with the file and what it is `about`, and answer with what came of it."""
        dry_run = self.query.flag("dry_run")
        players = players_named(self.query.lists.get("player", []))
        body: Any = request.data
        if not isinstance(body, bytes):
            raise BadRequest("empty_body", say("Send the file as the body."))
        row = self.competition(competition)
        version = selectors.version(self.caller, row) if dry_run else None  # before the look: never a later one
        sent = [hashlib.sha256(body).hexdigest(), dry_run, sorted(players.items()), sorted(about.items())]
        found = service(
            caller=self.caller,
            competition=competition,
            data=body,
            name=f"file.{_form(request)}",
            players=players,
            dry_run=dry_run,
            now=timezone.now(),
            door=DOOR,
            key=self.key(sent),
            **about,
        )
        answer = {
            "dry_run": dry_run,
            "competition": competition,
            "seq": found.seq,
            "report": dict(sorted(found.report.items())),
            "version": version,
            "effects": found.effects.changes if dry_run else None,
            "sentences": found.effects.sentences if dry_run else None,
        }
        return Response(answer, status=200 if dry_run else 201)

    @property
    def version(self) -> int | None:
        return self.query.whole("version", least=0, most=LARGEST_VERSION)


def _form(request: Request) -> Form:
    return "csv" if (request.content_type or "").startswith("text/csv") else "xlsx"


class ImportEntries(ImportView):
    scopes = {"POST": Scope.COMPETITIONS_MANAGE}
    parameters = {"POST": ("dry_run", "version")}

    @importing(
        "import_entries",
        summary="Import entries",
        description="A file of those who compete. A name that nobody in the club has becomes a player; who is entered "
        "just so already is left alone. Organisers.",
        query=[VERSION],
        codes="too_many_entries",
        rows=2,
        entered=1,
        withdrawn=0,
        unchanged=1,
        new_players=["Bo"],
    )
    def post(self, request: Request, competition: str) -> Response:
        return self.imported(request, competition, import_entries, expected_version=self.version)


class ImportResults(ImportView):
    scopes = {"POST": Scope.SESSIONS_SCORE}
    parameters = {"POST": ("dry_run", "reason", "anyway", "version")}

    @importing(
        "import_results",
        summary="Import results",
        description="A file of deals at the tables of open rounds, a row a seat; seats are counted from 1. A deal that "
        "is on record just so is left alone or confirmed, another result for it is a correction. Scorers and "
        "organisers.",
        query=[
            OpenApiParameter("reason", str, description="Why, where a deal on record is entered again."),
            OpenApiParameter(
                "anyway", bool, description="true: slips whose turns do not go round the table are kept as they are."
            ),
            VERSION,
        ],
        codes="too_many_deals",
        rows=16,
        deals=4,
        entered=3,
        confirmed=0,
        unchanged=1,
    )
    def post(self, request: Request, competition: str) -> Response:
        anyway = self.query.choice("anyway", ["true", "false"]) == "true"
        return self.imported(
            request,
            competition,
            import_results,
            reason=self.query.values.get("reason", ""),
            anyway=anyway,
            expected_version=self.version,
        )


class ImportPoints(ImportView):
    scopes = {"POST": Scope.COMPETITIONS_MANAGE}
    parameters = {"POST": ("dry_run", "reason", "version")}

    @importing(
        "import_points",
        summary="Import points brought along",
        description="A file of standings from elsewhere: each row gives its player the total as an adjustment. Who has "
        "these points for this reason already is left alone. Organisers.",
        query=[REASON, VERSION],
        codes="reason_required bad_text",
        rows=2,
        adjusted=2,
        unchanged=0,
    )
    def post(self, request: Request, competition: str) -> Response:
        reason = self.query.values.get("reason", "")
        return self.imported(request, competition, import_points, reason=reason, expected_version=self.version)
