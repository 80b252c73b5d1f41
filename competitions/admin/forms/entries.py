"""Who competes: adding players, withdrawing, coming back, sitting out, substitutes, pairs kept apart."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

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
from scoring.wording import say, say_n

MOST_LISTED = 150
"""Players of the club that are listed with a box to tick; more are searched for."""
MOST_TYPED = 2000


def bot_name(name: str) -> str:
    return _("{name} (bot)").format(name=name)


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

    slug, label = "enter", gettext_lazy("Add players")
    about = gettext_lazy("Who competes; new people too.")
    heading, button = gettext_lazy("Add players"), gettext_lazy("Add them")
    concerns = ("draws",)
    at_field = {"bad_text": "typed", "already_entered": "players", "bad_player": "players"}

    def set_up(self) -> None:
        club = self.desk.row.club_id
        entered = Entry.objects.filter(competition=self.desk.row).values("player")
        rows = Player.objects.filter(club=club, active=True).exclude(pk__in=entered).order_by("name", "pk")
        known = list(rows[: MOST_LISTED + 1])
        self.listed = 0 < len(known) <= MOST_LISTED
        if self.listed:
            choices = [(item.public_id, bot_name(item.name) if item.strategy else item.name) for item in known]
            self.fields["players"] = forms.MultipleChoiceField(
                choices=choices, required=False, label=_("Players of the club"), widget=Boxes
            )
        elif known:
            self.fields["players"] = PlayersField(
                club,
                required=False,
                label=_("Players of the club"),
                help_text=_("Search by name; choose as many as you like."),
            )
        self.fields["typed"] = forms.CharField(
            required=False,
            label=_("Names"),
            widget=forms.Textarea(attrs={"rows": 6, "cols": 40}),
            help_text=_(
                "One a line, typed or pasted. Whom the club knows by this name is entered; anybody else becomes "
                "a new player of the club."
            ),
        )
        state = self.desk.state
        if state.next_round > 1:
            self.fields["from_round"] = forms.IntegerField(
                min_value=1,
                max_value=500,
                required=False,
                label=_("From round"),
                initial=state.next_round,
                help_text=_("Earlier ones count as missed."),
            )
        self.fields["seeded"] = forms.BooleanField(
            required=False,
            label=_("They are seeds, in the order of the names typed"),
            help_text=_("The first one is the strongest. Knock-outs keep them apart."),
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
            self.add_error("typed", _("At most {n} names at a time.").format(n=MOST_TYPED))
            return data
        self._find(names)
        if not self.errors and not self.chosen and not self.order:
            self.add_error("players" if self.listed and not names else "typed", _("Choose or type at least one name."))
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
                text = _("The club has several players “{name}”: choose the right one by searching.")
                self.add_error("typed", text.format(name=name))
            elif known:
                if known[0] not in self.chosen:
                    self.order.append(("known", known[0]))
            elif len(name) > 80:
                self.add_error("typed", _("“{name}…” is too long for a name.").format(name=name[:30]))
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
        if made:
            return say_n(
                "{n} player entered, {new} of them new in the club.",
                "{n} players entered, {new} of them new in the club.",
                self.count,
                new=made,
            )
        return say_n("{n} player entered.", "{n} players entered.", self.count)


class WithdrawForm(EntriesForm):
    slug, label = "withdraw", gettext_lazy("Withdraw")
    about = gettext_lazy("Somebody plays no more; results stay.")
    heading, button = gettext_lazy("Withdraw a player"), gettext_lazy("Withdraw")

    def set_up(self) -> None:
        state = self.desk.state
        self.fields["player"] = entrant_field(
            self.desk,
            [player for player, entry in state.entries.items() if entry.withdrawn is None],
            label=_("Who"),
            initial=self.asked.get("player"),
        )
        self.fields["from_round"] = forms.IntegerField(
            min_value=1, max_value=500, required=False, label=_("From round"), initial=state.next_round
        )
        self.fields["reason"] = reason_field(required=False)

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return entries.withdraw(
            player=data["player"], from_round=data["from_round"], reason=data["reason"], **self.call, **more
        )

    def done(self, receipt: Receipt) -> str:
        return say("{player} is withdrawn.", player=self.who("player"))

    def who(self, field: str) -> str:
        people = self.desk.people
        return next((people.name(pk) for pk in people if people.public_id(pk) == self.cleaned_data[field]), "")


class ReinstateForm(WithdrawForm):
    slug, label = "reinstate", gettext_lazy("Take back in")
    about = gettext_lazy("Somebody who withdrew plays again.")
    heading, button = gettext_lazy("Take back in"), gettext_lazy("Take back in")

    def set_up(self) -> None:
        gone = [player for player, entry in self.desk.state.entries.items() if entry.withdrawn is not None]
        self.fields["player"] = entrant_field(self.desk, gone, label=_("Who"), initial=self.asked.get("player"))
        self.fields["reason"] = reason_field(required=False)

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return entries.reinstate(player=data["player"], reason=data["reason"], **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return say("{player} is back.", player=self.who("player"))


class SitOutForm(WithdrawForm):
    slug, label = "sit-out", gettext_lazy("Sit out a round")
    about = gettext_lazy("Absent, or with a bye.")
    heading, button = gettext_lazy("Sit out a round"), gettext_lazy("Sit out")
    at_field = {**CompetitionForm.at_field, "round_open": "number", "already_sits_out": "player"}

    def set_up(self) -> None:
        state = self.desk.state
        numbers = sorted({*state.numbers, state.next_round})
        self.fields["player"] = entrant_field(self.desk, self.entered, label=_("Who"), initial=self.asked.get("player"))
        self.fields["number"] = round_field(self.desk, numbers, label=_("Round"), initial=self.asked_round)
        self.fields["bye"] = forms.TypedChoiceField(
            choices=[("no", _("Absent")), ("yes", _("A bye, by your decision"))],
            coerce=lambda value: value == "yes",
            label=_("As"),
            initial="no",
            widget=forms.RadioSelect,
        )
        self.fields["points"] = forms.CharField(
            required=False,
            max_length=30,
            label=_("Points"),
            help_text=_("Empty: what the settings say."),
            widget=forms.TextInput(attrs={"class": "count"}),
        )
        self.fields["reason"] = reason_field(required=False)
        self.fields["reason"].help_text = _("Needed for a closed round, and where points are given.")

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
        where = self.desk.state.round(self.cleaned_data["number"]).name
        return say("{player} sits out in {round}.", player=self.who("player"), round=where)


class SubstituteForm(WithdrawForm):
    slug, label = "substitute", gettext_lazy("Substitute")
    about = gettext_lazy("Somebody else sits in a player's place for a round.")
    heading, button = gettext_lazy("Substitute for a round"), gettext_lazy("Substitute")
    previews = always = True
    intro = gettext_lazy(
        "For a round that is not opened yet. At a table that is open, substitute at the table itself (its session)."
    )
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
        self.fields["player"] = entrant_field(self.desk, self.entered, label=_("Who"), initial=self.asked.get("player"))
        self.fields["by"] = PlayerField(self.desk.row.club_id, label=_("Who sits instead"))
        self.fields["number"] = round_field(self.desk, numbers, label=_("Round"), initial=self.asked_round)
        self.fields["credit"] = forms.ChoiceField(
            choices=list(CREDITS.items()), label=_("The points"), widget=forms.RadioSelect, initial="player"
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
        by = self.cleaned_data["by"].name
        return say("{substitute} sits for {player} in {round}.", substitute=by, player=self.who("player"), round=where)


class ApartForm(EntriesForm):
    slug, label = "apart", gettext_lazy("Keep two apart")
    about = gettext_lazy("Two who are not to be seated together in draws to come.")
    heading, button = gettext_lazy("Keep two apart"), gettext_lazy("Keep them apart")
    intro = gettext_lazy("Draws to come do not seat the two together, where that can be. Undo it in the log.")
    at_field = {**CompetitionForm.at_field, "already_apart": "other"}
    previews = False

    def set_up(self) -> None:
        self.fields["player"] = entrant_field(self.desk, self.entered, label=_("One"), initial=self.asked.get("player"))
        self.fields["other"] = entrant_field(self.desk, self.entered, label=_("The other"))
        self.fields["reason"] = reason_field(required=False)

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return entries.keep_apart(players=(data["player"], data["other"]), reason=data["reason"], **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return say("The two are kept apart in draws to come.")


FORMS = [EnterForm, WithdrawForm, ReinstateForm, SitOutForm, SubstituteForm, ApartForm]
