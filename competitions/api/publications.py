"""Publications: numbered snapshots of draws and standings, taking them back, and what differs between two."""

from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from competitions import selectors, showing
from competitions.api.base import CHANGING, ChangingView, CompetitionView
from competitions.api.docs import COMPETITION, EFFECTS, PUBLICATION, change, changed_example
from competitions.api.fields import Because, Moment
from competitions.api.shapes import PUBLICATION as PUBLICATION_EXAMPLE
from competitions.api.shapes import STANDINGS, PublicationContent, PublicationShape, publication_shape, published_shape
from competitions.api.versions import of_publications
from competitions.models import Publication
from competitions.services import publishing
from games.api.docs import AFTER, LIMIT, NUMBER, listed, operation
from games.api.fields import Body, Text, Whole
from games.api.paging import PARAMETERS, page_by_number
from games.api.parsing import Query
from games.api.scopes import Scope


class NewPublication(Body):
    what = Text(max_length=10, help_text="draw or standings.")
    round = Whole(
        required=False,
        allow_null=True,
        min_value=1,
        help_text="Whose draw, or after which closed round; the latest closed one, unless told.",
    )
    not_before = Moment(required=False, allow_null=True, help_text="Until then scorers and organisers alone see it.")


class DifferenceShape(serializers.Serializer[Any]):
    before = serializers.IntegerField(help_text="The earlier publication's number.")
    after = serializers.IntegerField()
    what = serializers.CharField()
    standings = serializers.ListField(child=serializers.DictField(), help_text="As in the effects of a change.")
    draws = serializers.ListField(child=serializers.DictField(), help_text="As in the effects of a change.")
    sentences = serializers.ListField(child=serializers.CharField())


def filtered(rows: QuerySet[Publication], query: Query) -> QuerySet[Publication]:
    if what := query.choice("what", list(Publication.What.values)):
        rows = rows.filter(what=what)
    if (number := query.whole("round", least=1, most=32_000)) is not None:
        rows = rows.filter(round=number)
    if (since := query.time("since")) is not None:
        rows = rows.filter(Q(at__gte=since) | Q(not_before__gte=since))
    return rows


class Publications(ChangingView, CompetitionView):
    scopes = {"GET": Scope.STANDINGS_READ, "POST": Scope.COMPETITIONS_MANAGE}
    parameters = {"GET": (*PARAMETERS, "what", "round", "since"), "POST": CHANGING}
    body = NewPublication

    @operation(
        "publications",
        tag="competitions",
        summary="What is published",
        description="Draws and standings that are out, by number; to scorers and organisers also those that are not "
        "out yet or taken back.",
        answer=listed(PublicationShape, "PublicationPage"),
        example={"results": [PUBLICATION_EXAMPLE], "next": None},
        path=[COMPETITION],
        query=[
            LIMIT,
            AFTER,
            OpenApiParameter("what", str, enum=list(Publication.What.values), description="Only draws or standings."),
            OpenApiParameter("round", int, description="Only of this round, or after it."),
            OpenApiParameter("since", OpenApiTypes.DATETIME, description="Only those made, or out, since then."),
        ],
        versioned=True,
    )
    def get(self, request: Request, competition: str) -> Response:
        row, now = self.competition(competition), timezone.now()
        rows = list(filtered(selectors.publications(self.caller, row, now=now), self.query))
        if unchanged := self.unchanged(of_publications(self.caller, row, rows, now=now), published=row.public):
            return unchanged
        return page_by_number(
            request,
            self.query,
            rows,
            number=lambda row: row.number,
            render=lambda row: publication_shape(row, out=selectors.is_out(row, now)),
        )

    @change(
        "publish",
        summary="Publish a draw or standings",
        description="As a numbered snapshot that never changes.",
        codes="not_drawn nothing_closed round_not_closed no_such_round bad_number bad_publication bad_time",
        request=NewPublication,
        request_example={"what": "standings"},
        example=changed_example("published", seq=29, round=2, number=4, what="standings", not_before=None),
    )
    def post(self, request: Request, competition: str) -> Response:
        return self.change(request, competition, publishing.publish, read=publication)


class OnePublication(CompetitionView):
    scopes = {"GET": Scope.STANDINGS_READ}

    @operation(
        "publication",
        tag="competitions",
        summary="A publication",
        description="With what it says: `draw` or `standings`, the other is null.",
        answer=PublicationContent,
        example={**PUBLICATION_EXAMPLE, "standings": STANDINGS, "draw": None},
        path=[COMPETITION, PUBLICATION],
        versioned=True,
    )
    def get(self, request: Request, competition: str, number: int) -> Response:
        row, now = self.competition(competition), timezone.now()
        found = selectors.publication_row(self.caller, row, number, now=now)
        if unchanged := self.unchanged(of_publications(self.caller, row, [found], now=now), published=row.public):
            return unchanged
        return Response(published_shape(selectors.opened(row, found, now=now)))


class Unpublish(ChangingView):
    scopes = {"POST": Scope.COMPETITIONS_MANAGE}
    parameters = {"POST": CHANGING}
    body = Because

    @change(
        "unpublish",
        summary="Take a publication back",
        description="Nobody but scorers and organisers sees it any more; its number is never used again. The draw of "
        "a round being played stays out.",
        codes="already_unpublished reason_required round_open bad_text",
        request=Because,
        request_example={"reason": "The wrong round."},
        example=changed_example("unpublished", seq=30, round=2, number=4),
        path=[PUBLICATION],
    )
    def post(self, request: Request, competition: str, number: int) -> Response:
        return self.change(request, competition, publishing.unpublish, number=number)


class Difference(CompetitionView):
    scopes = {"GET": Scope.STANDINGS_READ}
    parameters = {"GET": ("to",)}

    @operation(
        "publication_diff",
        tag="competitions",
        summary="What differs between two publications",
        description="From the earlier to the later.",
        codes="not_comparable not_published",
        answer=DifferenceShape,
        example={
            "before": 2,
            "after": 4,
            "what": "standings",
            "standings": EFFECTS["standings"],
            "draws": [],
            "sentences": ["Anna: 2nd → 1st, 1500 → 1505 points."],
        },
        path=[COMPETITION, PUBLICATION],
        query=[
            OpenApiParameter(
                "to", NUMBER, description="The other publication; the one of its kind before it, unless told."
            )
        ],
        versioned=True,
    )
    def get(self, request: Request, competition: str, number: int) -> Response:
        row, now = self.competition(competition), timezone.now()
        seen = list(selectors.publications(self.caller, row, now=now))
        if unchanged := self.unchanged(of_publications(self.caller, row, seen, now=now), published=row.public):
            return unchanged
        other = self.query.whole("to", least=1, most=999_999_999)
        if other is None:
            other = selectors.before(self.caller, row, number, now=now)
        found = selectors.difference(self.caller, row, number, other, now=now)
        shown = showing.effects_shown(found.found)
        return Response(
            {
                "before": found.before.row.number,
                "after": found.after.row.number,
                "what": found.after.row.what,
                "standings": shown.changes["standings"],
                "draws": shown.changes["draws"],
                "sentences": shown.sentences,
            }
        )


def publication(body: dict[str, Any]) -> dict[str, Any]:
    return {"number": body.pop("round", None), **body}
