"""Draws: who sits where in the rounds to come."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from competitions.effects import Levels, levels_before
from competitions.formats.base import Ask, Draw, FormatError, as_draw
from competitions.results import before, sat
from competitions.seating import Drawn, Round, SeatingError
from competitions.seating.bound import Plan, bounds_of
from competitions.services.checking import refused
from competitions.services.writing import Draft, Receipt, write
from competitions.state import Kind, plan_json
from games.access import Caller
from games.errors import Invalid, Refusal
from games.models import Player
from games.services.keys import Key


def draw(
    *,
    caller: Caller,
    competition: str,
    number: int,
    absent: Collection[str] = (),
    present: Collection[str] | None = None,
    variant: int = 0,
    effort: float = 1.0,
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """Draw round `number`, or all from it on where the format draws ahead; a round that is drawn is drawn anew.

    `absent` (public ids) will not be there in this round, and that is noted; or `present` names those who are, of whom
    an evening's tables are made. The same competition draws the same; another `variant` gives another draw; `effort`
    is the search's, 1.0 for some seconds at most.

    Raises `round_open`, `round_before_open`, `not_entered`, `no_tables`, `bad_draw`, and what formats raise
    (`tie_to_decide`, `too_few_players`, `competition_over`)."""

    def decide(draft: Draft) -> None:
        draft.state.check_drawable(number)
        settings = draft.state.settings_of(number)
        if present is not None and settings.format.draws_ahead:
            raise Invalid("bad_draw", f"{settings.format.title} draws all rounds at once: say who is absent instead.")
        for player in _entered(draft, number, absent):
            if player not in draft.state.absent(number):
                draft.add(Kind.SAT_OUT, round=number, player=player, data={"bye": False})
        here = None if present is None else _entered(draft, number, present)
        ask, levels = ask_for(draft, number, variant=variant, here=here, effort=effort)
        try:
            drawn = settings.format.draw(ask)
        except (FormatError, SeatingError) as error:
            raise _named(draft, error) from error
        _add(draft, number, drawn, levels, extra={"variant": variant, "present": here})

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        expected_version=expected_version,
        tell="draws",
    )


def seat_by_hand(
    *,
    caller: Caller,
    competition: str,
    number: int,
    tables: Sequence[Sequence[str]],
    reason: str = "",
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """Set a round's draw: public ids by table and seat; whoever takes part and is not among them sits out.

    Raises `already_seated` for a person named twice, `not_entered`, `no_tables` for a table of the wrong size, and as
    `draw`."""

    def decide(draft: Draft) -> None:
        state = draft.state
        state.check_drawable(number)
        found = {item.public_id: item for item in Player.objects.filter(club=draft.competition.club_id)}
        names = [public_id for table in tables for public_id in table]
        for public_id in names:
            if public_id not in found:
                raise Invalid("bad_player", "There is no such player in this club.")
            if names.count(public_id) > 1:
                raise Invalid("already_seated", f"{found[public_id].name} is named twice: a person sits in one seat.")
            if found[public_id].pk not in state.part_of(number):
                raise Invalid(
                    "not_entered", f"{found[public_id].name} does not take part in {state.round(number).name}."
                )
        rule = state.settings.tables
        for index, table in enumerate(tables, 1):
            if not rule.smallest <= len(table) <= rule.largest:
                raise Invalid(
                    "no_tables",
                    f"Table {index} has {len(table)} players; tables have {rule.smallest} to {rule.largest}.",
                )
        ask, levels = ask_for(draft, number, here=sorted(state.part_of(number)))
        seated = tuple(tuple(found[public_id].pk for public_id in table) for table in tables)
        plan = Round(seated, tuple(sorted(ask.present - {player for table in seated for player in table})))
        proven = bounds_of(
            [plan],
            played=ask.played,
            plans=[Plan(frozenset(plan.people()), plan.sizes)],
            apart=ask.apart,
        )
        drawn = Drawn(ask.played, (plan,), proven, "by hand", ask.apart)
        _add(draft, number, as_draw(drawn), levels, extra={"present": None}, reason=reason)

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        expected_version=expected_version,
        tell="draws",
    )


def ask_for(
    draft: Draft, number: int, *, variant: int = 0, here: list[int] | None = None, effort: float = 1.0
) -> tuple[Ask, Levels]:
    """What the draw of a round depends on, and the standings it goes by (empty where it goes by none).

    `here`: who is present; None: everybody who takes part."""
    state, scores = draft.state, draft.scores
    players = state.part_of(number) if here is None else state.part_of(number) & set(here)
    settings = state.settings_of(number)
    rounds = settings.format.total_rounds(len(state.part_of(number)), settings)
    who = scores.who
    levels = levels_before(state, scores, number) if settings.format.by_standing and number > 1 else ()
    last = max(state.numbers, default=number)
    ask = Ask(
        number=number,
        players=frozenset(map(who, players)),
        rule=settings.tables,
        seed=f"{state.seed} {variant}" if variant else state.seed,
        rounds=rounds,
        absent={n: frozenset(map(who, state.absent(n))) for n in range(number, last + 1) if state.absent(n)},
        seeds={who(entry.player): entry.seed for entry in state.entries.values() if entry.seed is not None},
        levels=levels,
        played=tuple(sat(state, scores, n) for n in range(1, number) if state.round(n).status != "planned"),
        before=before(state, scores, number - 1) if number > 1 else (),
        sitting_out_before=tuple(map(int, sat(state, scores, number - 1).sitting_out)) if number > 1 else (),
        apart=frozenset((min(pair), max(pair)) for pair in state.apart),
        effort=effort,
    )
    return ask, levels


def redraw_what_must(draft: Draft) -> None:
    """After people came or went: change the rounds that are drawn and not opened, as little as can be."""
    state = draft.state
    ahead = [n for n in state.numbers if state.round(n).plan is not None and state.round(n).opened_seq is None]
    runs: list[list[int]] = []
    for number in ahead:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    for run in runs:
        ask, levels = ask_for(draft, run[0], here=_still_here(draft, run[0]))
        plans = [plan for n in run if (plan := state.round(n).plan) is not None]
        wanted = [ask.players - ask.absent.get(n, frozenset()) for n in run]
        if all(frozenset(plan.people()) == people for plan, people in zip(plans, wanted, strict=True)):
            continue
        try:
            drawn = state.settings.format.redraw_ahead(plans, ask)
        except (FormatError, SeatingError) as error:
            raise _named(draft, error) from error
        extra = {"amended": True, "present": _still_here(draft, run[0])}
        _add(draft, run[0], drawn, levels, extra=extra, unchanged=plans)


def _still_here(draft: Draft, number: int) -> list[int] | None:
    """Who was named as present when the round was drawn, and who was entered since; None where nobody was named."""
    at = draft.state.round(number)
    present = at.draw.get("present")
    if present is None:
        return None
    assert at.drawn_seq is not None
    return [*present, *(entry.player for entry in draft.state.entries.values() if entry.seq > at.drawn_seq)]


def _entered(draft: Draft, number: int, public_ids: Collection[str]) -> list[int]:
    """The ids of players who take part in the round; one statement. Raises `bad_player`, `not_entered`."""
    if not public_ids:
        return []
    rows = Player.objects.filter(club=draft.competition.club_id, public_id__in=set(public_ids))
    found = {player.public_id: player for player in rows}
    taking_part = draft.state.part_of(number)
    for public_id in public_ids:
        if public_id not in found:
            raise Invalid("bad_player", f"There is no player {public_id[:40]} in this club.")
        if found[public_id].pk not in taking_part:
            where = draft.state.round(number).name
            raise Invalid("not_entered", f"{found[public_id].name} does not take part in {where}.")
    return sorted(player.pk for player in found.values())


def _add(
    draft: Draft,
    number: int,
    drawn: Draw,
    levels: Levels,
    *,
    extra: dict[str, Any],
    reason: str = "",
    unchanged: Sequence[Round] = (),
) -> None:
    for index, plan in enumerate(drawn.rounds):
        if index < len(unchanged) and unchanged[index] == plan:
            continue
        at = draft.state.round(number + index)
        if at.opened_seq is not None:
            raise Refusal("round_open", f"{at.name} is open: it cannot be drawn any more.")
        draft.add(
            Kind.DRAWN,
            round=number + index,
            data={
                "plan": plan_json(plan),
                "how": drawn.how,
                "report": drawn.report,
                "lines": list(drawn.lines),
                "moved": list(drawn.moved),
                "levels": [list(level) for level in levels],
                **extra,
            },
            reason=reason,
        )


def _named(draft: Draft, error: Exception) -> Invalid:
    """A format's refusal, with the names of whom it is about; in its data people by public ids."""
    data = dict(getattr(error, "data", {}))
    people = Player.objects.filter(pk__in=data.get("equal", ())).order_by("name")
    names = [player.name for player in people]
    if names:
        data["equal"] = [player.public_id for player in people]
    refusal = refused(error)
    more = f" Equal: {', '.join(names)}." if names else ""
    return Invalid(refusal.code, refusal.message + more, **data)
