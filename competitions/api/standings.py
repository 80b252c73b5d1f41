"""Standings: as they are, as published, and who met whom."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from competitions import selectors, showing
from competitions.api.base import ClubsView, CompetitionView
from competitions.api.docs import COMPETITION, ID
from competitions.api.shapes import ANNA, PUBLICATION, ROW, STANDINGS, StandingsShape, standings_shape
from competitions.api.versions import of_numbers, of_published
from competitions.crosstable import crosstable
from games import people
from games.api import rendering
from games.api.docs import AFTER, LIMIT, listed, operation, whole
from games.api.paging import PARAMETERS, page_by_number
from games.api.parsing import Query
from games.api.scopes import UNPUBLISHED, Scope
from games.api.sessions import PlayerRef

ROWS = [
    OpenApiParameter("rounds", bool, description="true: each row with the points of its rounds."),
    OpenApiParameter(
        "fields", str, description=f"Only these members of the rows, with commas between them: {', '.join(ROW)}."
    ),
    OpenApiParameter("player", str, description="Only the row of this player (id), whoever they are merged into."),
]
SELECTION = ("rounds", "fields", "player")


class LiveTable(StandingsShape):
    competition = serializers.CharField()
    version = serializers.IntegerField(help_text="What the numbers are of; for `?version=` of a change.")
    provisional = serializers.BooleanField()
    after_round = serializers.IntegerField(allow_null=True)


class PublishedTable(StandingsShape):
    competition = serializers.CharField()
    publication = serializers.IntegerField()
    round = serializers.IntegerField(help_text="The round after which they stand so.")
    published_at = serializers.DateTimeField()


class MetShape(serializers.Serializer[Any]):
    player = serializers.CharField()
    times = serializers.IntegerField()
    ahead = serializers.IntegerField()
    behind = serializers.IntegerField()
    level = serializers.IntegerField()


class CrosstableRow(serializers.Serializer[Any]):
    line = serializers.IntegerField(help_text="From 1, in the order of the standings.")
    player = PlayerRef()
    met = MetShape(many=True)


class LiveStandings(ClubsView):
    scopes = {"GET": UNPUBLISHED}
    parameters = {"GET": ("provisional", "after_round", *SELECTION)}

    @operation(
        "competition_table",
        tag="competitions",
        summary="The standings as they are",
        description="Published or not: for scorers and organisers. Tables that are over count.",
        answer=LiveTable,
        example={**STANDINGS, "competition": ID, "version": 61, "provisional": False, "after_round": None},
        path=[COMPETITION],
        query=[
            OpenApiParameter("provisional", bool, description="true: tables being played count as they stand."),
            OpenApiParameter(
                "after_round", whole(1, 32_000), description="As they were after this round, by today's results."
            ),
            *ROWS,
        ],
        codes="forbidden",
        versioned=True,
    )
    def get(self, request: Request, competition: str) -> Response:
        row = self.competition(competition)
        provisional = self.query.choice("provisional", ["true", "false"]) == "true"
        after_round = self.query.whole("after_round", least=1, most=32_000)
        selected = selection(self.query)
        if unchanged := self.unchanged(of_numbers(self.caller, row)):
            return unchanged
        found = selectors.live(self.caller, row, provisional=provisional, after_round=after_round)
        return Response(
            {
                "competition": row.public_id,
                "version": found.version,
                "provisional": provisional,
                "after_round": after_round,
                **standings_shape(showing.standings_shown(found.standings), **selected),
            }
        )


class LatestStandings(CompetitionView):
    scopes = {"GET": Scope.STANDINGS_READ}
    parameters = {"GET": ("round", *SELECTION)}

    @operation(
        "standings",
        tag="competitions",
        summary="The standings as published",
        description="The latest that are out, the same for everybody. `not_published` while there are none.",
        codes="not_published",
        answer=PublishedTable,
        example={
            **STANDINGS,
            "competition": ID,
            "publication": PUBLICATION["number"],
            "round": PUBLICATION["round"],
            "published_at": PUBLICATION["at"],
        },
        path=[COMPETITION],
        query=[OpenApiParameter("round", int, description="As published after this round, the latest time."), *ROWS],
        versioned=True,
    )
    def get(self, request: Request, competition: str) -> Response:
        row = self.competition(competition)
        now = timezone.now()
        number = self.query.whole("round", least=1, most=32_000)
        selected = selection(self.query)
        latest = selectors.latest_row(row, "standings", now=now, number=number)
        if unchanged := self.unchanged(of_published(row, latest), published=row.public):
            return unchanged
        found = selectors.opened(row, latest, now=now)
        assert found.standings is not None
        return Response(
            {
                "competition": row.public_id,
                "publication": found.row.number,
                "round": found.row.round,
                "published_at": rendering.time(found.row.at),
                **standings_shape(showing.standings_shown(found.standings), **selected),
            }
        )


class Crosstable(CompetitionView):
    scopes = {"GET": Scope.STANDINGS_READ}
    parameters = {"GET": PARAMETERS}

    @operation(
        "crosstable",
        tag="competitions",
        summary="Who met whom",
        description="Of the latest standings that are out: how often each met each, and who came in ahead; lines in "
        "the order of the standings. `not_published` while there are none.",
        codes="not_published",
        answer=listed(CrosstableRow, "CrosstablePage"),
        example={
            "results": [
                {
                    "line": 1,
                    "player": ANNA,
                    "met": [{"player": "h4w8n2bq7kzr", "times": 3, "ahead": 2, "behind": 1, "level": 0}],
                }
            ],
            "next": None,
        },
        path=[COMPETITION],
        query=[LIMIT, AFTER],
        versioned=True,
    )
    def get(self, request: Request, competition: str) -> Response:
        row, now = self.competition(competition), timezone.now()
        latest = selectors.latest_row(row, "standings", now=now)
        if unchanged := self.unchanged(of_published(row, latest), published=row.public):
            return unchanged
        found = selectors.opened(row, latest, now=now)
        assert found.standings is not None
        named = showing.people(showing.entrants(found.standings))
        lines = list(enumerate(crosstable(found.standings).items(), 1))

        def line(item: Any) -> dict[str, Any]:
            at, (who, met) = item
            return {
                "line": at,
                "player": rendering.player(named[who]),
                "met": [
                    {
                        "player": named[other].public_id,
                        "times": one.times,
                        "ahead": one.ahead,
                        "behind": one.behind,
                        "level": one.level,
                    }
                    for other, one in met.items()
                ],
            }

        return page_by_number(request, self.query, lines, number=lambda item: item[0], render=line)


def selection(query: Query) -> dict[str, Any]:
    """Which rows and members of standings a request asks for. Raises `bad_parameter`."""
    rounds = query.choice("rounds", ["true", "false"]) == "true"
    fields = query.several("fields", ROW) or ROW[:-1]
    player = query.values.get("player")
    return {
        "fields": (*fields, "rounds") if rounds and "rounds" not in fields else fields,
        "player": None if player is None else next((one.public_id for one in people.same_person(player)), player),
    }
