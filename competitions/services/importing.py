"""Entries and points out of files, CSV or XLSX: all rows or none, every fault told by its line, and a dry run that is
the real thing, taken back (T64, T65)."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from competitions.eventlog import NewEvent
from competitions.facts import CompetitionError, Entry, Kind
from competitions.files.columns import Sheet
from competitions.files.entries import EntryLine, read_entries
from competitions.files.errors import FileError
from competitions.files.standings import StandingLine, read_standings
from competitions.services.checking import checked_points, why
from competitions.services.drawing import redraw_what_must
from competitions.services.entries import MOST_ENTRIES, check_not_seated, first_round, too_many_entries
from competitions.services.people import Faults, Wanted, fault_json, find
from competitions.services.writing import Draft, write
from competitions.showing import EffectsShown, effects_shown
from games.access import Caller
from games.engine.errors import EngineError
from games.errors import Invalid, Refusal
from games.models import Player
from games.services.keys import Key
from games.services.transactions import rehearsal
from scoring.points import exact
from scoring.wording import say

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did, or in a dry run would do: how many rows came to what (`report`), and what that changes.

    `effects` are read before a dry run is taken back, since they may name players that it made. `seq`: of the
    competition's last event. A key that was used before is answered with the report of then, without effects."""

    seq: int
    report: dict[str, Any]
    effects: EffectsShown


REFUSALS = (Refusal, CompetitionError, EngineError)
"""What a row may be refused with; each has a code and a message."""


def import_entries(
    *,
    caller: Caller,
    competition: str,
    data: bytes,
    name: str,
    players: Mapping[str, str] | None = None,
    dry_run: bool,
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Imported:
    """Enter everybody in a file (docs/files.md); who is entered just so already is left alone. Names that nobody in the
    club has become players; `players` (name to public id) settles names that several have. Organisers.

    The report: {"rows", "entered", "withdrawn", "unchanged", "new_players"}. Raises `bad_file`, `bad_columns`, and
    `import_faults` with all faults in `errors`.
    """
    sheet = sheet_of(read_entries, data, name)

    def decide(draft: Draft) -> None:
        draft.state.check_running()
        faults = Faults(list(sheet.faults))
        wanted = [Wanted(row.line, row.name, row.player_id) for row in sheet.rows]
        found = find(draft.competition.club, wanted, players or {}, faults, may_make=True)
        made = found.make()
        entered = {draft.scores.who(entry.player): entry for entry in draft.state.entries.values()}
        events: list[NewEvent] = []
        seen: dict[int, int] = {}
        for row in sheet.rows:
            player = found.by_line.get(row.line)
            if player is None:
                continue
            if player.pk in seen:
                message = say(
                    "{name} stands in line {line} already: a person enters once.",
                    name=player.name,
                    line=seen[player.pk],
                )
                faults.add(row.line, "already_entered", message)
                continue
            seen[player.pk] = row.line
            try:
                events += _entry_events(draft, row, player, entered.get(player.pk))
            except REFUSALS as error:
                faults.add(row.line, str(error.code), error.message)
        new = sum(event.kind is Kind.ENTERED for event in events)
        if len(entered) + new > MOST_ENTRIES:
            raise too_many_entries()
        faults.refuse()
        draft.report = {
            "rows": len(sheet.rows),
            "entered": new,
            "withdrawn": len(events) - new,
            "unchanged": len(sheet.rows) - len({event.player for event in events}),
            "new_players": made,
        }
        draft.add_all(events)
        redraw_what_must(draft)

    return _run(caller, competition, now, door, key, decide, expected_version, dry_run)


def _entry_events(draft: Draft, row: EntryLine, player: Player, entry: Entry | None) -> list[NewEvent]:
    """What a row changes; nothing where the player is entered just so."""
    events = []
    withdrawn = None if entry is None else entry.withdrawn
    if entry is None:
        first = first_round(draft, row.from_round)
        events.append(NewEvent(Kind.ENTERED, player=player.pk, data={"from_round": first, "seed": row.seed}))
    elif row.seed != entry.seed or row.from_round not in (None, entry.from_round):
        raise Refusal("already_entered", _entered_already(player, entry))
    if row.withdrawn_from != withdrawn:
        if withdrawn is not None or row.withdrawn_from is None:
            raise Refusal(
                "already_withdrawn",
                say("{name} is withdrawn from round {number} on. Reinstate first.", name=player.name, number=withdrawn),
            )
        if entry is not None:
            check_not_seated(draft, player, row.withdrawn_from)
        events.append(NewEvent(Kind.WITHDRAWN, round=row.withdrawn_from, player=player.pk))
    return events


def _entered_already(player: Player, entry: Entry) -> str:
    if entry.seed is None:
        return say(
            "{name} is entered already, without a seed from round {number} on. Undo that entry to change it.",
            name=player.name,
            number=entry.from_round,
        )
    return say(
        "{name} is entered already, with seed {seed} from round {number} on. Undo that entry to change it.",
        name=player.name,
        seed=entry.seed,
        number=entry.from_round,
    )


def import_points(
    *,
    caller: Caller,
    competition: str,
    data: bytes,
    name: str,
    reason: str,
    players: Mapping[str, str] | None = None,
    dry_run: bool,
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Imported:
    """Points brought along from elsewhere: each row of a file of standings (docs/files.md) gives its player the total
    as an adjustment with this `reason`. Who has just these points for this reason already is left alone, so a file that
    is sent twice counts once. Organisers.

    The report: {"rows", "adjusted", "unchanged"}. Raises as `import_entries`, and `reason_required`.
    """
    sheet = sheet_of(read_standings, data, name)

    def decide(draft: Draft) -> None:
        draft.state.check_running()
        said = why(Kind.ADJUSTED, reason)
        faults = Faults(list(sheet.faults))
        wanted = [Wanted(row.line, row.name, row.player_id) for row in sheet.rows]
        found = find(draft.competition.club, wanted, players or {}, faults, may_make=False)
        entered = {draft.scores.who(player): player for player in draft.state.entries}
        had = {
            (draft.scores.who(item.player), exact(item.points))
            for item in draft.state.adjustments
            if item.reason == said and item.cancelled_by is None
        }
        events, seen = [], dict[int, int]()
        for row in sheet.rows:
            player = found.by_line.get(row.line)
            if player is None:
                continue
            if player.pk in seen:
                message = say("{name} stands in line {line} already.", name=player.name, line=seen[player.pk])
                faults.add(row.line, "bad_row", message)
            elif player.pk not in entered:
                message = say("{name} is not entered in the competition.", name=player.name)
                faults.add(row.line, "not_entered", message)
            else:
                _check_points(row, faults)
                if row.total and (player.pk, row.total) not in had:
                    points = {"points": str(row.total)}
                    events.append(NewEvent(Kind.ADJUSTED, player=entered[player.pk], data=points, reason=said))
            seen.setdefault(player.pk, row.line)
        faults.refuse()
        rows = len(sheet.rows)
        draft.report = {"rows": rows, "adjusted": len(events), "unchanged": rows - len(events)}
        draft.add_all(events)

    return _run(caller, competition, now, door, key, decide, expected_version, dry_run)


def _check_points(row: StandingLine, faults: Faults) -> None:
    try:
        checked_points(str(row.total))
    except Invalid as error:
        faults.add(row.line, error.code, error.message)


def sheet_of(read: Callable[[bytes, str], Sheet[T]], data: bytes, name: str) -> Sheet[T]:
    """The rows of an uploaded file; raises `bad_file` or `bad_columns`, the latter with each column in `errors`."""
    try:
        return read(data, name)
    except FileError as error:
        raise Invalid(error.code, error.message, errors=[fault_json(fault) for fault in error.faults]) from error


def _run(
    caller: Caller,
    competition: str,
    now: datetime,
    door: str,
    key: Key | None,
    decide: Callable[[Draft], None],
    expected_version: int | None,
    dry_run: bool,
) -> Imported:
    with rehearsal() if dry_run else nullcontext():
        receipt = write(
            caller=caller,
            competition=competition,
            now=now,
            door=door,
            key=None if dry_run else key,
            decide=decide,
            expected_version=expected_version,
        )
        return Imported(receipt.seq, receipt.report, effects_shown(receipt.effects))
