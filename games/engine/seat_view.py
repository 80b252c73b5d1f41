"""What a spectator and a seat may see of a deal (rules.md 4.5, 7.9).

A view is built up from what its viewer may see, never cut down from the whole deal: cards that the viewer cannot see
do not enter into it. Of passes only the seat itself learns which of its own were wrongful.
"""

from dataclasses import dataclass

from games.engine.deal import Deal
from games.engine.rules import Rules


@dataclass(frozen=True, slots=True)
class SpectatorView:
    """What everybody at the table sees. Tuples have one entry a seat, but for `rows` (one a suit C D H S) and `log`.

    - `rows`: lowest and highest card of the suit's row, None before its seven.
    - `counts`: cards in hand; `passes`: passes that stand, forced and wrongful together.
    - `to_act`: the seat whose turn it is, None at the end; `winner`: the seat that won, else None.
    - `log`: the actions so far, as in actions.py.
    """

    rules: Rules
    seats: int
    dealer: int
    rows: tuple[tuple[int, int] | None, ...]
    counts: tuple[int, ...]
    passes: tuple[int, ...]
    to_act: int | None
    log: tuple[int, ...]
    over: bool
    winner: int | None


@dataclass(frozen=True, slots=True)
class SeatView(SpectatorView):
    """The same and what one seat knows besides.

    - `hand`: its cards, in writing order; `legal`: those that it may play now, empty when it is not its turn.
    - `may_pass`: it is its turn and a pass would be accepted (where wrongful passes are, even with a legal card).
    - `correctable`: its pass just before was wrongful and may be taken back; `corrections`: by playing one of these.
    - `forced`, `wrongful`: its own passes without and with a legal card.
    """

    seat: int
    hand: tuple[int, ...]
    legal: tuple[int, ...]
    may_pass: bool
    correctable: bool
    corrections: tuple[int, ...]
    forced: int
    wrongful: int


def spectator_view(deal: Deal) -> SpectatorView:
    """The deal as anybody may see it."""
    return SpectatorView(
        rules=deal.rules,
        seats=deal.seats,
        dealer=deal.dealer,
        rows=deal.rows(),
        counts=deal.cards_left(),
        passes=_passes(deal),
        to_act=deal.to_act,
        log=tuple(deal.log),
        over=deal.over,
        winner=deal.winner,
    )


def seat_view(deal: Deal, seat: int) -> SeatView:
    """The deal as the seat may see it."""
    in_order = deal.rules.tables.in_order
    own = deal.hands[seat]
    fitting = tuple(in_order(own & deal.open))
    turn = deal.to_act == seat
    correctable = deal.correctable == seat
    return SeatView(
        rules=deal.rules,
        seats=deal.seats,
        dealer=deal.dealer,
        rows=deal.rows(),
        counts=deal.cards_left(),
        passes=_passes(deal),
        to_act=deal.to_act,
        log=tuple(deal.log),
        over=deal.over,
        winner=deal.winner,
        seat=seat,
        hand=tuple(in_order(own)),
        legal=fitting if turn else (),
        may_pass=turn and (not fitting or not deal.rules.refuses_wrongful_passes),
        correctable=correctable,
        corrections=fitting if correctable else (),
        forced=deal.forced[seat],
        wrongful=deal.wrongful[seat],
    )


def _passes(deal: Deal) -> tuple[int, ...]:
    """Passes that stand. Everybody has heard them; how they split into forced and wrongful is not for everybody."""
    return tuple(forced + wrongful for forced, wrongful in zip(deal.forced, deal.wrongful, strict=True))
