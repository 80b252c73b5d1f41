"""A table as its page draws it, and the same for its script: seats, the layout, the last actions, the own hands."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from games import bots
from games.api.play import own_shape, seats_of
from games.engine.cards import card_text
from games.engine.deal import CORRECTION, PASS
from games.engine.rules import Rules
from games.engine.seat_view import SeatView, SpectatorView
from games.models import Occupancy, Player, Session
from games.wording import card_name, rows_in_words, words_of_cards

LAST_ACTIONS = 6
"""So many of the last actions are told in words."""


@dataclass(frozen=True, slots=True)
class SeatLine:
    """Who sits there. Without a deal `cards` and `passes` are None."""

    seat: int
    name: str
    bot: bool
    own: bool
    dealer: bool
    acting: bool
    cards: int | None
    passes: int | None


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card of the own hand: it may be played now, or played to take the pass just before back."""

    number: int
    text: str
    name: str
    fits: bool
    takes_back: bool

    @property
    def action(self) -> str:
        return f"^{self.text}" if self.takes_back else self.text


@dataclass(frozen=True, slots=True)
class HandShown:
    """The hand of a seat that the reader plays. `passing`: "" where no pass is allowed; "fined" where one is that costs
    something, since a card fits; else "forced"."""

    seat: int
    name: str
    cards: list[HeldCard]
    passing: str


def seat_lines(
    seating: Sequence[Occupancy], number: int, view: SpectatorView | None, mine: Sequence[int]
) -> list[SeatLine]:
    """The seats in deal `number`."""
    at: dict[int, Player] = {}
    for item in seating:
        if item.from_number <= number:
            at[item.seat] = item.player
    shown = range(len(at)) if view is None else range(view.seats)
    return [
        SeatLine(
            seat,
            at[seat].person.name,
            bot=bots.plays(at[seat].strategy),
            own=seat in mine,
            dealer=view is not None and view.dealer == seat,
            acting=view is not None and view.to_act == seat,
            cards=None if view is None else view.counts[seat],
            passes=None if view is None else view.passes[seat],
        )
        for seat in (sorted(at) if view is None else shown)
        if seat in at
    ]


def hand_shown(view: SeatView, name: str) -> HandShown:
    passing = "" if not view.may_pass else "fined" if view.legal else "forced"
    cards = [
        HeldCard(card, card_text(card), card_name(card), card in view.legal, card in view.corrections)
        for card in view.hand
    ]
    return HandShown(view.seat, name, cards, passing)


def last_said(view: SpectatorView, names: Sequence[str]) -> list[str]:
    """The last actions in words, the latest last."""
    acted = list(zip(seats_of(view.log, view), view.log, strict=True))
    return [
        action_said(names[seat], action, won=view.over and at == len(acted))
        for at, (seat, action) in enumerate(acted[-LAST_ACTIONS:], max(1, len(acted) - LAST_ACTIONS + 1))
    ]


def action_said(name: str, action: int, *, won: bool) -> str:
    """What somebody did, as everybody at the table heard it; `won`: it was the last card."""
    if action == PASS:
        return _("{name} passes.").format(name=name)
    card = card_name(action & ~CORRECTION)
    if action & CORRECTION:
        # Translators: {card} is a card by its name, such as “seven of diamonds”.
        pattern = _("{name} takes the pass back, plays the {card} and wins the deal.") if won else _(
            "{name} takes the pass back and plays the {card}."
        )  # fmt: skip
    else:
        pattern = _("{name} plays the {card} and wins the deal.") if won else _("{name} plays the {card}.")
    return pattern.format(name=name, card=card)


def last_card(view: SpectatorView) -> str:
    """The card that was laid last; "" before the first."""
    return next((card_text(action & ~CORRECTION) for action in reversed(view.log) if action != PASS), "")


def turn_said(view: SpectatorView, own: Sequence[SeatView], names: Sequence[str]) -> str:
    """Whose turn it is, in a running deal."""
    assert view.to_act is not None
    mine = next((seat for seat in own if seat.seat == view.to_act), None)
    if mine is None:
        return _("{name} is to play.").format(name=names[view.to_act])
    return _("It is your turn.") if mine.legal else _("It is your turn, and no card of yours fits: pass.")


def state_of(
    session: Session, view: SpectatorView | None, own: Sequence[SeatView], names: Sequence[str], **more: Any
) -> dict[str, Any]:
    """What the script goes on from."""
    found: dict[str, Any] = {"names": list(names), "turnSeconds": _clock(session), **more}
    if view is None:
        return found
    return found | {
        "to_act": view.to_act,
        "over": view.over,
        "counts": view.counts,
        "passes": view.passes,
        "rows": [None if row is None else [card_text(card) for card in row] for row in view.rows],
        "order": [card_text(card) for card in view.rules.tables.deck],
        "fined": not view.rules.refuses_wrongful_passes,
        "own": {str(seat.seat): own_shape(seat) for seat in own},
    }


def _clock(session: Session) -> int | None:
    """A turn's time where somebody plays on when it is over."""
    return session.turn_seconds if session.stand_in else None


def layout_said(view: SpectatorView | None, rules: Rules) -> tuple[Rules, Sequence[tuple[int, int] | None], str]:
    """The rules, rows and words of the layout; an empty one before the first deal."""
    rows: Sequence[tuple[int, int] | None] = [None] * 4 if view is None else view.rows
    return (rules if view is None else view.rules), rows, rows_in_words(rows)


def milliseconds(at: datetime | None) -> int | None:
    return None if at is None else int(at.timestamp() * 1000)


def words_for_script() -> dict[str, Any]:
    """The sentences that the script says by itself."""
    return words_of_cards() | {
        "yours": _("It is your turn."),
        "yoursPass": _("It is your turn, and no card of yours fits: pass."),
        "turn": _("{name} is to play."),
        "passes": _("{name} passes."),
        "plays": _("{name} plays the {card}."),
        "wins": _("{name} plays the {card} and wins the deal."),
        "takesBack": _("{name} takes the pass back and plays the {card}."),
        "takesBackWins": _("{name} takes the pass back, plays the {card} and wins the deal."),
        # Translators: what a screen reader says of a card in the hand.
        "fits": _("{card}, fits"),
        "takesBackCard": _("{card}, takes the pass back"),
        "doesNotFit": _("The {card} does not fit now."),
        "notYourTurn": _("It is not your turn."),
        "sure": _("You hold a card that fits, so passing costs you. To pass all the same, press again."),
        "pass": _("Pass"),
        "passAllTheSame": _("Pass all the same"),
        "sending": _("Sending…"),
        "kept": _("No connection. What you did is kept and will be sent as soon as there is one."),
        "gone": _("The connection is gone. Trying again…"),
        "back": _("The connection is back."),
        "ended": _("This page is no longer kept up to date."),
        "left": _("Time left: {time}"),
        "since": _("Thinking for {time}"),
        "nextDeal": _("The next deal comes in {time}."),
    }
