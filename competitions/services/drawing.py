"""Draws: who sits where in the rounds to come."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from competitions.effects import Levels, levels_before
from competitions.eventlog import NewEvent
from competitions.facts import Kind
from competitions.formats.base import Ask, Draw, Format, FormatError, as_draw
from competitions.results import before, sat
from competitions.seating import Drawn, Round, SeatingError
from competitions.seating.bound import Plan, bounds_of
from competitions.services.checking import refused
from competitions.services.writing import Draft, Receipt, write
from competitions.state import plan_json
from games.access import Caller
from games.errors import Invalid, Refusal
from games.models import Player
from games.services.keys import Key
from scoring.wording import Listed, listed, say, say_n


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

    `absent` (public ids) will not be there in this round, and that is noted, beside who is absent already; or `present`
    names those who are, of whom an evening's tables are made, though they were to be absent. The same competition draws
    the same; another `variant` gives another draw; `effort` is the search's, 1.0 for some seconds at most.

    Raises `round_open`, `round_before_open`, `not_entered`, `no_tables`, `bad_draw`, and what formats raise
    (`tie_to_decide`, `too_few_players`, `competition_over`)."""

    def decide(draft: Draft) -> None:
        draft.state.check_drawable(number)
        settings = draft.state.settings_of(number)
        if present is not None and settings.format.draws_ahead:
            raise Invalid(
                "bad_draw",
                say("{format} draws all rounds at once: say who is absent instead.", format=settings.format.title),
            )
        missing = set(_entered(draft, number, absent)) - draft.state.absent(number)
        if missing:
            draft.add_all(
                NewEvent(Kind.SAT_OUT, round=number, player=player, data={"bye": False}) for player in sorted(missing)
            )
        here = None if present is None else _entered(draft, number, present)
        for player in draft.state.absent(number) & set(here or ()):
            data = {"seq": draft.state.sit_outs[number, player].seq}
            draft.add(Kind.UNDONE, round=number, player=player, data=data, reason="present after all")
        ask, levels = ask_for(draft, number, variant=variant, here={number: here}, effort=effort)
        try:
            drawn = settings.format.draw(ask)
        except (FormatError, SeatingError) as error:
            raise _named(draft, error) from error
        _add(draft, number, drawn, levels, extra={"variant": variant}, here={number: here})
        _drop_rest(draft, number + len(drawn.rounds), settings.format)

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
        if not tables:
            raise Invalid("no_tables", say("Name who sits at one table at least."))
        ask, levels = ask_for(draft, number, here={number: None})
        part = _taking_part(draft, ask)
        who, name = draft.scores.who, state.round(number).name
        absent = set(map(who, state.absent(number)))
        found = {item.public_id: item for item in Player.objects.filter(club=draft.competition.club_id)}
        named: set[int] = set()
        for public_id in (public_id for table in tables for public_id in table):
            player = found.get(public_id)
            if player is None:
                raise Invalid("bad_player", say("There is no such player in this club."))
            if who(player.pk) in named:
                raise Invalid(
                    "already_seated", say("{name} is named twice: a person sits in one seat.", name=player.name)
                )
            if who(player.pk) in absent:
                raise Invalid(
                    "already_sits_out",
                    say("{name} sits out in {round}: undo that first.", name=player.name, round=name),
                )
            if who(player.pk) not in part:
                raise Invalid("not_entered", say("{name} does not take part in {round}.", name=player.name, round=name))
            named.add(who(player.pk))
        rule = state.settings.tables
        for index, table in enumerate(tables, 1):
            if not rule.smallest <= len(table) <= rule.largest:
                raise Invalid(
                    "no_tables",
                    say_n(
                        "Table {table} has {n} player; tables have {smallest} to {largest}.",
                        "Table {table} has {n} players; tables have {smallest} to {largest}.",
                        len(table),
                        table=index,
                        smallest=rule.smallest,
                        largest=rule.largest,
                    ),
                )
        seated = tuple(tuple(who(found[public_id].pk) for public_id in table) for table in tables)
        plan = Round(seated, tuple(sorted(part - named)))
        proven = bounds_of(
            [plan],
            played=ask.played,
            plans=[Plan(frozenset(plan.people()), plan.sizes)],
            apart=ask.apart,
        )
        drawn = Drawn(ask.played, (plan,), proven, "by hand", ask.apart)
        _add(draft, number, as_draw(drawn), levels, extra={}, reason=reason)

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
    draft: Draft,
    number: int,
    *,
    here: Mapping[int, list[int] | None],
    variant: int = 0,
    effort: float = 1.0,
) -> tuple[Ask, Levels]:
    """What the draw of a round, or of several from it on, depends on, and the standings it goes by (empty: by none).

    `here`: by round, from the first to the last to be drawn, who is present; None: everybody who takes part."""
    state, scores = draft.state, draft.scores
    settings = state.settings_of(number)
    rounds = settings.format.total_rounds(len(_part(draft, number)), settings)
    last = max(here)
    if settings.format.draws_ahead and rounds is not None:
        last = max(last, rounds)
    part = {n: _part(draft, n, here.get(n)) for n in range(number, last + 1)}
    players = frozenset[int]().union(*part.values())
    who = scores.who
    levels = levels_before(state, scores, number) if settings.format.by_standing and number > 1 else ()
    ask = Ask(
        number=number,
        players=players,
        rule=settings.tables,
        seed=f"{state.seed} {variant}" if variant else state.seed,
        rounds=rounds,
        absent={n: away for n in part if (away := players - part[n] | players & _away(draft, n))},
        seeds=_seeds(draft),
        levels=levels,
        played=tuple(
            as_sat
            for n in range(1, number)
            if state.round(n).status != "planned" and (as_sat := sat(state, scores, n)).tables
        ),
        before=before(state, scores, number - 1) if number > 1 else (),
        sitting_out_before=tuple(map(int, sat(state, scores, number - 1).sitting_out)) if number > 1 else (),
        apart=frozenset(
            (min(pair), max(pair)) for one, other in state.apart if len(pair := {who(one), who(other)}) == 2
        ),
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
        here = {n: _still_here(draft, n) for n in run}
        ask, levels = ask_for(draft, run[0], here=here)
        plans = [_as_people(draft, plan) for n in run if (plan := state.round(n).plan) is not None]
        wanted = [ask.players - ask.absent.get(n, frozenset()) for n in run]
        if all(frozenset(plan.people()) == people for plan, people in zip(plans, wanted, strict=True)):
            continue
        try:
            drawn = state.settings.format.redraw_ahead(plans, ask)
        except (FormatError, SeatingError) as error:
            refusal = _named(draft, error)
            name = state.round(run[0]).name
            message = say(
                "{round} is drawn and would have to change. {why} Undo its draw first, or draw anew.",
                round=name,
                why=refusal.message,
            )
            raise Invalid(refusal.code, message, **refusal.extra) from error
        _add(draft, run[0], drawn, levels, extra={"amended": True}, here=here, unchanged=plans)


def _taking_part(draft: Draft, ask: Ask) -> frozenset[int]:
    """Who plays the round or sits out in it, as its format says: in a knock-out, who went on."""
    try:
        return frozenset(draft.state.settings_of(ask.number).format.players(ask))
    except (FormatError, SeatingError) as error:
        raise _named(draft, error) from error


def _away(draft: Draft, number: int) -> set[int]:
    """The people who are not to be drawn for a round: who sits out, and who sits there for somebody."""
    state = draft.state
    playing = state.part_of(number) - state.absent(number)
    stand_ins = {item.substitute for item in state.substitutes(number) if item.player in playing}
    return set(map(draft.scores.who, state.absent(number) | stand_ins))


def _part(draft: Draft, number: int, here: Collection[int] | None = None) -> frozenset[int]:
    """The people who take part in a round; of those `here`, where it is given."""
    part = draft.state.part_of(number)
    return frozenset(map(draft.scores.who, part if here is None else part & set(here)))


def _seeds(draft: Draft) -> dict[int, int]:
    """By person the seed; the stronger one of two."""
    seeds: dict[int, int] = {}
    for entry in draft.state.entries.values():
        if entry.seed is not None:
            who = draft.scores.who(entry.player)
            seeds[who] = min(entry.seed, seeds.get(who, entry.seed))
    return seeds


def _as_people(draft: Draft, plan: Round) -> Round:
    """A plan with the people that its players are. Who is in it twice, under two names, keeps the first seat."""
    seen: set[int] = set()

    def people(players: Iterable[Any]) -> tuple[int, ...]:
        found = [who for who in dict.fromkeys(draft.scores.who(int(player)) for player in players) if who not in seen]
        seen.update(found)
        return tuple(found)

    return Round(tuple(people(table) for table in plan.tables), people(plan.sitting_out))


def _as_entered(draft: Draft, plan: Round, number: int) -> Round:
    """The reverse: of the names under which a person is entered one that takes part in the round."""
    part = draft.state.part_of(number)
    names: dict[int, int] = {}
    for player in sorted(draft.state.entries, key=lambda pk: (pk in part, pk == draft.scores.who(pk))):
        names[draft.scores.who(player)] = player

    def entered(players: Iterable[Any]) -> tuple[int, ...]:
        return tuple(names[int(player)] for player in players)

    return Round(tuple(entered(table) for table in plan.tables), entered(plan.sitting_out))


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
    names = {draft.scores.who(player): player for player in sorted(draft.state.part_of(number))}
    chosen = set()
    for public_id in public_ids:
        if public_id not in found:
            raise Invalid("bad_player", say("There is no player {id} in this club.", id=public_id[:40]))
        entered = names.get(draft.scores.who(found[public_id].pk))
        if entered is None:
            name, where = found[public_id].name, draft.state.round(number).name
            raise Invalid("not_entered", say("{name} does not take part in {round}.", name=name, round=where))
        chosen.add(entered)
    return sorted(chosen)


def _add(
    draft: Draft,
    number: int,
    drawn: Draw,
    levels: Levels,
    *,
    extra: dict[str, Any],
    here: Mapping[int, list[int] | None] | None = None,
    reason: str = "",
    unchanged: Sequence[Round] = (),
) -> None:
    for index, plan in enumerate(drawn.rounds):
        if index < len(unchanged) and unchanged[index] == plan:
            continue
        at = draft.state.round(number + index)
        if at.opened_seq is not None:
            raise Refusal("round_open", say("{round} is open: it cannot be drawn any more.", round=at.name))
        draft.add(
            Kind.DRAWN,
            round=number + index,
            data={
                "plan": plan_json(_as_entered(draft, plan, number + index)),
                "how": drawn.how,
                "report": drawn.report,
                "lines": list(drawn.lines),
                "moved": list(drawn.moved),
                "levels": [list(level) for level in levels],
                "present": (here or {}).get(number + index),
                **extra,
            },
            reason=reason,
        )


def _drop_rest(draft: Draft, number: int, drawn_by: Format) -> None:
    """Where all rounds are drawn at once and are fewer than before: those from `number` on are drawn no more."""
    if not drawn_by.draws_ahead:
        return
    for event in draft.state.events:
        if event.kind is Kind.DRAWN and (event.round or 0) >= number and event.seq not in draft.state.cancelled:
            draft.add(Kind.UNDONE, round=event.round, data={"seq": event.seq}, reason="Fewer rounds are drawn.")


def _named(draft: Draft, error: Exception) -> Invalid:
    """A format's refusal, with the names of whom it is about; in its data people by public ids."""
    data = dict(getattr(error, "data", {}))
    people = Player.objects.filter(pk__in=data.get("equal", ())).order_by("name")
    names = [player.name for player in people]
    if names:
        data["equal"] = [player.public_id for player in people]
    refusal = refused(error)
    if not names:
        return refusal
    return Invalid(refusal.code, Listed((refusal.message, say("Equal: {names}.", names=listed(names)))), **data)
