"""Results of many tables out of one file, CSV or XLSX (rules.md 5.6): all deals or none, every fault by its line."""

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from datetime import datetime

from django.db import transaction

from competitions import folding
from competitions.access import may_see
from competitions.effects import effects, look
from competitions.files.results import DealLine, read_results
from competitions.models import Competition
from competitions.services.importing import REFUSALS, Imported, sheet_of
from competitions.services.people import Faults, Found, Wanted, find
from competitions.services.writing import MovedOn, lock_row
from competitions.showing import effects_shown
from competitions.state import CompetitionState
from games.access import Caller, role_needed
from games.engine.errors import Seat, for_people
from games.errors import Invalid, NotFound, Refusal
from games.models import Player, Role, Session
from games.services import writing as tables
from games.services.keys import Key, answer_of, known, remember, wait_for_twin
from games.services.recording import PaperResult, enter_result
from games.services.transactions import durable, rehearsal
from scoring.result import DealResult
from scoring.wording import say, say_n

MOST_DEALS = 2000
"""Deals of one file: its tables wait while they are written."""


def import_results(
    *,
    caller: Caller,
    competition: str,
    data: bytes,
    name: str,
    reason: str = "",
    anyway: bool = False,
    players: Mapping[str, str] | None = None,
    dry_run: bool,
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Imported:
    """Enter the deals of a file (docs/files.md) at the tables of open rounds, each as a scorer would have. Where names
    or ids stand in it, they must be those of who sits there. A deal that is on record just so is left alone; another
    result for it is a correction, which needs the `reason`. Slips that must be miscounted (rules.md 5.7) are faults
    too, unless they are to be kept `anyway`. Scorers and organisers.

    The report, in deals but for "rows": {"rows", "deals", "entered", "confirmed", "unchanged"}. Raises `bad_file`,
    `bad_columns`, `too_many_deals`, and `import_faults` with all faults in `errors`; then nothing is stored.
    """
    sheet = sheet_of(read_results, data, name)
    if len(sheet.rows) > MOST_DEALS:
        raise Invalid(
            "too_many_deals",
            say_n(
                "The file has {n} deal; send at most {most} at once.",
                "The file has {n} deals; send at most {most} at once.",
                len(sheet.rows),
                most=MOST_DEALS,
            ),
        )
    with rehearsal() if dry_run else nullcontext(), durable():
        row = Competition.objects.select_related("club").filter(public_id=competition).first()
        if row is None or not may_see(caller, row):
            raise NotFound("competition")
        if not caller.has(Role.SCORER, row.club_id):
            raise role_needed(Role.SCORER)
        key = None if dry_run else key
        wait_for_twin(caller, key)
        if (before := known(caller, key)) is not None:
            return Imported(**answer_of(before), effects=effects_shown({}))
        faults = Faults(list(sheet.faults))
        sessions = _lock(row, sheet.rows)
        # Before the first result, which takes the version: a correction among the others needs the competition.
        lock_row(row.pk)
        if expected_version is not None and (version := folding.version_of(row)) != expected_version:
            raise MovedOn(version)
        state = folding.state_of(row)
        seen = look(state, folding.scores_of(row))
        people = _people(row, sheet.rows, players or {}, faults)
        done = {"entered": 0, "confirmed": 0, "unchanged": 0}
        spoilt: set[tuple[int, int]] = set()
        for deal in sheet.rows:
            try:
                with transaction.atomic():
                    session = _session(state, sessions, deal)
                    one = tables.load(session, caller=caller, now=now)
                    came_of_it = _enter(one, deal, people, state, reason=reason, anyway=anyway)
                    if one.events:
                        tables.finish(one, door=door, key=None)
                done[came_of_it] += 1
            except REFUSALS as error:
                follows = bool(sheet.faults) or (deal.round, deal.table) in spoilt
                spoilt.add((deal.round, deal.table))
                if error.code == "wrong_number" and follows:
                    continue  # perhaps it is the next one after a deal that could not be taken
                line = getattr(error, "extra", {}).get("line", deal.line)
                faults.add(line, str(error.code), for_people(error.message))  # as the file counts seats
        faults.refuse()
        changed = effects(seen, look(folding.state_of(row), folding.scores_of(row)))
        row.refresh_from_db(fields=["seq"])
        report = {"rows": sum(len(deal.seats) for deal in sheet.rows), "deals": len(sheet.rows), **done}
        remember(caller, key, answer={"seq": row.seq, "report": report})
        return Imported(row.seq, report, effects_shown(changed))


def _lock(row: Competition, deals: Iterable[DealLine]) -> dict[tuple[int, int], Session]:
    """The sessions of the tables that the file names, by round and table, locked in the order of their ids."""
    numbers = {(deal.round, deal.table) for deal in deals}
    found = row.tables.filter(round__in={number for number, _ in numbers}).values_list("round", "number", "session")
    wanted = {session: (number, table) for number, table, session in found if (number, table) in numbers}
    rows = Session.objects.filter(pk__in=wanted).order_by("pk").select_for_update(no_key=True, of=("self",))
    return {wanted[session.pk]: session for session in rows}


def _session(state: CompetitionState, sessions: Mapping[tuple[int, int], Session], deal: DealLine) -> Session:
    at = state.check_round(deal.round)
    session = sessions.get((deal.round, deal.table))
    if session is None:
        if not at.tables:
            raise Refusal(
                "no_such_table",
                say("There is no table {table} in {round}: it is not open yet.", table=deal.table, round=at.name),
            )
        raise Refusal(
            "no_such_table",
            say_n(
                "There is no table {table} in {round}: it has {n} table.",
                "There is no table {table} in {round}: it has {n} tables.",
                len(at.tables),
                table=deal.table,
                round=at.name,
            ),
        )
    session.refresh_from_db()
    return session


def _enter(
    one: tables.Draft, deal: DealLine, people: Found, state: CompetitionState, *, reason: str, anyway: bool
) -> str:
    """Add a deal to the draft of its session, where it is not on record just so; returns what came of it."""
    _check_seats(one, deal, people)
    fact = next((item for item in one.state.current if item.number == deal.deal), None)
    if fact is not None and fact.voided_by is None and not one.state.unconfirmed(fact):
        result = one.played[fact.ordinal].result
        if result is not None and deal.dealer in (None, fact.dealer) and _same(result, deal):
            return "unchanged"
    state.check_open(deal.round)
    enter_result(one, number=deal.deal, dealer=deal.dealer, result=_paper(deal), anyway=anyway, reason=reason)
    return "entered" if one.begun else "confirmed" if one.events else "unchanged"


def _check_seats(one: tables.Draft, deal: DealLine, people: Found) -> None:
    """Whoever a row names sits in its seat. Raises `wrong_player`."""
    sitting = one.state.players_of(deal.deal) or [one.state.seated[seat] for seat in sorted(one.state.seated)]
    if len(sitting) != len(deal.seats):
        raise Invalid(
            "bad_result",
            say_n(
                "{n} seat stands in the file; the table has {seats}.",
                "{n} seats stand in the file; the table has {seats}.",
                len(deal.seats),
                seats=len(sitting),
            ),
        )
    named = {seat: people.by_line[line.line] for seat, line in enumerate(deal.seats) if line.line in people.by_line}
    if not named:
        return
    rows = {player.pk: player.person for player in Player.objects.filter(pk__in=sitting).select_related("merged_into")}
    for seat, player in named.items():
        there = rows[sitting[seat]]
        if there.pk != player.pk:
            raise Invalid(
                "wrong_player",
                say(
                    "In seat {seat} of table {table} sits {name}, not {other}.",
                    seat=Seat(seat),
                    table=deal.table,
                    name=there.name,
                    other=player.name,
                ),
                line=deal.seats[seat].line,
            )


def _people(row: Competition, deals: Iterable[DealLine], mapping: Mapping[str, str], faults: Faults) -> Found:
    wanted = [
        Wanted(line.line, line.name, line.player_id)
        for deal in deals
        for line in deal.seats
        if line.name or line.player_id
    ]
    return find(row.club, wanted, mapping, faults, may_make=False)


def _paper(deal: DealLine) -> PaperResult:
    seats = deal.seats
    forced = [seat.forced_passes for seat in seats if seat.forced_passes is not None]
    wrongful = [seat.wrongful_passes for seat in seats if seat.wrongful_passes is not None]
    withheld = None
    if all(seat.withheld is not None for seat in seats):
        withheld = [(payer, payee) for payer, seat in enumerate(seats) for payee in seat.withheld or ()]
    return PaperResult([seat.cards_left for seat in seats], forced or None, wrongful or None, withheld)


def _same(result: DealResult, deal: DealLine) -> bool:
    """Whether the file says of a deal what is on record, as far as it says anything."""
    paper = _paper(deal)
    pairs = (
        (paper.cards_left, result.cards_left),
        (paper.forced_passes, result.forced_passes),
        (paper.wrongful_passes, result.wrongful_passes),
    )
    if any(said is not None and tuple(said) != known for said, known in pairs):
        return False
    if paper.withheld is None:
        return True
    return result.withheld is not None and sorted(paper.withheld) == sorted(result.withheld)
