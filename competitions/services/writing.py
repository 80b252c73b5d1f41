"""The one way to change a competition: lock, fold, decide, append, project, all in one transaction."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Literal

from django.db.models import F

from competitions import eventlog, folding, receipts
from competitions.access import may_see
from competitions.effects import Look, effects, look, nothing
from competitions.eventlog import NewEvent
from competitions.facts import TELLING, CompetitionEvent, Kind
from competitions.models import Competition, Version
from competitions.results import Scores
from competitions.services import projecting
from competitions.services.checking import BAD, refused
from competitions.state import CompetitionState, check_fold, fold
from games import notify
from games.access import Caller, role_needed
from games.errors import Invalid, NotFound, Refusal
from games.models import Club, Player, Role
from games.services.keys import Key, answer_of, known, remember, wait_for_twin
from games.services.persons import held
from games.services.transactions import durable, rehearsal
from scoring.wording import say

_LOCK = "SELECT * FROM competitions_competition WHERE public_id = %s FOR NO KEY UPDATE"


Tell = Literal["all", "draws", "nothing"]


class MovedOn(Refusal):
    """The competition has changed since the caller looked: look again."""

    def __init__(self, version: int) -> None:
        super().__init__(
            "moved_on",
            say("The competition has changed since you looked. Look again before you go on."),
            version=version,
        )


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a write to a competition answers with: where its last event stands. The answer is read from there.

    - `effects`: what it changed (see competitions.effects), where it was asked for.
    - `report`: what else the write has to say of itself, kept with its key.
    """

    competition: str
    seq: int
    effects: dict[str, Any] = field(default_factory=dict, compare=False)
    report: dict[str, Any] = field(default_factory=dict, compare=False)


@dataclass
class Draft:
    """A locked competition and what is about to be appended to its log. `state` follows what is added."""

    competition: Competition
    caller: Caller
    now: datetime
    state: CompetitionState
    events: list[NewEvent] = field(default_factory=list)
    report: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def scores(self) -> Scores:
        """What the tables scored."""
        return folding.scores_of(self.competition)

    def add(self, kind: Kind, **columns: Any) -> int:
        """Append an event to the draft; returns the seq it will have."""
        event = NewEvent(kind, **columns)
        self.events.append(event)
        seq = self.competition.seq + len(self.events)
        data = eventlog.light(event.data)
        candidate = CompetitionEvent(
            seq, kind, event.round, event.player, self.caller.user, self.now, data, event.reason
        )
        self.state = fold([*self.state.events, candidate])
        return seq

    def add_all(self, events: Iterable[NewEvent]) -> None:
        """Append many events, folded once."""
        found = []
        for event in events:
            self.events.append(event)
            seq = self.competition.seq + len(self.events)
            found.append(
                CompetitionEvent(
                    seq, event.kind, event.round, event.player, self.caller.user, self.now, event.data, event.reason
                )
            )
        self.state = fold([*self.state.events, *found])

    def player(self, public_id: str) -> Player:
        """An active player of this competition's club; raises `bad_player`."""
        player = held(self.competition.club_id, [public_id]).get(public_id)
        if player is None:
            raise Invalid("bad_player", say("There is no such active player in this club."))
        return player

    def entered(self, public_id: str) -> Player:
        """A player of this club who is entered, active or not, under this name or one that is merged with it; raises
        `bad_player`, `not_entered`."""
        player = Player.objects.filter(public_id=public_id, club=self.competition.club_id).first()
        if player is None:
            raise Invalid("bad_player", say("There is no such player in this club."))
        entries = self.entries_of(player.pk)
        if not entries:
            self.state.entry(player.pk)
        return player if player.pk == entries[0] else Player.objects.get(pk=entries[0])

    def entries_of(self, player: int) -> list[int]:
        """The entered players who are this person, those not withdrawn first: more than one where two who were entered
        turned out to be one."""
        who = self.scores.who(player)
        own = [pk for pk in self.state.entries if self.scores.who(pk) == who]
        return sorted(own, key=lambda pk: (self.state.entries[pk].withdrawn is not None, pk != who, pk))


def write(
    *,
    caller: Caller,
    competition: str,
    now: datetime,
    door: str,
    decide: Callable[[Draft], None],
    role: Role = Role.ORGANISER,
    key: Key | None = None,
    expected_version: int | None = None,
    check: Callable[[Competition], None] | None = None,
    tell: Tell | Callable[[CompetitionState], Tell] = "all",
    first: Callable[[Caller, str], None] | None = None,
) -> Receipt:
    """Lock the competition, let `decide` add events, store them with everything that follows from them.

    - `expected_version`: refuse with MovedOn where the numbers are no longer those.
    - `check`: raises where the locked row is not what the caller means to change.
    - `tell`: what the receipt says has changed: all, or where it changes no numbers, draws or nothing.
    - `first`: locks the sessions that `decide` will write, which come before the competition.

    Raises NotFound for a competition the caller may not see, and whatever `decide` refuses with; then nothing is
    stored. A key that was used before answers as it did then.
    """
    with durable():
        if first is not None:
            first(caller, competition)
        row = lock(caller, competition)
        if (before := known(caller, key)) is not None:
            return receipt_of(before)
        if not (caller.has(role, row.club_id) or caller.system):
            raise role_needed(role)
        if check is not None:
            check(row)
        if expected_version is not None and (version := folding.version_of(row)) != expected_version:
            raise MovedOn(version)
        draft = Draft(row, caller, now, folding.state_of(row))
        what = tell(draft.state) if callable(tell) else tell
        seen = None if what == "nothing" else look(draft.state, draft.scores, standings=what == "all")
        decide(draft)
        receipt = finish(draft, door=door, before=seen)
        answer = {"competition": receipt.competition, "seq": receipt.seq}
        remember(caller, key, answer={**answer, "report": receipt.report} if receipt.report else answer)
        return receipt


def create(
    *,
    caller: Caller,
    club: Club,
    now: datetime,
    door: str,
    key: Key | None,
    check: Callable[[], None],
    events: list[NewEvent],
) -> Receipt:
    """Make a new competition of `club` with these first events; `check` raises where it cannot be, asked only where the
    key was not used before."""
    with durable():
        wait_for_twin(caller, key)
        if (before := known(caller, key)) is not None:
            return receipt_of(before)
        check()
        row = Competition(club=club, name="", format="", created_at=now)
        row.name = row.public_id  # until it is projected: names are unique in the club
        row.save(force_insert=True)
        Version.objects.create(competition=row)
        draft = Draft(row, caller, now, fold([]))
        draft.add_all(events)
        receipt = finish(draft, door=door, before=None)
        remember(caller, key, answer={"competition": receipt.competition, "seq": receipt.seq})
        return receipt


def finish(draft: Draft, *, door: str, before: Look | None) -> Receipt:
    """Append the draft's events and store what follows from them. A draft without events changes nothing."""
    row = draft.competition
    if not draft.events:
        return Receipt(row.public_id, row.seq, report=draft.report)
    after = row.seq
    row.seq += len(draft.events)
    check_fold(draft.state, draft.scores.who)
    projecting.store(row, draft.state)
    # What happened to sessions meanwhile is read again: a look before and one after.
    changed = {}
    if before is not None:
        changed = effects(before, _look_after(draft, standings=before.standings is not None))
    # The log comes after what follows from it, since its last event keeps that.
    events = _telling(draft.events, changed)
    eventlog.append(row, events, after=after, actor=draft.caller.user, at=draft.now, door=door)
    bump(row.pk)
    notify.changed("competition", row.public_id, row.seq)
    return Receipt(row.public_id, row.seq, changed, draft.report)


def _look_after(draft: Draft, *, standings: bool) -> Look:
    """The competition as it is going to be; raises Invalid where its standings cannot be counted so."""
    scores = folding.scores_of(draft.competition) if standings else draft.scores
    try:
        return look(draft.state, scores, standings=standings)
    except BAD as error:
        raise refused(error) from error


def _telling(events: list[NewEvent], changed: dict[str, Any]) -> list[NewEvent]:
    """The events of a write, the last of which keeps what it changed where an organiser should read it later."""
    if nothing(changed) or TELLING.isdisjoint(event.kind for event in events):
        return events
    *others, last = events
    return [*others, replace(last, data={**last.data, eventlog.EFFECTS: changed})]


def bump(competition_id: int) -> None:
    """One more version, last: until the commit every result of the competition's tables waits here."""
    Version.objects.filter(competition=competition_id).update(number=F("number") + 1)


def lock(caller: Caller, public_id: str) -> Competition:
    """The competition's row, locked alone; raises NotFound."""
    row = next(iter(Competition.objects.raw(_LOCK, [public_id])), None)
    if row is None or not may_see(caller, row):
        raise NotFound("competition")
    return row


def lock_row(competition_id: int) -> Competition:
    """The competition's row, locked alone, for whoever holds one of its sessions."""
    return Competition.objects.select_for_update(no_key=True).get(pk=competition_id)


def receipt_of(before: Any) -> Receipt:
    """The receipt that a request with this key got before; raises `key_reused` where it was another kind of request."""
    answer = answer_of(before)
    if "competition" not in answer:
        raise Invalid("key_reused", say("This Idempotency-Key was used with a different request."))
    return Receipt(answer["competition"], answer["seq"], report=answer.get("report", {}))


def preview(operation: Callable[[], Receipt]) -> Receipt:
    """What `operation`, a call of a service, would do: it is done, and taken back. Raises what the service raises."""
    with rehearsal():
        return operation()


@dataclass(frozen=True, slots=True)
class Preview:
    """What an operation would do. `seq`: where the log stood before it. `version`: to be named with the real thing,
    which is refused where anything has changed meanwhile. `events`: what it would append, as answers have them;
    `effects`: see competitions.effects."""

    seq: int
    version: int
    events: list[dict[str, Any]]
    effects: dict[str, Any]


def rehearse(*, caller: Caller, competition: str, operation: Callable[[], Receipt]) -> Preview:
    """A preview for whoever wants to see all of it. Raises NotFound, and what the service raises."""
    row = Competition.objects.filter(public_id=competition).first()
    if row is None or not may_see(caller, row):
        raise NotFound("competition")
    version = folding.version_of(row)  # before the look, so that it is never a later one
    with rehearsal():
        receipt = operation()
        events = receipts.of_write(competition, receipt.seq)["events"] if receipt.seq > row.seq else []
        return Preview(row.seq, version, events, receipt.effects)
