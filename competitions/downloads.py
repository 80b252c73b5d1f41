"""Tables to take away, CSV or XLSX (docs/files.md): what comes out here goes in again unchanged.

Who may have which is decided in `selectors`.
"""

from collections.abc import Iterator

from django.utils.text import slugify

from competitions import selectors
from competitions.files.entries import EntryLine, write_entries
from competitions.files.reading import Form
from competitions.files.results import DealLine, SeatLine, write_results
from competitions.files.standings import StandingLine, write_standings
from competitions.models import Competition, Table
from competitions.showing import StandingsShown
from games.access import Caller
from games.models import Deal, Occupancy
from games.projection import result_from_json


def entries_sheet(caller: Caller, competition: Competition, form: Form) -> bytes:
    """Who competes, in the order of entering. Raises Forbidden to those outside the club. One statement."""
    lines = [
        EntryLine(row.player.person.name, row.player.person.public_id, row.seed, row.from_round, row.withdrawn)
        for row in selectors.entries(caller, competition)
    ]
    return write_entries(lines, form)


def standings_sheet(shown: StandingsShown, form: Form) -> bytes:
    """Standings as the caller got them, with their tie-breaks in the order asked."""
    lines = [
        StandingLine(
            row.rank,
            row.player.name,
            row.player.public_id,
            row.row.total,
            tuple((key, value) for key, value in row.row.tie_breaks if value is not None),
        )
        for row in shown.rows
    ]
    return write_standings(lines, [one.key for one in shown.standings.tie_breaks], form)


def results_sheet(caller: Caller, competition: Competition, form: Form, *, number: int | None = None) -> bytes:
    """The deals on record at all tables, or those of round `number`: finished ones that are not void. Raises Forbidden
    to those who see only what is published. Three statements."""
    selectors.check_whole(caller, competition)
    return write_results(_deals(competition, number), form)


def headers(competition: Competition, what: str, form: Form) -> dict[str, str]:
    """The headers of a file: to be saved, under the competition's name, and never taken for anything else."""
    name = f"{slugify(str(competition)) or competition.public_id}-{what}.{form}"
    return {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}


def _deals(competition: Competition, number: int | None) -> Iterator[DealLine]:
    tables = Table.objects.filter(competition=competition)
    if number is not None:
        tables = tables.filter(round=number)
    at = {session: (n, table) for session, n, table in tables.values_list("session", "round", "number")}
    sat: dict[tuple[int, int], list[Occupancy]] = {}
    rows = Occupancy.objects.filter(session__in=at).select_related("player__merged_into")
    for item in rows.order_by("from_number"):
        sat.setdefault((item.session_id, item.seat), []).append(item)
    deals = Deal.objects.filter(session__in=at, current=True, voided_by=None, finished=True).only(
        "session", "number", "dealer", "result"
    )
    for deal in sorted(deals, key=lambda deal: (at[deal.session_id], deal.number)):
        assert deal.result is not None
        result = result_from_json(deal.result, dealer=deal.dealer)
        withheld = result.withheld
        seats = []
        for seat, left in enumerate(result.cards_left):
            sitting = [item for item in sat[deal.session_id, seat] if item.from_number <= deal.number]
            player = sitting[-1].player.person
            seats.append(
                SeatLine(
                    name=player.name,
                    player_id=player.public_id,
                    cards_left=left,
                    forced_passes=None if result.forced_passes is None else result.forced_passes[seat],
                    wrongful_passes=None if result.wrongful_passes is None else result.wrongful_passes[seat],
                    withheld=None if withheld is None else tuple(payee for payer, payee in withheld if payer == seat),
                )
            )
        yield DealLine(*at[deal.session_id], deal.number, deal.dealer, tuple(seats))
