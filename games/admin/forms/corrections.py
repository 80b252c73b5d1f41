"""Void, substitute, re-seat, adjust, undo, close: each an event with a reason."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin import words
from games.admin.desk import Desk
from games.admin.forms.base import DeskForm, reason_field, seat_field
from games.admin.forms.correcting import CorrectingForm
from games.admin.widgets import PlayerField
from games.engine.session_events import Kind
from games.models import Role
from games.services import corrections, sessions
from games.services.writing import Receipt
from games.wording import said
from scoring.wording import say


class VoidForm(CorrectingForm):
    slug, label = "void", gettext_lazy("Void a deal")
    about = gettext_lazy("A misdeal, or a deal that must not count.")
    heading, button, dangerous = gettext_lazy("Void a deal"), gettext_lazy("Void this deal"), True
    number = forms.IntegerField(label=gettext_lazy("Deal number"), min_value=1)
    reason = reason_field()

    at_field = {**DeskForm.at_field, "already_voided": "number"}

    def set_up(self) -> None:
        current = self.desk.state.current
        self.initial.setdefault("number", self.asked_number("number") or (current[-1].number if current else None))

    @classmethod
    def fits(cls, desk: Desk) -> bool:
        return any(deal.voided_by is None for deal in desk.state.current)

    @property
    def notice(self) -> str:
        text = _("The deal is kept as it is, and counts nowhere. If it was the last one, its dealer deals again.")
        live = self.desk.live
        if live is None or live.mode != "hosted":
            return text
        played = _("Deal {number} is being played: voiding it opens its hands to all, and cannot be undone.")
        return f"{text} {played.format(number=live.number)}"

    def operate(self) -> Receipt:
        return corrections.void(number=self.cleaned_data["number"], reason=self.cleaned_data["reason"], **self.call)

    def said(self) -> str:
        return say("Deal {number} is void.", number=self.cleaned_data["number"])


class SubstituteForm(CorrectingForm):
    slug, label = "substitute", gettext_lazy("Substitute a player")
    about = gettext_lazy("Somebody else takes over a seat, from the next deal on or from a past one.")
    heading, button = gettext_lazy("Substitute a player"), gettext_lazy("Substitute")
    at_field = {**DeskForm.at_field, "no_such_deal": "from_number", "already_seated": "player", "bad_credit": "credit"}

    def set_up(self) -> None:
        self.fields["seat"] = seat_field(self.seat_choices(), label=_("Who leaves"))
        self.fields["player"] = PlayerField(self.desk.session.club_id, label=_("Who takes the seat"))
        following = self.desk.state.next_number
        self.fields["from_number"] = forms.IntegerField(
            label=_("From deal"),
            min_value=1,
            required=False,
            initial=following if self.desk.open else max(following - 1, 1),
            help_text=_("{number} is the next one; an earlier one if the substitute has played it already.").format(
                number=following
            ),
        )
        self.fields["credit"] = forms.ChoiceField(
            choices=list(words.CREDITS.items()), label=_("Points of the seat"), widget=forms.RadioSelect, initial="last"
        )
        self.fields["reason"] = reason_field()

    @classmethod
    def fits(cls, desk: Desk) -> bool:
        return desk.state.frozen

    @property
    def notice(self) -> str:
        live = self.desk.live
        until = _("The new player sits there until another substitution, if there is one.")
        if live is None:
            return until
        live_one = _("Deal {number} is played to its end as it is.").format(number=live.number)
        return f"{live_one} {until}"

    def operate(self) -> Receipt:
        data = self.cleaned_data
        return corrections.substitute(
            seat=data["seat"],
            player=data["player"].public_id,
            credit=data["credit"],
            from_number=data["from_number"],
            reason=data["reason"],
            **self.call,
        )

    def said(self) -> str:
        data = self.cleaned_data
        seat, number = data["seat"], data["from_number"] or self.desk.state.next_number
        names = self.desk.names_in(number)
        return say(
            "{name} takes seat {seat} from {before}, from deal {number} on.",
            name=data["player"].name,
            seat=seat + 1,
            before=names[seat],
            number=number,
        )


class ReseatForm(CorrectingForm):
    slug, label = "reseat", gettext_lazy("Correct who sat where")
    about = gettext_lazy("The players sat in other chairs than was entered.")
    heading, button = gettext_lazy("Correct who sat where"), gettext_lazy("Correct it")
    at_field = {**DeskForm.at_field, "bad_range": "to_number", "no_such_deal": "to_number"}

    def set_up(self) -> None:
        state = self.desk.state
        over = [
            deal.number for deal in state.current if self.desk.live is None or deal.ordinal != self.desk.live.ordinal
        ]
        latest = over[-1] if over else 1
        number = self.asked_number("number")
        self.fields["from_number"] = forms.IntegerField(label=_("From deal"), min_value=1, initial=number or 1)
        self.fields["to_number"] = forms.IntegerField(label=_("To deal"), min_value=1, initial=number or latest)
        self.fields["onwards"] = forms.BooleanField(
            required=False,
            label=_("They keep these chairs in the deals to come"),
            help_text=_("Only after deal {number}.").format(number=latest),
        )
        players = state.players_of(number or latest)
        for seat, pk in enumerate(players):
            self.fields[f"seat_{seat}"] = PlayerField(
                self.desk.session.club_id,
                also=players,
                label=_("In seat {number} sat").format(number=seat + 1),
                initial=pk,
            )
        self.fields["reason"] = reason_field()

    @classmethod
    def fits(cls, desk: Desk) -> bool:
        return desk.state.frozen and bool(desk.state.current)

    @property
    def notice(self) -> str:
        return _("Results stay with the seats: the points of these deals go to whoever sat there.")

    def operate(self) -> Receipt:
        data = self.cleaned_data
        seats = {seat: data[f"seat_{seat}"].public_id for seat in range(self.desk.state.seats or 0)}
        return corrections.reseat(
            seats=seats,
            from_number=data["from_number"],
            to_number=data["to_number"],
            onwards=data["onwards"],
            reason=data["reason"],
            **self.call,
        )

    def said(self) -> str:
        if self.made is None or self.made.seq == self.made.since:
            return say("They sit just as was entered; nothing is changed.")
        first, last = self.cleaned_data["from_number"], self.cleaned_data["to_number"]
        if first == last:
            return say("Who sat where in deal {number} is corrected.", number=first)
        return say("Who sat where in deals {first} to {last} is corrected.", first=first, last=last)


class AdjustForm(CorrectingForm):
    slug, label = "adjust", gettext_lazy("Adjust points")
    about = gettext_lazy("A penalty or a bonus for one seat.")
    heading, button = gettext_lazy("Adjust points"), gettext_lazy("Adjust")
    at_field = {**DeskForm.at_field, "bad_points": "points"}

    def set_up(self) -> None:
        self.fields["seat"] = seat_field(self.seat_choices(), label=_("Whose points"))
        self.fields["points"] = forms.IntegerField(
            label=_("Points"),
            help_text=_("Added to the total: −5 takes five points away. Which deals count stays."),
        )
        self.fields["reason"] = reason_field()

    @classmethod
    def fits(cls, desk: Desk) -> bool:
        return desk.state.frozen

    @property
    def notice(self) -> str:
        return _("In this session the lowest total wins.") if self.desk.state.scheme.lowest_wins else ""

    def operate(self) -> Receipt:
        data = self.cleaned_data
        return corrections.adjust(seat=data["seat"], points=data["points"], reason=data["reason"], **self.call)

    def said(self) -> str:
        data = self.cleaned_data
        return words.points_for(data["points"], self.person(data["seat"]) or "")


class UndoForm(CorrectingForm):
    """Reached from the event itself, in the session's log."""

    slug, label = "undo", gettext_lazy("Undo")
    heading, button = gettext_lazy("Undo"), gettext_lazy("Undo this")
    seq = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    reason = reason_field()

    def set_up(self) -> None:
        self.initial.setdefault("seq", self.asked_number("seq"))

    @classmethod
    def role(cls, desk: Desk) -> Role:
        return Role.SCORER

    @classmethod
    def fits(cls, desk: Desk) -> bool:
        return False

    def what(self, seq: Any) -> str:
        event = next((event for event in self.desk.state.events if str(event.seq) == str(seq)), None)
        return words.event_in_words(event, self.desk.state, self.desk.name) if event else ""

    @property
    def notice(self) -> str:
        what = self.what(self["seq"].value())
        if not what:
            return ""
        return _("This will be as if it had not happened, and stays in the log: {event}").format(event=said(what))

    def operate(self) -> Receipt:
        return corrections.undo(seq=self.cleaned_data["seq"], reason=self.cleaned_data["reason"], **self.call)

    def said(self) -> str:
        return say("Undone: {event}", event=self.what(self.cleaned_data["seq"]))


class CloseForm(DeskForm):
    slug, label = "close", gettext_lazy("Close the session")
    about = gettext_lazy("The evening is over: nothing more is played or entered.")
    heading, button, dangerous = gettext_lazy("Close the session"), gettext_lazy("Close the session"), True
    reason = reason_field(required=False)

    @property
    def notice(self) -> str:
        if self.desk.hosted_now:
            return _(
                "A deal is being played. Closing ends it without a result and opens its hands to all; "
                "then the session cannot be opened again."
            )
        return _(
            "The table stands as it is. An organiser can still correct it, or open it again by undoing its closing."
        )

    def run(self) -> str:
        sessions.close(reason=self.cleaned_data["reason"], **self.call)
        return say("The session is closed.")


def closing_to_undo(desk: Desk) -> int | None:
    """The seq of the closing, where it can be undone."""
    closed = desk.state.closed_by
    if closed is None or not desk.may(Role.ORGANISER):
        return None
    event = next(event for event in desk.state.events if event.seq == closed)
    return None if event.kind is Kind.CLOSED and event.data.get("final") else closed
