"""Sessions as recorded deals (docs/record-format.md): what is exported imports again to the same bytes."""

from collections.abc import Iterator

from games import eventlog
from games.engine.record import GivenResult, Record, parse, write
from games.engine.session import DealFact, SessionState, fold
from games.models import Deal as DealRow
from games.models import Player, Session
from games.projection import result_from_json
from games.selectors import is_over


def record_lines(session: Session, *, only: int | None = None) -> Iterator[str]:
    """The deals of a session that are over, one canonical line each, in order of number. A running hosted deal is left
    out: its hands are hidden. `only` picks one number. Three statements, and one for each deal left unfinished."""
    state = fold(eventlog.own_events(session.pk))
    rows = {row.ordinal: row for row in DealRow.objects.select_related("cards").filter(session=session, current=True)}
    names = dict(Player.objects.filter(pk__in={o.player for o in state.occupants}).values_list("pk", "name"))
    for fact in state.current:
        row = rows[fact.ordinal]
        if only in (None, fact.number) and is_over(session, row):
            record = _record(session, state, fact, row)
            players = tuple(names[player] for player in state.players_of(fact.number))
            extra = tuple((key, text) for key, text in fact.data.get("extra", []))
            yield write(
                record._replace(
                    players=players, scheme=state.scheme, session=state.label, number=fact.number, extra=extra
                )
            )


def _record(session: Session, state: SessionState, fact: DealFact, row: DealRow) -> Record:
    """One deal as a record, but for names, label, number and other keys."""
    rules = state.rules.with_wrongful_pass(fact.wrongful_pass)
    reason = _void_reason(state, fact)
    if "kept" in fact.data:
        return parse(fact.data["kept"].encode())
    if fact.mode == "result":
        result = result_from_json(fact.data["result"], dealer=fact.dealer)
        given = GivenResult(result.cards_left, result.forced_passes, result.wrongful_passes, result.withheld)
        return Record(rules, (), fact.dealer, result=given, voided=reason)
    assert state.seats is not None
    deal = eventlog.replay(rules, state.seats, row, fact.dealer, [])
    assert deal is not None
    packed = row.packed
    actions = bytes(packed) if packed is not None else eventlog.action_bytes(eventlog.actions(session.pk, row))
    return Record(rules, (), fact.dealer, hands=tuple(deal.hands), actions=actions, voided=reason)


def _void_reason(state: SessionState, fact: DealFact) -> str | None:
    if fact.voided_by is None:
        return None
    return next(event.reason for event in state.events if event.seq == fact.voided_by) or "voided"
