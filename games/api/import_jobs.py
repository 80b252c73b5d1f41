"""Imports of big files: the file is taken in, workers do the rest, and one looks how far it is."""

from typing import Any

from django.conf import settings
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.request import Request
from rest_framework.response import Response

from games import import_reports
from games.api import rendering
from games.api.base import DOOR, ApiView
from games.api.docs import AFTER, KEY, LIMIT, listed, operation
from games.api.imports import players_named
from games.api.paging import PARAMETERS, envelope, limit_of, page_by_id
from games.api.parsing import BadRequest, LengthRequired, RecordFileParser, RecordTextParser, TooLarge
from games.api.scopes import UNPUBLISHED, Scope
from games.import_reports import LineReport
from games.models import ImportJob, ImportNote
from games.services import import_jobs
from scoring.wording import say

JOB = {
    "job": "j4m8t2kq7xwn",
    "club": "riverside",
    "status": "storing",
    "dry_run": False,
    "created_at": "2026-11-29T20:00:00.000000Z",
    "finished_at": None,
    "bytes": 13_800_000,
    "bytes_checked": 13_800_000,
    "lines": 20_000,
    "sessions": 1000,
    "deals": 20_000,
    "faults": 0,
    "warnings": 3,
    "stored_sessions": 400,
    "stored_deals": 8000,
    "code": "",
    "message": "",
}
TAKEN = {"job": "j4m8t2kq7xwn", "status": "checking", "dry_run": False}
LINE = {
    "line": 3,
    "label": "Thursday, table 1",
    "session": "k3v9qm2xw7pt",
    "deal": 3,
    "notes": [
        {
            "level": "warning",
            "code": "dealer_rotation",
            "message": "Seat 2 deals; after the deal before it would be seat 1.",
            "action": None,
        }
    ],
}


class JobShape(serializers.Serializer[Any]):
    job = serializers.CharField()
    club = serializers.CharField()
    status = serializers.CharField(
        help_text="receiving, checking, storing; in the end checked (a dry run), done, refused (nothing is stored), "
        "failed or cancelled (the stored sessions stay).",
    )
    dry_run = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    bytes = serializers.IntegerField(help_text="Of the whole file.")
    bytes_checked = serializers.IntegerField()
    lines = serializers.IntegerField(help_text="Checked so far; so are sessions, deals, faults and warnings.")
    sessions = serializers.IntegerField()
    deals = serializers.IntegerField()
    faults = serializers.IntegerField()
    warnings = serializers.IntegerField()
    stored_sessions = serializers.IntegerField()
    stored_deals = serializers.IntegerField()
    code = serializers.CharField(help_text="Why it was refused or failed: an error code.")
    message = serializers.CharField(help_text="The same for people.")


class TakenShape(serializers.Serializer[Any]):
    job = serializers.CharField()
    status = serializers.CharField()
    dry_run = serializers.BooleanField()


class NoteShape(serializers.Serializer[Any]):
    level = serializers.CharField(help_text="info, warning or error.")
    code = serializers.CharField()
    message = serializers.CharField()
    action = serializers.IntegerField(allow_null=True, help_text="The action at fault, from 0.")


class LineShape(serializers.Serializer[Any]):
    line = serializers.IntegerField()
    label = serializers.CharField(allow_null=True)
    session = serializers.CharField(allow_null=True, help_text="null until it is stored.")
    deal = serializers.IntegerField(allow_null=True, help_text="Its number; null for a line at fault.")
    notes = NoteShape(many=True)


class ClubImportJobs(ApiView):
    scopes = {"GET": UNPUBLISHED, "POST": Scope.SESSIONS_SCORE}
    parameters = {"GET": PARAMETERS, "POST": ("dry_run", "scheme")}
    repeated = ("player",)
    rates = {"POST": "bulk"}

    @operation(
        "club_import_jobs",
        tag="imports",
        summary="Imports of big files",
        description="Those under way, and those that were over less than 30 days ago, newest first. Scorers and "
        "organisers.",
        answer=listed(JobShape, "ImportJobPage"),
        example={"results": [JOB], "next": None},
        path=["club"],
        query=[LIMIT, AFTER],
        codes="forbidden",
    )
    def get(self, request: Request, club: str) -> Response:
        jobs = import_reports.jobs_of(self.caller, club)
        return page_by_id(
            request, self.query, jobs, model=ImportJob, cursor="public_id", render=job_shape, newest_first=True
        )

    @operation(
        "import_job_create",
        tag="imports",
        summary="Import a big file",
        description="The same as an import, of a file of any size up to a limit of the server's (usually 1 GiB): it is "
        "taken in, and workers check every line before anything is stored. The answer names the job; ask it how far "
        "it is. The lines of a session stand one after the other, at most 2,000 deals. Any fault: nothing is stored, "
        "and the report has it. Then session by session is stored, each whole and once. Scorers and organisers.",
        answer=TakenShape,
        example=TAKEN,
        status=202,
        request={"application/x-ndjson": OpenApiTypes.BINARY, "text/plain": OpenApiTypes.BINARY},
        path=["club"],
        query=[
            OpenApiParameter("dry_run", bool, required=True, description="true: only check; nothing is stored."),
            OpenApiParameter("scheme", str, description="The scheme of sessions whose records name none."),
            OpenApiParameter(
                "player",
                str,
                many=True,
                description="NAME=ID, repeated: which player a name of the file means, where several would match.",
            ),
        ],
        codes="forbidden bad_rules",
        located=True,
        key=KEY,
    )
    def post(self, request: Request, club: str) -> Response:
        dry_run = self.query.flag("dry_run")
        players = players_named(self.query.lists.get("player", []))
        scheme = self.query.values.get("scheme")
        taken = import_jobs.create(
            caller=self.caller,
            club=club,
            source=request.stream or _Nothing(),
            size=_length(request),
            players=players,
            scheme=scheme,
            dry_run=dry_run,
            now=timezone.now(),
            door=DOOR,
            key=self.key([dry_run, scheme, sorted(players.items())]),
        )
        answer = {"job": taken.job, "status": "checking", "dry_run": taken.dry_run}
        return Response(answer, status=202, headers={"Location": f"/api/v1/import-jobs/{taken.job}"})


class OneImportJob(ApiView):
    scopes = {"GET": UNPUBLISHED, "DELETE": Scope.SESSIONS_SCORE}

    @operation(
        "import_job",
        tag="imports",
        summary="How far an import is",
        description="Scorers and organisers of its club.",
        answer=JobShape,
        example=JOB,
        path=["job"],
        codes="forbidden",
    )
    def get(self, request: Request, job: str) -> Response:
        return Response(job_shape(import_reports.job_of(self.caller, job)))

    @operation(
        "import_job_cancel",
        tag="imports",
        summary="Cancel an import",
        description="What is stored stays; nothing more comes. One that is over is left as it is. Scorers and "
        "organisers.",
        answer=JobShape,
        example={**JOB, "status": "cancelled", "finished_at": "2026-11-29T20:00:20.000000Z"},
        path=["job"],
        codes="forbidden",
        key=KEY,
    )
    def delete(self, request: Request, job: str) -> Response:
        row = import_jobs.cancel(caller=self.caller, job=job, now=timezone.now(), key=self.key(None))
        return Response(job_shape(row))


class ImportJobReport(ApiView):
    scopes = {"GET": UNPUBLISHED}
    parameters = {"GET": (*PARAMETERS, "level")}

    @operation(
        "import_job_report",
        tag="imports",
        summary="What became of each line",
        description="The lines checked so far, in order, each with its session and deal and what is to be said of it; "
        "with `level=error` or `level=warning` only those of which there is such a thing to be said. Scorers and "
        "organisers.",
        answer=listed(LineShape, "ImportLinePage"),
        example={"results": [LINE], "next": None},
        path=["job"],
        query=[LIMIT, AFTER, OpenApiParameter("level", str, enum=ImportNote.Level.values)],
        codes="forbidden",
    )
    def get(self, request: Request, job: str) -> Response:
        row = import_reports.job_of(self.caller, job)
        limit = limit_of(self.query)
        after = self.query.whole("after", least=0, most=999_999_999, default=0) or 0
        level = self.query.choice("level", ImportNote.Level.values)
        found = import_reports.report(row, after=after, limit=limit + 1, level=level)
        last = found[limit - 1].line if len(found) > limit else None
        return envelope(request, self.query, [_line_shape(line) for line in found[:limit]], after=last)


class _Nothing:
    """A request without a body."""

    def read(self, size: int, /) -> bytes:
        return b""


def _length(request: Request) -> int:
    """The length of the file, as its request says; raises what a body can be refused with before it is read."""
    if request.headers.get("Content-Encoding", "identity") != "identity":
        raise UnsupportedMediaType(f"compressed {request.content_type}")
    told = request.META.get("CONTENT_LENGTH") or ""
    if not told.isdigit():
        raise LengthRequired if request.headers.get("Transfer-Encoding") else _empty()
    if (request.content_type or "").partition(";")[0].strip().lower() not in MEDIA:
        raise UnsupportedMediaType(request.content_type or "")
    length, limit = int(told), settings.IMPORT_LARGEST_MB * 1024 * 1024
    if length > limit:
        raise TooLarge(limit)
    if not length:
        raise _empty()
    return length


MEDIA = (RecordFileParser.media_type, RecordTextParser.media_type)


def _empty() -> BadRequest:
    return BadRequest("empty_body", say("Send the file as the body."))


def job_shape(row: ImportJob) -> dict[str, Any]:
    return {
        "job": row.public_id,
        "club": row.club.slug,
        "status": row.status,
        "dry_run": row.dry_run,
        "created_at": rendering.time(row.created_at),
        "finished_at": rendering.time(row.finished_at),
        "bytes": row.size,
        "bytes_checked": row.offset,
        "lines": row.line,
        "sessions": row.sessions,
        "deals": row.deals,
        "faults": row.faults,
        "warnings": row.warnings,
        "stored_sessions": row.stored_sessions,
        "stored_deals": row.stored_deals,
        "code": row.code,
        "message": row.message,
    }


def _line_shape(line: LineReport) -> dict[str, Any]:
    return {
        "line": line.line,
        "label": line.label,
        "session": line.session,
        "deal": line.deal,
        "notes": [
            {"level": note.level, "code": note.code, "message": note.message, "action": note.action}
            for note in line.notes
        ],
    }
