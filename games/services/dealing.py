"""Hosted deals: the server shuffles, deals and keeps the hands."""

from datetime import datetime
from typing import Any, Protocol

from games.access import Caller
from games.engine.deal import Deal
from games.engine.rules import Rules
from games.engine.session import SessionState
from games.engine.session_events import Kind
from games.errors import Forbidden, Invalid, Refusal
from games.lookups import played_by
from games.models import Player, Role
from games.services.keys import Key
from games.services.writing import Draft, Receipt, write
from scoring.schemes import Scheme
from scoring.wording import say


class Shuffler(Protocol):
    """The system's generator (`secrets.SystemRandom`), passed in by the doors."""

    def shuffle(self, x: Any, /) -> None: ...

    def randrange(self, stop: int, /) -> int: ...


def deal(
    *,
    caller: Caller,
    session: str,
    number: int,
    rng: Shuffler,
    now: datetime,
    door: str,
    key: Key | None = None,
) -> Receipt:
    """Deal the next deal, which must be `number`: whoever asks twice, or after somebody else, is told so.

    The first deal freezes rules, scheme and seats and draws the dealer. Any seat, a scorer or an organiser may ask; for
    the first an organiser, or any seat where players seat themselves. Raises `wrong_number`, `deal_running`,
    `session_finished`, `session_closed`, `seat_without_account`, and what `check_startable` raises.
    """

    def decide(draft: Draft) -> None:
        _check_right(draft)
        state = draft.state
        if number != state.next_number:
            raise wrong_number(state)
        deal_next(draft, rng)

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide)


def deal_next(draft: Draft, rng: Shuffler) -> None:
    """Add the next deal to the draft of a session."""
    state = draft.state
    number = state.next_number
    state.check_dealable(draft.live)
    if draft.session.status == "finished":
        raise Refusal("session_finished", say("The scheme says that this session is over."))
    seats = freeze(draft) if not state.frozen else state.seats
    assert seats is not None
    _check_accounts(list(state.seated.values()) if not state.frozen else state.players_of(number))
    dealer = state.next_dealer
    if dealer is None:
        dealer = rng.randrange(seats)
        draft.add(Kind.DEALER_DRAWN, seat=dealer)
    rules = state.rules
    deck = list(rules.tables.deck)
    rng.shuffle(deck)
    draft.add_deal(
        Kind.DEALT,
        deal=Deal.from_deck(rules, dealer, deck, seats),
        deck=bytes(deck),
        data={"number": number, "take": state.next_take(number), "wrongful_pass": rules.wrongful_pass},
    )


def freeze(draft: Draft) -> int:
    """Fix rules, scheme and seats with all their values, at the first deal (rules.md 6). Returns how many seats."""
    state = draft.state
    seats = state.check_startable()
    draft.add(Kind.FROZEN, data=frozen_data(state.rules, state.scheme, seats))
    return seats


def frozen_data(rules: Rules, scheme: Scheme, seats: int) -> dict[str, Any]:
    """What the event of the first deal keeps: rules and scheme with all their values, and the number of seats."""
    return {"rules": rules.frozen(), "scheme": scheme.frozen(), "seats": seats}


def wrong_number(state: SessionState) -> Refusal:
    """Somebody else was faster, or the number was miscounted."""
    number = state.next_number
    return Refusal("wrong_number", say("The next deal is number {number}.", number=number), next_number=number)


def _check_right(draft: Draft) -> None:
    caller, club = draft.caller, draft.session.club_id
    if caller.system or caller.has(Role.SCORER if draft.state.frozen else Role.ORGANISER, club):
        return
    state = draft.state
    seated = state.players_of(state.next_number)
    if not state.frozen and state.settings.get("self_seating", False):
        seated = list(state.seated.values())
    if not Player.objects.filter(played_by(caller.user), pk__in=seated).exists():
        message = (
            say("Only a seat of this table, a scorer or an organiser may deal.")
            if seated
            else say("Only an organiser may start a session.")
        )
        raise Forbidden("forbidden", message)


def _check_accounts(players: list[int]) -> None:
    without = Player.objects.filter(pk__in=players, user=None, merged_into__user=None)
    if names := ", ".join(without.order_by("name").values_list("name", flat=True)):
        raise Invalid(
            "seat_without_account",
            say(
                "Nobody could play for {names}: link an account to the player, seat a bot, or record the "
                "deals instead.",
                names=names,
            ),
        )
