"""Competitions: making, finding, setting up, copying, finishing."""

from typing import Any

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from competitions import selectors
from competitions.api.base import CHANGING, ChangingView, CompetitionView, written
from competitions.api.docs import COMPETITION, ID, Changed, change, changed_example
from competitions.api.fields import Day, Nothing, Object, reason
from competitions.api.versions import of_competitions, of_log
from competitions.facts import FACTS
from competitions.models import Competition
from competitions.services import setup
from competitions.services.checking import KINDS
from games import people
from games.access import Caller
from games.api import rendering
from games.api.base import DOOR, ApiView, PublicReadView
from games.api.clubs import club_of
from games.api.docs import AFTER, KEY, LIMIT, listed, operation
from games.api.fields import Body, Flag, Text, read_body
from games.api.paging import PARAMETERS, page_by_id
from games.api.parsing import Query
from games.api.scopes import Scope
from games.errors import Invalid
from scoring.wording import say

FILTERS = ("season", "status", "kind", "format", "player", "since")
COMPETITION_EXAMPLE = {
    "id": ID,
    "club": "riverside",
    "name": "Thursday league",
    "season": "2026/27",
    "kind": "league",
    "format": "league-night",
    "public": False,
    "starts_on": "2026-09-03",
    "ends_on": "2027-05-27",
    "status": "running",
    "created_at": "2026-08-20T18:00:00.000000Z",
}
SETTINGS_EXAMPLE = {"format": "league-night", "points": "neutral", "best": 12, "tie_breaks": ["wins"]}
QUERY = [
    OpenApiParameter("season", str, description="Only those of this season."),
    OpenApiParameter("status", str, enum=list(Competition.Status.values), description="Only those in this state."),
    OpenApiParameter("kind", str, enum=list(KINDS), description="Only leagues, or only tournaments."),
    OpenApiParameter("format", str, description="Only those of this format."),
    OpenApiParameter(
        "player",
        str,
        description="Only where this player (id) is entered or has a seat; of other clubs' competitions, has a seat "
        "at a public table.",
    ),
    OpenApiParameter("since", OpenApiTypes.DATETIME, description="Only where something happened since then."),
]


class CompetitionShape(serializers.Serializer[Any]):
    id = serializers.CharField()
    club = serializers.CharField()
    name = serializers.CharField()
    season = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    format = serializers.CharField()
    public = serializers.BooleanField(help_text="Whether everybody may see what is published of it.")
    starts_on = serializers.DateField(allow_null=True, help_text="In the club's own zone.")
    ends_on = serializers.DateField(allow_null=True, help_text="The last day, included.")
    status = serializers.ChoiceField(choices=Competition.Status.choices)
    created_at = serializers.DateTimeField()


class CompetitionDetail(CompetitionShape):
    settings = serializers.DictField(help_text="Every setting with its value.")
    version = serializers.IntegerField(
        allow_null=True, help_text="Grows with whatever changes a number; null for whoever sees only what is published."
    )


class CompetitionFacts(Body):
    season = Text(required=False, allow_blank=True, max_length=40)
    kind = Text(required=False, max_length=10, help_text="league or tournament.")
    starts_on = Day(required=False, allow_null=True, help_text="The first day, in the club's zone.")
    ends_on = Day(required=False, allow_null=True, help_text="The last day, included.")
    settings = Object(required=False, help_text="Some of the settings (docs/formats.md); the others are as usual.")


class NewCompetition(CompetitionFacts):
    name = Text(max_length=100)
    seed = Text(required=False, max_length=60, help_text="Makes the draws repeatable; drawn where it is left out.")


class CompetitionChanges(CompetitionFacts):
    name = Text(required=False, max_length=100)
    reason = reason(required=False)


class CompetitionCopy(Body):
    name = Text(max_length=100)
    season = Text(required=False, allow_blank=True, max_length=40)
    starts_on = Day(required=False, allow_null=True)
    ends_on = Day(required=False, allow_null=True)
    entries = Flag(required=False, help_text="Whether those who compete are entered again.")


def competition_shape(row: Competition) -> dict[str, Any]:
    return {
        "id": row.public_id,
        "club": row.club.slug,
        "name": row.name,
        "season": row.season,
        "kind": row.kind,
        "format": row.format,
        "public": row.public,
        "starts_on": row.starts_on,
        "ends_on": row.ends_on,
        "status": row.status,
        "created_at": rendering.time(row.created_at),
    }


def detail_shape(row: Competition, version: int | None) -> dict[str, Any]:
    """A competition by itself; `version` None for whoever sees only what is published."""
    return {**competition_shape(row), "settings": selectors.setup(row).settings_json, "version": version}


def filtered(caller: Caller, query: Query) -> Any:
    """The competitions that the caller may see, as the parameters narrow them down. Raises `bad_parameter`."""
    rows = selectors.visible_competitions(caller)
    if status := query.choice("status", list(Competition.Status.values)):
        rows = rows.filter(status=status)
    if kind := query.choice("kind", list(KINDS)):
        rows = rows.filter(kind=kind)
    if (season := query.values.get("season")) is not None:
        rows = rows.filter(season=season)
    if (club := query.values.get("club")) is not None:
        rows = rows.filter(club__slug=club)
    if (of := query.values.get("format")) is not None:
        rows = rows.filter(format=of)
    if (player := query.values.get("player")) is not None:
        rows = selectors.with_player(caller, rows, people.same_person(player))
    if (since := query.time("since")) is not None:
        rows = selectors.changed_since(rows, since)
    return rows


class Competitions(PublicReadView):
    scopes = {"GET": Scope.STANDINGS_READ}
    parameters = {"GET": (*PARAMETERS, "club", *FILTERS)}

    @operation(
        "competitions",
        tag="competitions",
        summary="Competitions",
        description="Leagues and tournaments of the caller's clubs and all public ones, newest first.",
        answer=listed(CompetitionShape, "CompetitionPage"),
        example={"results": [COMPETITION_EXAMPLE], "next": None},
        query=[LIMIT, AFTER, OpenApiParameter("club", str, description="Only this club's (slug)."), *QUERY],
        versioned=True,
    )
    def get(self, request: Request) -> Response:
        return page(self, filtered(self.caller, self.query))


class ClubCompetitions(ApiView):
    scopes = {"GET": Scope.STANDINGS_READ, "POST": Scope.COMPETITIONS_MANAGE}
    parameters = {"GET": (*PARAMETERS, *FILTERS)}

    @operation(
        "club_competitions",
        tag="competitions",
        summary="A club's competitions",
        description="Newest first.",
        answer=listed(CompetitionShape, "ClubCompetitionPage"),
        example={"results": [COMPETITION_EXAMPLE], "next": None},
        path=["club"],
        query=[LIMIT, AFTER, *QUERY],
        versioned=True,
    )
    def get(self, request: Request, club: str) -> Response:
        owner = club_of(self.caller, club)
        return page(self, filtered(self.caller, self.query).filter(club=owner))

    @operation(
        "competition_create",
        tag="competitions",
        summary="Make a competition",
        description="A league or a tournament. Only its name is needed: the settings have usual values, all listed "
        "in the answer to reading it. Organisers.",
        codes="forbidden name_taken bad_text bad_days bad_settings bad_points bad_rules bad_tie_break "
        "bad_standings no_tables",
        answer=Changed,
        example=changed_example("created", seq=1, name="Thursday league", season="2026/27", kind="league", settings={}),
        status=201,
        request=NewCompetition,
        request_example={
            "name": "Thursday league",
            "season": "2026/27",
            "kind": "league",
            "starts_on": "2026-09-03",
            "ends_on": "2027-05-27",
            "settings": SETTINGS_EXAMPLE,
        },
        path=["club"],
        key=KEY,
        located=True,
    )
    def post(self, request: Request, club: str) -> Response:
        body = read_body(request, NewCompetition)
        receipt = setup.create_competition(
            caller=self.caller, club=club, now=timezone.now(), door=DOOR, key=self.key(request.data), **body
        )
        return made(receipt)


class OneCompetition(ChangingView, CompetitionView):
    scopes = {"GET": Scope.STANDINGS_READ, "PATCH": Scope.COMPETITIONS_MANAGE}
    parameters = {"PATCH": CHANGING}
    body = CompetitionChanges

    @operation(
        "competition",
        tag="competitions",
        summary="A competition",
        description="With every setting.",
        answer=CompetitionDetail,
        example={**COMPETITION_EXAMPLE, "settings": SETTINGS_EXAMPLE, "version": 61},
        path=[COMPETITION],
        versioned=True,
    )
    def get(self, request: Request, competition: str) -> Response:
        row = self.competition(competition)
        version = selectors.version(self.caller, row)
        if unchanged := self.unchanged(of_log(self.caller, row).with_(version), published=row.public):
            return unchanged
        return Response(detail_shape(row, version))

    @change(
        "competition_configure",
        summary="Change a competition's set-up",
        description="Only what is sent is changed, and everything is counted anew by it. Rules, scheme and clocks "
        "concern tables opened from now on. Once a round is closed a change of settings needs a reason.",
        codes="name_taken bad_text bad_days bad_settings bad_rules bad_tie_break bad_points bad_standings "
        "no_tables format_fixed reason_required",
        request=CompetitionChanges,
        request_example={"settings": {"best": 10}, "reason": "Two evenings fell out."},
        example=changed_example("configured", seq=40, settings={"best": 10}),
        status=200,
        edits="/competitions/{competition}",
    )
    def patch(self, request: Request, competition: str) -> Response:
        return self.change(request, competition, setup.configure, status=200, read=changes)


class Copy(ApiView):
    scopes = {"POST": Scope.COMPETITIONS_MANAGE}

    @operation(
        "competition_copy",
        tag="competitions",
        summary="Copy into the next season",
        description="A new competition with the same settings, titles of rounds and pairs kept apart; with `entries` "
        "also those who compete, but for the withdrawn. Nothing that was played. Organisers.",
        codes="forbidden name_taken bad_text bad_days",
        answer=Changed,
        example=changed_example("created", seq=1, name="Thursday league", season="2027/28", copied_from=ID),
        status=201,
        request=CompetitionCopy,
        request_example={"name": "Thursday league", "season": "2027/28", "entries": True},
        path=[COMPETITION],
        key=KEY,
        located=True,
    )
    def post(self, request: Request, competition: str) -> Response:
        body = {"season": "", **read_body(request, CompetitionCopy)}
        receipt = setup.copy(
            caller=self.caller,
            competition=competition,
            now=timezone.now(),
            door=DOOR,
            key=self.key(request.data),
            **body,
        )
        return made(receipt)


class Finish(ChangingView):
    scopes = {"POST": Scope.COMPETITIONS_MANAGE}
    parameters = {"POST": CHANGING}
    body = Nothing

    @change(
        "competition_finish",
        summary="Finish a competition",
        description="Nothing more is entered, drawn or played in it. Undo it to go on.",
        codes="rounds_open",
        request=Nothing,
        request_example={},
        example=changed_example("finished", seq=120),
    )
    def post(self, request: Request, competition: str) -> Response:
        return self.change(request, competition, setup.finish)


def changes(body: dict[str, Any]) -> dict[str, Any]:
    """A body as setup.configure takes it."""
    settings = body.pop("settings", {})
    why = body.pop("reason", "")
    if facts := [name for name in FACTS if name in settings]:
        raise Invalid("bad_settings", say("{name} is no setting: it stands beside the settings.", name=facts[0]))
    return {"changes": {**body, **settings}, "reason": why}


def made(receipt: Any) -> Response:
    location = f"/api/v1/competitions/{receipt.competition}"
    return Response(written(receipt), status=201, headers={"Location": location})


def page(view: ApiView, rows: Any) -> Response:
    return page_by_id(
        view.request,
        view.query,
        rows,
        model=Competition,
        cursor="public_id",
        render=competition_shape,
        newest_first=True,
        unchanged=lambda found: view.unchanged(of_competitions(found)),
    )
