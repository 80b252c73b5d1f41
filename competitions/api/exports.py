"""Long exports of competitions as streams of lines (games.api.exports)."""

from typing import Any

from django.utils import timezone
from rest_framework.request import Request

from competitions import bulk
from competitions.api.base import CompetitionView
from competitions.api.docs import COMPETITION
from games.api.exports import GOING_ON, PLAYER, SINCE, ExportView, exported, exports_filters
from games.api.replaying import LINE
from games.api.scopes import Scope

DEAL = (
    '{"type":"deal","time":"2026-11-29T20:12:00.000000Z","session":"k3v9qm2xw7pt","label":"Thursday, table 1","deal":1,'
    '"mode":"recorded","rules":"pagat","scheme":"wins","lowest_wins":false,"competition":"h6w2t8kq3xvn","round":1,'
    '"table":1,"dealer":2,"seats":[{"player":"x7m2k9qv3wtp","name":"Anna","bot":false,"place":1,"points":1,'
    '"cards_left":0,"winner":true},…]}\n'
)
RATED = (
    "Every deal that counts, in the order in which it ended, with what a rating needs: the terms, and by seat who sat "
    "there (a substitute in the deals they played, merged players as the person they are), their place by the points "
    'of this deal, points (exact: whole, or a text "n/d"), cards left. Void deals and those that do not count are left '
    "out."
)


class ClubResults(ExportView):
    scopes = {"GET": Scope.SESSIONS_READ}
    parameters = {"GET": ("since", "player", *GOING_ON)}

    @exported(
        "club_results",
        summary="Results of a club for ratings",
        description=f"{RATED} Deals outside competitions have null for `competition`, `round` and `table`. Members of "
        "the club.",
        example=DEAL,
        path=["club"],
        query=[SINCE, PLAYER],
    )
    def get(self, request: Request, club: str) -> Any:
        filters = exports_filters(self)
        return self.sent(request, lambda at: bulk.club_results(self.caller, club, **filters, at=at), f"{club}-results")


class CompetitionResults(CompetitionView, ExportView):
    scopes = {"GET": Scope.SESSIONS_READ}
    parameters = {"GET": ("since", "player", *GOING_ON)}

    @exported(
        "competition_results",
        summary="Results of a competition for ratings",
        description=f"{RATED} Of the tables whose sessions the caller may see.",
        example=DEAL,
        path=[COMPETITION],
        query=[SINCE, PLAYER],
    )
    def get(self, request: Request, competition: str) -> Any:
        filters = exports_filters(self)
        return self.sent(
            request, lambda at: bulk.results(self.caller, competition, **filters, at=at), f"{competition}-results"
        )


class CompetitionDeals(CompetitionView, ExportView):
    scopes = {"GET": Scope.SESSIONS_READ}
    parameters = {"GET": ("since", "player", *GOING_ON)}

    @exported(
        "competition_deals",
        summary="The deals of a competition as record text",
        description="Every deal at its tables that is over, a canonical line each (docs/record-format.md), by session "
        "and number. Of the tables whose sessions the caller may see.",
        example=LINE,
        path=[COMPETITION],
        query=[SINCE, PLAYER],
    )
    def get(self, request: Request, competition: str) -> Any:
        filters = exports_filters(self)
        return self.sent(
            request, lambda at: bulk.deals(self.caller, competition, **filters, at=at), f"{competition}-deals"
        )


WHOLE = (
    '{"type":"competition","form":1,"competition":"h6w2t8kq3xvn","club":"riverside","name":"Thursday league",…}\n'
    '{"type":"result","round":1,"table":1,"session":"k3v9qm2xw7pt","seat":0,"player":"x7m2k9qv3wtp","name":"Anna",…}\n'
)


class CompetitionExport(CompetitionView, ExportView):
    scopes = {"GET": Scope.STANDINGS_READ}
    parameters = {"GET": GOING_ON}

    @exported(
        "competition_export",
        summary="A whole competition",
        description="For statisticians: a line for each entry, round, table, result of somebody at a table, and "
        "publication with its rows, each a small object with its `type` (docs/api.md lists them). Whoever may see the "
        "competition gets what is published and the tables whose sessions they may see, members of the club the "
        "entries too, scorers and organisers everything: adjustments, absences, substitutions, what is not out. "
        'Points are exact: whole, or a text "n/d".',
        example=WHOLE,
        path=[COMPETITION],
        query=[],
        codes="moved_on busy",
    )
    def get(self, request: Request, competition: str) -> Any:
        now = timezone.now()
        return self.sent(request, lambda at: bulk.export(self.caller, competition, now=now, at=at), competition)
