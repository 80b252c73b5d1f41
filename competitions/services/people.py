"""Whom the rows of a file mean: players of the club by id or by name, or new ones. Every fault is noted by its line."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from competitions.files.errors import Fault
from games.errors import Invalid
from games.models import Club, Player
from games.models.fields import name_key, search_key
from games.services.sessions import checked_text
from scoring.wording import say, say_n

MOST_FAULTS = 500
"""Faults that an answer lists; the others are counted."""


@dataclass(slots=True)
class Faults:
    """What is wrong with a file, found so far."""

    items: list[Fault] = field(default_factory=list)

    def add(self, line: int, code: str, message: str) -> None:
        self.items.append(Fault(code, message, line))

    def refuse(self) -> None:
        """Raise `import_faults` where there is any: nothing is stored then."""
        if self.items:
            told = sorted(self.items, key=lambda fault: fault.line or 0)[:MOST_FAULTS]
            sentence = say_n(
                "{n} fault was found; nothing was imported.",
                "{n} faults were found; nothing was imported.",
                len(self.items),
            )
            raise Invalid("import_faults", sentence, errors=[fault_json(one) for one in told])


def fault_json(fault: Fault) -> dict[str, Any]:
    """One fault as clients get it; `line` and `column` where it is about one."""
    where = {"line": fault.line, "column": fault.column}
    return {
        **{key: value for key, value in where.items() if value is not None},
        "code": fault.code,
        "message": fault.message,
    }


@dataclass(frozen=True, slots=True)
class Wanted:
    """The person of one row."""

    line: int
    name: str
    player_id: str


@dataclass(slots=True)
class Found:
    """`by_line`: the player of each row that means one. `new`: the players to be made of names that nobody in the club
    has, once each, in order."""

    by_line: dict[int, Player] = field(default_factory=dict)
    new: list[Player] = field(default_factory=list)

    def make(self) -> list[str]:
        """Store the new players; returns their names."""
        Player.objects.bulk_create(self.new)
        return [player.name for player in self.new]


def find(club: Club, wanted: Iterable[Wanted], mapping: Mapping[str, str], faults: Faults, *, may_make: bool) -> Found:
    """The player of each row. An id decides; a name beside it must be that player's. A name alone means the active
    player of that name (of the merged, their person), or as `mapping` (name to public id) says. Two statements.

    Notes `bad_player`, `ambiguous_player`, `bad_text`.
    """
    rows = list(wanted)
    said = {name_key(name): public_id for name, public_id in mapping.items()}
    names = {name_key(row.name) for row in rows if not row.player_id}
    ids = {row.player_id for row in rows if row.player_id} | set(said.values())
    by_id: dict[str, Player] = {}
    by_name: dict[str, dict[int, Player]] = {}
    among = Player.objects.filter(club=club).select_related("merged_into")
    for player in among.filter(Q(public_id__in=ids) | Q(name_key__in=names)):
        by_id[player.public_id] = player
        if player.person.active:
            by_name.setdefault(player.name_key, {})[player.person.pk] = player.person
    found = Found()
    fresh: dict[str, Player] = {}
    for row in rows:
        key = name_key(row.name)
        public_id = row.player_id or said.get(key, "")
        if public_id:
            named = by_id.get(public_id)
            if named is None or not named.person.active:
                message = say("This club has no active player with the id {id}.", id=public_id)
                faults.add(row.line, "bad_player", message)
            elif row.player_id and row.name and key not in (named.name_key, named.person.name_key):
                message = say(
                    "The id {id} is that of {name}, not of {other}: correct one of both.",
                    id=public_id,
                    name=named.person.name,
                    other=row.name,
                )
                faults.add(row.line, "bad_player", message)
            else:
                found.by_line[row.line] = named.person
            continue
        candidates = list(by_name.get(key, {}).values())
        if len(candidates) > 1:
            which = ", ".join(sorted(player.public_id for player in candidates))
            message = say("“{name}” may be any of {ids}: give the player_id.", name=row.name, ids=which)
            faults.add(row.line, "ambiguous_player", message)
        elif candidates:
            found.by_line[row.line] = candidates[0]
        elif not may_make:
            message = say("This club has no active player named “{name}”.", name=row.name)
            faults.add(row.line, "bad_player", message)
        else:
            try:
                checked_text(row.name, "name", 80)
            except Invalid as error:
                faults.add(row.line, error.code, error.message)
                continue
            if key not in fresh:
                fresh[key] = Player(club=club, name=row.name, name_key=key, search_key=search_key(row.name))
                found.new.append(fresh[key])
            found.by_line[row.line] = fresh[key]
    return found
