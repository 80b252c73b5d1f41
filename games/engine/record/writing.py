"""A Record as text, in the one form in which records are written (docs/record-format.md)."""

from games.engine.actions import action_text
from games.engine.cards import CARD_TEXT
from games.engine.record.strict_json import dump
from games.engine.record.types import GivenResult, Record


def write(record: Record) -> str:
    """The canonical line, without its newline: what `parse` reads from it is written as the same bytes again."""
    members: list[tuple[str, str]] = [("sevens", "1"), ("rules", dump(record.rules.to_json()))]
    if record.scheme is not None:
        members.append(("scheme", dump(record.scheme.to_json())))
    if record.session is not None:
        members.append(("session", dump(record.session)))
    if record.number is not None:
        members.append(("number", dump(record.number)))
    members.append(("players", dump(record.players)))
    members.append(("dealer", dump(record.dealer)))
    hands = _hands(record)
    if hands is not None:
        members.append(("hands", dump(hands)))
    result = None if record.result is None else _result(record.result)
    if record.actions or (record.actions is not None and result is not None):  # "" tells a log from a result alone
        members.append(("actions", dump(" ".join(map(action_text, record.actions)))))
    if result is not None:
        members.append(("result", result))
    if record.voided is not None:
        members.append(("voided", dump(record.voided)))
    return _object([*members, *record.extra])


def _hands(record: Record) -> tuple[str, ...] | None:
    if record.hands is None:
        return record.kept_hands
    in_order = record.rules.tables.in_order
    return tuple(" ".join([CARD_TEXT[card] for card in in_order(hand)]) for hand in record.hands)


def _result(result: GivenResult) -> str | None:
    known = zip(result._fields, result[:-1], strict=False)
    members = [(key, dump(value)) for key, value in known if value is not None]
    return _object([*members, *result.extra]) if members or result.extra else None


def _object(members: list[tuple[str, str]]) -> str:
    return "{" + ",".join([f"{dump(key)}:{text}" for key, text in members]) + "}"
