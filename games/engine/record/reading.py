"""One line of text into a Record, or the first fault that holds (docs/record-format.md).

The order of faults is the order of the steps in `parse`: the shape of the whole line, then the rules and the scheme,
then seats and cards. Actions and result are checked by replaying (outcome.py).
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from games.engine.actions import ACTION_OF_TEXT, parse_action
from games.engine.cards import CARD_OF_TEXT, CARD_TEXT, UnreadableCard, parse_card, shown
from games.engine.deal import check_cards, check_deck
from games.engine.errors import BadDeal, BadRules, RecordError
from games.engine.record.strict_json import dump, exact, read_object
from games.engine.record.types import GivenResult, Record
from games.engine.rules import Rules, check_dealer, check_seats, hand_sizes
from scoring.schemes import BadScheme, Scheme, scheme_from_json, scheme_from_text
from scoring.wording import mark, say

VERSION = 1
RESULT_KEYS = ("cards_left", "forced_passes", "wrongful_passes", "withheld")
KEYS = frozenset(
    "sevens rules scheme session number players dealer deck hands actions result voided".split()  # noqa: SIM905
)

T = TypeVar("T")
_BIT_OF_TEXT = {text: 1 << card for text, card in CARD_OF_TEXT.items()}
_KINDS = {
    str: mark("{key} must be text."),
    int: mark("{key} must be a whole number of at most nine digits."),
    list: mark("{key} must be a list."),
    dict: mark("{key} must be an object."),
}


def parse(line: bytes) -> Record:
    """The deal on the line. Raises RecordError: `bad_record`, `bad_rules` or `bad_deal`, in this order."""
    data, text = read_object(line)
    version = _required(data, "sevens", int)
    if version != VERSION:
        raise _bad(
            say(
                "The record is of version {version}; this program reads version {ours}.",
                version=version,
                ours=VERSION,
            )
        )
    rules = _name_or_object(data, "rules")
    if rules is None:
        raise _missing("rules")
    scheme = _name_or_object(data, "scheme")
    players = _players(data)
    dealer = _required(data, "dealer", int)
    session = _given(data, "session", str)
    number = _given(data, "number", int)
    if number is not None and number < 1:
        raise _bad(say("The number of a deal in its session counts from 1; the record has {number}.", number=number))
    voided = _given(data, "voided", str)
    if voided == "":
        raise _bad(say("voided is empty; it is the reason why the deal does not count."))
    actions = _actions(_given(data, "actions", str))
    result = _result(data, text, result_only=actions is None)
    deck, hands = _given(data, "deck", str), _hands(data)
    needed = voided is None and (result is None or actions is not None)
    if deck is not None and hands is not None:
        raise _bad(say("The record has both deck and hands; it must have one of them."))
    if needed and deck is None and hands is None:
        raise _bad(say("The record has neither deck nor hands; only a voided deal or a result alone can do without."))
    cards = None if hands is None else [_bits(hand) for hand in hands]
    if deck is not None:
        cards = [_bits(deck)]

    record = Record(
        rules=_rules(rules),
        players=players,
        dealer=dealer,
        actions=actions,
        result=result,
        scheme=None if scheme is None else _scheme(scheme),
        session=session,
        number=number,
        voided=voided,
        extra=() if data.keys() <= KEYS else _others(exact(text), KEYS),
    )

    try:
        check_seats(record.rules, len(players))
        check_dealer(len(players), dealer)
        if cards is None:
            return record
        if voided is not None:
            return record._replace(kept_hands=_kept(record, cards, dealt=deck is not None))
        return record._replace(hands=_held(record, cards) if deck is None else _dealt(record, cards[0]))
    except BadDeal as error:
        raise RecordError(error.code, error.message) from None


# -- the shape of the line


def _given(data: dict[str, object], key: str, kind: type[T]) -> T | None:
    """The value under the key, None when it is absent. Type is exact: True is no number, null is nothing's value."""
    value = data.get(key)
    if type(value) is kind:
        return value
    if value is None and key not in data:
        return None
    raise _bad(say(_KINDS[kind], key=key))


def _required(data: dict[str, object], key: str, kind: type[T]) -> T:
    value = _given(data, key, kind)
    if value is None:
        raise _missing(key)
    return value


def _name_or_object(data: dict[str, object], key: str) -> str | dict[str, object] | None:
    value = data.get(key)
    if isinstance(value, str | dict) or (value is None and key not in data):
        return value
    raise _bad(say("{key} must be a name or an object.", key=key))


def _players(data: dict[str, object]) -> tuple[str, ...]:
    players = _required(data, "players", list)
    for player in players:
        if type(player) is not str or not player:
            raise _bad(say("players must be a list of names, none of them empty."))
    return tuple(players)


def _hands(data: dict[str, object]) -> list[str] | None:
    hands = _given(data, "hands", list)
    for hand in hands or ():
        if type(hand) is not str:
            raise _bad(say("hands must be a list of texts, one a seat, each with the cards of that seat."))
    return hands


def _actions(text: str | None) -> bytes | None:
    if text is None:
        return None
    tokens = text.split(" ")
    try:
        return bytes(map(ACTION_OF_TEXT.__getitem__, tokens))
    except KeyError:  # runs of spaces, or a token that is no action
        tokens = [token for token in tokens if token]
    log = bytearray()
    for index, token in enumerate(tokens):
        try:
            log.append(parse_action(token))
        except UnreadableCard as error:
            raise RecordError("bad_record", say("actions: {fault}", fault=str(error)), index) from None
    return bytes(log)


def _bits(text: str) -> list[int]:
    """The cards that the text names, each as a set of one."""
    tokens = text.split(" ")
    try:
        return list(map(_BIT_OF_TEXT.__getitem__, tokens))
    except KeyError:  # runs of spaces, or a token that is no card
        pass
    try:
        return [1 << parse_card(token) for token in tokens if token]
    except UnreadableCard as error:
        raise _bad(str(error)) from None


def _result(data: dict[str, object], text: str, *, result_only: bool) -> GivenResult | None:
    result = _given(data, "result", dict)
    if result is None:
        return None
    cards_left, forced, wrongful = (_counts(result, key) for key in RESULT_KEYS[:3])
    if result_only and cards_left is None:
        raise _bad(say("The result has no cards_left, and there are no actions that tell them."))
    pairs = _given(result, "withheld", list)
    for pair in pairs or ():
        if type(pair) is not list or len(pair) != 2 or not _all_integers(pair):
            raise _bad(say("withheld must be a list of pairs [payer, payee], each of them a seat."))
    withheld = None if pairs is None else tuple([(payer, payee) for payer, payee in pairs])
    extra: tuple[tuple[str, str], ...] = ()
    if not result.keys() <= set(RESULT_KEYS):
        written = exact(text)["result"]
        assert isinstance(written, dict)
        extra = _others(written, RESULT_KEYS)
    return GivenResult(cards_left, forced, wrongful, withheld, extra)


def _counts(result: dict[str, object], key: str) -> tuple[int, ...] | None:
    numbers = _given(result, key, list)
    if not _all_integers(numbers or ()):
        raise _bad(say("{key} must be a list of whole numbers, one a seat.", key=key))
    return None if numbers is None else tuple(numbers)


def _all_integers(values: Iterable[object]) -> bool:
    return all(type(value) is int for value in values)


def _others(data: dict[str, object], known: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple([(key, dump(value)) for key, value in data.items() if key not in known])


# -- rules, scheme, cards


def _rules(value: str | dict[str, object]) -> Rules:
    try:
        return Rules.from_json(value)
    except BadRules as error:
        raise RecordError(error.code, error.message) from None


def _scheme(value: str | dict[str, object]) -> Scheme:
    try:
        return _scheme_of_text(value) if isinstance(value, str) else scheme_from_json(value)
    except BadScheme as error:
        raise RecordError(error.code, str(error)) from None


@lru_cache(maxsize=256)
def _scheme_of_text(text: str) -> Scheme:
    return scheme_from_text(text)


def _held(record: Record, cards: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The hands as sets. As many cards as the deck has, and in sum the deck: so every card is there just once."""
    rules, seats = record.rules, len(record.players)
    if len(cards) != seats:
        raise BadDeal(say("There are {hands} hands for {seats} players.", hands=len(cards), seats=seats))
    hands = tuple(map(sum, cards))
    if sum(hands) != rules.tables.deck_mask or tuple(map(len, cards)) != hand_sizes(rules.deck, seats, record.dealer):
        check_cards(rules, record.dealer, [_numbers(hand) for hand in cards])
    return hands


def _dealt(record: Record, deck: Sequence[int]) -> tuple[int, ...]:
    tables = record.rules.tables
    if len(deck) != tables.deck_size or sum(deck) != tables.deck_mask:
        check_deck(record.rules, _numbers(deck))
    return tuple(map(sum, _deal_round(record, deck)))


def _kept(record: Record, cards: Sequence[Sequence[int]], *, dealt: bool) -> tuple[str, ...]:
    """The hands of a voided deal in writing order, whatever they are; a deck is dealt round as far as it goes."""
    position = record.rules.tables.position
    hands = [_numbers(hand) for hand in (_deal_round(record, cards[0]) if dealt else cards)]
    return tuple([" ".join([CARD_TEXT[card] for card in sorted(hand, key=position.__getitem__)]) for hand in hands])


def _deal_round(record: Record, deck: Sequence[int]) -> list[Sequence[int]]:
    """The deck's cards by seats, dealt one at a time from the dealer's left (rules.md 2.2)."""
    seats = len(record.players)
    return [deck[(seat - record.dealer - 1) % seats :: seats] for seat in range(seats)]


def _numbers(bits: Sequence[int]) -> list[int]:
    return [bit.bit_length() - 1 for bit in bits]


def _bad(message: str) -> RecordError:
    return RecordError("bad_record", message)


def _missing(key: str) -> RecordError:
    return _bad(say("The record has no {key}.", key=shown(key)))
