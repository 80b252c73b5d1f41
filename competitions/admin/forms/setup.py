"""Making a competition, changing its settings, copying it into the next season, finishing it."""

import secrets
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from competitions.admin.base import CompetitionForm, page_of
from competitions.admin.forms.settings import (
    AT_FIELD,
    BASIC,
    COUNTING,
    EXCEPTIONS,
    PLAY,
    TABLE_SETTINGS,
    TIE_BREAKS,
    SettingsFields,
    initial_of,
    parameter_fields,
    settings_fields,
)
from competitions.facts import FACTS
from competitions.models import Competition
from competitions.services import setup
from competitions.services.writing import Receipt
from games.access import Caller
from games.admin.forms.base import DOOR, now, reason_field
from games.admin.pages import PageForm
from games.models import Club
from games.services.keys import Key
from games.wording import Text
from scoring.wording import say

TIE_HELP = gettext_lazy(
    "When totals are equal the first one decides; where that is equal too, the next. Equal on all is equal place."
)
PUBLIC_HELP = gettext_lazy("Members of the club see what you publish; nothing else.")


def day_field(label: str, about: str = "") -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(required=False, label=label, help_text=about, widget=widget)


def fact_fields() -> dict[str, forms.Field]:
    return {
        "name": forms.CharField(
            max_length=100, label=pgettext("of a club or competition", "Name"), help_text=_("Such as “Winter League”.")
        ),
        "season": forms.CharField(max_length=40, required=False, label=_("Season"), help_text=_("Such as “2026/27”.")),
        "kind": forms.ChoiceField(
            choices=[
                ("league", _("League – evenings over a season")),
                ("tournament", _("Tournament – on a day or a weekend")),
            ],
            label=_("Kind"),
            initial="league",
            widget=forms.RadioSelect,
        ),
        "starts_on": day_field(_("First day")),
        "ends_on": day_field(_("Last day"), _("It is part of the competition.")),
    }


def layout_of() -> list[tuple[Text, list[str], Text, bool]]:
    ties = [name for name in COUNTING if name in TIE_BREAKS]
    rest = [name for name in COUNTING if name not in TIE_BREAKS]
    return [
        ("", ["name", "season", "kind", "starts_on", "ends_on"], "", False),
        (_("Rounds and tables"), [BASIC[0], *parameter_fields(), *BASIC[1:]], "", False),
        (_("The game at a table"), PLAY, _("Both have usual values."), False),
        (_("Points of the competition"), [*rest[:2]], "", False),
        (_("When totals are equal"), ties, TIE_HELP, False),
        (_("What counts"), rest[2:], "", False),
        (_("Exceptions from the rules and scoring"), EXCEPTIONS, "", True),
        (_("Results and who sees them"), TABLE_SETTINGS[:3], PUBLIC_HELP, False),
        (
            _("For tables played on this server"),
            TABLE_SETTINGS[3:],
            _("Only where people play on their own devices."),
            True,
        ),
        (_("Draws"), ["seed"], "", True),
        ("", ["reason"], "", False),
    ]


class CreateForm(SettingsFields, PageForm):
    """Make a competition of `club`."""

    heading, button = gettext_lazy("New competition"), gettext_lazy("Make the competition")
    intro = gettext_lazy("A name is enough to begin: everything else has a usual value, and can be changed later.")
    at_field = AT_FIELD
    template = "admin/competitions/form_page.html"
    once = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    def __init__(self, *args: Any, caller: Caller, club: Club, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller, self.club = caller, club
        self.initial["once"] = secrets.token_urlsafe(12)
        self.initial.update(tie_1="direct-encounter", tie_2="most-firsts", tie_3="wins")
        self.fields.update(fact_fields() | settings_fields())
        self.fields["seed"] = forms.CharField(
            max_length=60,
            required=False,
            label=_("Seed of the draws"),
            help_text=_("The same seed draws the same again. Empty: one that nobody can guess."),
        )
        self.layout = layout_of()

    def clean(self) -> dict[str, Any]:
        self.settings = self.checked(self, None)
        return self.cleaned_data

    def run(self) -> str:
        data = self.cleaned_data
        facts = {name: data[name] for name in FACTS}
        body = {name: str(value) for name, value in data.items()}
        key = Key.of(f"admin {data['once']}", "competition create", body) if data["once"] else None
        receipt = setup.create_competition(
            caller=self.caller,
            club=self.club.slug,
            **facts,
            settings=self.settings,
            seed=data["seed"],
            now=now(),
            door=DOOR,
            key=key,
        )
        self.made = receipt.competition
        return say("{name} is made. Now add the players.", name=data["name"])


class SettingsForm(SettingsFields, CompetitionForm):
    """Everything but the seed can be changed; it is shown what that changes."""

    slug, label = "settings", gettext_lazy("Settings")
    about = gettext_lazy("Name, days, rules, points, tie-breaks, tables.")
    heading, button = gettext_lazy("Settings"), gettext_lazy("Save the settings")
    at_field = AT_FIELD
    previews = True
    template = "admin/competitions/form_page.html"

    def set_up(self) -> None:
        state = self.desk.state
        self.fields.update(fact_fields() | settings_fields())
        self.initial.update({name: getattr(state, name) for name in FACTS}, **initial_of(state.settings_json))
        if any(at.plan for at in state.rounds.values()):
            self.fields["format"].disabled = True
            self.fields["format"].help_text = _("Fixed: a round is drawn by it already.")
        if state.closed_rounds:
            self.fields["reason"] = reason_field(required=False)
            self.fields["reason"].help_text = _("Needed, as rounds are closed: everything is counted anew.")
        self.layout = layout_of()

    @property
    def notice(self) -> str:
        if any(at.tables for at in self.desk.state.rounds.values()):
            return _(
                "Rules, scoring and clocks hold for tables opened from now on. Points are counted anew for all rounds."
            )
        return ""

    def clean(self) -> dict[str, Any]:
        before = self.desk.state.settings_json
        settings = self.checked(self, before)
        if settings is not None:
            facts = {name: self.cleaned_data[name] for name in FACTS if name in self.changed_data}
            changed = {name: value for name, value in settings.items() if value != before.get(name)}
            self.asked_changes = {**facts, **changed}
        return self.cleaned_data

    def act(self, **more: Any) -> Receipt:
        return setup.configure(
            changes=self.asked_changes, reason=self.cleaned_data.get("reason", ""), **self.call, **more
        )

    def done(self, receipt: Receipt) -> str:
        return say("The settings are saved.") if self.asked_changes else say("Nothing was changed.")


class CopyForm(CompetitionForm):
    slug, label = "copy", gettext_lazy("Copy into the next season")
    about = gettext_lazy("The same set-up, with nothing played yet.")
    heading, button = gettext_lazy("Copy into the next season"), gettext_lazy("Make the copy")
    at_field = {"name_taken": "season", "bad_days": "ends_on", "bad_text": "name"}

    def set_up(self) -> None:
        state = self.desk.state
        facts = fact_fields()
        self.fields.update({name: facts[name] for name in ("name", "season", "starts_on", "ends_on")})
        self.initial.setdefault("name", state.name)
        self.fields["season"].help_text = (
            _("This one is “{season}”.").format(season=state.season) if state.season else _("Such as “2026/27”.")
        )
        self.fields["entries"] = forms.BooleanField(
            required=False, initial=True, label=_("With the players of this one, but for those who withdrew")
        )

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return setup.copy(
            name=data["name"],
            season=data["season"],
            starts_on=data["starts_on"],
            ends_on=data["ends_on"],
            entries=data["entries"],
            **self.call,
            **more,
        )

    def done(self, receipt: Receipt) -> str:
        from competitions.admin.desk import Desk

        made = Competition.objects.select_related("club").get(public_id=receipt.competition)
        self.lands = page_of(Desk(self.desk.caller, made))
        return say("{name} is made, with the same set-up.", name=str(made))


class FinishForm(CompetitionForm):
    slug, label = "finish", gettext_lazy("Finish")
    about = gettext_lazy("Nothing more is drawn or played.")
    heading, button = gettext_lazy("Finish the competition"), gettext_lazy("Finish it")
    intro = gettext_lazy(
        "Nobody more is entered, nothing more is drawn or played. A wrong result can still be corrected at its table, "
        "and the standings published again. The finish can be taken back in the log."
    )

    def act(self, **more: Any) -> Receipt:
        return setup.finish(**self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return say("{name} is finished.", name=self.desk.state.name)
