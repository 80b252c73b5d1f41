"""A recorded deal as a value. Named tuples, because files hold hundreds of thousands of them."""

from typing import NamedTuple

from games.engine.rules import Rules
from scoring.schemes import Scheme


class GivenResult(NamedTuple):
    """The `result` of a record, as written there: one entry a seat, None where a key is absent.

    `withheld` has one (payer, payee) pair of seats for each payment of rules.md 5.3. `extra`: other keys, each with its
    JSON text.
    """

    cards_left: tuple[int, ...] | None = None
    forced_passes: tuple[int, ...] | None = None
    wrongful_passes: tuple[int, ...] | None = None
    withheld: tuple[tuple[int, int], ...] | None = None
    extra: tuple[tuple[str, str], ...] = ()


class Record(NamedTuple):
    """One recorded deal. `rules.wrongful_pass` of None: recorded play; else the deal was hosted.

    - `hands`: the cards dealt to each seat, as sets; None when they are not on record, or the deal is voided.
    - `actions`: the log, one byte an action (actions.py); None when there is none.
    - `voided`: the reason why the deal does not count; `kept_hands`: its hands as text, which may be no deal at all.
    - `extra`: other keys with their JSON text, in their order.
    """

    rules: Rules
    players: tuple[str, ...]
    dealer: int
    hands: tuple[int, ...] | None = None
    actions: bytes | None = None
    result: GivenResult | None = None
    scheme: Scheme | None = None
    session: str | None = None
    number: int | None = None
    voided: str | None = None
    kept_hands: tuple[str, ...] | None = None
    extra: tuple[tuple[str, str], ...] = ()

    @property
    def result_only(self) -> bool:
        """Whether the club recorded the result and no actions (rules.md 5.6)."""
        return self.actions is None and self.result is not None
