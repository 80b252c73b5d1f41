"""The page of somebody in a competition: results, opponents, form, and the place over the season."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from competitions import form, selectors, showing
from competitions.crosstable import Met
from competitions.models import Competition
from competitions.pages.frame import chosen, own_player, show
from competitions.pages.gate import page
from competitions.pages.seasons import Season, season_plot
from competitions.showing import DrawShown, RowShown, draw_shown
from competitions.wording import round_name
from games import people
from games.access import Caller
from games.errors import NotFound
from games.models import Player
from scoring.entries import TableResult
from scoring.points import shown

KINDS: dict[str, Any] = {
    "bye": pgettext_lazy("round of a player", "bye"),
    "absent": pgettext_lazy("round of a player", "absent"),
}
WHYS: dict[str, Any] = {
    "dropped": pgettext_lazy("round of a player", "dropped"),
    "no value": pgettext_lazy("round of a player", "no result"),
}


@dataclass(frozen=True, slots=True)
class Mate:
    """Somebody at a table that the player sat at; `me`: the player himself."""

    player: Player
    place: int
    points: str
    me: bool


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round of the player; `kind` and `why` are empty where it was played and counts."""

    number: int
    name: str
    points: str
    kind: Any
    why: Any
    tables: tuple[tuple[Mate, ...], ...]
    place: int | None


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody whom the player met."""

    player: Player
    met: Met


@dataclass(frozen=True, slots=True)
class Sitting:
    """Where the player sits in the round that is drawn: the table, and the others at it; no table: sitting out."""

    name: str
    number: int
    table: int | None
    others: tuple[str, ...]


@page
def player(request: HttpRequest, caller: Caller, competition: Competition, player: str) -> HttpResponse:
    """`?show=`, `?publication=` (frame.chosen): from the standings that are asked for, and from nothing else but the
    draw that is published. Raises NotFound for whoever is in neither."""
    person = next(iter(people.same_person(player)), None)
    if person is None:
        raise NotFound("player")
    choice = chosen(request, caller, competition)
    drawn = selectors.current_draw(competition, now=timezone.now())
    sitting = _sitting(draw_shown(drawn.row.round or 0, drawn.content), person) if drawn else None
    row = known = None
    if choice.standings is not None:
        known = showing.people(showing.entrants(choice.standings))
        row = next((row for row in choice.standings.rows if known[int(str(row.entrant))].pk == person.pk), None)
    context: dict[str, Any] = {}
    if row is not None and known is not None and choice.standings is not None:
        context = _season(competition, RowShown(choice.standings, row, known))
    elif sitting is None:
        raise NotFound("player")
    return show(
        request,
        "player",
        caller,
        competition,
        "player",
        choice=choice,
        person=person,
        sitting=sitting,
        me=person.public_id == own_player(caller, competition),
        **context,
    )


def _season(competition: Competition, row: RowShown) -> dict[str, Any]:
    """What the standings say of the player."""
    table, who, known = row.table, row.row.entrant, row.people
    setup = selectors.setup(competition)
    counting = setup.settings.counting
    places = list(form.places(table, who, best=counting.best, drop=counting.drop))
    if places:
        places[-1] = row.rank  # what the tie-breaks make of it
    played = form.rounds_played(table, who)
    season = Season(tuple(table.rounds), tuple(places), table.ranked)
    met = form.head_to_head(played, who)
    after = dict(zip(table.rounds, places, strict=True))
    order = {line.entrant: at for at, line in enumerate(table.rows)}
    return {
        "row": row,
        "titles": [one.title for one in table.tie_breaks],
        "rounds": [
            RoundLine(
                number=one.line.round,
                name=round_name(one.line.round, setup.round(one.line.round).title),
                points="" if one.line.points is None else shown(one.line.points),
                kind=KINDS.get(one.line.kind, ""),
                why=WHYS.get(one.line.why, ""),
                tables=tuple(tuple(_mate(result, known, who) for result in seats) for seats in one.tables),
                place=after.get(one.line.round),
            )
            for one in played
        ],
        "opponents": [Opponent(known[int(str(who))], met[who]) for who in sorted(met, key=order.__getitem__)],
        "latest": form.latest_results(row.row),
        "season": season,
        "plot": season_plot(season),
    }


def _mate(result: TableResult, known: Mapping[int, Player], who: object) -> Mate:
    player = known[int(str(result.entrant))]
    return Mate(player, result.place, "" if result.points is None else shown(result.points), result.entrant == who)


def _sitting(draw: DrawShown, person: Player) -> Sitting | None:
    """Where somebody sits in a draw; None for whoever is not in it."""
    name = round_name(draw.number, draw.title)
    for number, seats in enumerate(draw.tables, 1):
        sitting = [seat.substitute or seat.player for seat in seats]
        if person.pk in {player.pk for player in sitting}:
            others = tuple(player.name for player in sitting if player.pk != person.pk)
            return Sitting(name, draw.number, number, others)
    out = {player.pk for player in draw.sitting_out}
    return Sitting(name, draw.number, None, ()) if person.pk in out else None
