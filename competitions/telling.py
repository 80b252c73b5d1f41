"""The logs of competitions, as webhooks are told of them (games/webhooks/sources.py): which event, of which round or
publication. What is drawn or published stands at its address, for whoever may see it."""

from competitions import eventlog
from competitions.facts import CompetitionEvent, Kind
from competitions.models import Competition
from games.webhooks.sources import PAGE, Reading, Told


class CompetitionSource:
    name = "competition"
    kinds = {
        "created": "a competition is there",
        "configured": "its name, days or settings are others",
        "entered": "somebody competes",
        "withdrawn": "somebody competes no more",
        "reinstated": "somebody withdrawn competes again",
        "sat_out": "somebody is to sit a round out",
        "substituted": "in a round somebody sits for another",
        "kept_apart": "two are kept from one table",
        "round_set": "a round has another title, day or settings",
        "drawn": "a round is drawn, or seated by hand; nobody may see it yet",
        "opened": "the tables of a round are open",
        "table_added": "a session became a table of a round",
        "closed": "a round is closed",
        "decided": "who goes on among equals is decided",
        "adjusted": "points are given or taken",
        "published": "a draw or standings are out, or will be from `not_before` on",
        "unpublished": "a publication is taken back",
        "finished": "the competition is finished",
        "corrected": "something was corrected at a table, and changed what follows from it",
        "undone": "one of these is taken back",
    }
    heads = "SELECT id AS subject, club_id AS club, seq, '' AS state FROM competitions_competition"
    quiet = "false"

    def read(self, subject: int, *, after: int, state: str) -> Reading:
        public_id = Competition.objects.values_list("public_id", flat=True).get(pk=subject)
        found = eventlog.page(subject, after=after, limit=PAGE)
        events = [_told(event, f"/api/v1/competitions/{public_id}") for event in found]
        return Reading(public_id, events, found[-1].seq if found else after)


def _told(event: CompetitionEvent, address: str) -> Told:
    assert event.at is not None
    about: dict[str, int | str] = {}
    if event.round is not None:
        about["round"], where = event.round, f"{address}/rounds/{event.round}"
    else:
        where = address
    if event.kind in (Kind.PUBLISHED, Kind.UNPUBLISHED):
        about["publication"], where = event.data["number"], f"{address}/publications/{event.data['number']}"
        if not_before := event.data.get("not_before"):
            about["not_before"] = not_before
    return Told(event.seq, event.kind.name.lower(), event.at, where, about)
