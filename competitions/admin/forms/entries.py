"""Who competes: adding players, withdrawing, coming back, sitting out, substitutes, pairs kept apart."""

from typing import Any

from django import forms

from competitions.admin.base import CompetitionForm, part_of
from competitions.admin.forms.fields import Boxes, PlayersField, entrant_field, round_field
from competitions.admin.forms.settings import exact_of
from competitions.admin.telling import CREDITS
from competitions.models import Entry
from competitions.services import entries
from competitions.services.entries import NewEntry
from competitions.services.writing import Receipt
from games.admin.forms.base import reason_field
from games.admin.widgets import PlayerField
from games.models import Player
from games.models.fields import name_key
from games.services.keys import Key
from games.services.players import create_player

MOST_LISTED = 150
"""Players of the club that are listed with a box to tick; more are searched for."""
MOST_TYPED = 2000


class EntriesForm(CompetitionForm):
    """Leads back to where the entries are."""

    previews = True

    @property
    def home(self) -> str:
        return part_of(self.desk, "entries")

    @property
    def entered(self) -> list[int]:
        return list(self.desk.state.entries)


class EnterForm(EntriesForm):
    """Several at once: ticked or searched for, and typed names, of which unknown ones become new players."""

    slug, label = "enter", "Add players"
    about = "Who competes; new people too."
    heading, button = "Add players", "Add them"
    concerns = ("draws",)
    at_field = {"bad_text": "typed", "already_entered": "players", "bad_player": "players"}

    def set_up(self) -> None:
        club = self.desk.row.club_id
        entered = Entry.objects.filter(competition=self.desk.row).values("player")
        rows = Player.objects.filter(club=club, active=True).exclude(pk__in=entered).order_by("name", "pk")
        known = list(rows[: MOST_LISTED + 1])
        self.listed = 0 < len(known) <= MOST_LISTED
        if self.listed:
            choices = [(item.public_id, f"{item.name}{' (bot)' if item.strategy else ''}") for item in known]
            self.fields["players"] = forms.MultipleChoiceField(
                choices=choices, required=False, label="Players of the club", widget=Boxes
            )
        elif known:
            self.fields["players"] = PlayersField(
                club,
                required=False,
                label="Players of the club",
                help_text="Search by name; choose as many as you like.",
            )
        self.fields["typed"] = forms.CharField(
            required=False,
            label="Names",
            widget=forms.Textarea(attrs={"rows": 6, "cols": 40}),
            help_text="One a line, typed or pasted. Whom the club knows by this name is entered; anybody else becomes "
            "a new player of the club.",
        )
        state = self.desk.state
        if state.next_round > 1:
            self.fields["from_round"] = forms.IntegerField(
                min_value=1,
                max_value=500,
                required=False,
                label="From round",
                initial=state.next_round,
                help_text="Earlier ones count as missed.",
            )
        self.fields["seeded"] = forms.BooleanField(
            required=False,
            label="They are seeds, in the order of the names typed",
            help_text="The first one is the strongest. Knock-outs keep them apart.",
        )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        chosen = data.get("players") or []
        self.chosen = [item if isinstance(item, str) else item.public_id for item in chosen]
        self.new: list[str] = []
        self.order: list[tuple[str, str]] = []
        names = list(
            dict.fromkeys(" ".join(line.split()) for line in data.get("typed", "").splitlines() if line.strip())
        )
        if len(names) > MOST_TYPED:
            self.add_error("typed", f"At most {MOST_TYPED} names at a time.")
            return data
        self._find(names)
        if not self.errors and not self.chosen and not self.order:
            self.add_error("players" if self.listed and not names else "typed", "Choose or type at least one name.")
        return data

    def _find(self, names: list[str]) -> None:
        """Sort typed names into known players and new ones."""
        rows = Player.objects.filter(club=self.desk.row.club_id, active=True, name_key__in=list(map(name_key, names)))
        found: dict[str, list[str]] = {}
        for key, public_id in rows.values_list("name_key", "public_id"):
            found.setdefault(key, []).append(public_id)
        for name in names:
            known = found.get(name_key(name), [])
            if len(known) > 1:
                self.add_error("typed", f"The club has several players “{name}”: choose the right one by searching.")
            elif known:
                if known[0] not in self.chosen:
                    self.order.append(("known", known[0]))
            elif len(name) > 80:
                self.add_error("typed", f"“{name[:30]}…” is too long for a name.")
            else:
                self.order.append(("new", name))

    def act(self, **more: Any) -> Receipt:
        """New players are made first: `previews` has shown by then that everything else is in order."""
        club = self.desk.row.club.slug
        once = self.cleaned_data.get("once") if more else None

        def made(place: int, name: str) -> str:
            key = Key.of(f"admin {once} {place}", "competition enter", name) if once else None
            return create_player(caller=self.desk.caller, club=club, name=name, key=key)

        typed = [made(place, value) if kind == "new" else value for place, (kind, value) in enumerate(self.order)]
        first = self.cleaned_data.get("from_round")
        seeds = [entry.seed for entry in self.desk.state.entries.values() if entry.seed]
        after = max(seeds, default=0)
        seeded = self.cleaned_data["seeded"]
        new = [NewEntry(player, from_round=first) for player in self.chosen]
        new += [
            NewEntry(player, seed=after + place if seeded else None, from_round=first)
            for place, player in enumerate(typed, 1)
        ]
        self.count = len(new)
        return entries.enter(entries=new, **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        made = sum(kind == "new" for kind, _ in self.order)
        new = f", {made} of them new in the club" if made else ""
        return f"{self.count} player{'s' if self.count > 1 else ''} entered{new}."


class WithdrawForm(EntriesForm):
    slug, label = "withdraw", "Withdraw"
    about = "Somebody plays no more; results stay."
    heading, button = "Withdraw a player", "Withdraw"

    def set_up(self) -> None:
        state = self.desk.state
        self.fields["player"] = entrant_field(
            self.desk,
            [player for player, entry in state.entries.items() if entry.withdrawn is None],
            label="Who",
            initial=self.asked.get("player"),
        )
        self.fields["from_round"] = forms.IntegerField(
            min_value=1, max_value=500, required=False, label="From round", initial=state.next_round
        )
        self.fields["reason"] = reason_field(required=False)

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return entries.withdraw(
            player=data["player"], from_round=data["from_round"], reason=data["reason"], **self.call, **more
        )

    def done(self, receipt: Receipt) -> str:
        return f"{self.who('player')} is withdrawn."

    def who(self, field: str) -> str:
        people = self.desk.people
        return next((people.name(pk) for pk in people if people.public_id(pk) == self.cleaned_data[field]), "")


class ReinstateForm(WithdrawForm):
    slug, label = "reinstate", "Take back in"
    about = "Somebody who withdrew plays again."
    heading, button = "Take back in", "Take back in"

    def set_up(self) -> None:
        gone = [player for player, entry in self.desk.state.entries.items() if entry.withdrawn is not None]
        self.fields["player"] = entrant_field(self.desk, gone, label="Who", initial=self.asked.get("player"))
        self.fields["reason"] = reason_field(required=False)

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return entries.reinstate(player=data["player"], reason=data["reason"], **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return f"{self.who('player')} is back."


class SitOutForm(WithdrawForm):
    slug, label = "sit-out", "Sit out a round"
    about = "Absent, or with a bye."
    heading, button = "Sit out a round", "Sit out"
    at_field = {**CompetitionForm.at_field, "round_open": "number", "already_sits_out": "player"}

    def set_up(self) -> None:
        state = self.desk.state
        numbers = sorted({*state.numbers, state.next_round})
        self.fields["player"] = entrant_field(self.desk, self.entered, label="Who", initial=self.asked.get("player"))
        self.fields["number"] = round_field(self.desk, numbers, label="Round", initial=self.asked_round)
        self.fields["bye"] = forms.TypedChoiceField(
            choices=[("no", "Absent"), ("yes", "A bye, by your decision")],
            coerce=lambda value: value == "yes",
            label="As",
            initial="no",
            widget=forms.RadioSelect,
        )
        self.fields["points"] = forms.CharField(
            required=False,
            max_length=30,
            label="Points",
            help_text="Empty: what the settings say.",
            widget=forms.TextInput(attrs={"class": "count"}),
        )
        self.fields["reason"] = reason_field(required=False)
        self.fields["reason"].help_text = "Needed for a closed round, and where points are given."

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return entries.sit_out(
            player=data["player"],
            number=data["number"],
            bye=data["bye"],
            points=exact_of(data["points"]),
            reason=data["reason"],
            **self.call,
            **more,
        )

    def done(self, receipt: Receipt) -> str:
        return f"{self.who('player')} sits out in {self.desk.state.round(self.cleaned_data['number']).name}."


class SubstituteForm(WithdrawForm):
    slug, label = "substitute", "Substitute"
    about = "Somebody else sits in a player's place for a round."
    heading, button = "Substitute for a round", "Substitute"
    previews = always = True
    intro = "For a round that is not opened yet. At a table that is open, substitute at the table itself (its session)."
    at_field = {
        **CompetitionForm.at_field,
        "already_seated": "by",
        "substitution_cycle": "by",
        "bad_credit": "credit",
        "round_open": "number",
        "bad_player": "by",
    }

    def set_up(self) -> None:
        state = self.desk.state
        numbers = [n for n in sorted({*state.numbers, state.next_round}) if state.round(n).opened_seq is None]
        self.fields["player"] = entrant_field(self.desk, self.entered, label="Who", initial=self.asked.get("player"))
        self.fields["by"] = PlayerField(self.desk.row.club_id, label="Who sits instead")
        self.fields["number"] = round_field(self.desk, numbers, label="Round", initial=self.asked_round)
        self.fields["credit"] = forms.ChoiceField(
            choices=list(CREDITS.items()), label="The points", widget=forms.RadioSelect, initial="player"
        )
        self.fields["reason"] = reason_field()

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return entries.substitute(
            player=data["player"],
            number=data["number"],
            by=data["by"].public_id,
            credit=data["credit"],
            reason=data["reason"],
            **self.call,
            **more,
        )

    def done(self, receipt: Receipt) -> str:
        where = self.desk.state.round(self.cleaned_data["number"]).name
        return f"{self.cleaned_data['by'].name} sits for {self.who('player')} in {where}."


class ApartForm(EntriesForm):
    slug, label = "apart", "Keep two apart"
    about = "Two who are not to be seated together in draws to come."
    heading, button = "Keep two apart", "Keep them apart"
    intro = "Draws to come do not seat the two together, where that can be. Undo it in the log."
    at_field = {**CompetitionForm.at_field, "already_apart": "other"}
    previews = False

    def set_up(self) -> None:
        self.fields["player"] = entrant_field(self.desk, self.entered, label="One", initial=self.asked.get("player"))
        self.fields["other"] = entrant_field(self.desk, self.entered, label="The other")
        self.fields["reason"] = reason_field(required=False)

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return entries.keep_apart(players=(data["player"], data["other"]), reason=data["reason"], **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return "The two are kept apart in draws to come."


FORMS = [EnterForm, WithdrawForm, ReinstateForm, SitOutForm, SubstituteForm, ApartForm]
