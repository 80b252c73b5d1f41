"""The rules once more, deliberately naive: sets of card texts and lists, no masks, nothing from games.engine.

Slow and plain on purpose, and written from rules.md alone, so that it can disagree with the engine.
"""

from itertools import cycle

SUITS = "CDHS"
CARD_FIRST = ("deal_over", "nothing_to_correct", "card_not_held", "illegal_play", "illegal_pass")


class Refused(Exception):
    """An action that the rules do not allow; `code` is the first reason in the order of CARD_FIRST."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


def ranks_in_order(ace):
    """rules.md 3.2."""
    return "23456789TJQKA" if ace == "high" else "A23456789TJQK"


def deck_cards(deck, ace):
    """rules.md 2.1, 2.4: every card, suit by suit and rank by rank."""
    ranks = ranks_in_order(ace)
    if deck == 32:
        ranks = ranks[ranks.index("7") :]
    return [rank + suit for suit in SUITS for rank in ranks]


def deal_round(cards, seats, dealer):
    """rules.md 2.2: one at a time, starting left of the dealer."""
    hands = [set() for _ in range(seats)]
    taking = cycle(range(seats))
    while next(taking) != dealer:
        pass
    for card, seat in zip(cards, taking, strict=False):
        hands[seat].add(card)
    return hands


class NaiveDeal:
    """One deal. Actions are texts as records have them: `7D`, `-`, `^7D`."""

    def __init__(self, *, ace, start, wrongful_pass, dealer, hands):
        self.ranks = ranks_in_order(ace)
        self.start_card = None if start == "left_of_dealer" else start.removeprefix("holder:")
        self.refuses_wrongful_passes = wrongful_pass == "refused"
        self.hands = [set(hand) for hand in hands]
        self.seats = len(hands)
        self.laid = set()
        self.history = []  # (seat, action, its legal cards, all hands), each as it was before the action
        self.winner = None
        self.turn = (dealer + 1) % self.seats
        if self.start_card:
            self.turn = next(seat for seat in range(self.seats) if self.start_card in self.hands[seat])

    def fits(self, card):
        """rules.md 3.1, 3.3, 3.4: whether the layout accepts the card now."""
        if self.winner is not None or card in self.laid:
            return False
        if self.start_card and self.start_card not in self.laid:
            return card == self.start_card
        rank, suit = card
        if rank == "7":
            return True
        row = [self.ranks.index(laid[0]) for laid in self.laid if laid[1] == suit]
        return bool(row) and self.ranks.index(rank) in (min(row) - 1, max(row) + 1)

    def legal(self):
        """rules.md 7.3: the cards that the seat to act may play."""
        return {card for card in self.hands[self.turn] if self.fits(card)}

    def corrector(self):
        """rules.md 4.2: the seat whose wrongful pass was the very last thing that happened."""
        if self.winner is not None or not self.history:
            return None
        seat, action, legal, _ = self.history[-1]
        return seat if action == "-" and legal else None

    def why_not(self, action):
        """The code of the first reason against the action, None when it is allowed."""
        if self.winner is not None:
            return "deal_over"
        seat = self.turn
        if action == "-":
            return "illegal_pass" if self.legal() and self.refuses_wrongful_passes else None
        if action.startswith("^"):
            seat = self.corrector()
            if seat is None:
                return "nothing_to_correct"
        card = action.removeprefix("^")
        if card not in self.hands[seat]:
            return "card_not_held"
        return None if self.fits(card) else "illegal_play"

    def do(self, action):
        code = self.why_not(action)
        if code:
            raise Refused(code)
        correction = action.startswith("^")
        seat = self.corrector() if correction else self.turn
        self.history.append((seat, action, self.legal(), [set(hand) for hand in self.hands]))
        card = action.removeprefix("^")
        if card != "-":
            self.hands[seat].remove(card)
            self.laid.add(card)
            if not self.hands[seat]:
                self.winner = seat
        if not correction:
            self.turn = (self.turn + 1) % self.seats

    def standing_passes(self):
        """The passes that were not corrected: (seat, its legal cards then, all hands then)."""
        passes = []
        for place, (seat, action, legal, hands) in enumerate(self.history):
            corrected = self.history[place + 1 : place + 2] and self.history[place + 1][1].startswith("^")
            if action == "-" and not corrected:
                passes.append((seat, legal, hands))
        return passes

    def forced(self):
        return [sum(s == seat and not legal for s, legal, _ in self.standing_passes()) for seat in range(self.seats)]

    def wrongful(self):
        return [sum(s == seat and bool(legal) for s, legal, _ in self.standing_passes()) for seat in range(self.seats)]

    def withheld(self):
        """rules.md 5.3: every (payer, payee)."""
        payments = []
        paid_for = set()
        for seat, legal, hands in self.standing_passes():
            for seven in sorted(card for card in legal if card[0] == "7" and card not in paid_for):
                paid_for.add(seven)
                for neighbour in ("6" + seven[1], "8" + seven[1]):
                    for other in range(self.seats):
                        if other != seat and neighbour in hands[other]:
                            payments.append((seat, other))
        return payments

    def rows(self):
        """rules.md 7.2: the laid ranks of each suit, from the lowest to the highest."""
        return [[rank for rank in self.ranks if rank + suit in self.laid] for suit in SUITS]

    def turns_in_order(self):
        """Seats in the order in which they took their turns."""
        return [seat for seat, action, _, _ in self.history if not action.startswith("^")]
