"""A round on the night: opening, closing, its title, day and own settings, tables beyond the draw, ties to decide."""

import secrets
from typing import Any

from django import forms

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
from games.admin.words import counted
from games.models import Session

MOST_SESSIONS = 200


class OpenForm(RoundForm):
    slug, label = "open", "Open the tables"
    about = "A session for each table, with everybody in their seats."

    def set_up(self) -> None:
        at = self.at
        count = len(at.plan.tables) if at.plan else 0
        self.heading = f"Open the tables of {at.name}"
        self.fields["deal"] = forms.BooleanField(
            required=False, label="Deal the first deal at each table: everybody plays on their own device, not on paper"
        )
        self.button = f"Open {counted(count, 'table')}" if count else "Open the tables"

    @property
    def notice(self) -> str:
        return (
            "Each table becomes a session, in which results are entered. The club sees the draw from then on: it is "
            "published with this, if it is not yet."
        )

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        deal = secrets.SystemRandom() if data["deal"] else None
        return rounds.open_round(number=data["number"], publish=True, deal=deal, **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return f"The tables of {self.at.name} are open."


class CloseForm(RoundForm):
    slug, label = "close", "Close the round"
    about = "All results are in."

    def set_up(self) -> None:
        self.heading = self.button = f"Close {self.at.name}"

    @property
    def notice(self) -> str:
        missing = self.desk.missing(self.at)
        if missing:
            return f"Results are missing at table{'s' if len(missing) > 1 else ''} {', '.join(map(str, missing[:20]))}."
        return "All results are in. Corrections are still possible after this, and it can be taken back."

    def act(self, **more: Any) -> Receipt:
        return rounds.close(number=self.cleaned_data["number"], **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return f"{self.at.name} is closed."


class SetRoundForm(RoundForm):
    slug, label = "round", "Title and day"
    about = "What the round is called, and when it is."
    heading, button = "Title and day", "Save"
    at_field = {"bad_text": "title", "outside_days": "day"}

    def set_up(self) -> None:
        at = self.at
        self.heading = f"Title and day of {at.name}"
        self.fields["title"] = forms.CharField(
            max_length=60,
            required=False,
            label="Title",
            initial=at.title,
            help_text="Such as “Final”. Empty: its number.",
        )
        self.fields["day"] = day_field("Day")
        self.initial["day"] = at.day

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return setup.set_round(number=data["number"], title=data["title"], day=data["day"], **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return "The round is saved."


class RoundSettingsForm(SettingsFields, RoundForm):
    """What one round has otherwise: what is left as the competition has it follows the competition."""

    slug, label = "round-settings", "Settings of this round"
    about = "Rules, scoring, points, tie-breaks and deals, where this round has others."
    heading, button = "Settings of this round", "Save"
    previews = True
    at_field = AT_FIELD

    def set_up(self) -> None:
        state, at = self.desk.state, self.at
        self.heading = f"Settings of {at.name}"
        self.fields.update(settings_fields())
        self.initial.update(initial_of({**state.settings_json, **at.overrides}))
        asked = [*PLAY, "deals", "points", "points_list", *TIE_BREAKS, *EXCEPTIONS]
        for name in [name for name in self.fields if name not in (*asked, "number", "once")]:
            del self.fields[name]
        self.fields["reason"] = reason_field(required=False)
        self.fields["reason"].help_text = "Needed once the round is closed."
        self.layout = [
            ("The game at a table", [*PLAY, "deals"], "For tables that are opened from now on.", False),
            ("Points of this round", ["points", "points_list"], "", False),
            ("When totals are equal after this round", TIE_BREAKS, "", False),
            ("Exceptions from the rules and scoring", EXCEPTIONS, "", True),
            ("", ["reason"], "", False),
        ]

    @property
    def notice(self) -> str:
        return "What you leave as it is follows the competition’s own settings."

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
        return f"{self.at.name} has settings of its own." if self.overrides else "The round follows the competition."


class AddTableForm(RoundForm):
    slug, label = "add-table", "Add a table"
    about = "A session that was played outside the draw counts as a table of this round."
    heading, button = "Add a table", "Add it"
    previews = always = True
    at_field = {"already_a_table": "session", "outside_days": "session"}

    def set_up(self) -> None:
        state, club = self.desk.state, self.desk.row.club
        rows = Session.objects.filter(club=club).exclude(pk__in=Table.objects.values("session")).order_by("-pk")
        self.fields["session"] = forms.ChoiceField(
            choices=[
                (public_id, f"{label} ({days.day_of(at, club.timezone)})")
                for public_id, label, at in rows.values_list("public_id", "label", "created_at")[:MOST_SESSIONS]
                if days.is_within(at, club.timezone, state.starts_on, state.ends_on)
            ],
            label="Session",
            help_text="Sessions of the club on the days of this competition, the latest first.",
        )

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return rounds.add_table(number=data["number"], session=data["session"], **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return f"The table counts in {self.at.name}."


class DecideForm(RoundForm):
    """A tie across the cut of a knock-out: who goes on."""

    slug, label = "decide", "Decide a tie"
    about = "Who goes on among equals."
    heading, button = "Who goes on?", "Send them on"
    previews = always = True
    at_field = {"reason_required": "reason", "not_equal": "players"}

    table = forms.IntegerField(min_value=1, max_value=9999, widget=forms.HiddenInput)

    def set_up(self) -> None:
        sent = self.data.get("table", "") if self.is_bound else ""
        number = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 5 else self.asked_number("table")
        self.initial.setdefault("table", number)
        equal, wanted = self._equal(number)
        self.wanted = wanted
        self.heading = f"{self.at.name}, table {number}: who goes on?"
        self.fields["players"] = forms.MultipleChoiceField(
            choices=names_of(self.desk, equal),
            label="Who goes on",
            widget=forms.CheckboxSelectMultiple,
        )
        self.fields["reason"] = reason_field()
        self.fields["reason"].help_text = "Such as “Sudden death deal won”. " + str(self.fields["reason"].help_text)

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
        few = f"{self.wanted} of them {'goes' if self.wanted == 1 else 'go'} on. " if self.wanted else ""
        return f"{few}It holds while just the same people are equal there: a later correction may ask again."

    def clean(self) -> dict[str, Any]:
        chosen = self.cleaned_data.get("players") or []
        if self.wanted and chosen and len(chosen) != self.wanted:
            self.add_error("players", f"Choose {self.wanted} of them.")
        names = dict(self.fields["players"].choices)  # type: ignore[attr-defined]
        on = [str(names[player]) for player in chosen if player in names]
        self.nothing = f"{', '.join(on)} {'plays' if len(on) == 1 else 'play'} the next round; the places stay."
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
        return "It is decided."


FORMS = [OpenForm, CloseForm, SetRoundForm, RoundSettingsForm, AddTableForm, DecideForm]
