"""Rules profiles, their options, and the tables that the engine plays by (rules.md 2, 3.2-3.4, 6)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, cast

from games.engine.cards import RANKS, SEVEN, SUITS, cards_of, mask_of, shown
from games.engine.errors import BadDeal, BadRules, Seat
from scoring.wording import say

WrongfulPass = Literal["refused", "fined"]

MIN_SEATS = 2
MAX_SEATS = 8

PROFILES: dict[str, dict[str, object]] = {
    "pagat": {},
    "pool": {},
    "yellowclub": {},
    "yellowclub-chips": {},
    "diamond-start": {"start": "holder:7D"},
    "heart-start": {"start": "holder:7H"},
    "ace-low": {"ace": "low"},
    "short-32": {"deck": 32},
    "duel": {"min_seats": 2},
    "bicycle": {"ace": "low"},
}
"""What each profile changes of the base (rules.md 6). A published name never changes its meaning."""

USUAL_SCHEMES = {
    "pool": "pool",
    "yellowclub": "card-count",
    "yellowclub-chips": "yellowclub-chips",
    "bicycle": "bicycle",
}
"""The scheme that a profile is usually played for, where it is not `wins` (rules.md 6)."""

OPTION_VALUES: dict[str, tuple[object, ...]] = {
    "deck": (52, 32),
    "ace": ("high", "low"),
    "start": ("left_of_dealer", *(f"holder:7{suit}" for suit in SUITS)),
    "min_seats": (2, 3),
    "wrongful_pass": ("refused", "fined"),
}
"""The values of each option, in the order in which options are written."""


@dataclass(frozen=True, slots=True)
class Tables:
    """What follows from deck, ace and start, worked out once.

    - `deck`: the deck's cards in writing order (suits C D H S, in each the ranks as the rules order them).
    - `deck_mask`: the same as a set; `deck_size`: 52 or 32.
    - `position`: the place of each of the 52 cards in writing order, whether in the deck or not.
    - `suits`: the deck's cards of each suit, from the lowest to the highest.
    - `first_open`: the cards that the empty layout accepts (rules.md 3.3, 3.4).
    - `change`: for each card, what laying it changes of the cards that the layout accepts: it leaves, others come.
    - `start`: the card that must be laid first, None where any seven opens.
    - `sevens`: (seven, its six or 0, its eight), each as a set of one card.
    - `ace_high`: writing order is the order of the numbers.
    """

    deck: tuple[int, ...]
    deck_mask: int
    deck_size: int
    position: tuple[int, ...]
    suits: tuple[tuple[int, ...], ...]
    first_open: int
    change: tuple[int, ...]
    start: int | None
    sevens: tuple[tuple[int, int, int], ...]
    ace_high: bool

    def in_order(self, mask: int) -> list[int]:
        """The cards of a set in writing order."""
        cards = cards_of(mask)
        return cards if self.ace_high else sorted(cards, key=self.position.__getitem__)


@dataclass(frozen=True, slots=True)
class Rules:
    """One profile with its options, each with its value. Raises BadRules when made of what rules.md refuses.

    `wrongful_pass` is how hosted play treats a pass with a legal card in hand (rules.md 4); None means recorded play.
    """

    profile: str = "pagat"
    deck: int = 52
    ace: str = "high"
    start: str = "left_of_dealer"
    min_seats: int = 3
    wrongful_pass: WrongfulPass | None = None

    def __post_init__(self) -> None:
        _check_profile(self.profile)
        for name, value in self.options().items():
            if name != "wrongful_pass" or value is not None:
                _check_option(name, value)
        if self.deck == 32 and self.ace == "low":
            raise BadRules(
                say("A deck of 32 needs the ace high: below the seven the row would have a hole (rules.md 2.4).")
            )

    @classmethod
    def from_json(cls, value: object) -> "Rules":
        """The rules named by a profile, or by an object of a profile and options: `{"profile": NAME, "ace": "low"}`."""
        if isinstance(value, str):
            _check_profile(value)
            return _BY_NAME[value]
        if not isinstance(value, Mapping):
            raise BadRules(say("Rules are the name of a profile or an object with a profile and options."))
        if "profile" not in value:
            raise BadRules(say('The rules name no profile; expected {{"profile": NAME, option: value, …}}.'))
        _check_profile(value["profile"])
        options = {name: option for name, option in value.items() if name != "profile"}
        for name, option in options.items():
            _check_option(name, option)
        return _with_options(value["profile"], tuple(options.items()))

    def to_json(self) -> str | dict[str, object]:
        """The canonical form: the bare profile, or an object with the options that differ from it, in their order."""
        usual = _BY_NAME[self.profile].options()
        differing = {name: value for name, value in self.options().items() if value != usual[name]}
        return {"profile": self.profile, **differing} if differing else self.profile

    def options(self) -> dict[str, object]:
        """All options with their values, in the order in which they are written."""
        return {name: getattr(self, name) for name in OPTION_VALUES}

    def frozen(self) -> dict[str, object]:
        """The object form with every value, for keeping: it reads the same whatever a profile becomes."""
        return {"profile": self.profile, **self.options()}

    def hosted(self) -> "Rules":
        """The same rules for hosted play, where wrongful passes are refused unless fined (rules.md 4.1, 4.5)."""
        return self if self.wrongful_pass else self.with_wrongful_pass("refused")

    def with_wrongful_pass(self, value: WrongfulPass | None) -> "Rules":
        """The same rules for hosted play (`refused`, `fined`) or for recorded play (None)."""
        return replace(self, wrongful_pass=value)

    @property
    def refuses_wrongful_passes(self) -> bool:
        """Whether a pass with a legal card in hand is no action at all (rules.md 4.1)."""
        return self.wrongful_pass not in (None, "fined")

    @property
    def tables(self) -> Tables:
        """The tables that these rules play by."""
        return _tables(self.deck, self.ace, self.start)


def usual_scheme(profile: str) -> str:
    """The scheme that a rules profile is usually played for (rules.md 6)."""
    return USUAL_SCHEMES.get(profile, "wins")


def hand_sizes(deck_size: int, seats: int, dealer: int) -> tuple[int, ...]:
    """Cards dealt to each seat: the first `deck_size mod seats` seats from the dealer's left hold one more (2.2)."""
    return _hand_sizes(deck_size, seats, dealer)


def check_seats(rules: Rules, seats: int) -> None:
    """Raises BadDeal unless that many can play (rules.md 2.1, 2.3)."""
    if not rules.min_seats <= seats <= MAX_SEATS:
        raise BadDeal(
            say(
                "These rules are for {least} to {most} seats; there are {seats}.",
                least=rules.min_seats,
                most=MAX_SEATS,
                seats=seats,
            )
        )


def check_dealer(seats: int, dealer: int) -> None:
    """Raises BadDeal unless the dealer is one of the seats."""
    if not 0 <= dealer < seats:
        raise BadDeal(
            say(
                "The dealer is seat {dealer}, but the table has seat {first} to seat {last}.",
                dealer=Seat(dealer),
                first=Seat(0),
                last=Seat(seats - 1),
            )
        )


def _check_profile(profile: object) -> None:
    if not isinstance(profile, str) or profile not in PROFILES:
        name = shown(profile) if isinstance(profile, str) else say("something that is not text")
        raise BadRules(
            say(
                "There is no rules profile {name}; the profiles are {profiles}.",
                name=name,
                profiles=", ".join(PROFILES),
            )
        )


def _check_option(name: str, value: object) -> None:
    allowed = OPTION_VALUES.get(name)
    if allowed is None:
        raise BadRules(
            say(
                "The rules have no option {name}; the options are {options}.",
                name=shown(name),
                options=", ".join(OPTION_VALUES),
            )
        )
    if not any(type(value) is type(one) and value == one for one in allowed):  # True is not 1, 52.0 is not 52
        raise BadRules(
            say(
                "The option {name} is one of {allowed}; the record has another value.",
                name=name,
                allowed=", ".join(map(str, allowed)),
            )
        )


@lru_cache(maxsize=256)
def _hand_sizes(deck_size: int, seats: int, dealer: int) -> tuple[int, ...]:
    each, longer = divmod(deck_size, seats)
    return tuple(each + ((seat - dealer - 1) % seats < longer) for seat in range(seats))


@lru_cache(maxsize=256)
def _with_options(profile: str, options: tuple[tuple[str, Any], ...]) -> Rules:
    return replace(_BY_NAME[profile], **dict(options))


@lru_cache(maxsize=64)
def _tables(deck: int, ace: str, start: str) -> Tables:
    order = RANKS if ace == "high" else "A" + RANKS[:-1]
    rows = [[suit * 13 + RANKS.index(rank) for rank in order] for suit in range(4)]
    position = [0] * 52
    for place, card in enumerate(card for row in rows for card in row):
        position[card] = place
    if deck == 32:
        rows = [row[order.index("7") :] for row in rows]
    change = [0] * 52
    sevens = []
    for suit, row in enumerate(rows):
        seven = row.index(suit * 13 + SEVEN)
        for place, card in enumerate(row):
            beyond = [place + step for step in (-1, 1) if (place - seven) * step >= 0]
            change[card] = mask_of(row[i] for i in [place, *beyond] if 0 <= i < len(row))
        six = 1 << row[seven - 1] if seven else 0
        sevens.append((1 << row[seven], six, 1 << row[seven + 1]))
    all_sevens = sum(seven for seven, _, _ in sevens)
    start_card = None
    first_open = all_sevens
    if start != "left_of_dealer":
        start_card = SUITS.index(start[-1]) * 13 + SEVEN
        first_open = 1 << start_card
        change[start_card] |= all_sevens ^ first_open  # so that no move but the first knows of the start card
    return Tables(
        deck=tuple(card for row in rows for card in row),
        deck_mask=mask_of(card for row in rows for card in row),
        deck_size=deck,
        position=tuple(position),
        suits=tuple(tuple(row) for row in rows),
        first_open=first_open,
        change=tuple(change),
        start=start_card,
        sevens=tuple(sevens),
        ace_high=ace == "high",
    )


_BY_NAME: dict[str, Rules] = {name: Rules(profile=name, **cast(Any, differing)) for name, differing in PROFILES.items()}
