"""The messages of a session's streams: a pure function of its log and of who looks."""

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Subquery
from django.db.models.functions import Coalesce

from games import delays, receipts
from games.access import Caller
from games.api import rendering
from games.api.play import own_shape, table_shape
from games.engine.seat_view import seat_view
from games.errors import Forbidden, NotFound, Refusal
from games.eventlog import StoredEvent
from games.live.frames import Frame, frame, resync
from games.live.topics import Batch, From, checked
from games.models import Deal, Occupancy, Session
from games.past import Past
from scoring.wording import say


@dataclass(frozen=True, slots=True)
class Viewer:
    """A kind of viewers: whoever is in `seat`; else those who watch, some of them `at_once` whatever delay there is."""

    seat: int | None = None
    at_once: bool = False

    @classmethod
    def of(cls, caller: Caller, session: Session) -> "Viewer":
        """Those whom the caller is one of when watching."""
        return cls(at_once=delays.sees_at_once(caller, session))


@dataclass(frozen=True, slots=True)
class SessionGate:
    """Who may see the session; of a seat's stream, which account plays the seat."""

    session: Session
    viewer: Viewer
    account: int | None

    def refusal(self, caller: Caller) -> Refusal | None:
        if not caller.sees(self.session):
            return NotFound("session")
        if self.viewer.seat is not None and (self.account is None or self.account != caller.user):
            return Forbidden("not_your_seat", say("Only the player of a seat sees its hand."))
        if self.viewer.at_once and not delays.sees_at_once(caller, self.session):
            return Forbidden("rights_changed", say("Your rights in this club have changed. Open the stream again."))
        return None


class Sessions:
    """See topics.Source; viewers are `Viewer`s."""

    name = "session"

    def read(self, public_id: str, wanted: Mapping[Any, From], *, now: datetime) -> Mapping[Any, Batch]:
        session = Session.objects.filter(public_id=public_id).first()
        if session is None:
            raise NotFound("session")
        accounts = _accounts(session) if any(viewer.seat is not None for viewer in wanted) else {}
        # What this process has sent already stays sent, also where a delay was made longer since.
        known = {viewer: 0 if at.looked is None else at.after or 0 for viewer, at in wanted.items()}
        later = delays.shown(session, now, since=known.get(SPECTATOR, 0))
        groups: dict[int, dict[Viewer, From]] = {}
        for viewer, at in wanted.items():
            until = max(known[viewer], later.until if viewer == SPECTATOR else session.seq)
            groups.setdefault(until, {})[viewer] = checked(at, until)
        found: dict[Viewer, Batch] = {}
        for until, starts in groups.items():
            past, frames = _walk(session, starts, until)
            for viewer in starts:
                account = None if viewer.seat is None else accounts.get(viewer.seat)
                more_at = later.more_at if viewer == SPECTATOR else None
                gate = SessionGate(session, viewer, account)
                found[viewer] = Batch(tuple(frames[viewer]), until, gate, now, mark=past, again_at=more_at)
        return found

    def heads(self, public_ids: Collection[str]) -> Mapping[str, Hashable]:
        return dict(Session.objects.filter(public_id__in=public_ids).values_list("public_id", "seq"))


SPECTATOR = Viewer()


def _walk(session: Session, starts: Mapping[Viewer, From], until: int) -> tuple[Past, dict[Viewer, list[Frame]]]:
    """The messages of viewers who all see the log up to event `until`: one walk through it, and where it ended."""
    past = _past(session, starts, until)
    found: dict[Viewer, list[Frame]] = {viewer: [] for viewer in starts}
    for event in past.events():
        told = _told(past, event)
        for viewer, at in starts.items():
            if at.after is not None and event.seq > at.after:
                found[viewer].append(_message(past, event, told, viewer))
    for viewer, at in starts.items():
        if at.after is None:
            found[viewer] += [resync(at.reason)] if at.reason else []
            found[viewer].append(frame("state", table_shape(past.table(viewer.seat)), at=until))
    return past, found


def _past(session: Session, starts: Mapping[Viewer, From], until: int) -> Past:
    """Where the walk begins: with what is known from the last one, where all were brought to the same place by it."""
    first = min(until if at.after is None else at.after for at in starts.values())
    marks = {at.mark for at in starts.values()}
    known = marks.pop() if len(marks) == 1 else None
    if isinstance(known, Past) and known.at == first and all(at.after == first for at in starts.values()):
        known.goes_on(session, until)
        return known
    return Past(session, first, until=until)


def _told(past: Past, event: StoredEvent) -> dict[str, Any]:
    """What everybody is told of an event."""
    if event.is_action:
        deal = past.deal(event.deal)
        assert deal is not None
        assert event.seat is not None
        session, number = past.session.public_id, past.row(event.deal).number
        told = receipts.action_answer(session, event.seq, number=number, seat=event.seat, at=event.at, deal=deal)
        return {**told, "at": rendering.time(event.at)}
    own = next(item for item in past.own if item.seq == event.seq)
    shown = receipts.public_event(own, receipts.deal_numbers(past.own), receipts.public_players([own]))
    return {"change": {**shown, "at": rendering.time(event.at)}}


def _message(past: Past, event: StoredEvent, told: dict[str, Any], viewer: Viewer) -> Frame:
    """The same with what a viewer sees after it."""
    if not event.is_action:
        return frame("change", {**table_shape(past.table(viewer.seat)), **told}, at=event.seq)
    if viewer.seat is None:
        return frame("action", told, at=event.seq)
    deal = past.deal(event.deal)
    assert deal is not None
    seated = 0 <= viewer.seat < deal.seats
    return frame("action", {**told, "view": own_shape(seat_view(deal, viewer.seat)) if seated else None}, at=event.seq)


def _accounts(session: Session) -> dict[int, int | None]:
    """The account that plays each seat in the running deal, else in the latest (as selectors.own_seat says)."""
    shown = Deal.objects.filter(session=session, current=True)
    if session.live_deal is not None:
        shown = shown.filter(ordinal=session.live_deal)
    number = Coalesce(Subquery(shown.order_by("-number").values("number")[:1]), 1)
    sitting = Occupancy.objects.filter(session=session, from_number__lte=number).order_by("from_number")
    return dict(sitting.values_list("seat", Coalesce("player__merged_into__user_id", "player__user_id")))
