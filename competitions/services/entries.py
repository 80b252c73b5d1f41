"""Who competes: entering, withdrawing, coming back, sitting out, substitutes, pairs kept apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from competitions.eventlog import NewEvent
from competitions.facts import CompetitionError, Kind
from competitions.services.checking import checked_number, checked_points, why
from competitions.services.drawing import redraw_what_must
from competitions.services.writing import Draft, Receipt, write
from games.access import Caller
from games.errors import Invalid, Refusal
from games.models import Player
from games.services.keys import Key
from games.services.persons import held
from scoring.wording import mark, say, say_n

CREDITS = ("player", "substitute")
MOST_ENTRIES = 10_000
SEED = mark("A seed is a whole number from 1 to {most}.")
ROUND = mark("A round is a whole number from 1 to {most}.")


@dataclass(frozen=True, slots=True)
class NewEntry:
    """Somebody to be entered: public id, seed (1 the strongest), and the first round, None for the next one."""

    player: str
    seed: int | None = None
    from_round: int | None = None


def enter(
    *,
    caller: Caller,
    competition: str,
    entries: Sequence[NewEntry],
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """Enter players, all of them or none. Rounds that are drawn and not opened are changed as little as they must.

    Raises `bad_player`, `already_entered`, `bad_number`, `too_many_entries`, `no_tables`."""

    def decide(draft: Draft) -> None:
        state = draft.state
        state.check_running()
        if len(state.entries) + len(entries) > MOST_ENTRIES:
            raise too_many_entries()
        asked = {item.player for item in entries}
        found = held(draft.competition.club_id, asked)
        known = {draft.scores.who(player): player for player in state.entries}
        new = []
        for item in entries:
            player = found.get(item.player)
            if player is None:
                raise Invalid("bad_player", say("There is no active player {id} in this club.", id=item.player[:40]))
            if player.pk in known:
                raise Refusal(
                    "already_entered", say("{name} is entered already: a person competes once.", name=player.name)
                )
            known[player.pk] = player.pk
            first = first_round(draft, item.from_round)
            seed = None if item.seed is None else checked_number(item.seed, SEED)
            new.append(NewEvent(Kind.ENTERED, player=player.pk, data={"from_round": first, "seed": seed}))
        draft.add_all(new)
        redraw_what_must(draft)

    return _write(caller, competition, now, door, key, decide, expected_version)


def withdraw(
    *,
    caller: Caller,
    competition: str,
    player: str,
    from_round: int | None = None,
    reason: str = "",
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """From a round on (None: the next) somebody plays no more; results stay. Raises `not_entered`,
    `already_withdrawn`, `round_open` where he sits in an open round from then on."""

    def decide(draft: Draft) -> None:
        state = draft.state
        state.check_running()
        who = draft.entered(player)
        if state.entries[who.pk].withdrawn is not None:
            raise Refusal("already_withdrawn", say("{name} is withdrawn already.", name=who.name))
        first = first_round(draft, from_round)
        check_not_seated(draft, who, first)
        said = why(Kind.WITHDRAWN, reason, required=False)
        # One who is entered twice, and turned out to be one person, goes as one.
        for entered in draft.entries_of(who.pk):
            if state.entries[entered].withdrawn is None:
                draft.add(Kind.WITHDRAWN, round=first, player=entered, reason=said)
        redraw_what_must(draft)

    return _write(caller, competition, now, door, key, decide, expected_version)


def reinstate(
    *,
    caller: Caller,
    competition: str,
    player: str,
    reason: str = "",
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """Somebody who withdrew plays again, from the next round that is not opened. Raises `not_withdrawn`."""

    def decide(draft: Draft) -> None:
        state = draft.state
        state.check_running()
        who = draft.entered(player)
        if state.entries[who.pk].withdrawn is None:
            raise Refusal("not_withdrawn", say("{name} is not withdrawn.", name=who.name))
        draft.add(Kind.REINSTATED, player=who.pk, reason=why(Kind.REINSTATED, reason, required=False))
        redraw_what_must(draft)

    return _write(caller, competition, now, door, key, decide, expected_version)


def sit_out(
    *,
    caller: Caller,
    competition: str,
    player: str,
    number: int,
    bye: bool = False,
    points: Any = None,
    reason: str = "",
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """Somebody does not play a round: absent, or with a `bye` by the organiser's decision. `points` (exact) are what it
    is worth; None: what the settings say. Of a closed round it needs a reason. Raises `already_sits_out`, `round_open`.
    """

    def decide(draft: Draft) -> None:
        state = draft.state
        state.check_running()
        at = state.check_round(number)
        who = draft.entered(player)
        if any((number, entered) in state.sit_outs for entered in draft.entries_of(who.pk)):
            raise Refusal("already_sits_out", say("{name} sits out in {round} already.", name=who.name, round=at.name))
        check_not_seated(draft, who, number, only=True)
        data: dict[str, Any] = {"bye": bool(bye)}
        if points is not None:
            data["points"] = checked_points(points)
        needed = at.status == "closed" or points is not None
        draft.add(
            Kind.SAT_OUT,
            round=number,
            player=who.pk,
            data=data,
            reason=why(Kind.SAT_OUT, reason, required=needed),
        )
        redraw_what_must(draft)

    return _write(caller, competition, now, door, key, decide, expected_version)


def substitute(
    *,
    caller: Caller,
    competition: str,
    player: str,
    number: int,
    by: str,
    credit: str = "player",
    reason: str,
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """In a round that is not opened yet `by` sits in `player`'s place. `credit`: the points go to the "player", or to
    the "substitute", who then has a row of his own. At an open table the seat's player is substituted there.

    Raises `already_seated`, `substitution_cycle`, `bad_credit`, `round_open`."""

    def decide(draft: Draft) -> None:
        state = draft.state
        state.check_running()
        at = state.check_round(number)
        if at.opened_seq is not None:
            raise Refusal(
                "round_open", say("{round} is open: put the substitute in at the table (its session).", round=at.name)
            )
        who, instead = draft.entered(player), draft.player(by)
        if credit not in CREDITS:
            raise Invalid("bad_credit", say("credit is one of: {credits}.", credits=", ".join(CREDITS)))
        if draft.scores.who(who.pk) == instead.pk:
            raise Invalid("substitution_cycle", say("{name} cannot sit for himself.", name=who.name))
        own = draft.entries_of(who.pk)
        if state.part_of(number).isdisjoint(own):
            raise Invalid("not_entered", say("{name} does not take part in {round}.", name=who.name, round=at.name))
        if not state.absent(number).isdisjoint(own):
            raise Refusal(
                "already_sits_out", say("{name} sits out in {round}: undo that first.", name=who.name, round=at.name)
            )
        draft.add(
            Kind.SUBSTITUTED,
            round=number,
            player=who.pk,
            data={"substitute": instead.pk, "credit": credit},
            reason=why(Kind.SUBSTITUTED, reason),
        )

    return _write(caller, competition, now, door, key, decide, expected_version)


def keep_apart(
    *,
    caller: Caller,
    competition: str,
    players: tuple[str, str],
    reason: str = "",
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """The two are not seated together in draws to come, where that can be. Undo it to let them meet again."""

    def decide(draft: Draft) -> None:
        draft.state.check_running()
        one, other = (draft.entered(public_id) for public_id in players)
        who = draft.scores.who
        pair = tuple(sorted((one.pk, other.pk)))
        if one.pk == other.pk or {who(one.pk), who(other.pk)} in [set(map(who, known)) for known in draft.state.apart]:
            raise Refusal("already_apart", say("These two are kept apart already, or are one person."))
        draft.add(Kind.KEPT_APART, data={"pair": list(pair)}, reason=why(Kind.KEPT_APART, reason, required=False))

    return _write(caller, competition, now, door, key, decide, expected_version)


def _write(
    caller: Caller,
    competition: str,
    now: datetime,
    door: str,
    key: Key | None,
    decide: Any,
    expected_version: int | None,
) -> Receipt:
    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        expected_version=expected_version,
    )


def too_many_entries() -> Invalid:
    sentence = say_n("A competition has at most {n} entry.", "A competition has at most {n} entries.", MOST_ENTRIES)
    return Invalid("too_many_entries", sentence)


def first_round(draft: Draft, number: int | None) -> int:
    """The round asked for, else the first that is not opened."""
    if number is None:
        return draft.state.next_round
    return checked_number(number, ROUND, most=500)


def check_not_seated(draft: Draft, player: Player, number: int, *, only: bool = False) -> None:
    """Raises where the player sits at a table of an opened round, from `number` on or (`only`) in that one: what is
    played is corrected at the table."""
    own = set(draft.entries_of(player.pk))
    for n, at in draft.state.rounds.items():
        concerned = n == number if only else n >= number
        if not concerned or at.opened_seq is None or at.plan is None:
            continue
        own_seats = own - draft.state.sits_for(n).keys()
        if any(not own_seats.isdisjoint(map(int, table)) for table in at.plan.tables):
            raise CompetitionError(
                "round_open",
                say(
                    "{name} sits at a table of {round}: correct it there, or go from a later round.",
                    name=player.name,
                    round=at.name,
                ),
            )
