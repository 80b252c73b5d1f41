"""Void, substitute, adjust, undo, close: each an event with a reason."""

from typing import Any

from django import forms

from games.admin import words
from games.admin.desk import Desk
from games.admin.forms.base import DeskForm, reason_field, seat_field
from games.admin.widgets import PlayerField
from games.engine.session import Kind
from games.models import Role
from games.services import corrections, sessions


class VoidForm(DeskForm):
    slug, label = "void", "Void a deal"
    about = "A misdeal, or a deal that must not count."
    heading, button, dangerous = "Void a deal", "Void this deal", True
    number = forms.IntegerField(label="Deal number", min_value=1)
    reason = reason_field()

    at_field = {**DeskForm.at_field, "already_voided": "number"}

    def set_up(self) -> None:
        current = self.desk.state.current
        self.initial.setdefault("number", self.asked_number("number") or (current[-1].number if current else None))

    @classmethod
    def fits(cls, desk: Desk) -> bool:
        return desk.open and any(deal.voided_by is None for deal in desk.state.current)

    @property
    def notice(self) -> str:
        text = "The deal is kept as it is, and counts nowhere. If it was the last one, its dealer deals again."
        live = self.desk.live
        if live is not None and live.mode == "hosted":
            text += f" Deal {live.number} is being played: voiding it opens its hands to all, and cannot be undone."
        return text

    def run(self) -> str:
        number = self.cleaned_data["number"]
        corrections.void(number=number, reason=self.cleaned_data["reason"], **self.call)
        return f"Deal {number} is void."


class SubstituteForm(DeskForm):
    slug, label = "substitute", "Substitute a player"
    about = "Somebody else takes over a seat from the next deal on."
    heading, button = "Substitute a player", "Substitute"
    at_field = {**DeskForm.at_field, "already_seated": "player", "bad_credit": "credit"}

    def set_up(self) -> None:
        self.fields["seat"] = seat_field(self.seat_choices(), label="Who leaves")
        self.fields["player"] = PlayerField(self.desk.session.club_id, label="Who takes the seat")
        self.fields["credit"] = forms.ChoiceField(
            choices=list(words.CREDITS.items()), label="Points of the seat", widget=forms.RadioSelect, initial="last"
        )
        self.fields["reason"] = reason_field()

    @classmethod
    def fits(cls, desk: Desk) -> bool:
        return desk.open and desk.state.frozen

    @property
    def notice(self) -> str:
        live = self.desk.live
        when = f"deal {live.number} is played to its end as it is; " if live else ""
        return f"{when}the new player sits from deal {self.desk.state.next_number} on.".capitalize()

    def run(self) -> str:
        data = self.cleaned_data
        number = self.desk.state.next_number
        corrections.substitute(
            seat=data["seat"],
            player=data["player"].public_id,
            credit=data["credit"],
            reason=data["reason"],
            **self.call,
        )
        return (
            f"{data['player'].name} takes seat {data['seat']} from {self.person(data['seat'])}, from deal {number} on."
        )


class AdjustForm(DeskForm):
    slug, label = "adjust", "Adjust points"
    about = "A penalty or a bonus for one seat."
    heading, button = "Adjust points", "Adjust"
    at_field = {**DeskForm.at_field, "bad_points": "points"}

    def set_up(self) -> None:
        self.fields["seat"] = seat_field(self.seat_choices(), label="Whose points")
        self.fields["points"] = forms.IntegerField(
            label="Points", help_text="Added to the total: −5 takes five points away. Which deals count stays."
        )
        self.fields["reason"] = reason_field()

    @classmethod
    def fits(cls, desk: Desk) -> bool:
        return desk.open and desk.state.frozen

    @property
    def notice(self) -> str:
        return "In this session the lowest total wins." if self.desk.state.scheme.lowest_wins else ""

    def run(self) -> str:
        data = self.cleaned_data
        corrections.adjust(seat=data["seat"], points=data["points"], reason=data["reason"], **self.call)
        return f"{words.signed(data['points'])} points for {self.person(data['seat'])}."


class UndoForm(DeskForm):
    """Reached from the event itself, in the session's log."""

    slug, label = "undo", "Undo"
    heading, button = "Undo", "Undo this"
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
        return f"This will be as if it had not happened, and stays in the log: {what}" if what else ""

    def run(self) -> str:
        seq = self.cleaned_data["seq"]
        corrections.undo(seq=seq, reason=self.cleaned_data["reason"], **self.call)
        return f"Undone: {self.what(seq)}"


class CloseForm(DeskForm):
    slug, label = "close", "Close the session"
    about = "The evening is over: nothing more is played or corrected."
    heading, button, dangerous = "Close the session", "Close the session", True
    reason = reason_field(required=False)

    @property
    def notice(self) -> str:
        if self.desk.hosted_now:
            return (
                "A deal is being played. Closing ends it without a result and opens its hands to all; "
                "then the session cannot be opened again."
            )
        return "The table stands as it is. You can open the session again by undoing its closing."

    def run(self) -> str:
        sessions.close(reason=self.cleaned_data["reason"], **self.call)
        return "The session is closed."


def closing_to_undo(desk: Desk) -> int | None:
    """The seq of the closing, where it can be undone."""
    closed = desk.state.closed_by
    if closed is None or not desk.may(Role.ORGANISER):
        return None
    event = next(event for event in desk.state.events if event.seq == closed)
    return None if event.kind is Kind.CLOSED and event.data.get("final") else closed
