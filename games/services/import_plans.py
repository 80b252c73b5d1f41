"""What an import makes of recorded deals, session by session: the checks, whose names they are, and the storing.

Used by an import in one request (`importing`), which takes a whole file at once, and by jobs (`import_slices`), which
take it a session at a time.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Q

from games import eventlog
from games.access import Caller
from games.engine.deal import Deal
from games.engine.errors import Seat
from games.engine.record import Outcome, Record, RecordError, parse, replay_record, write
from games.engine.record.grouping import SessionShape
from games.engine.rules import usual_scheme
from games.engine.session_events import Kind
from games.models import Club, Player, Session
from games.models.fields import check_text, name_key, search_key
from games.projection import result_json
from games.services import writing
from games.services.dealing import frozen_data
from games.services.sessions import DEFAULT_SETTINGS
from games.services.writing import Draft
from scoring.schemes import scheme_from_json
from scoring.wording import say, say_n

MOST_FAULTS = 1000
"""Faults that a report lists; more lines are checked and counted."""


@dataclass(frozen=True, slots=True)
class Line:
    """One good line: its place in the file, the record, and what its replay came to."""

    number: int
    record: Record
    outcome: Outcome


@dataclass(slots=True)
class Report:
    """What an import did, or in a dry run would do. JSON as it stands."""

    dry_run: bool
    deals: int = 0
    sessions: list[dict[str, Any]] = field(default_factory=list)
    matched_players: dict[str, str] = field(default_factory=dict)
    new_players: list[str] = field(default_factory=list)
    warnings: list[dict[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class Faults:
    items: list[dict[str, Any]] = field(default_factory=list)
    count: int = 0

    def add(self, line: int, code: str, message: str, action: int | None = None) -> None:
        self.count += 1
        if len(self.items) < MOST_FAULTS:
            where = {} if action is None else {"action": action}
            self.items.append({"line": line, "code": code, **where, "message": message})


def faults_found(count: int) -> str:
    return say_n("{n} fault was found; nothing was imported.", "{n} faults were found; nothing was imported.", count)


@dataclass(frozen=True, slots=True)
class Plan:
    """One session to be made: deals in order of number, each with the number it gets."""

    label: str
    scheme: Any
    deals: list[tuple[int, Line]]


def grouped(lines: Iterable[tuple[int, bytes]], faults: Faults) -> dict[str | None, list[Line]]:
    """The good lines by session, in order of first appearance; what is wrong with the others goes into `faults`."""
    shapes: dict[str | None, SessionShape] = {}
    sessions: dict[str | None, list[Line]] = {}
    for number, text in lines:
        try:
            record = parse(text)
        except RecordError as error:
            faults.add(number, error.code, error.message, error.action)
            continue
        shape = shapes.setdefault(record.session, SessionShape.begun_by(record))
        if (line := fitting(number, record, shape, faults)) is not None:
            sessions.setdefault(record.session, []).append(line)
    return sessions


def fitting(number: int, record: Record, shape: SessionShape, faults: Faults) -> Line | None:
    """The line where the record fits its session, its actions replay and its texts can be kept; else its fault is in
    `faults`."""
    try:
        shape.take(record)
        outcome = replay_record(record)
    except RecordError as error:
        faults.add(number, error.code, error.message, error.action)
        return None
    if fault := _text_fault(record):
        faults.add(number, "bad_text", fault)
        return None
    return Line(number, record, outcome)


def _text_fault(record: Record) -> str | None:
    """What a file may say and a database of names may not: control characters, endless names, one name in two seats."""
    limits: list[tuple[str, str, int]] = [(say("a name"), name, 80) for name in record.players]
    limits += [("session", record.session or "", 100), ("voided", record.voided or "", 500)]
    for what, text, longest in limits:
        try:
            check_text(text)
        except ValidationError as error:
            return say("{field}: {fault}", field=what, fault=error.message)
        if len(text) > longest:
            return say("{field}: at most {longest} characters.", field=what, longest=longest)
    if len({name_key(name) for name in record.players}) < len(record.players):
        return say("One name stands in two seats of the deal; a player has one seat.")
    return None


def player_ids(
    club: Club,
    sessions: Mapping[str | None, list[Line]],
    mapping: Mapping[str, str],
    report: Report,
    faults: Faults,
    *,
    create: bool = True,
) -> dict[str, int]:
    """The player of each name (by its key), made where the club has none (with `create`). Names of the merged mean
    their persons."""
    first_line: dict[str, tuple[int, str]] = {}
    for deals in sessions.values():
        for line in deals:
            for name in line.record.players:
                first_line.setdefault(name_key(name), (line.number, name))
    candidates: dict[str, list[Player]] = {}
    among = Player.objects.filter(club=club).select_related("merged_into")
    for player in among.filter(Q(active=True) | Q(merged_into__active=True), name_key__in=list(first_line)):
        meant = candidates.setdefault(player.name_key, [])
        if player.person not in meant:
            meant.append(player.person)
    wanted = {name_key(name): public_id for name, public_id in mapping.items()}
    named = {player.public_id: player.person for player in among.filter(public_id__in=wanted.values())}
    ids, new = {}, []
    for at, (number, name) in first_line.items():
        found = candidates.get(at, [])
        if at in wanted:
            found = [named[wanted[at]]] if wanted[at] in named and not named[wanted[at]].anonymised else []
            if not found:
                faults.add(
                    number, "bad_player", say("“{name}” is mapped to a player that this club does not have.", name=name)
                )
                continue
        if len(found) > 1:
            ids_found = ", ".join(player.public_id for player in found)
            message = say("“{name}” may be any of the players {ids}: say which in players.", name=name, ids=ids_found)
            faults.add(number, "ambiguous_player", message)
        elif found:
            ids[at] = found[0].pk
            report.matched_players[name] = found[0].public_id
        else:
            new.append(Player(club=club, name=name, name_key=at, search_key=search_key(name)))
            report.new_players.append(name)
    for deals in sessions.values():
        for line in deals:
            _check_distinct(line, ids, faults)
    if create and not faults.count:
        ids |= {player.name_key: player.pk for player in Player.objects.bulk_create(new)}
    return ids


def _check_distinct(line: Line, ids: Mapping[str, int], faults: Faults) -> None:
    """Two names of a deal may mean one player: by the mapping, or since one of them was merged."""
    seen: dict[int, str] = {}
    for name in line.record.players:
        player = ids.get(name_key(name))
        if player is not None and player in seen:
            message = say(
                "“{player}” and “{name}” are one player of the club, who has one seat.", player=seen[player], name=name
            )
            faults.add(line.number, "already_seated", message)
        elif player is not None:
            seen[player] = name


def checked(club: Club, label: str | None, deals: list[Line], scheme: Any, faults: Faults) -> Plan:
    """What is to be made of one session's deals; what is against it goes into `faults`."""
    if label is None:
        text = "\n".join(write(line.record) for line in deals)
        label = f"import {hashlib.sha256(text.encode()).hexdigest()[:12]}"
    if Session.objects.filter(club=club, label=label).exists():
        faults.add(deals[0].number, "already_imported", say("The club already has a session “{label}”.", label=label))
    named = [line.record.scheme for line in deals if line.record.scheme is not None]
    chosen = named[0].to_json() if named else scheme
    if chosen is None:
        chosen = usual_scheme(deals[0].record.rules.profile)
    counting = scheme_from_json(chosen)
    for line in deals:
        if line.record.scheme is not None and line.record.scheme.to_json() != chosen:
            faults.add(
                line.number, "bad_record", say("The deals of a session have one scheme; this one names another.")
            )
        result = line.outcome.result()
        if result is not None and counting.missing(result):
            faults.add(
                line.number,
                "missing_passes",
                say("{scheme} needs passes that this deal does not record.", scheme=counting.title),
            )
    numbered = [(line.record.number or place, line) for place, line in enumerate(deals, start=1)]
    return Plan(label, chosen, sorted(numbered, key=lambda item: item[0]))


def store(
    plan: Plan,
    *,
    caller: Caller,
    club: Club,
    ids: Mapping[str, int],
    now: datetime,
    door: str,
    report: Report,
) -> None:
    first = plan.deals[0][1].record
    rules = first.rules.hosted()

    def draft(fresh: Draft) -> None:
        opened = {
            "label": plan.label,
            "rules": rules.to_json(),
            "scheme": plan.scheme,
            "settings": DEFAULT_SETTINGS,
        }
        fresh.add(Kind.OPENED, data=opened)
        sitting = [ids[name_key(name)] for name in first.players]
        for seat, player in enumerate(sitting):
            fresh.add(Kind.SEATED, seat=seat, data={"player": player})
        fresh.add(Kind.FROZEN, data=frozen_data(rules, scheme_from_json(plan.scheme), len(sitting)))
        for number, line in plan.deals:
            for seat, name in enumerate(line.record.players):
                player = ids[name_key(name)]
                if player != sitting[seat]:
                    sitting[seat] = player
                    change = {"player": player, "from_number": number, "credit": "deals"}
                    fresh.add(Kind.SUBSTITUTED, seat=seat, data=change)
            _add_deal(fresh, number, line)

    receipt = writing.create(caller=caller, club=club, now=now, door=door, key=None, draft=draft)
    report.deals += len(plan.deals)
    report.sessions.append(
        {
            "session": None if report.dry_run else receipt.session,
            "label": plan.label,
            "deals": len(plan.deals),
            "rules": rules.with_wrongful_pass(None).to_json(),
            "scheme": plan.scheme,
        }
    )
    warn(plan, report)


def _add_deal(draft: Draft, number: int, line: Line) -> None:
    record = line.record
    data: dict[str, Any] = {"number": number, "take": 1}
    if record.rules.wrongful_pass is not None:
        data["wrongful_pass"] = record.rules.wrongful_pass
    if record.extra:
        data["extra"] = [list(item) for item in record.extra]
    if record.voided is not None:
        draft.add_voided(dealer=record.dealer, reason=record.voided, data={**data, "kept": _kept(record)})
    elif record.result_only:
        result = line.outcome.result()
        assert result is not None
        draft.add_result(dealer=record.dealer, result=result, data={**data, "result": result_json(result)})
    else:
        assert record.hands is not None
        draft.add_deal(
            Kind.RECORDED,
            deal=Deal(record.rules, record.dealer, record.hands),
            deck=eventlog.dealing_order(record.hands, record.dealer),
            actions=record.actions or b"",
            data=data,
        )


def _kept(record: Record) -> str:
    """A voided record as text, cards and actions as they are, with seat numbers for names: the log holds no name."""
    seats = tuple(str(seat) for seat in range(len(record.players)))
    return write(record._replace(players=seats, session=None, number=None, scheme=None, extra=()))


def warn(plan: Plan, report: Report) -> None:
    """Dealers are taken as recorded; a rotation unlike rules.md 2.1 is worth a word."""
    before: Record | None = None
    for _, line in plan.deals:
        record = line.record
        if before is not None:
            expected = before.dealer if before.voided is not None else (before.dealer + 1) % len(before.players)
            if record.dealer != expected:
                message = say(
                    "Seat {dealer} deals; after the deal before it would be seat {expected}.",
                    dealer=Seat(record.dealer),
                    expected=Seat(expected),
                )
                report.warnings.append({"line": line.number, "code": "dealer_rotation", "message": message})
        before = record
