"""Importing record files into a club."""

import hashlib
import io
from typing import Any

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import DOOR, ApiView
from games.api.docs import KEY, operation
from games.api.parsing import BadRequest, RecordFileParser, RecordTextParser, bad_parameter
from games.api.scopes import Scope
from games.engine.record import numbered_lines
from games.services import importing
from scoring.wording import mark, say

REPORT = {
    "dry_run": False,
    "deals": 5,
    "sessions": [
        {"session": "k3v9qm2xw7pt", "label": "Thursday, table 1", "deals": 5, "rules": "pagat", "scheme": "wins"},
    ],
    "matched_players": {"Anna": "x7m2k9qv3wtp"},
    "new_players": ["Bo"],
    "warnings": [{"line": 3, "code": "dealer_rotation", "message": "Seat 2 deals; … it would be seat 1."}],
}


class ImportedSession(serializers.Serializer[Any]):
    session = serializers.CharField(allow_null=True, help_text="null in a dry run.")
    label = serializers.CharField()
    deals = serializers.IntegerField()
    rules = serializers.JSONField()
    scheme = serializers.JSONField()


class WarningShape(serializers.Serializer[Any]):
    line = serializers.IntegerField()
    code = serializers.CharField()
    message = serializers.CharField()


class ReportShape(serializers.Serializer[Any]):
    dry_run = serializers.BooleanField()
    deals = serializers.IntegerField()
    sessions = ImportedSession(many=True)
    matched_players = serializers.DictField(child=serializers.CharField(), help_text="Names of the file by player id.")
    new_players = serializers.ListField(child=serializers.CharField(), help_text="Names that no player has.")
    warnings = WarningShape(many=True)


def report_shape(report: dict[str, Any]) -> dict[str, Any]:
    """In one order, whether fresh or kept for a retry: a stored report comes back with its keys in another."""
    return {
        "dry_run": report["dry_run"],
        "deals": report["deals"],
        "sessions": [{name: item[name] for name in REPORT["sessions"][0]} for item in report["sessions"]],  # type: ignore[index]
        "matched_players": dict(sorted(report["matched_players"].items())),
        "new_players": report["new_players"],
        "warnings": [{name: item[name] for name in ("line", "code", "message")} for item in report["warnings"]],
    }


class Imports(ApiView):
    scopes = {"POST": Scope.SESSIONS_SCORE}
    rates = {"POST": "bulk"}
    parser_classes = [RecordFileParser, RecordTextParser]
    parameters = {"POST": ("dry_run", "scheme")}
    repeated = ("player",)

    @operation(
        "import_create",
        tag="imports",
        summary="Import recorded deals",
        description="A file of deals as in docs/record-format.md, a JSON object a line, up to 5 MiB. All of it is "
        "stored or nothing: `import_faults` lists every bad line in `errors`. First send it with "
        "`dry_run=true`, which says what would be made and stores nothing. Scorers and organisers.",
        codes="forbidden import_faults bad_rules label_taken",
        answer=ReportShape,
        example=REPORT,
        status=201,
        dry_run=(ReportShape, {**REPORT, "dry_run": True}),
        request={"application/x-ndjson": OpenApiTypes.BINARY, "text/plain": OpenApiTypes.BINARY},
        path=["club"],
        query=[
            OpenApiParameter("dry_run", bool, required=True, description="true: only say what would happen (200)."),
            OpenApiParameter("scheme", str, description="The scheme of sessions whose records name none."),
            OpenApiParameter(
                "player",
                str,
                many=True,
                description="NAME=ID, repeated: which player a name of the file means, where several would match.",
            ),
        ],
        key=KEY,
    )
    def post(self, request: Request, club: str) -> Response:
        dry_run = self.query.flag("dry_run")
        players = players_named(self.query.lists.get("player", []))
        scheme = self.query.values.get("scheme")
        body: Any = request.data
        if not isinstance(body, bytes):
            raise BadRequest("empty_body", say("Send the file as the body."))
        sent = [hashlib.sha256(body).hexdigest(), dry_run, scheme, sorted(players.items())]
        report = importing.import_records(
            caller=self.caller,
            club=club,
            lines=numbered_lines(io.BytesIO(body)),
            players=players,
            scheme=scheme,
            dry_run=dry_run,
            now=timezone.now(),
            door=DOOR,
            key=self.key(sent),
        )
        return Response(report_shape(report), status=200 if dry_run else 201)


def players_named(pairs: list[str]) -> dict[str, str]:
    """Which player a name of a file means, from NAME=ID pairs; a name may hold a `=`, an id does not."""
    mapping: dict[str, str] = {}
    for pair in pairs:
        name, equals, public_id = pair.rpartition("=")
        if not equals or not name or name in mapping:
            raise bad_parameter("player", mark("{parameter} is NAME=ID, each name once."))
        mapping[name] = public_id
    return mapping
