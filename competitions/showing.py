"""How competitions are shown, the same at every door: people by name, standings that explain themselves, draws, and
what a change does. What may be shown to whom is decided in `selectors`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from competitions.draw_json import moved_sentence
from competitions.effects import sentences
from competitions.formats.telling import report_lines
from competitions.standing_json import number_json
from competitions.state import plan_from_json
from games.models import Player
from scoring import explain
from scoring.entries import EntrantId
from scoring.points import shown
from scoring.standings import Row, Standings
from scoring.wording import say


class People(Mapping[int, Player]):
    """Those named somewhere, by the row id that names them: whoever is merged into another is that other.

    Made by `people`."""

    def __init__(self, rows: Mapping[int, Player]) -> None:
        self.rows = rows

    def __getitem__(self, player: int) -> Player:
        return self.rows[player].person

    def __iter__(self) -> Iterator[int]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def name(self, player: EntrantId) -> str:
        """The name, for sentences."""
        return self[int(str(player))].name

    def public_id(self, player: int) -> str:
        """The id that was always theirs, whoever they are merged into since: for answers that must stay the same."""
        return self.rows[player].public_id


def people(*ids: Iterable[int]) -> People:
    """The players with these row ids, in one statement; none where nobody is named."""
    named = {player for some in ids for player in some}
    rows = Player.objects.filter(pk__in=named).select_related("merged_into") if named else ()
    return People({row.pk: row for row in rows})


# -- standings


@dataclass(frozen=True, slots=True)
class RowShown:
    """One row of standings, told when it is asked: of a long table a page shows some rows."""

    table: Standings
    row: Row
    people: People

    @property
    def rank(self) -> int | None:
        return self.row.rank

    @property
    def player(self) -> Player:
        return self.people[int(str(self.row.entrant))]

    @property
    def total(self) -> str:
        """Rounded for show."""
        return shown(self.row.total)

    @property
    def exact(self) -> int | str:
        """A whole number, or "n/d"."""
        exact = number_json(self.row.total)
        assert exact is not None
        return exact

    @property
    def tie_breaks(self) -> tuple[tuple[str, str | None], ...]:
        """Titles and values in their order, None where one was not asked or is not known."""
        asked = {one.key: one for one in self.table.tie_breaks}
        return tuple(
            (asked[key].title, None if value is None else asked[key].heard(value)) for key, value in self.row.tie_breaks
        )

    @property
    def sentence(self) -> str:
        """Where the row stands and why."""
        return explain.sentence(self.table, self.row, self.people.name)

    @property
    def counted(self) -> str:
        """How its total comes about."""
        return explain.counted(self.table, self.row)


@dataclass(frozen=True, slots=True)
class StandingsShown:
    """Standings with names. `order` says by what equal totals are decided, to be printed with them."""

    standings: Standings
    rows: tuple[RowShown, ...]
    order: str
    people: People


def entrants(table: Standings) -> list[int]:
    """The row ids of everybody in the standings."""
    return [int(str(row.entrant)) for row in table.rows]


def standings_shown(table: Standings, known: People | None = None) -> StandingsShown:
    """The standings with names: one statement, or none where the people are at hand."""
    named = people(entrants(table)) if known is None else known
    rows = tuple(RowShown(table, row, named) for row in table.rows)
    return StandingsShown(table, rows, explain.order_of_tie_breaks(table), named)


# -- draws


@dataclass(frozen=True, slots=True)
class SeatShown:
    """A seat of a draw: whose it is, and who sits there instead."""

    player: Player
    substitute: Player | None


@dataclass(frozen=True, slots=True)
class DrawShown:
    """A round's draw with names. `report` are its figures, `lines` the same for people; `moved` says in sentences who
    sits with another group than his own, and why."""

    number: int
    title: str
    day: date | None
    tables: tuple[tuple[SeatShown, ...], ...]
    sitting_out: tuple[Player, ...]
    how: str
    report: Mapping[str, Any]
    lines: tuple[str, ...]
    moved: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.title or say("Round {number}", number=self.number)


def draw_shown(number: int, content: Mapping[str, Any]) -> DrawShown:
    """The draw of round `number` from its content (draw_json.content_of, or a publication's): one statement."""
    plan = plan_from_json(content["plan"])
    by = {int(player): substitute for player, substitute in content["substitutes"].items()}
    because = [player for moved in content["moved"] for player in (moved["player"], *moved["because"])]
    named = people(map(int, plan.people()), by, by.values(), because)

    def seat(player: int) -> SeatShown:
        return SeatShown(named[player], named[by[player]] if player in by else None)

    return DrawShown(
        number=number,
        title=content["title"],
        day=None if content["day"] is None else date.fromisoformat(content["day"]),
        tables=tuple(tuple(seat(int(player)) for player in table) for table in plan.tables),
        sitting_out=tuple(named[int(player)] for player in plan.sitting_out),
        how=content["how"],
        report=content["report"],
        lines=tuple(report_lines(content["report"])),
        moved=tuple(moved_sentence(moved, named.name) for moved in content["moved"]),
    )


# -- what a change does


@dataclass(frozen=True, slots=True)
class EffectsShown:
    """What a change does, or did: `changes` (competitions.effects) with public ids, and in sentences for people."""

    changes: dict[str, Any]
    standings: tuple[str, ...]
    draws: tuple[str, ...]
    outdated: tuple[str, ...]

    @property
    def sentences(self) -> list[str]:
        """All of it; empty where nothing changes."""
        return [*self.standings, *self.draws, *self.outdated]


def effects_shown(found: Mapping[str, Any]) -> EffectsShown:
    """What competitions.effects found, with names: one statement, none where nothing changes."""
    whole = {"standings": [], "draws": [], "outdated": [], **found}
    named = people(_named(whole))
    said = {key: tuple(words) for key, words in sentences(whole, named.name).items()}
    return EffectsShown(with_public_ids(whole, named), **said)


def effects_public(found: Mapping[str, Any]) -> dict[str, Any]:
    """The same without names: it reads the same however people are renamed or merged later."""
    return with_public_ids(found, people(_named(found)))


def with_public_ids(found: Mapping[str, Any], named: People) -> dict[str, Any]:
    """Effects with public ids where they have row ids; `entrant` becomes `player`."""
    ids = named.public_id
    return {
        "standings": [_change(change, named) for change in found["standings"]],
        "draws": [{**change, "player": ids(change["player"])} for change in found["draws"]],
        "outdated": [{**one, "players": list(map(ids, one["players"]))} for one in found["outdated"]],
    }


def _change(change: Mapping[str, Any], named: People) -> dict[str, Any]:
    ids = named.public_id
    found = {"player": ids(change["entrant"]), **{name: value for name, value in change.items() if name != "entrant"}}
    if decided := change.get("decided"):
        found["decided"] = {
            side: None if one is None else {**one, "against": list(map(ids, one["against"]))}
            for side, one in decided.items()
        }
    if level := change.get("level"):
        found["level"] = {
            **level,
            "parted": [{**one, "from": ids(one["from"])} for one in level["parted"]],
            "joined": list(map(ids, level["joined"])),
        }
    return found


def _named(found: Mapping[str, Any]) -> Iterator[int]:
    """Everybody whom effects name."""
    for change in found["standings"]:
        yield change["entrant"]
        for one in change.get("decided", {}).values():
            yield from one["against"] if one else ()
        level = change.get("level")
        if level:
            yield from (one["from"] for one in level["parted"])
            yield from level["joined"]
    for change in found["draws"]:
        yield change["player"]
    for one in found["outdated"]:
        yield from one["players"]
