"""Sessions: opening, finding, setting up."""

from typing import Any

from django.db.models import Exists, OuterRef
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import delays, lookups, people, selectors
from games.access import Caller
from games.api import rendering
from games.api.base import DOOR, ApiView, PublicReadView, edited
from games.api.clubs import club_of
from games.api.docs import AFTER, KEY, LIMIT, listed, operation
from games.api.fields import Body, Flag, NameOrObject, Text, Whole, read_body
from games.api.paging import PARAMETERS, page_by_id
from games.api.parsing import Query
from games.api.scopes import Scope
from games.api.versions import of_session, of_sessions, own_of_session, own_of_session_at
from games.api.written import Written, example, written
from games.engine.occupancy import CREDITS
from games.engine.rules import MAX_SEATS, Rules
from games.errors import NotFound
from games.models import Event, Occupancy, Role, Session
from games.services import sessions
from games.standing import scheme_text
from scoring.schemes import scheme_from_json

FILTERS = ("status", "label", "player", "since")
SETTINGS = (
    "public",
    "deals_planned",
    "confirm",
    "self_seating",
    "spectator_delay",
    "deal_after",
    "turn_seconds",
    "stand_in",
)
SESSION = {
    "id": "k3v9qm2xw7pt",
    "club": "riverside",
    "label": "Thursday, table 1",
    "status": "playing",
    "rules": {
        "profile": "pagat",
        "deck": 52,
        "ace": "high",
        "start": "left_of_dealer",
        "min_seats": 3,
        "wrongful_pass": "refused",
    },
    "scheme": "wins",
    "public": False,
    "deals_planned": None,
    "confirm": False,
    "self_seating": False,
    "spectator_delay": 0,
    "deal_after": None,
    "turn_seconds": 60,
    "stand_in": "follow",
    "seats": 4,
    "deal": 2,
    "to_act": 1,
    "due_at": "2026-11-29T20:06:00.000000Z",
    "seq": 63,
    "version": 61,
    "created_at": "2026-11-29T19:55:00.000000Z",
}
SEAT = {"seat": 0, "from_deal": 1, "credit": "last", "player": {"id": "x7m2k9qv3wtp", "name": "Anna", "strategy": ""}}


class SessionShape(serializers.Serializer[Any]):
    id = serializers.CharField()
    club = serializers.CharField()
    label = serializers.CharField()
    status = serializers.ChoiceField(choices=Session.Status.choices)
    rules = serializers.DictField(help_text="The profile and every option with its value.")
    scheme = serializers.CharField(help_text="As text, as in `wins:target=5`.")
    public = serializers.BooleanField()
    deals_planned = serializers.IntegerField(allow_null=True)
    confirm = serializers.BooleanField()
    self_seating = serializers.BooleanField()
    spectator_delay = serializers.IntegerField(help_text="Seconds after which spectators see what happens; 0: at once.")
    deal_after = serializers.IntegerField(allow_null=True)
    turn_seconds = serializers.IntegerField(allow_null=True)
    stand_in = serializers.CharField()
    seats = serializers.IntegerField(allow_null=True, help_text="null before the first deal.")
    deal = serializers.IntegerField(allow_null=True, help_text="Number of the running deal.")
    to_act = serializers.IntegerField(allow_null=True, help_text="The seat whose turn it is.")
    due_at = serializers.DateTimeField(allow_null=True, help_text="When the server moves on, if nobody else does.")
    seq = serializers.IntegerField(help_text="The last event.")
    version = serializers.IntegerField(help_text="Grows with every change.")
    created_at = serializers.DateTimeField()


class PlayerRef(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    strategy = serializers.CharField()


class SeatShape(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    from_deal = serializers.IntegerField(help_text="The first deal in which this player sits here.")
    credit = serializers.ChoiceField(
        choices=CREDITS, help_text="Who gets the seat's points: last, first, or deals (each their own)."
    )
    player = PlayerRef()


class AwaitingShape(serializers.Serializer[Any]):
    deal = serializers.IntegerField()
    take = serializers.IntegerField()
    entered_by = serializers.CharField(allow_null=True, help_text="The account; shown to members of the club.")


class SessionDetail(SessionShape):
    awaiting = AwaitingShape(many=True, help_text="Deals that count once a second person has confirmed them.")
    seating = SeatShape(many=True, help_text="By seat and deal; the last entry of a seat sits there now.")


class Settings(Body):
    label = Text(required=False, max_length=100, help_text="A name, unique in the club.")
    rules = NameOrObject(required=False, help_text="A profile, or an object with a profile and options.")
    scheme = NameOrObject(required=False, help_text="A scheme's text, or an object with its name and parameters.")
    public = Flag(required=False, help_text="Whether everybody may see the session.")
    deals_planned = Whole(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=sessions.MOST_PLANNED,
        help_text="The session is finished once so many deals count; null: the scheme alone says when.",
    )
    confirm = Flag(
        required=False,
        help_text="Whether a deal entered on paper counts only once a second person has confirmed it.",
    )
    self_seating = Flag(
        required=False, help_text="Whether members may sit down by themselves (`/join`), and start once enough do."
    )
    spectator_delay = Whole(
        required=False,
        min_value=0,
        max_value=sessions.LONGEST_DELAY,
        help_text="Seconds after which spectators see what happens; 0: at once. Those at the table see their own seat "
        "at once, scorers and organisers everything.",
    )
    deal_after = Whole(
        required=False, allow_null=True, min_value=0, help_text="Seconds until the next deal is dealt; null: by hand."
    )
    turn_seconds = Whole(
        required=False, allow_null=True, min_value=1, help_text="A turn's time; null: as long as it takes."
    )
    stand_in = Text(
        required=False, allow_blank=True, max_length=40, help_text="The bot that plays for whoever runs out of time."
    )


class NewSession(Settings):
    players = serializers.ListField(
        child=Text(max_length=12), required=False, max_length=MAX_SEATS, help_text="Ids of players, from seat 0 on."
    )


def session_shape(row: Session, caller: Caller) -> dict[str, Any]:
    """A session in lists. `row.deal_number` is annotated by `with_deal_number`. Whose turn it is, whoever sees it later
    learns by watching."""
    later = delays.is_later(caller, row)
    rules = Rules.from_json(row.rules)
    return {
        "id": row.public_id,
        "club": row.club.slug,
        "label": row.label,
        "status": row.status,
        "rules": rules.frozen(),
        "scheme": scheme_text(scheme_from_json(row.scheme)),
        **{name: getattr(row, name) for name in SETTINGS},
        "seats": row.seats,
        "deal": getattr(row, "deal_number"),  # noqa: B009 - annotated
        "to_act": None if later else row.to_act,
        "due_at": None if later else rendering.time(row.due_at),
        "seq": row.seq,
        "version": row.version,
        "created_at": rendering.time(row.created_at),
    }


def seat_shape(item: Occupancy) -> dict[str, Any]:
    return {
        "seat": item.seat,
        "from_deal": item.from_number,
        "credit": item.credit,
        "player": rendering.player(item.player),
    }


def awaiting_shape(row: Any, caller: Caller) -> dict[str, Any]:
    """A deal of `lookups.awaiting`."""
    named = caller.has(Role.MEMBER, row.session.club_id)
    return {
        "deal": row.number,
        "take": row.take,
        # A username may be somebody's mail address, which is nobody's business here.
        "entered_by": row.entered_by.partition("@")[0] if named else None,
    }


def filtered(rows: Any, query: Query) -> Any:
    if status := query.choice("status", list(Session.Status.values)):
        rows = rows.filter(status=status)
    if (label := query.values.get("label")) is not None:
        rows = rows.filter(label=label)
    if (club := query.values.get("club")) is not None:
        rows = rows.filter(club__slug=club)
    if (player := query.values.get("player")) is not None:
        sat = Occupancy.objects.filter(session=OuterRef("pk"), player__in=people.same_person(player))
        rows = rows.filter(Exists(sat))
    if (since := query.time("since")) is not None:
        last = Event.objects.filter(session=OuterRef("pk"), seq=OuterRef("seq"), at__gte=since)
        rows = rows.filter(Exists(last))
    return rows


STATUS = OpenApiParameter("status", str, enum=list(Session.Status.values), description="Only sessions in this state.")
LABEL = OpenApiParameter("label", str, description="Only the session with this label.")
PLAYER = OpenApiParameter("player", str, description="Only where this player (id) has, or had, a seat.")
SINCE = OpenApiParameter("since", OpenApiTypes.DATETIME, description="Only where something happened since then.")
QUERY = [STATUS, LABEL, PLAYER, SINCE]


class Sessions(PublicReadView):
    scopes = {"GET": Scope.SESSIONS_READ}
    parameters = {"GET": (*PARAMETERS, "club", *FILTERS)}

    @operation(
        "sessions",
        tag="sessions",
        summary="Sessions",
        description="The sessions of the caller's clubs and all public ones, newest first.",
        answer=listed(SessionShape, "SessionPage"),
        example={"results": [SESSION], "next": "https://example.org/api/v1/sessions?status=playing&after=k3v9qm2xw7pt"},
        query=[LIMIT, AFTER, OpenApiParameter("club", str, description="Only this club's (slug)."), *QUERY],
        versioned=True,
    )
    def get(self, request: Request) -> Response:
        rows = lookups.with_deal_number(filtered(selectors.visible_sessions(self.caller), self.query))
        return page_by_id(
            request,
            self.query,
            rows,
            model=Session,
            cursor="public_id",
            render=lambda row: session_shape(row, self.caller),
            newest_first=True,
            unchanged=lambda found: self.unchanged(of_sessions(self.caller, found)),
        )


class ClubSessions(ApiView):
    scopes = {"GET": Scope.SESSIONS_READ, "POST": Scope.SESSIONS_MANAGE}
    parameters = {"GET": (*PARAMETERS, *FILTERS)}

    @operation(
        "club_sessions",
        tag="sessions",
        summary="A club's sessions",
        description="Newest first.",
        answer=listed(SessionShape, "ClubSessionPage"),
        example={"results": [SESSION], "next": None},
        path=["club"],
        query=[LIMIT, AFTER, *QUERY],
        versioned=True,
    )
    def get(self, request: Request, club: str) -> Response:
        owner = club_of(self.caller, club)
        rows = selectors.visible_sessions(self.caller).filter(club=owner)
        return page_by_id(
            request,
            self.query,
            lookups.with_deal_number(filtered(rows, self.query)),
            model=Session,
            cursor="public_id",
            render=lambda row: session_shape(row, self.caller),
            newest_first=True,
            unchanged=lambda found: self.unchanged(of_sessions(self.caller, found)),
        )

    @operation(
        "session_open",
        tag="sessions",
        summary="Open a session",
        description="A table under one rules profile and one scoring scheme. Nothing is required: the rules are "
        "`pagat`, the scheme is the profile's usual one, the label is the id; seats can be filled later. Organisers.",
        codes="forbidden bad_rules bad_settings bad_text bad_player already_seated/422 label_taken",
        answer=Written,
        example=example(
            "opened",
            seq=1,
            label="Thursday, table 1",
            rules={"profile": "pagat", "wrongful_pass": "refused"},
            scheme="wins",
            settings={
                "public": False,
                "deals_planned": None,
                "confirm": False,
                "self_seating": False,
                "spectator_delay": 0,
                "deal_after": None,
                "turn_seconds": 60,
                "stand_in": "follow",
            },
        ),
        status=201,
        request=NewSession,
        request_example={
            "label": "Thursday, table 1",
            "rules": "pagat",
            "scheme": "wins",
            "turn_seconds": 60,
            "players": ["x7m2k9qv3wtp", "h4w8n2bq7kzr", "b6t3r9wk2mpq"],
        },
        path=["club"],
        key=KEY,
        located=True,
    )
    def post(self, request: Request, club: str) -> Response:
        body = read_body(request, NewSession)
        receipt = sessions.open_session(
            caller=self.caller,
            club=club,
            players=dict(enumerate(body.get("players", []))),
            settings={name: body[name] for name in SETTINGS if name in body},
            now=timezone.now(),
            door=DOOR,
            key=self.key(request.data),
            **{name: body[name] for name in ("label", "rules", "scheme") if name in body},
        )
        return written(receipt, location=f"/api/v1/sessions/{receipt.session}")


class OneSession(PublicReadView):
    scopes = {"GET": Scope.SESSIONS_READ, "PATCH": Scope.SESSIONS_MANAGE}

    @operation(
        "session",
        tag="sessions",
        summary="A session",
        description="A session with its settings, who sits where, and where it stands.",
        answer=SessionDetail,
        example={**SESSION, "awaiting": [{"deal": 1, "take": 1, "entered_by": "anna"}], "seating": [SEAT]},
        path=["session"],
        versioned=True,
    )
    def get(self, request: Request, session: str) -> Response:
        rows = lookups.with_deal_number(selectors.visible_sessions(self.caller))
        row = rows.filter(public_id=session).first()
        if row is None:
            raise NotFound("session")
        if unchanged := self.unchanged(of_session(self.caller, row)):
            return unchanged
        return Response(
            {
                **session_shape(row, self.caller),
                "awaiting": [awaiting_shape(item, self.caller) for item in lookups.awaiting(row)],
                "seating": [seat_shape(item) for item in lookups.seating_of(row)],
            }
        )

    @operation(
        "session_configure",
        tag="sessions",
        summary="Change a session's settings",
        description="Only the fields that are sent are changed. Rules and scheme are fixed by the first deal "
        "(`rules_frozen`). Organisers.",
        codes="forbidden rules_frozen bad_rules bad_settings bad_text label_taken session_closed",
        answer=Written,
        example=example("configured", seq=6, settings={"turn_seconds": 30}),
        edits="/sessions/{session}",
        request=Settings,
        request_example={"turn_seconds": 30},
        path=["session"],
        key=KEY,
    )
    def patch(self, request: Request, session: str) -> Response:
        body = read_body(request, Settings)
        receipt = sessions.configure(
            caller=self.caller,
            session=session,
            changes=body,
            now=timezone.now(),
            door=DOOR,
            key=self.key(request.data),
            check=self.meant(own_of_session),
        )
        return edited(written(receipt, status=200), own_of_session_at(receipt.session, receipt.seq))
