"""Standings, draws and publications as answers have them."""

from collections.abc import Callable, Sequence
from typing import Any

from rest_framework import serializers

from competitions.api.fields import ExactNumber
from competitions.models import Publication
from competitions.selectors import Published
from competitions.showing import DrawShown, RowShown, SeatShown, StandingsShown, draw_shown, standings_shown
from competitions.standing_json import number_json
from games.api import rendering
from games.api.sessions import PlayerRef
from scoring.counting import RoundLine
from scoring.entries import Adjustment

ANNA = {"id": "x7m2k9qv3wtp", "name": "Anna", "strategy": ""}
STANDINGS: dict[str, Any] = {
    "lower_is_better": False,
    "ranked": 12,
    "rounds": [1, 2],
    "tie_breaks": [{"tie_break": "wins", "title": "Wins"}],
    "order": "Equal totals are decided by: 1. Wins. Who is equal on all of it shares a place.",
    "rows": [
        {
            "rank": 1,
            "player": ANNA,
            "total": 1666.67,
            "exact": "5000/3",
            "tie_breaks": ["2"],
            "unranked_for": [],
            "sentence": "1st of 12 with 1666.67 points.",
            "counted": "Rounds 1 and 2 count: 1000 + 666.67.",
            "adjustments": [],
        }
    ],
}
DRAW: dict[str, Any] = {
    "round": 3,
    "title": "Third evening",
    "day": "2026-11-26",
    "tables": [[{"player": ANNA, "substitute": None}]],
    "sitting_out": [],
    "how": "by standing",
    "report": {"repeats": {"value": 2, "minimum": 2}},
    "lines": ["Two who had met meet again 2 times; no draw has fewer."],
    "moved": [],
}
PUBLICATION: dict[str, Any] = {
    "number": 4,
    "what": "standings",
    "round": 2,
    "at": "2026-11-29T20:05:00.000000Z",
    "not_before": None,
    "out": True,
    "unpublished": False,
}


class RoundPoints(serializers.Serializer[Any]):
    round = serializers.IntegerField()
    kind = serializers.CharField(help_text="played, bye or absent.")
    points = serializers.FloatField(allow_null=True)
    exact = ExactNumber(allow_null=True)
    why = serializers.CharField(help_text="counts, dropped, or no value.")
    places = serializers.ListField(child=serializers.IntegerField(), help_text="At the tables of the round.")


class PointsAdded(serializers.Serializer[Any]):
    seq = serializers.IntegerField(help_text="The event that gave them.")
    points = serializers.FloatField()
    exact = serializers.JSONField()
    reason = serializers.CharField()
    cancelled = serializers.BooleanField()


class StandingsRow(serializers.Serializer[Any]):
    """A row, with the members that `?fields=` names, else all but `rounds`."""

    rank = serializers.IntegerField(
        required=False, allow_null=True, help_text="Equals share one: 1 2 2 4. null: not ranked."
    )
    player = PlayerRef(required=False)
    total = serializers.FloatField(required=False, help_text="Rounded half to even, to two places.")
    exact = serializers.JSONField(required=False, help_text='A whole number, or a text "n/d".')
    tie_breaks = serializers.ListField(
        required=False,
        child=serializers.CharField(allow_null=True),
        help_text="Values in the order of the table's tie-breaks; null: not asked, or not known.",
    )
    unranked_for = serializers.ListField(required=False, child=serializers.CharField())
    sentence = serializers.CharField(required=False, help_text="Where the row stands, and what decided.")
    counted = serializers.CharField(required=False, help_text="How the total comes about.")
    adjustments = PointsAdded(many=True, required=False)
    rounds = RoundPoints(many=True, required=False, help_text="With `?rounds=true`.")


class TieBreakShape(serializers.Serializer[Any]):
    tie_break = serializers.CharField()
    title = serializers.CharField()


class StandingsShape(serializers.Serializer[Any]):
    lower_is_better = serializers.BooleanField()
    ranked = serializers.IntegerField(help_text="How many have a rank.")
    rounds = serializers.ListField(child=serializers.IntegerField())
    tie_breaks = TieBreakShape(many=True, help_text="In the order in which they are asked.")
    order = serializers.CharField(help_text="The same as a sentence.")
    rows = StandingsRow(many=True)


class SeatOfDraw(serializers.Serializer[Any]):
    player = PlayerRef()
    substitute = PlayerRef(allow_null=True, help_text="Who sits there instead.")


class DrawShape(serializers.Serializer[Any]):
    round = serializers.IntegerField()
    title = serializers.CharField()
    day = serializers.DateField(allow_null=True)
    tables = serializers.ListField(child=SeatOfDraw(many=True), help_text="By table, and at each by seat.")
    sitting_out = PlayerRef(many=True)
    how = serializers.CharField()
    report = serializers.DictField(help_text="What was reached beside its proven minimum.")
    lines = serializers.ListField(child=serializers.CharField(), help_text="The report for people.")
    moved = serializers.ListField(
        child=serializers.CharField(), help_text="Who sits with another group than their own, and why."
    )


class PublicationShape(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    what = serializers.ChoiceField(choices=["draw", "standings"])
    round = serializers.IntegerField(allow_null=True)
    at = serializers.DateTimeField()
    not_before = serializers.DateTimeField(allow_null=True)
    out = serializers.BooleanField(help_text="Whether everybody sees it who may see the competition.")
    unpublished = serializers.BooleanField()


class PublicationContent(PublicationShape):
    standings = StandingsShape(allow_null=True)
    draw = DrawShape(allow_null=True)


ROW = ("rank", "player", "total", "exact", "tie_breaks", "unranked_for", "sentence", "counted", "adjustments", "rounds")
"""The members of a row, `rounds` only where it is asked for."""
_MEMBERS: dict[str, Callable[[RowShown], Any]] = {
    "rank": lambda shown: shown.rank,
    "player": lambda shown: rendering.player(shown.player),
    "total": lambda shown: rendering.points(shown.exact),
    "exact": lambda shown: shown.exact,
    "tie_breaks": lambda shown: [value for _, value in shown.row.tie_breaks],
    "unranked_for": lambda shown: list(shown.row.unranked_for),
    "sentence": lambda shown: shown.sentence,
    "counted": lambda shown: shown.counted,
    "adjustments": lambda shown: [_adjustment(item) for item in shown.row.adjustments],
    "rounds": lambda shown: [_line(line) for line in shown.row.rounds],
}


def standings_shape(
    found: StandingsShown, *, fields: Sequence[str] = ROW[:-1], player: str | None = None
) -> dict[str, Any]:
    """Standings with these members of their rows, of all rows or those of one person (public id)."""
    table = found.standings
    rows = [row for row in found.rows if player is None or row.player.public_id == player]
    return {
        "lower_is_better": table.lower_is_better,
        "ranked": table.ranked,
        "rounds": list(table.rounds),
        "tie_breaks": [{"tie_break": one.key, "title": one.title} for one in table.tie_breaks],
        "order": found.order,
        "rows": [{name: _MEMBERS[name](row) for name in fields} for row in rows],
    }


def _adjustment(item: Adjustment) -> dict[str, Any]:
    return {
        "seq": item.id,
        "points": rendering.points(number_json(item.points)),
        "exact": number_json(item.points),
        "reason": item.reason,
        "cancelled": item.cancelled,
    }


def _line(line: RoundLine) -> dict[str, Any]:
    exact = number_json(line.points)
    return {
        "round": line.round,
        "kind": line.kind,
        "points": rendering.points(exact),
        "exact": exact,
        "why": line.why,
        "places": [result.place for result in line.results if result.kind == "played"],
    }


def draw_shape(found: DrawShown) -> dict[str, Any]:
    return {
        "round": found.number,
        "title": found.title,
        "day": found.day,
        "tables": [[_seat(seat) for seat in table] for table in found.tables],
        "sitting_out": [rendering.player(player) for player in found.sitting_out],
        "how": found.how,
        "report": found.report,
        "lines": list(found.lines),
        "moved": list(found.moved),
    }


def _seat(seat: SeatShown) -> dict[str, Any]:
    substitute = seat.substitute
    return {
        "player": rendering.player(seat.player),
        "substitute": None if substitute is None else rendering.player(substitute),
    }


def publication_shape(row: Publication, *, out: bool) -> dict[str, Any]:
    return {
        "number": row.number,
        "what": row.what,
        "round": row.round,
        "at": rendering.time(row.at),
        "not_before": rendering.time(row.not_before),
        "out": out,
        "unpublished": row.unpublished_by is not None,
    }


def published_shape(found: Published) -> dict[str, Any]:
    """A publication with what it says."""
    row, table = found.row, found.standings
    return {
        **publication_shape(row, out=found.out),
        "standings": None if table is None else standings_shape(standings_shown(table)),
        "draw": draw_shape(draw_shown(row.round or 0, found.content)) if table is None else None,
    }
