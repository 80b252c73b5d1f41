"""Who sits where: drawing, seating by hand, publishing the draw."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from competitions.admin.base import CompetitionForm, part_of
from competitions.admin.forms.fields import Boxes, entrant_field, names_of
from competitions.admin.forms.standing import embargo_field, moment_of
from competitions.facts import RoundState
from competitions.services import drawing, publishing
from competitions.services.writing import Receipt
from games.admin.forms.base import reason_field
from games.wording import Text, said
from scoring.wording import say

MOST_SESSIONS = 200


class RoundForm(CompetitionForm):
    """About the round that the address names; leads back to its page."""

    number = forms.IntegerField(min_value=1, max_value=9999, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.initial.setdefault("number", self.at.number)

    @property
    def at(self) -> RoundState:
        """The round: the one that was sent, else the one asked for."""
        sent = self.data.get("number", "") if self.is_bound else ""
        number = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 5 else 0
        return self.desk.state.round(number or self.asked_round)

    @property
    def home(self) -> str:
        return part_of(self.desk, "round", self.at.number)


class DrawForm(RoundForm):
    slug, label = "draw", gettext_lazy("Draw")
    about = gettext_lazy("Who sits at which table.")
    at_field = {"no_tables": "here", "too_few_players": "here"}

    def set_up(self) -> None:
        state, at = self.desk.state, self.at
        self.again = at.plan is not None
        self.previews = self.always = self.again
        name = said(at.name)
        first = _("Draw {round}").format(round=name)
        self.heading = _("Draw {round} again").format(round=name) if self.again else first
        self.button = _("Draw again") if self.again else first
        self.away = state.absent(at.number)
        part = names_of(self.desk, self.desk.taking_part(at.number))
        # Whoever was to be absent may come after all, where an evening is drawn of those who are there.
        self.late = [] if state.settings.format.draws_ahead else names_of(self.desk, sorted(self.away))
        drawn_with = at.draw.get("present")
        people = self.desk.people
        here = None if drawn_with is None else {people.public_id(player) for player in drawn_with if player in people}
        self.fields["here"] = forms.MultipleChoiceField(
            choices=[*part, *self.late],
            initial=[value for value, _ in part if here is None or value in here],
            required=False,
            label=_("Who is here"),
            widget=Boxes,
        )
        self.fields["variant"] = forms.IntegerField(
            min_value=0,
            max_value=9999,
            initial=at.draw.get("variant", 0) + 1 if self.again else 0,
            required=False,
            label=_("Draw number"),
            widget=forms.NumberInput(attrs={"class": "count"}),
            help_text=_("The same number draws the same tables again; another one draws others."),
        )
        self.layout = [
            (_("Who is here"), ["here"], _("Untick whoever has not come. Whoever is entered is ticked."), False),
            (_("Another draw"), ["variant"], "", not self.again),
        ]

    @property
    def notice(self) -> str:
        state, at = self.desk.state, self.at
        lines = []
        if self.again:
            lines.append(_("This takes the place of the draw there is."))
        if state.settings.format.draws_ahead:
            lines.append(_("All rounds from this one on are drawn at once."))
        if self.away:
            lines.append(_("Absent already: {players}.").format(players=self.desk.names(sorted(self.away))))
        if not at.plan and not state.part_of(at.number):
            lines.append(_("Nobody is entered yet."))
        return " ".join(lines)

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        here = list(data["here"])
        everybody = [value for value, _ in self.fields["here"].choices]  # type: ignore[attr-defined]
        if self.desk.state.settings.format.draws_ahead:
            more["absent"] = [player for player in everybody if player not in here]
        elif set(here) != set(everybody) - {value for value, _ in self.late}:
            more["present"] = here
        return drawing.draw(number=data["number"], variant=data["variant"] or 0, **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return say("{round} is drawn. Look at it, then publish it.", round=self.at.name)


class SwapForm(RoundForm):
    slug, label = "swap", gettext_lazy("Swap two players")
    about = gettext_lazy("Two players change places.")
    heading: Text = gettext_lazy("Swap two players")
    button: Text = gettext_lazy("Swap them")
    previews = always = True

    def set_up(self) -> None:
        plan = self.at.plan
        people = [] if plan is None else [int(player) for player in plan.people()]
        self.fields["one"] = entrant_field(self.desk, people, label=_("One"), initial=self.asked.get("player"))
        self.fields["other"] = entrant_field(self.desk, people, label=_("The other"))
        self.fields["reason"] = reason_field(required=False)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("one") and data.get("one") == data.get("other"):
            self.add_error("other", _("Choose two different players."))
        return data

    def act(self, **more: Any) -> Receipt:
        data, plan = self.cleaned_data, self.at.plan
        ids = self.desk.people.public_id
        pair = {data["one"]: data["other"], data["other"]: data["one"]}
        tables = [] if plan is None else [[ids(int(player)) for player in table] for table in plan.tables]
        swapped = [[pair.get(player, player) for player in table] for table in tables]
        return drawing.seat_by_hand(number=data["number"], tables=swapped, reason=data["reason"], **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return say("The two have changed places.")


class SeatForm(RoundForm):
    """The whole draw as text, a table a line."""

    slug, label = "seat", gettext_lazy("Seat by hand")
    about = gettext_lazy("The whole draw, typed.")
    heading: Text = gettext_lazy("Seat by hand")
    button: Text = gettext_lazy("Seat them so")
    previews = always = True
    at_field = {"already_seated": "tables", "no_tables": "tables", "not_entered": "tables", "bad_player": "tables"}

    def set_up(self) -> None:
        state, at = self.desk.state, self.at
        self.by_name = {name.casefold(): value for value, name in names_of(self.desk, state.part_of(at.number))}
        shown = dict(names_of(self.desk, state.part_of(at.number)))
        plan = at.plan
        lines = (
            []
            if plan is None
            else [
                "; ".join(shown.get(self.desk.people.public_id(int(player)), "?") for player in table)
                for table in plan.tables
            ]
        )
        self.fields["tables"] = forms.CharField(
            label=_("Tables"),
            initial="\n".join(lines),
            widget=forms.Textarea(attrs={"rows": max(6, min(30, len(lines) + 2)), "cols": 80, "spellcheck": "false"}),
            help_text=_(
                "One table a line, table 1 first; at each the players clockwise, with a semicolon between them. "
                "Whoever is not named sits out."
            ),
        )
        self.fields["reason"] = reason_field(required=False)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        self.seated: list[list[str]] = []
        for number, line in enumerate(filter(str.strip, data.get("tables", "").splitlines()), 1):
            table = []
            for name in (part.strip() for part in line.split(";") if part.strip()):
                found = self.by_name.get(name.casefold())
                if found is None:
                    text = _("Table {table}: nobody called “{name}” takes part in {round}.")
                    round_name = said(self.at.name)
                    self.add_error("tables", text.format(table=number, name=name[:60], round=round_name))
                else:
                    table.append(found)
            self.seated.append(table)
        return data

    def act(self, **more: Any) -> Receipt:
        return drawing.seat_by_hand(
            number=self.cleaned_data["number"],
            tables=self.seated,
            reason=self.cleaned_data["reason"],
            **self.call,
            **more,
        )

    def done(self, receipt: Receipt) -> str:
        return say("{round} is seated by hand.", round=self.at.name)


class PublishDrawForm(RoundForm):
    slug, label = "publish-draw", gettext_lazy("Publish the draw")
    about = gettext_lazy("From then on the club sees it.")
    heading: Text = gettext_lazy("Publish the draw")
    button: Text = gettext_lazy("Publish it")
    at_field = {"bad_time": "not_before"}

    def set_up(self) -> None:
        self.heading = _("Publish the draw of {round}").format(round=said(self.at.name))
        self.fields["not_before"] = embargo_field(self.desk.row.club.timezone)

    def clean(self) -> dict[str, Any]:
        self.moment = moment_of(self, self.desk.row.club.timezone)
        return self.cleaned_data

    def act(self, **more: Any) -> Receipt:
        return publishing.publish(
            what="draw", number=self.cleaned_data["number"], not_before=self.moment, **self.call, **more
        )

    def done(self, receipt: Receipt) -> str:
        return say("The draw of {round} is published.", round=self.at.name)


FORMS = [DrawForm, SwapForm, SeatForm, PublishDrawForm]
