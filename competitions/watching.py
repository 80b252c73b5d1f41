"""What a competition does when a session of its is corrected: it writes into its own log what that changed."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from competitions import eventlog, folding
from competitions.effects import Look, effects, look
from competitions.facts import Kind
from competitions.models import Competition, Entry, Event, Table
from competitions.results import drawn_people
from competitions.services.projecting import store
from competitions.services.writing import bump, lock_row
from competitions.showing import effects_public, effects_shown
from competitions.state import CompetitionState
from games import notify
from games.access import Caller
from games.engine.session_events import SessionEvent
from games.errors import Refusal
from games.models import Club, Player, Session
from games.people import group_of
from scoring.wording import say


@dataclass(frozen=True, slots=True)
class Looked:
    """A locked competition as it was before a correction."""

    competition: Competition
    state: CompetitionState
    look: Look


class CompetitionWatcher:
    """See games.hooks.Watcher. Lock order: the session, which the correction holds, then its competition."""

    name = "competition"

    def look(self, session: Session) -> Looked | None:
        at = Table.objects.filter(session=session).values_list("competition", flat=True).first()
        if at is None:
            return None
        row = lock_row(at)
        state = folding.state_of(row)
        return Looked(row, state, look(state, folding.scores_of(row)))

    def corrected(
        self,
        session: Session,
        looked: Looked,
        *,
        events: Sequence[SessionEvent],
        caller: Caller,
        now: datetime,
        door: str,
    ) -> dict[str, Any] | None:
        row, state = looked.competition, looked.state
        changed = effects(looked.look, look(state, folding.scores_of(row)))
        number = next(n for n, at in state.rounds.items() for table in at.tables if table.session == session.pk)
        if state.round(number).closed_by is not None and session.status != Session.Status.CLOSED:
            name = state.round(number).name
            raise Refusal(
                "round_closed",
                say("{round} is closed, and this table with it. Reopen {round} by undoing its closing.", round=name),
            )
        event = eventlog.NewEvent(
            Kind.CORRECTED,
            round=number,
            data={"session": session.pk, "seq": events[-1].seq, "effects": changed},
            reason=next((event.reason for event in events if event.reason), ""),
        )
        (stored,) = eventlog.append(row, [event], after=row.seq, actor=caller.user, at=now, door=door)
        state.events.append(stored)
        store(row, state)
        bump(row.pk)
        notify.changed("competition", row.public_id, stored.seq)
        return {"id": row.public_id, "name": state.name, "round": number, **changed}

    def words(self, effects: dict[str, Any]) -> tuple[str, list[str]]:
        told = effects_shown(effects)
        where = say("{competition}, round {number}", competition=effects["name"], number=effects["round"])
        return where, told.sentences

    def public(self, effects: dict[str, Any]) -> dict[str, Any]:
        # Not the name, which may change: an answer that is asked for again stays the same.
        return {"id": effects["id"], "round": effects["round"], **effects_public(effects)}

    def recall(self, session: Session, seq: int) -> dict[str, Any] | None:
        found = eventlog.correction(session.pk, seq)
        if found is None:
            return None
        row = Competition.objects.get(tables__session=session)
        changed = eventlog.effects(row.pk, found.seq) or {}
        return {"id": row.public_id, "name": row.name, "round": found.round, **changed}

    def forget(self, club: Club, holds: Callable[[str], bool]) -> None:
        """Blank the reasons that name somebody; standings show the reasons of adjustments as they are in the log."""
        named = Event.objects.filter(competition__club=club).exclude(reason="")
        for competition, seq, reason in named.values_list("competition", "seq", "reason"):
            if holds(reason):
                Event.objects.filter(competition=competition, seq=seq).update(reason="")
                bump(competition)

    def check_merge(self, duplicate: Player, keeper: Player) -> None:
        """One person does not sit at two tables of one draw, and has one seat in each that is to come."""
        for row in _with_any([duplicate]).intersection(_with_any(group_of(keeper))):
            state, scores = folding.state_of(row), folding.scores_of(row)
            for number, at in sorted(state.rounds.items()):
                people = set(map(scores.who, drawn_people(state, scores, number)))
                if not {duplicate.pk, keeper.pk} <= people:
                    continue
                if at.opened_seq is None:
                    raise Refusal(
                        "both_drawn",
                        say(
                            "{name} and {other} are both drawn for {round} of {competition}. "
                            "Withdraw {name} there first.",
                            name=duplicate.name,
                            other=keeper.name,
                            round=at.name,
                            competition=str(row),
                        ),
                    )
                raise Refusal(
                    "both_drawn",
                    say(
                        "{name} and {other} both sit in {round} of {competition}: they are two people.",
                        name=duplicate.name,
                        other=keeper.name,
                        round=at.name,
                        competition=str(row),
                    ),
                )


def _with_any(players: Collection[Player]) -> QuerySet[Competition]:
    """The competitions in which one of these is entered, or has sat."""
    ids = [player.pk for player in players]
    return Competition.objects.filter(
        Exists(Entry.objects.filter(competition=OuterRef("pk"), player__in=ids))
        | Exists(Table.objects.filter(competition=OuterRef("pk"), session__occupancies__player__in=ids))
    )
