"""Who sits together in each round, and who sits out: a known construction where one is perfect, else a search."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from competitions.seating.bound import Bounds, Plan, bounds
from competitions.seating.exact import Exhaustive, TooMany
from competitions.seating.known import Known, continued
from competitions.seating.lots import Seed, lots
from competitions.seating.objective import Score, score
from competitions.seating.rounds import Pair, Round, in_order
from competitions.seating.search import Search, numbered, past_of

MOST_CELLS = 4_000_000
"""Of the matrices of one search, people × people × rounds: more rounds are drawn a few at a time."""


@dataclass(frozen=True, slots=True)
class Grouped:
    """Rounds whose table numbers and seats mean nothing yet. `bounds` and `how` as in `draw.Drawn`."""

    rounds: tuple[Round, ...]
    bounds: Bounds
    how: str


def group(
    plans: Sequence[Plan], *, played: Sequence[Round], apart: frozenset[Pair], seed: Seed, effort: float
) -> Grouped:
    """Put people together for the rounds `plans`, after the rounds `played`."""
    proven = bounds(played=played, plans=plans, apart=apart)
    partly = []
    for known in continued(plans, played=played, apart=apart, seed=seed):
        if len(known.rounds) < len(plans):
            partly.append(known)
        elif _reaches(score([*played, *known.rounds], apart=apart), proven):
            return Grouped(known.rounds, proven, known.title)
    begun = max(partly, key=lambda each: len(each.rounds), default=None)
    found = _searched(plans, begun, played, apart, seed, effort, proven)
    best = score([*played, *found.rounds], apart=apart)
    if best.apart > proven.apart:
        # The bound of the squares counted on keeping them apart.
        found = replace(found, bounds=replace(proven, squares=bounds(played=played, plans=plans).squares))
    return found


def _reaches(reached: Score, proven: Bounds) -> bool:
    return (reached.apart, reached.again, reached.squares) <= (proven.apart, proven.again, proven.squares)


def _searched(
    plans: Sequence[Plan],
    begun: Known | None,
    played: Sequence[Round],
    apart: frozenset[Pair],
    seed: Seed,
    effort: float,
    proven: Bounds,
) -> Grouped:
    """The best of a search for all rounds, and one for what a construction with too few rounds leaves to be drawn."""
    found = []
    if begun:
        rest = _in_parts(plans[len(begun.rounds) :], [*played, *begun.rounds], apart, seed, effort / 3)
        found.append(Grouped(begun.rounds + rest, proven, f"{begun.title}, then annealing"))
        effort *= 2 / 3
    found.append(Grouped(_in_parts(plans, played, apart, seed, effort), proven, "annealing"))
    best = min(found, key=lambda each: score([*played, *each.rounds], apart=apart))
    return _tried_all(best, plans, played, apart) or best


def _in_parts(
    plans: Sequence[Plan], played: Sequence[Round], apart: frozenset[Pair], seed: Seed, effort: float
) -> tuple[Round, ...]:
    """Draw all rounds in one search, or where they are too large for one, some after the other."""
    people = len({player for plan in plans for player in plan.present})
    at_once = max(1, MOST_CELLS // people**2)
    done: list[Round] = []
    while len(done) < len(plans):
        part = plans[len(done) : len(done) + at_once]
        before = [*played, *done]
        search = Search(part, before, apart, lots("groups", f"{seed} {len(before)}"))
        done += search.run(bounds(played=before, plans=part, apart=apart), effort * len(part) / len(plans))
    return tuple(done)


def _tried_all(best: Grouped, plans: Sequence[Plan], played: Sequence[Round], apart: frozenset[Pair]) -> Grouped | None:
    """The best draw, proven by trying all. None where that is too much, or somebody does not sit in some round."""
    proven, reached = best.bounds, score([*played, *best.rounds], apart=apart)
    if _reaches(reached, proven) or len({(plan.present, plan.sizes) for plan in plans}) > 1 or plans[0].sitting_out:
        return None
    people = in_order(plans[0].present)
    number = {player: index for index, player in enumerate(people)}
    try:
        every = Exhaustive(
            len(people), plans[0].sizes, len(plans), past=past_of(played, number), apart=numbered(apart, number)
        )
        numbers = [[[number[player] for player in table] for table in each.tables] for each in best.rounds]
        rounds = every.best(every.cost(numbers))
    except TooMany:
        return None
    if rounds:
        found = [Round(tuple(tuple(people[person] for person in table) for table in tables)) for tables in rounds]
        best = replace(best, rounds=tuple(found))
    reached = score([*played, *best.rounds], apart=apart)
    return Grouped(
        best.rounds, Bounds(reached.apart, reached.again, reached.squares, proven.repeats), "every draw tried"
    )
