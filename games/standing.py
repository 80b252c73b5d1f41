"""A session's table as read: places and totals, who gets the points, and which deals count."""

from dataclasses import dataclass

from games.models import Deal, Occupancy, Player, PointAdjustment, Session, TableRow
from games.projection import result_from_json
from games.selectors import deals_of
from scoring.schemes import Scheme, scheme_from_json
from scoring.table import session_table


@dataclass(frozen=True, slots=True)
class Standing:
    """`rows` in order of place; `credits` by seat; `players` by row id; `finished`: the scheme, or the number of deals
    planned, says that it is over."""

    session: Session
    scheme: Scheme
    finished: bool
    rows: list[TableRow]
    credits: dict[int, str]
    players: dict[int, Player]
    adjustments: list[PointAdjustment]
    deals: list[Deal]


def standing(session: Session) -> Standing:
    """The table of a session: four statements."""
    rows = list(TableRow.objects.filter(session=session).order_by("place", "seat"))
    occupancies = Occupancy.objects.filter(session=session).select_related("player__merged_into")
    credit, players = {}, {}
    for item in occupancies.order_by("from_number"):
        credit[item.seat] = item.credit
        players[item.player_id] = item.player
    deals = list(deals_of(session))
    scheme = scheme_from_json(session.scheme)
    results = [
        None if d.result is None or d.voided_by or d.awaits else result_from_json(d.result, dealer=d.dealer)
        for d in deals
    ]
    return Standing(
        session=session,
        scheme=scheme,
        finished=session_table(scheme, results, session.seats or 0, limit=session.deals_planned).finished,
        rows=rows,
        credits=credit,
        players=players,
        adjustments=list(PointAdjustment.objects.filter(session=session).order_by("seq")),
        deals=deals,
    )


def scheme_text(scheme: Scheme) -> str:
    """The shortest text form that means the same: `wins`, or `wins:target=5`."""
    return scheme_from_json(scheme.to_json()).text
