"""The address of a competition's stream."""

from django.http import HttpResponse
from rest_framework.request import Request

from competitions import selectors
from competitions.api.competitions import COMPETITION_EXAMPLE, SETTINGS_EXAMPLE
from competitions.api.docs import COMPETITION, ID
from competitions.api.shapes import PUBLICATION
from competitions.live.messages import Competitions, viewer_of
from games.api.base import PublicReadView
from games.api.docs import operation
from games.api.scopes import Scope
from games.live import frames
from games.live.views import BEGINNING, RESUMING, StreamView, example

COMPETITIONS = Competitions()
CHANGE = {
    "seq": 29,
    "kind": "published",
    "round": 2,
    "player": None,
    "at": "2026-11-29T22:05:00.000000Z",
    "data": {"number": 4, "what": "standings"},
}


class CompetitionStream(StreamView, PublicReadView):
    scopes = {"GET": Scope.STANDINGS_READ}

    @operation(
        "competition_stream",
        tag="streams",
        summary="Watch a competition",
        description="What its reader may see of it. `state` is as in reading it, with the latest `publications`; then "
        "one `change` an event, and `version` for scorers and organisers when results have changed the numbers. "
        "A publication whose time has come is a `resync` and a `state`. " + BEGINNING,
        answer=str,
        example=example(
            frames.frame(
                "state",
                {**COMPETITION_EXAMPLE, "settings": SETTINGS_EXAMPLE, "version": 61, "publications": [PUBLICATION]},
                at=28,
            ),
            frames.frame("change", {"competition": ID, "change": CHANGE}, at=29),
            frames.frame("version", {"competition": ID, "version": 62}),
        ),
        media=frames.MEDIA_TYPE,
        path=[COMPETITION],
        query=RESUMING,
        codes="too_many_streams no_room",
    )
    def get(self, request: Request, competition: str) -> HttpResponse:
        row = selectors.visible_competition(self.caller, competition)
        return self.stream(request, COMPETITIONS, competition, viewer_of(self.caller, row))
