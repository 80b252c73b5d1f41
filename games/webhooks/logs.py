"""The logs of games that webhooks are told of: sessions and clubs."""

from games import clublog, eventlog
from games.engine.session_events import FIRST_OWN_KIND, Kind
from games.models import Club, Deal, Session
from games.projection import Played, is_finished, result_from_json
from games.selectors import state_of
from games.webhooks.sources import PAGE, Reading, Told, register
from scoring.wording import say

FINISHED, UNFINISHED, DEAL_FINISHED = "finished", "unfinished", "deal_finished"


class SessionSource:
    """A session's own events, each deal that comes to its result, and the session coming to its end."""

    name = "session"
    kinds = {
        "opened": say("a session is there"),
        "configured": say("its settings, rules or scheme are others"),
        "seated": say("somebody has a seat"),
        "unseated": say("a seat is empty"),
        "frozen": say("its first deal comes: seats, rules and scheme are fixed"),
        "dealer_drawn": say("the first dealer is drawn"),
        "dealt": say("a deal is dealt"),
        "recorded": say("a deal of a real table is entered with its cards"),
        "result_entered": say("the result of a deal is entered"),
        "deal_finished": say("a deal has its result, however it came"),
        "confirmed": say("a second person has confirmed a deal"),
        "voided": say("a deal is void"),
        "substituted": say("somebody plays on for another"),
        "reseated": say("who sat where in deals that are over is corrected"),
        "adjusted": say("points are given or taken"),
        "undone": say("one of these is taken back"),
        "finished": say("nothing more is to be played, by the scheme or the number of deals"),
        "unfinished": say("a correction has taken that back"),
        "closed": say("the session is closed"),
    }
    heads = "SELECT id AS subject, club_id AS club, seq, status AS state FROM games_session"
    # Cards were played in the deal that was running before, and it is running still.
    quiet = f"""head.state = 'playing' AND seen.seq IS NOT NULL AND NOT EXISTS (
        SELECT FROM games_event event WHERE event.session_id = head.subject AND event.seq > seen.seq
        AND event.kind >= {int(FIRST_OWN_KIND)}
    )"""

    def read(self, subject: int, *, after: int, state: str) -> Reading:
        told = eventlog.told(subject, after=after, upto=after + PAGE)
        address = f"/api/v1/sessions/{told.public_id}"
        events = []
        for seq, kind, number, at, result in told.events:
            about = {} if number is None else {"deal": number}
            if kind >= FIRST_OWN_KIND:
                where = address if number is None else f"{address}/deals/{number}"
                events.append(Told(seq, Kind(kind).name.lower(), at, where, about))
            if result:
                events.append(Told(seq, DEAL_FINISHED, at, f"{address}/deals/{number}", about))
        reached = told.seq <= after + PAGE
        if reached and events and (change := self._change(subject, state, told.status)):
            # Where the session was closed at once, it was finished before that.
            place = len(events) - (events[-1].kind == "closed")
            last = events[max(place - 1, 0)]
            events.insert(place, Told(last.seq, change, last.at, f"{address}/table"))
        return Reading(told.public_id, events, min(told.seq, after + PAGE), told.status if reached else state)

    def _change(self, subject: int, before: str, now: str) -> str | None:
        """Whether the session came to its end, or no longer is there."""
        over = (Session.Status.FINISHED, Session.Status.CLOSED)
        if before not in over and now in over:
            return FINISHED if now == Session.Status.FINISHED or _is_finished(subject) else None
        return UNFINISHED if before == Session.Status.FINISHED and now not in over else None


def _is_finished(session_id: int) -> bool:
    """Whether a closed session had come to its end."""
    rows = Deal.objects.filter(session=session_id, finished=True)
    return is_finished(
        state_of(Session.objects.get(pk=session_id)),
        {
            row.ordinal: Played(row.seq, row.ended_at, None, result_from_json(row.result, dealer=row.dealer), None)
            for row in rows
            if row.result is not None and row.ended_at is not None
        },
    )


class ClubSource:
    """What became of a club's players: whoever keeps their names elsewhere learns that they are others now."""

    name = "club"
    kinds = {
        "merged": say("a player turned out to be another one"),
        "unmerged": say("that is taken back"),
        "anonymised": say("a player asked to be forgotten: forget the name"),
    }
    heads = "SELECT club_id AS subject, club_id AS club, max(seq) AS seq, '' AS state FROM games_clubevent GROUP BY 1"
    quiet = "false"

    def read(self, subject: int, *, after: int, state: str) -> Reading:
        club = Club.objects.get(pk=subject)
        found = clublog.told(club, after=after, limit=PAGE)
        events = [
            Told(
                event["seq"],
                event["kind"],
                event["at"],
                f"/api/v1/players/{event['player']}",
                {"player": event["player"]},
            )
            for event in found
        ]
        return Reading(club.slug, events, events[-1].seq if events else after)


register(SessionSource())
register(ClubSource())
