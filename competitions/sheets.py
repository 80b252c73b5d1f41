"""More tables to take away, CSV or XLSX (docs/files.md): of sessions, clubs, rounds, draws, crosstables. None of these
is read again. Seats count from 1, as in every file; points are exact."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from fractions import Fraction

from django.db.models import Count, Q

from competitions import selectors, showing
from competitions.crosstable import crosstable
from competitions.files.reading import Form, write_table
from competitions.files.table import ROWS, Cell
from competitions.models import Competition
from competitions.selectors import NotPublished
from games.access import Caller, club_for
from games.models import Player, Role, Session
from games.selectors import visible_session
from games.standing import scheme_text, standing
from scoring.schemes import scheme_from_json

SESSION_TABLE = (
    "place", "seat", "name", "player_id", "deals", "points", "total", "wins", "cards_left",
)  # fmt: skip
PLAYERS = ("name", "player_id", "bot", "active")
SESSIONS = ("label", "session_id", "opened", "status", "rules", "scheme", "seats", "deals", "public", "round", "table")
ROUNDS = ("round", "title", "day", "status", "tables", "publication")
DRAW = ("round", "table", "seat", "name", "player_id", "substitute", "substitute_id")
CROSSTABLE = ("name", "player_id", "met", "met_id", "times", "ahead", "behind", "level")


def session_table(caller: Caller, session: str, form: Form) -> bytes:
    """The table of a session that the caller may see, a row for everybody who sat in a seat. Raises NotFound."""
    found = standing(visible_session(caller, session))

    def rows() -> Iterator[Sequence[Cell]]:
        for row in found.rows:
            for share in row.players:
                player = found.players[share["player"]].person
                yield (
                    row.place,
                    row.seat + 1,
                    player.name,
                    player.public_id,
                    share["deals"],
                    Fraction(share["points"]),
                    Fraction(row.total),
                    row.wins,
                    row.cards_left,
                )

    return write_table(form, SESSION_TABLE, rows())


def players(caller: Caller, club: str, form: Form) -> bytes:
    """Everybody who plays or played in a club, by name, but for those merged into others; for its members."""
    rows = Player.objects.filter(club=club_for(caller, club, Role.MEMBER), merged_into=None).order_by("name", "pk")
    lines = ((row.name, row.public_id, row.strategy, _yes(row.active)) for row in rows[:ROWS].iterator(2000))
    return write_table(form, PLAYERS, lines)


def sessions(caller: Caller, club: str, form: Form, *, since: datetime | None = None) -> bytes:
    """The sessions of a club, newest first, those opened `since` then; for its members."""
    rows = Session.objects.filter(club=club_for(caller, club, Role.MEMBER)).select_related("competition_table")
    if since is not None:
        rows = rows.filter(created_at__gte=since)
    counted = rows.annotate(played=Count("deals", filter=Q(deals__current=True))).order_by("-pk")[:ROWS]

    def lines() -> Iterator[Sequence[Cell]]:
        for row in counted.iterator(2000):
            table = getattr(row, "competition_table", None)
            yield (
                row.label,
                row.public_id,
                f"{row.created_at:%Y-%m-%d %H:%M} UTC",
                row.status,
                row.rules if isinstance(row.rules, str) else row.rules["profile"],
                scheme_text(scheme_from_json(row.scheme)),
                row.seats,
                row.played,
                _yes(row.public),
                None if table is None else table.round,
                None if table is None else table.number,
            )

    return write_table(form, SESSIONS, lines())


def rounds(caller: Caller, competition: Competition, form: Form, *, now: datetime) -> bytes:
    """The rounds of a competition, as the caller may see them."""
    found = selectors.rounds(caller, competition, now=now)
    lines = (
        (row.number, row.title, row.day.isoformat() if row.day else None, row.status, len(row.tables), row.publication)
        for row in found
    )
    return write_table(form, ROUNDS, lines)


def draw(caller: Caller, competition: Competition, form: Form, *, number: int, now: datetime) -> bytes:
    """The draw of a round: the published one, to scorers and organisers the one that stands; whoever sits out has no
    table. Raises NotFound, NotPublished."""
    found = selectors.round_of(caller, competition, number, now=now)
    if found.draw is None:
        raise NotPublished("draw", number)
    shown = showing.draw_shown(number, found.draw)

    def lines() -> Iterator[Sequence[Cell]]:
        for table, seats in enumerate(shown.tables, 1):
            for seat, sitting in enumerate(seats, 1):
                by = sitting.substitute
                instead = (None, None) if by is None else (by.name, by.public_id)
                yield (number, table, seat, sitting.player.name, sitting.player.public_id, *instead)
        for player in shown.sitting_out:
            yield (number, None, None, player.name, player.public_id, None, None)

    return write_table(form, DRAW, lines())


def met(competition: Competition, form: Form, *, now: datetime) -> bytes:
    """Who met whom, as in the latest standings that are out: a row for each of two, best first. Raises NotPublished."""
    standings = selectors.latest(competition, "standings", now=now).standings
    assert standings is not None
    people = showing.people(showing.entrants(standings))

    def lines() -> Iterable[Sequence[Cell]]:
        for who, others in crosstable(standings).items():
            one = people[int(str(who))]
            for whom, how in others.items():
                other = people[int(str(whom))]
                yield (
                    one.name,
                    one.public_id,
                    other.name,
                    other.public_id,
                    how.times,
                    how.ahead,
                    how.behind,
                    how.level,
                )

    return write_table(form, CROSSTABLE, lines())


def _yes(value: bool) -> str:
    return "yes" if value else "no"
