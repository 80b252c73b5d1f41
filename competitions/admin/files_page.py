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
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from competitions import folding
from competitions.admin.base import page_of, part_of
from competitions.admin.desk import Desk
from competitions.facts import CompetitionError
from competitions.services.importing import Imported, import_entries, import_points
from competitions.services.results import import_results
from games.admin.forms.base import DOOR, now
from games.admin.pages import Page, PageForm, attempt, sent, show
from games.admin.scope import ModelAdmin
from games.errors import Refusal
from games.services.keys import Key
from games.wording import Text, said
from scoring.wording import Listed, mark_n, say, say_n

LARGEST = 3 * 1024 * 1024
"""Bytes: between the two steps the browser keeps the file, and a form may have five megabytes."""

KINDS: dict[str, Text] = {
    "results": gettext_lazy("Results of open tables"),
    "entries": gettext_lazy("Players who compete"),
    "points": gettext_lazy("Points brought along, as adjustments"),
}

COUNTED = {
    "entered": mark_n("{n} entered", "{n} entered"),
    "withdrawn": mark_n("{n} withdrawn", "{n} withdrawn"),
    "confirmed": mark_n("{n} confirmed", "{n} confirmed"),
    "adjusted": mark_n("{n} adjusted", "{n} adjusted"),
    "unchanged": mark_n("{n} there already, left alone", "{n} there already, left alone"),
}
NEW_NAMED = 20
"""New players that the report names."""


class FilesForm(PageForm):
    """First the file, then, with what it would do before one's eyes, the same file again.

    `confirmed` names what was shown: file, kind, reason, and the version of the competition's numbers. Where one of
    them is another when it comes back, it is shown anew (`again`) rather than done."""

    heading, button = gettext_lazy("Files"), gettext_lazy("Check the file")
    intro = gettext_lazy(
        "Nothing is stored before you have seen what the file would do. What you take away here comes in again."
    )
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
            choices=list(kinds.items()), label=_("What is in it"), initial="results", widget=forms.RadioSelect
        )
        self.fields["file"] = forms.FileField(
            required=False, label=_("File"), help_text=_("CSV or XLSX (.csv, .xlsx).")
        )
        self.fields["reason"] = forms.CharField(
            max_length=500,
            required=False,
            label=_("Reason"),
            help_text=_("Needed for points, and where a result differs from what is on record."),
        )
        self.fields["anyway"] = forms.BooleanField(
            required=False, label=_("Keep results as they are, also where the turns do not go round")
        )
        for name in ("content", "name", "step", "once", "confirmed"):
            self.fields[name] = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)
        self.initial["once"] = secrets.token_urlsafe(12)
        self.layout = [("", ["kind", "file", "reason", "anyway"], "", False)]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("file"):
            if data["file"].size > LARGEST:
                self.add_error(
                    "file", _("The file has more than three megabytes: import it in parts, or over the API.")
                )
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
            self.add_error("file", _("Choose a file."))
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
            faults = refusal.extra.get("errors", [])
            self.faults = [{**fault, "message": said(fault["message"])} for fault in faults]
            raise

    def check(self) -> str:
        """The dry run: fills `report` and `effects`."""
        found = self.call(dry_run=True)
        self.carry(confirmed=self.digest(self.version))
        self.report = [said(line) for line in told(found)]
        self.effects = [said(line) for line in found.effects.sentences]
        return ""

    def run(self) -> str:
        return say("Imported: {report}.", report=Listed(told(self.call(dry_run=False)), "; "))


def told(found: Imported) -> list[str]:
    """The report in words."""
    report = found.report
    lines = [_size(report), *(say_n(*COUNTED[name], report[name]) for name in COUNTED if name in report)]
    if new := report.get("new_players") or []:
        names = ", ".join(new[:NEW_NAMED])
        left = len(new) - NEW_NAMED
        if left > 0:
            line = say_n(
                "new in the club: {names} and {n} more", "new in the club: {names} and {n} more", left, names=names
            )
        else:
            line = say("new in the club: {names}", names=names)
        lines.append(line)
    return lines


def _size(report: dict[str, Any]) -> str:
    """How much the file holds; of results the deals are what is counted then, each with a row a seat."""
    rows = say_n("{n} row", "{n} rows", report["rows"])
    if "deals" not in report:
        return rows
    return say_n("{n} deal in {rows}", "{n} deals in {rows}", report["deals"], rows=rows)


def files_page(model_admin: ModelAdmin, request: HttpRequest, desk: Desk, trail: list[tuple[str, str]]) -> HttpResponse:
    """GET: ask for a file. POST: the dry run and its report; with step=import, the import itself."""
    files = request.FILES if request.method == "POST" else None
    form = FilesForm(sent(request), files, desk=desk)
    context = {"downloads": downloads(desk), "prints": prints(desk)}
    page = Page(model_admin, part_of(desk, "files"), obj=desk.row, trail=trail, context=context)
    if request.method == "POST" and form.is_valid():
        if form.was_seen:
            done = attempt(form, form.run)
            if done is not None:
                model_admin.log_change(request, desk.row, done)
                messages.success(request, said(done))
                return HttpResponseRedirect(page_of(desk))
        if not form.errors:
            attempt(form, form.check)
    return show(request, form, page)


def downloads(desk: Desk) -> list[tuple[str, list[tuple[str, str]]]]:
    """What can be taken away: what it is, and for each form its address."""
    return [
        (
            title,
            [(form.upper(), reverse(f"{what}-file", args=[desk.row.public_id, form])) for form in ("xlsx", "csv")],
        )
        for what, title in (("entries", _("Players")), ("results", _("Results")), ("standings", _("Standings")))
    ]


def prints(desk: Desk) -> list[tuple[str, str]]:
    """Sheets to print: of the standings, and of the rounds that are drawn."""
    public_id = desk.row.public_id
    found = [(_("Standings"), reverse("print-standings", args=[public_id]))]
    for number in reversed(desk.state.numbers):
        found += round_prints(desk, number)
        if len(found) > 6:
            break
    return found


def round_prints(desk: Desk, number: int) -> list[tuple[str, str]]:
    """Sheets of one round."""
    at, public_id = desk.state.round(number), desk.row.public_id
    name = said(at.name)
    found = []
    if at.plan is not None:
        found.append((_("Draw of {round}").format(round=name), reverse("print-draw", args=[public_id, number])))
    if at.tables:
        found.append((_("Score slips of {round}").format(round=name), reverse("print-slips", args=[public_id, number])))
    return found
