"""Files: entries, results and points out of CSV or XLSX, first as a dry run; and what can be taken away or printed."""

import base64
import binascii
import hashlib
import json
import secrets
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse

from competitions import folding
from competitions.admin.base import page_of, part_of
from competitions.admin.desk import Desk
from competitions.facts import CompetitionError
from competitions.services.importing import Imported, import_entries, import_points
from competitions.services.results import import_results
from games.admin.forms.base import DOOR, now
from games.admin.pages import Page, PageForm, attempt, sent, show
from games.admin.scope import ModelAdmin
from games.admin.words import counted
from games.errors import Refusal
from games.services.keys import Key

LARGEST = 3 * 1024 * 1024
"""Bytes: between the two steps the browser keeps the file, and a form may have five megabytes."""

KINDS = {
    "results": "Results of open tables",
    "entries": "Players who compete",
    "points": "Points brought along, as adjustments",
}

WORDS = {
    "entered": "entered",
    "withdrawn": "withdrawn",
    "confirmed": "confirmed",
    "adjusted": "adjusted",
    "unchanged": "there already, left alone",
}


class FilesForm(PageForm):
    """First the file, then, with what it would do before one's eyes, the same file again.

    `confirmed` names what was shown: file, kind, reason, and the version of the competition's numbers. Where one of
    them is another when it comes back, it is shown anew (`again`) rather than done."""

    heading, button = "Files", "Check the file"
    intro = "Nothing is stored before you have seen what the file would do. What you take away here comes in again."
    template = "admin/competitions/files.html"

    def __init__(self, *args: Any, desk: Desk, **options: Any) -> None:
        super().__init__(*args, **options)
        self.desk = desk
        self.report: list[str] = []
        self.effects: list[str] = []
        self.faults: list[dict[str, Any]] = []
        self.again = False
        kinds = KINDS if desk.organises else {"results": KINDS["results"]}
        self.fields["kind"] = forms.ChoiceField(
            choices=list(kinds.items()), label="What is in it", initial="results", widget=forms.RadioSelect
        )
        self.fields["file"] = forms.FileField(required=False, label="File", help_text="CSV or XLSX (.csv, .xlsx).")
        self.fields["reason"] = forms.CharField(
            max_length=500,
            required=False,
            label="Reason",
            help_text="Needed for points, and where a result differs from what is on record.",
        )
        self.fields["anyway"] = forms.BooleanField(
            required=False, label="Keep results as they are, also where the turns do not go round"
        )
        for name in ("content", "name", "step", "once", "confirmed"):
            self.fields[name] = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)
        self.initial["once"] = secrets.token_urlsafe(12)
        self.layout = [("", ["kind", "file", "reason", "anyway"], "", False)]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("file"):
            if data["file"].size > LARGEST:
                self.add_error("file", "The file has more than three megabytes: import it in parts, or over the API.")
                return data
            self.bytes, data["name"], data["step"] = data["file"].read(), data["file"].name, ""
            # The page shows what was sent, and the browser is to send the file with the next step.
            self.carry(content=base64.b64encode(self.bytes).decode(), name=data["name"], step="")
            return data
        self.carry(step="")
        try:
            self.bytes = base64.b64decode(data.get("content") or "", validate=True)
        except (binascii.Error, ValueError):
            self.bytes = b""
        if not self.bytes:
            self.add_error("file", "Choose a file.")
        return data

    def carry(self, **fields: str) -> None:
        """Let the page send these along."""
        shown = cast(QueryDict, self.data).copy()
        for name, value in fields.items():
            shown[name] = value
        self.data = shown

    def digest(self, version: int) -> str:
        """A digest of what is asked for, and of what it was looked at beside."""
        data = self.cleaned_data
        asked = [data["kind"], hashlib.sha256(self.bytes).hexdigest(), data["reason"], data["anyway"], version]
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()

    @property
    def was_seen(self) -> bool:
        """Whether the import itself is asked for, by somebody who has just this before the eyes."""
        self.version = folding.version_of(self.desk.row)
        wanted = self.cleaned_data.get("step") == "import"
        self.again = wanted and self.cleaned_data["confirmed"] != self.digest(self.version)
        return wanted and not self.again

    def call(self, *, dry_run: bool) -> Imported:
        """The import or its dry run; keeps the faults of the rows where it is refused."""
        data = self.cleaned_data
        once = data.get("once")
        body = {"content": data.get("content"), "reason": data["reason"], "anyway": data["anyway"]}
        about = {
            "caller": self.desk.caller,
            "competition": self.desk.row.public_id,
            "data": self.bytes,
            "name": data["name"] or "file.csv",
            "dry_run": dry_run,
            "now": now(),
            "door": DOOR,
            "expected_version": None if dry_run else self.version,
            "key": Key.of(f"admin {once}", f"competition files {data['kind']}", body) if once and not dry_run else None,
        }
        try:
            match data["kind"]:
                case "entries":
                    return import_entries(**about)
                case "points":
                    return import_points(reason=data["reason"], **about)
            return import_results(reason=data["reason"], anyway=data["anyway"], **about)
        except CompetitionError as error:
            raise Refusal(error.code, error.message) from error
        except Refusal as refusal:
            self.faults = refusal.extra.get("errors", [])
            raise

    def check(self) -> str:
        """The dry run: fills `report` and `effects`."""
        found = self.call(dry_run=True)
        self.carry(confirmed=self.digest(self.version))
        self.report, self.effects = told(found), found.effects.sentences
        return ""

    def run(self) -> str:
        return f"Imported: {'; '.join(told(self.call(dry_run=False)))}."


def told(found: Imported) -> list[str]:
    """The report in words."""
    counts = [_size(found), *(f"{found.report[name]} {words}" for name, words in WORDS.items() if name in found.report)]
    new = found.report.get("new_players") or []
    shown = ", ".join(new[:20]) + (f" and {len(new) - 20} more" if len(new) > 20 else "")
    return [*counts, *([f"new in the club: {shown}"] if new else [])]


def _size(found: Imported) -> str:
    """How much the file holds; of results the deals are what is counted then, each with a row a seat."""
    rows = counted(found.report["rows"], "row")
    return f"{counted(found.report['deals'], 'deal')} in {rows}" if "deals" in found.report else rows


def files_page(model_admin: ModelAdmin, request: HttpRequest, desk: Desk, trail: list[tuple[str, str]]) -> HttpResponse:
    """GET: ask for a file. POST: the dry run and its report; with step=import, the import itself."""
    files = request.FILES if request.method == "POST" else None
    form = FilesForm(sent(request), files, desk=desk)
    context = {"downloads": downloads(desk), "prints": prints(desk)}
    page = Page(model_admin, part_of(desk, "files"), obj=desk.row, trail=trail, context=context)
    if request.method == "POST" and form.is_valid():
        if form.was_seen:
            said = attempt(form, form.run)
            if said is not None:
                model_admin.log_change(request, desk.row, said)
                messages.success(request, said)
                return HttpResponseRedirect(page_of(desk))
        if not form.errors:
            attempt(form, form.check)
    return show(request, form, page)


def downloads(desk: Desk) -> list[tuple[str, list[tuple[str, str]]]]:
    """What can be taken away: what it is, and for each form its address."""
    return [
        (
            said,
            [(form.upper(), reverse(f"{what}-file", args=[desk.row.public_id, form])) for form in ("xlsx", "csv")],
        )
        for what, said in (("entries", "Players"), ("results", "Results"), ("standings", "Standings"))
    ]


def prints(desk: Desk) -> list[tuple[str, str]]:
    """Sheets to print: of the standings, and of the rounds that are drawn."""
    public_id = desk.row.public_id
    found = [("Standings", reverse("print-standings", args=[public_id]))]
    for number in reversed(desk.state.numbers):
        found += round_prints(desk, number)
        if len(found) > 6:
            break
    return found


def round_prints(desk: Desk, number: int) -> list[tuple[str, str]]:
    """Sheets of one round."""
    at, public_id = desk.state.round(number), desk.row.public_id
    found = []
    if at.plan is not None:
        found.append((f"Draw of {at.name}", reverse("print-draw", args=[public_id, number])))
    if at.tables:
        found.append((f"Score slips of {at.name}", reverse("print-slips", args=[public_id, number])))
    return found
