"""One deal: who may do what, and what happens then (rules.md 2, 3, 4, 5.3).

The layout is kept as one set, the cards that it accepts now. Laying a card takes it out of that set and puts in those
that it makes acceptable, one exclusive or with a table of 52 entries: no rank is ever compared with another.
"""

from collections.abc import Iterable, Sequence

from games.engine.actions import CARD_BITS, CORRECTION, PASS, action_text, is_action, parse_action
from games.engine.cards import CARD_TEXT, cards_of
from games.engine.errors import BadDeal, IllegalAction, Seat
from games.engine.rules import Rules, check_dealer, check_seats, hand_sizes
from scoring.result import DealResult
from scoring.wording import say

__all__ = ["CORRECTION", "PASS", "Deal", "action_text", "check_cards", "deal_out", "parse_action", "replay"]


class Deal:
    """A deal being played. `Deal.from_deck` and `Deal.from_hands` check the cards; the constructor trusts them.

    Sets of cards are integers (see cards.py). Read the attributes, change them through `apply` alone.

    - `hands`: the set each seat still holds; `open`: the cards that the layout accepts now, empty once the deal is won.
    - `log`: the actions so far, one byte each (see actions.py); `to_act`: the seat whose turn it is, None at the end.
    - `winner`: the seat that laid its last card, else None.
    - `forced`, `wrongful`: passes of each seat without and with a legal card; a corrected pass counts nowhere.
    - `withheld`: (payer, payee) seats of each payment due for a withheld seven (rules.md 5.3).
    """

    __slots__ = (
        "_before_wrongful",
        "_change",
        "_legal",
        "_sevens_paid",
        "_wrongful_at",
        "dealer",
        "forced",
        "hands",
        "log",
        "open",
        "rules",
        "seats",
        "to_act",
        "winner",
        "withheld",
        "wrongful",
    )

    def __init__(self, rules: Rules, dealer: int, hands: Iterable[int]) -> None:
        tables = rules.tables
        self.rules = rules
        self.hands = list(hands)
        self.seats = seats = len(self.hands)
        self.dealer = dealer
        self.open = tables.first_open
        self.log = bytearray()
        self.winner: int | None = None
        self.forced = [0] * seats
        self.wrongful = [0] * seats
        self.withheld: list[tuple[int, int]] = []
        first = (dealer + 1) % seats
        if tables.start is not None:
            first = next(seat for seat, hand in enumerate(self.hands) if hand >> tables.start & 1)
        self.to_act: int | None = first
        self._change = tables.change
        self._legal = self.hands[first] & self.open  # of the seat to act, kept in step with every action
        self._sevens_paid = 0
        # Length of the log just after the last wrongful pass, and what a correction must put back.
        self._wrongful_at = -1
        self._before_wrongful = (0, 0)

    @classmethod
    def from_deck(cls, rules: Rules, dealer: int, deck: Sequence[int], seats: int) -> "Deal":
        """Deal the deck out, its first card to the dealer's left (rules.md 2.2). Raises BadDeal."""
        check_seats(rules, seats)
        check_dealer(seats, dealer)
        hands = deal_out(seats, dealer, deck)
        if len(deck) != rules.deck or not _is_whole(rules, hands):
            check_deck(rules, deck)
        return cls(rules, dealer, hands)

    @classmethod
    def from_hands(cls, rules: Rules, dealer: int, hands: Sequence[int]) -> "Deal":
        """Start from the hands, a set of cards each, seat 0 first. Raises BadDeal."""
        check_seats(rules, len(hands))
        check_dealer(len(hands), dealer)
        sizes = tuple([hand.bit_count() for hand in hands])
        if sizes != hand_sizes(rules.deck, len(hands), dealer) or not _is_whole(rules, hands):
            check_cards(rules, dealer, [cards_of(hand) for hand in hands])
        return cls(rules, dealer, hands)

    # -- what may be done

    @property
    def over(self) -> bool:
        """Whether a seat has laid its last card (rules.md 3.8)."""
        return self.winner is not None

    @property
    def correctable(self) -> int | None:
        """The seat that may still take back its wrongful pass: the very last action was that pass (rules.md 4.2)."""
        if self._wrongful_at != len(self.log) or self.to_act is None:
            return None
        return (self.to_act or self.seats) - 1

    def legal_mask(self) -> int:
        """The cards that the seat to act may play, as a set: its hand and what the layout accepts (rules.md 7.3)."""
        return self._legal

    def legal(self) -> list[int]:
        """The same as a list, by ascending number. Empty: the seat must pass (rules.md 3.6)."""
        return cards_of(self._legal)

    def check(self, action: int) -> None:
        """Raises IllegalAction with the first reason against the action; ValueError when it is no action at all."""
        if not is_action(action):
            raise ValueError(f"{action} is not an action.")
        if self.to_act is None:
            assert self.winner is not None
            raise self._refused(
                "deal_over",
                say("The deal is over, seat {winner} has won it; nothing may follow.", winner=Seat(self.winner)),
            )
        seat = self.to_act
        if action == PASS:
            if self._legal and self.rules.refuses_wrongful_passes:
                held = _texts(self._legal)
                raise self._refused(
                    "illegal_pass",
                    say("Seat {seat} may not pass: it holds a legal card ({held}).", seat=Seat(seat), held=held),
                )
            return
        card = action & CARD_BITS
        if action & CORRECTION:
            corrector = self.correctable
            if corrector is None:
                message = say(
                    "{action} corrects nothing: the action just before it is not a wrongful pass.",
                    action=action_text(action),
                )
                raise self._refused("nothing_to_correct", message)
            seat = corrector
        bit = 1 << card
        if not self.hands[seat] & bit:
            raise self._refused(
                "card_not_held", say("Seat {seat} does not hold {card}.", seat=Seat(seat), card=CARD_TEXT[card])
            )
        if not self.open & bit:
            accepted = _texts(self.open)
            raise self._refused(
                "illegal_play",
                say("{card} does not fit; the layout accepts {accepted}.", card=CARD_TEXT[card], accepted=accepted),
            )

    # -- doing it

    def apply(self, action: int) -> None:
        """Do one action of the seat to act, or the correction of the pass before. Raises what `check` raises."""
        bit = 1 << action
        if not self._legal & bit:
            self._apply_other(action)
            return
        seat = self.to_act
        assert seat is not None  # there is a legal card
        hands = self.hands
        self.log.append(action)
        hands[seat] = hand = hands[seat] ^ bit
        if not hand:
            self._win(seat)
            return
        seat += 1
        if seat == self.seats:
            seat = 0
        self.to_act = seat
        self.open = accepted = self.open ^ self._change[action]
        self._legal = hands[seat] & accepted

    def apply_all(self, actions: Iterable[int]) -> None:
        """`apply` one action after the other. Raises at the first that is refused, when those before it are done.

        Most are plain: a legal card that is not the last one, or a forced pass. In a long row these are done here, on
        local names, and only the others by `apply`: a replay takes a fifth less (docs/performance.md).
        """
        hands, forced, log, change, seats = self.hands, self.forced, self.log, self._change, self.seats
        seat, accepted = self.to_act, self.open
        try:
            for action in actions:
                if seat is None:
                    self._stand(seat, accepted)
                    self.apply(action)
                    break  # never: nothing may follow the end of a deal
                bit = 1 << action
                hand = hands[seat]
                if hand & accepted & bit and hand != bit:
                    hands[seat] = hand ^ bit
                    accepted ^= change[action]
                elif action == PASS and not hand & accepted:
                    forced[seat] += 1
                else:
                    self._stand(seat, accepted)
                    self.apply(action)
                    seat, accepted = self.to_act, self.open
                    continue
                log.append(action)
                seat = seat + 1 if seat + 1 < seats else 0
        finally:
            self._stand(seat, accepted)

    def _stand(self, seat: int | None, accepted: int) -> None:
        """It is the seat's turn, on a layout that accepts these cards."""
        self.to_act, self.open = seat, accepted
        self._legal = 0 if seat is None else self.hands[seat] & accepted

    def _apply_other(self, action: int) -> None:
        """Everything but a legal play: a forced or wrongful pass, a correction, or the reason why not."""
        seat = self.to_act
        if action != PASS or self._legal or seat is None:  # else a forced pass, which nothing speaks against
            self.check(action)
        assert seat is not None
        if action == PASS:
            if self._legal:
                self._pass_wrongfully(seat)
            else:
                self.forced[seat] += 1
            self.log.append(PASS)
            self.to_act = seat = seat + 1 if seat + 1 < self.seats else 0
            self._legal = self.hands[seat] & self.open
        else:
            self._correct(action)

    def _pass_wrongfully(self, seat: int) -> None:
        """Count the pass, and the sevens it withholds: each is paid for once a deal (rules.md 5.3)."""
        self.wrongful[seat] += 1
        self._wrongful_at = len(self.log) + 1
        self._before_wrongful = len(self.withheld), self._sevens_paid
        for seven, six, eight in self.rules.tables.sevens:
            if self._legal & seven & ~self._sevens_paid:
                self._sevens_paid |= seven
                holders = (self._holder(six), self._holder(eight))
                self.withheld += [(seat, holder) for holder in holders if holder is not None and holder != seat]

    def _correct(self, action: int) -> None:
        """Take the wrongful pass back and lay the card instead; the turn order does not change (rules.md 4.2, 4.3)."""
        seat = self.correctable
        assert seat is not None
        assert self.to_act is not None
        paid, self._sevens_paid = self._before_wrongful
        del self.withheld[paid:]
        self.wrongful[seat] -= 1
        self.log.append(action)
        card = action & CARD_BITS
        self.hands[seat] ^= 1 << card
        if not self.hands[seat]:
            self._win(seat)
            return
        self.open ^= self._change[card]
        self._legal = self.hands[self.to_act] & self.open

    def _win(self, seat: int) -> None:
        self.winner = seat
        self.to_act = None
        self.open = 0
        self._legal = 0

    # -- what it has come to

    def rows(self) -> tuple[tuple[int, int] | None, ...]:
        """The layout: for each suit C D H S its lowest and highest card, None before its seven (rules.md 7.2)."""
        tables = self.rules.tables
        laid = tables.deck_mask
        for hand in self.hands:
            laid ^= hand
        rows: list[tuple[int, int] | None] = []
        for suit in tables.suits:
            cards = [card for card in suit if laid >> card & 1]
            rows.append((cards[0], cards[-1]) if cards else None)
        return tuple(rows)

    def cards_left(self) -> tuple[int, ...]:
        """The number of cards each seat holds."""
        return tuple([hand.bit_count() for hand in self.hands])

    def result(self) -> DealResult:
        """What scoring may know of the deal. Only when it is over."""
        if self.winner is None:
            raise ValueError("The deal is not over, so it has no result.")
        in_order = self.rules.tables.in_order
        return DealResult(
            dealer=self.dealer,
            hand_sizes=hand_sizes(self.rules.deck, self.seats, self.dealer),
            winner=self.winner,
            cards_left=self.cards_left(),
            left_cards=tuple([tuple([CARD_TEXT[card] for card in in_order(hand)]) for hand in self.hands]),
            forced_passes=tuple(self.forced),
            wrongful_passes=tuple(self.wrongful),
            withheld=tuple(self.withheld),
        )

    def copy(self) -> "Deal":
        """An independent deal in the same state."""
        twin = Deal.__new__(Deal)
        twin.rules = self.rules
        twin.seats = self.seats
        twin.dealer = self.dealer
        twin.open = self.open
        twin.winner = self.winner
        twin.to_act = self.to_act
        twin._change = self._change
        twin._legal = self._legal
        twin._sevens_paid = self._sevens_paid
        twin._wrongful_at = self._wrongful_at
        twin._before_wrongful = self._before_wrongful
        twin.hands = self.hands[:]
        twin.log = self.log[:]
        twin.forced = self.forced[:]
        twin.wrongful = self.wrongful[:]
        twin.withheld = self.withheld[:]
        return twin

    def _holder(self, bit: int) -> int | None:
        return next((seat for seat, hand in enumerate(self.hands) if hand & bit), None)

    def _refused(self, code: str, message: str) -> IllegalAction:
        return IllegalAction(code, message, len(self.log))


def replay(rules: Rules, dealer: int, hands: Sequence[int], actions: Iterable[int]) -> Deal:
    """The deal after the actions. Raises BadDeal, or IllegalAction with the index of the first action refused."""
    deal = Deal.from_hands(rules, dealer, hands)
    deal.apply_all(actions)
    return deal


def deal_out(seats: int, dealer: int, deck: Sequence[int]) -> list[int]:
    """The hands, as sets, when the deck is dealt one card at a time from the dealer's left (rules.md 2.2)."""
    hands = [0] * seats
    for place in range(min(seats, len(deck))):
        hands[(dealer + 1 + place) % seats] = sum([1 << card for card in deck[place::seats]])
    return hands


def _is_whole(rules: Rules, hands: Iterable[int]) -> bool:
    """Whether sets that have as many cards as the deck in all are the deck: they are, just when their sum is its."""
    return sum(hands) == rules.tables.deck_mask


def check_deck(rules: Rules, deck: Iterable[int]) -> None:
    """Raises BadDeal unless the cards are the whole deck, each once (rules.md 2.1, 2.4)."""
    tables = rules.tables
    seen = 0
    for card in deck:
        if not tables.deck_mask >> card & 1:
            raise BadDeal(say("{card} is not in the deck of {deck}.", card=CARD_TEXT[card], deck=rules.deck))
        if seen >> card & 1:
            raise BadDeal(say("{card} is there twice.", card=CARD_TEXT[card]))
        seen |= 1 << card
    if seen != tables.deck_mask:
        raise BadDeal(
            say(
                "The deck of {deck} is not complete; missing: {missing}.",
                deck=rules.deck,
                missing=_texts(tables.deck_mask ^ seen),
            )
        )


def check_cards(rules: Rules, dealer: int, hands: Sequence[Sequence[int]]) -> None:
    """Raises BadDeal unless the hands are the whole deck, each of the size that the dealing gives (rules.md 2.2)."""
    check_deck(rules, [card for hand in hands for card in hand])
    sizes = hand_sizes(rules.deck, len(hands), dealer)
    for seat, (hand, size) in enumerate(zip(hands, sizes, strict=True)):
        if len(hand) != size:
            raise BadDeal(
                say(
                    "Seat {seat} was dealt {cards} cards; with seat {dealer} dealing it gets {size}.",
                    seat=Seat(seat),
                    cards=len(hand),
                    dealer=Seat(dealer),
                    size=size,
                )
            )


def _texts(mask: int) -> str:
    return " ".join(CARD_TEXT[card] for card in cards_of(mask))
