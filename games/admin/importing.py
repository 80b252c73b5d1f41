"""Importing a record file: a dry run that says what would happen, then the same for real."""

import io
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.access import Caller
from games.admin import words
from games.admin.forms.base import DOOR, now
from games.admin.pages import Page, PageForm, attempt, sent, show
from games.admin.scope import ModelAdmin, caller_of, clubs_of
from games.engine.errors import for_people
from games.engine.record import RecordError, numbered_lines, parse
from games.errors import Refusal
from games.models import Club, ImportJob, Player, Role, Session
from games.models.fields import name_key
from games.services.import_jobs import create
from games.services.importing import import_records
from games.wording import said
from scoring.wording import say, say_n

LARGEST = 4 * 1024 * 1024
"""Bytes: between the two steps the browser keeps the file, and a form may have five megabytes. What is larger becomes a
job (games.services.import_jobs)."""

FAULTS_SHOWN = 100


class _Text:
    """A text as the file that `numbered_lines` reads."""

    def __init__(self, text: str) -> None:
        self.readline = io.BytesIO(text.encode()).readline


class ImportForm(PageForm):
    """First the file, then, with the report of the dry run before one's eyes, the same text again."""

    heading, button = gettext_lazy("Import deals"), gettext_lazy("Check the file")
    intro = gettext_lazy("Nothing is stored before you have seen what the file would do.")
    template = "admin/games/import.html"

    def __init__(self, *args: Any, caller: Caller, clubs: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller = caller
        self.report: dict[str, Any] | None = None
        self.faults: list[dict[str, Any]] = []
        self.names: dict[str, str] = {}
        self.fields["club"] = forms.ModelChoiceField(clubs, label=_("Club"), empty_label=None)
        if len(clubs) == 1:
            self.fields["club"].widget = forms.HiddenInput()
            self.initial["club"] = clubs[0].pk
        self.fields["file"] = forms.FileField(
            required=False,
            label=_("Record file"),
            help_text=_(
                "One deal a line, as the export writes it (.ndjson, .jsonl). With more than four megabytes it is "
                "checked and imported in the background; any fault, and nothing is stored."
            ),
        )
        self.fields["scheme"] = forms.ChoiceField(
            choices=[("", _("The usual one for their rules")), *words.scheme_choices()],
            required=False,
            label=_("Scoring"),
            help_text=_("For sessions whose records name none."),
        )
        self.fields["text"] = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)
        self.fields["step"] = forms.CharField(required=False, widget=forms.HiddenInput)
        if self.is_bound:
            self._ask_names()

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("step") != "import":
            data["step"] = ""
        if data.get("file"):
            if data["file"].size > LARGEST:
                data["step"] = "job"
                return data
            try:
                data["text"] = data["file"].read().decode("utf-8-sig")
            except UnicodeDecodeError as error:
                line = data["file"].seek(0) or 1 + data["file"].read()[: error.start].count(b"\n")
                self.add_error("file", _("The file is not UTF-8 text: see line {line}.").format(line=line))
                return data
            if "\x00" in data["text"]:
                self.add_error("file", _("The file holds characters that no text has."))
                return data
            data["step"] = ""
            # The page shows what was sent, and the browser is to send the file's text with the next step.
            shown = cast(QueryDict, self.data).copy()
            shown["text"] = data["text"]
            self.data = shown
        if not data.get("text"):
            self.add_error("file", _("Choose a file."))
        return data

    def call(self, *, dry_run: bool) -> dict[str, Any]:
        """The import or its dry run; keeps the faults of the lines where it is refused."""
        data = self.cleaned_data
        chosen = {name: data[field].public_id for field, name in self.names.items() if data.get(field)}
        try:
            report = import_records(
                caller=self.caller,
                club=data["club"].slug,
                lines=numbered_lines(_Text(data["text"])),
                players=chosen,
                scheme=data["scheme"] or None,
                dry_run=dry_run,
                now=now(),
                door=DOOR,
            )
        except Refusal as refusal:
            self.faults = in_words(refusal.extra.get("errors", []))
            self._ask_names()
            raise
        return {**report, "warnings": in_words(report["warnings"])}

    def check(self) -> str:
        """The dry run: fills `report`."""
        self.report = self.call(dry_run=True)
        return ""

    def run(self) -> str:
        report = self.call(dry_run=False)
        sessions = Session.objects.filter(public_id__in=[item["session"] for item in report["sessions"]])
        if len(report["sessions"]) == 1:
            self.lands = reverse("admin:games_session_change", args=[sessions.get().pk])
        return say(
            "Imported: {deals} in {sessions}.",
            deals=say_n("{n} deal", "{n} deals", report["deals"]),
            sessions=say_n("{n} session", "{n} sessions", len(report["sessions"])),
        )

    def begin(self) -> str:
        """The job of a big file."""
        data = self.cleaned_data
        taken = create(
            caller=self.caller,
            club=data["club"].slug,
            source=data["file"],
            size=data["file"].size,
            players={},
            scheme=data["scheme"] or None,
            dry_run=False,
            now=now(),
            door=DOOR,
        )
        self.lands = reverse("admin:games_importjob_change", args=[ImportJob.objects.get(public_id=taken.job).pk])
        return say("The file is being checked; once every line is good it is imported.")

    # -- names that several players have

    def _ask_names(self) -> None:
        """A field for each name that several active players of the club have."""
        self.names = {}
        text = self.cleaned_data.get("text") if hasattr(self, "cleaned_data") else self.data.get("text")
        club = _club(self.fields["club"], self.data.get("club"))
        if not text or club is None:
            return
        for place, (name, candidates) in enumerate(_ambiguous(club, text).items()):
            field = f"name_{place}"
            self.names[field] = name
            self.fields[field] = forms.ModelChoiceField(
                Player.objects.filter(pk__in=candidates), required=False, label=_("Who is {name}?").format(name=name)
            )
            self.fields[field].label_from_instance = _told_apart  # type: ignore[attr-defined]

    @property
    def name_fields(self) -> list[Any]:
        return [self[field] for field in self.names]


def in_words(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Faults or warnings of lines, their seats as people count them."""
    return [{**item, "message": said(for_people(item["message"]))} if "message" in item else item for item in items]


def _club(field: Any, value: Any) -> Club | None:
    try:
        club = field.clean(value)
    except forms.ValidationError:
        return None
    return club if isinstance(club, Club) else None


def _told_apart(player: Any) -> str:
    """Two of one name, by what else is known of them."""
    since = date_format(timezone.localtime(player.created_at), "DATE_FORMAT")
    if player.strategy:
        text = _("{name} (bot {strategy}, since {date}, {id})")
    elif player.user_id:
        text = _("{name} (account {account}, since {date}, {id})")
    else:
        text = _("{name} (no account, since {date}, {id})")
    return text.format(name=player.name, strategy=player.strategy, account=player.user, date=since, id=player.public_id)


def _ambiguous(club: Club, text: str) -> dict[str, list[int]]:
    """Names of the file that several active players of the club have, with their ids."""
    names: dict[str, str] = {}
    for _number, line in numbered_lines(_Text(text)):
        try:
            for name in parse(line).players:
                names.setdefault(name_key(name), name)
        except RecordError:
            continue
    found: dict[str, list[int]] = {}
    rows = Player.objects.filter(club=club, active=True, name_key__in=list(names)).order_by("pk")
    for key, pk in rows.values_list("name_key", "pk"):
        found.setdefault(names[key], []).append(pk)
    return {name: players for name, players in found.items() if len(players) > 1}


def import_page(model_admin: ModelAdmin, request: HttpRequest) -> HttpResponse:
    """GET: ask for a file. POST: the dry run and its report; with step=import, the import itself. A big file becomes a
    job."""
    clubs = clubs_of(request, Role.SCORER)
    if not clubs:
        raise PermissionDenied
    files = request.FILES if request.method == "POST" else None
    form = ImportForm(sent(request), files, caller=caller_of(request), clubs=clubs)
    back = reverse("admin:games_session_changelist")
    page = Page(model_admin, back, trail=[(back, _("Sessions"))])
    if request.method == "POST" and form.is_valid():
        steps = {"import": form.run, "job": form.begin}
        if (step := form.cleaned_data.get("step")) in steps:
            done = attempt(form, steps[step])
            if done is not None:
                messages.success(request, said(done))
                return HttpResponseRedirect(form.lands or back)
        if not form.errors:
            attempt(form, form.check)
    return show(request, form, page)
