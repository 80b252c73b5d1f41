"""Replaying a deal that is over, whole or up to a step."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from games import eventlog, selectors
from games.engine.deal import CORRECTION, PASS, Deal
from games.models import Deal as DealRow
from games.models import Session
from games.selectors import Position

Passed = Literal["forced", "wrongful", "corrected"]


@dataclass(frozen=True, slots=True)
class Step:
    """One action. `passed`: whether a pass was forced, wrongful, or wrongful and then taken back; None for a card."""

    seq: int
    seat: int
    action: int
    at: datetime
    passed: Passed | None


@dataclass(frozen=True, slots=True)
class Moment:
    """How the deal stands between two actions: the seat to act (None at the end), the cards that it may play (a set),
    the rows of the layout as in games.engine.seat_view, and how many cards each seat holds."""

    to_act: int | None
    legal: int
    rows: tuple[tuple[int, int] | None, ...]
    left: tuple[int, ...]

    @classmethod
    def of(cls, deal: Deal) -> "Moment":
        return cls(deal.to_act, deal.legal_mask(), deal.rows(), deal.cards_left())


@dataclass(frozen=True, slots=True)
class Replay:
    """A deal from its first card (`start`) through every step to its end. `moments`: before the first step and after
    each, so one more than steps."""

    session: Session
    position: Position
    start: Deal
    steps: list[Step]
    moments: list[Moment]


def whole(session: Session, number: int) -> Replay:
    """All of a deal; raises what `selectors.replay_of` raises."""
    return whole_row(session, selectors.deal_of(session, number))


def whole_row(session: Session, row: DealRow) -> Replay:
    """The same of a deal's row with its cards."""
    position = selectors.replay_row(session, row)
    start = eventlog.replay_row(session, row, [])
    assert start is not None
    deal = start.copy()
    steps: list[Step] = []
    moments = [Moment.of(deal)]
    for item in position.logged:
        passed: Passed | None = None
        if item.action == PASS:
            passed = "wrongful" if deal.legal_mask() else "forced"
        elif item.action & CORRECTION:
            before = steps[-1]
            steps[-1] = Step(before.seq, before.seat, before.action, before.at, "corrected")
        deal.apply(item.action)
        steps.append(Step(item.seq, item.seat, item.action, item.at, passed))
        moments.append(Moment.of(deal))
    return Replay(session, position, start, steps, moments)


def at_step(session: Session, number: int, step: int) -> tuple[Position, Deal | None]:
    """The deal after `step` actions; None where it has fewer."""
    position = selectors.replay_of(session, number)
    if step > len(position.logged):
        return position, None
    return position, eventlog.replay_row(session, position.row, position.logged[:step])
