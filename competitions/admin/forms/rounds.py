"""A round on the night: opening, closing, its title, day and own settings, tables beyond the draw, ties to decide."""

import secrets
from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from competitions import days
from competitions.admin.forms.drawing import RoundForm
from competitions.admin.forms.fields import names_of
from competitions.admin.forms.settings import (
    AT_FIELD,
    EXCEPTIONS,
    PLAY,
    TIE_BREAKS,
    SettingsFields,
    initial_of,
    settings_fields,
)
from competitions.admin.forms.setup import day_field
from competitions.models import Table
from competitions.results import before
from competitions.services import corrections, rounds, setup
from competitions.services.writing import Receipt
from competitions.settings import OVERRIDABLE
from games.admin.forms.base import reason_field
from games.models import Session
from games.wording import Text, said
from scoring.wording import say

MOST_SESSIONS = 200


class OpenForm(RoundForm):
    slug, label = "open", gettext_lazy("Open the tables")
    about = gettext_lazy("A session for each table, with everybody in their seats.")

    def set_up(self) -> None:
        at = self.at
        count = len(at.plan.tables) if at.plan else 0
        self.heading = _("Open the tables of {round}").format(round=said(at.name))
        self.fields["deal"] = forms.BooleanField(
            required=False,
            label=_("Deal the first deal at each table: everybody plays on their own device, not on paper"),
        )
        tables = ngettext("Open {n} table", "Open {n} tables", count).format(n=count)
        self.button = tables if count else _("Open the tables")

    @property
    def notice(self) -> str:
        return _(
            "Each table becomes a session, in which results are entered. The club sees the draw from then on: it is "
            "published with this, if it is not yet."
        )

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        deal = secrets.SystemRandom() if data["deal"] else None
        return rounds.open_round(number=data["number"], publish=True, deal=deal, **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return say("The tables of {round} are open.", round=self.at.name)


class CloseForm(RoundForm):
    slug, label = "close", gettext_lazy("Close the round")
    about = gettext_lazy("All results are in.")

    def set_up(self) -> None:
        self.heading = self.button = _("Close {round}").format(round=said(self.at.name))

    @property
    def notice(self) -> str:
        missing = self.desk.missing(self.at)
        if missing:
            text = ngettext(
                "Results are missing at table {tables}.", "Results are missing at tables {tables}.", len(missing)
            )
            return text.format(tables=", ".join(map(str, missing[:20])))
        return _("All results are in. Corrections are still possible after this, and it can be taken back.")

    def act(self, **more: Any) -> Receipt:
        return rounds.close(number=self.cleaned_data["number"], **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return say("{round} is closed.", round=self.at.name)


class SetRoundForm(RoundForm):
    slug, label = "round", gettext_lazy("Title and day")
    about = gettext_lazy("What the round is called, and when it is.")
    heading: Text = gettext_lazy("Title and day")
    button: Text = gettext_lazy("Save")
    at_field = {"bad_text": "title", "outside_days": "day"}

    def set_up(self) -> None:
        at = self.at
        self.heading = _("Title and day of {round}").format(round=said(at.name))
        self.fields["title"] = forms.CharField(
            max_length=60,
            required=False,
            label=_("Title"),
            initial=at.title,
            help_text=_("Such as “Final”. Empty: its number."),
        )
        self.fields["day"] = day_field(_("Day"))
        self.initial["day"] = at.day

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return setup.set_round(number=data["number"], title=data["title"], day=data["day"], **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return say("The round is saved.")


class RoundSettingsForm(SettingsFields, RoundForm):
    """What one round has otherwise: what is left as the competition has it follows the competition."""

    slug, label = "round-settings", gettext_lazy("Settings of this round")
    about = gettext_lazy("Rules, scoring, points, tie-breaks and deals, where this round has others.")
    heading: Text = gettext_lazy("Settings of this round")
    button: Text = gettext_lazy("Save")
    previews = True
    at_field = AT_FIELD

    def set_up(self) -> None:
        state, at = self.desk.state, self.at
        self.heading = _("Settings of {round}").format(round=said(at.name))
        self.fields.update(settings_fields())
        self.initial.update(initial_of({**state.settings_json, **at.overrides}))
        asked = [*PLAY, "deals", "points", "points_list", *TIE_BREAKS, *EXCEPTIONS]
        for name in [name for name in self.fields if name not in (*asked, "number", "once")]:
            del self.fields[name]
        self.fields["reason"] = reason_field(required=False)
        self.fields["reason"].help_text = _("Needed once the round is closed.")
        self.layout = [
            (_("The game at a table"), [*PLAY, "deals"], _("For tables that are opened from now on."), False),
            (_("Points of this round"), ["points", "points_list"], "", False),
            (_("When totals are equal after this round"), TIE_BREAKS, "", False),
            (_("Exceptions from the rules and scoring"), EXCEPTIONS, "", True),
            ("", ["reason"], "", False),
        ]

    @property
    def notice(self) -> str:
        return _("What you leave as it is follows the competition’s own settings.")

    def clean(self) -> dict[str, Any]:
        state = self.desk.state
        rest = initial_of(state.settings_json)
        whole = self.checked(self, state.settings_json, rest)
        if whole is not None:
            own = state.settings_json
            self.overrides = {name: whole[name] for name in OVERRIDABLE if whole[name] != own.get(name)}
        return self.cleaned_data

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return setup.set_round(
            number=data["number"], overrides=self.overrides, reason=data["reason"], **self.call, **more
        )

    def done(self, receipt: Receipt) -> str:
        own = say("{round} has settings of its own.", round=self.at.name)
        return own if self.overrides else say("The round follows the competition.")


class AddTableForm(RoundForm):
    slug, label = "add-table", gettext_lazy("Add a table")
    about = gettext_lazy("A session that was played outside the draw counts as a table of this round.")
    heading: Text = gettext_lazy("Add a table")
    button: Text = gettext_lazy("Add it")
    previews = always = True
    at_field = {"already_a_table": "session", "outside_days": "session"}

    def set_up(self) -> None:
        state, club = self.desk.state, self.desk.row.club
        rows = Session.objects.filter(club=club).exclude(pk__in=Table.objects.values("session")).order_by("-pk")
        self.fields["session"] = forms.ChoiceField(
            choices=[
                (public_id, f"{label} ({date_format(days.day_of(at, club.timezone), 'SHORT_DATE_FORMAT')})")
                for public_id, label, at in rows.values_list("public_id", "label", "created_at")[:MOST_SESSIONS]
                if days.is_within(at, club.timezone, state.starts_on, state.ends_on)
            ],
            label=_("Session"),
            help_text=_("Sessions of the club on the days of this competition, the latest first."),
        )

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return rounds.add_table(number=data["number"], session=data["session"], **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return say("The table counts in {round}.", round=self.at.name)


class DecideForm(RoundForm):
    """A tie across the cut of a knock-out: who goes on."""

    slug, label = "decide", gettext_lazy("Decide a tie")
    about = gettext_lazy("Who goes on among equals.")
    heading: Text = gettext_lazy("Who goes on?")
    button: Text = gettext_lazy("Send them on")
    previews = always = True
    at_field = {"reason_required": "reason", "not_equal": "players"}

    table = forms.IntegerField(min_value=1, max_value=9999, widget=forms.HiddenInput)

    def set_up(self) -> None:
        sent = self.data.get("table", "") if self.is_bound else ""
        number = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 5 else self.asked_number("table")
        self.initial.setdefault("table", number)
        equal, wanted = self._equal(number)
        self.wanted = wanted
        self.heading = _("{round}, table {table}: who goes on?").format(round=said(self.at.name), table=number)
        self.fields["players"] = forms.MultipleChoiceField(
            choices=names_of(self.desk, equal),
            label=_("Who goes on"),
            widget=forms.CheckboxSelectMultiple,
        )
        self.fields["reason"] = reason_field()
        self.fields["reason"].help_text = _(
            "Such as “Sudden death deal won”. Kept in the log with your name, for all to see."
        )

    def _equal(self, table: int | None) -> tuple[list[int], int]:
        """The equals among whom somebody has to be sent on, and how many; without a tie everybody at the table."""
        through = self.desk.through(self.at.number + 1)
        for tie in () if through is None else through.ties:
            if tie.data["table"] == table:
                return list(tie.data["equal"]), int(tie.data["wanted"])
        found = (item for item in before(self.desk.state, self.desk.scores, self.at.number) if item.number == table)
        return [player for item in found for player, _ in item.seats], 0

    @property
    def notice(self) -> str:
        holds = _("It holds while just the same people are equal there: a later correction may ask again.")
        if not self.wanted:
            return holds
        few = ngettext("{n} of them goes on.", "{n} of them go on.", self.wanted).format(n=self.wanted)
        return f"{few} {holds}"

    def clean(self) -> dict[str, Any]:
        chosen = self.cleaned_data.get("players") or []
        if self.wanted and chosen and len(chosen) != self.wanted:
            self.add_error("players", _("Choose {n} of them.").format(n=self.wanted))
        names = dict(self.fields["players"].choices)  # type: ignore[attr-defined]
        on = [str(names[player]) for player in chosen if player in names]
        self.nothing = ngettext(
            "{players} plays the next round; the places stay.",
            "{players} play the next round; the places stay.",
            len(on),
        ).format(players=", ".join(on))
        return self.cleaned_data

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return corrections.decide_tie(
            number=data["number"],
            table=data["table"],
            players=data["players"],
            reason=data["reason"],
            **self.call,
            **more,
        )

    def done(self, receipt: Receipt) -> str:
        return say("It is decided.")


FORMS = [OpenForm, CloseForm, SetRoundForm, RoundSettingsForm, AddTableForm, DecideForm]
