"""Who sits together in each round, and who sits out: a known construction where one is perfect, else a search."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from competitions.seating.bound import Bounds, Plan, bounds
from competitions.seating.exact import Exhaustive, TooMany
from competitions.seating.known import Known, continued
from competitions.seating.lots import Seed, lots
from competitions.seating.objective import score
from competitions.seating.repair import Repair, prices_of
from competitions.seating.rounds import Pair, Round, in_order
from competitions.seating.search import Search, numbered, past_of

MOST_CELLS = 4_000_000
"""Of the matrices of one search, people × people × rounds: more rounds are drawn a few at a time."""

TRIED = "every draw tried"

ASIDE = 1 / 3
"""The effort for what is not the main search."""


@dataclass(frozen=True, slots=True)
class Grouped:
    """Rounds whose table numbers and seats mean nothing yet. `bounds` and `how` as in `draw.Drawn`."""

    rounds: tuple[Round, ...]
    bounds: Bounds
    how: str


@dataclass(frozen=True, slots=True)
class Task:
    """People to be put together for the rounds `plans`, after the rounds `played`."""

    plans: Sequence[Plan]
    played: Sequence[Round]
    apart: frozenset[Pair]
    seed: Seed
    effort: float = 1.0

    def solve(self) -> Grouped:
        """The first draw that is proven to be the best, or else the best of all that are found."""
        proven = bounds(played=self.played, plans=self.plans, apart=self.apart)
        found: list[Known] = []
        for candidate in self._candidates(proven):
            if self._counts(candidate) <= (proven.apart, proven.again, proven.squares):
                return Grouped(candidate.rounds, proven, candidate.title)
            found.append(candidate)
        best = min(found, key=lambda each: score([*self.played, *each.rounds], apart=self.apart))
        best = self._tried_all(best) or best
        apart, again, squares = self._counts(best)
        if best.title == TRIED:
            proven = replace(proven, apart=apart, again=again, squares=squares)
        elif apart > proven.apart:
            # The bound of the squares counted on keeping people apart.
            proven = replace(proven, squares=bounds(played=self.played, plans=self.plans).squares)
        return Grouped(best.rounds, proven, best.title)

    def _counts(self, candidate: Known) -> tuple[int, int, int]:
        reached = score([*self.played, *candidate.rounds], apart=self.apart)
        return reached.apart, reached.again, reached.squares

    def _candidates(self, aim: Bounds) -> Iterator[Known]:
        """Draws from different sources, the quick ones first."""
        begun: Known | None = None
        near: list[Known] = []
        # A construction has the same people at the larger tables every time. A round drawn alone stays as it is
        # nevertheless, so that the next ones can go on with it.
        unfair = len({size for plan in self.plans for size in plan.sizes}) > 1
        whole = not self.played and len(self.plans) > 1
        for known in continued(self.plans, played=self.played, apart=self.apart, seed=self.seed):
            if len(known.rounds) == len(self.plans):
                if unfair and whole:
                    yield self._improved(known, aim)
                else:
                    yield known
                    near.append(known)
            elif begun is None or len(known.rounds) > len(begun.rounds):
                begun = known
        wider = self._widened()
        if wider:
            yield self._improved(wider, aim)
        for known in near:
            yield self._improved(known, aim)
        if begun:
            rest = self.plans[len(begun.rounds) :]
            after = replace(self, plans=rest, played=[*self.played, *begun.rounds], effort=self.effort * ASIDE)
            yield Known(f"{begun.title}, then annealing", begun.rounds + after._annealed())
        yield Known("annealing", self._annealed())

    def _improved(self, known: Known, aim: Bounds) -> Known:
        search = Search(self.plans, self.played, self.apart, lots("improving", self.seed))
        rounds = search.improve(known.rounds, aim, self.effort * ASIDE)
        return Known(f"{known.title}, improved" if rounds != known.rounds else known.title, rounds)

    def _widened(self) -> Known | None:
        """A known schedule for people at tables of the smaller size only; those who are too many join tables."""
        plan, rng = self.plans[0], lots("wider", self.seed)
        larger = plan.sizes.count(plan.sizes[-1] + 1)
        if self.played or plan.sitting_out or not larger or any(other != plan for other in self.plans):
            return None
        people = in_order(plan.present)
        rng.shuffle(people)
        fewer = Plan(frozenset(people[larger:]), plan.sizes[-1:] * len(plan.sizes))
        for known in continued([fewer] * len(self.plans), played=(), apart=self.apart, seed=self.seed):
            if len(known.rounds) == len(self.plans):
                done: list[Round] = []
                for number, each in enumerate(known.rounds, 1):
                    price = prices_of(done, known.rounds[number:], self.apart, plan.sizes[0])
                    tables = sorted(Repair(each, plan, (), price, {}, rng).tables, key=len, reverse=True)
                    done.append(Round(tuple(tuple(in_order(table)) for table in tables)))
                return Known(f"{known.title}, widened", tuple(done))
        return None

    def _annealed(self) -> tuple[Round, ...]:
        """All rounds from one search, or where they are too large for one, some after the other."""
        people = len({player for plan in self.plans for player in plan.present})
        at_once = max(1, MOST_CELLS // people**2)
        done: list[Round] = []
        while len(done) < len(self.plans):
            part = self.plans[len(done) : len(done) + at_once]
            before = [*self.played, *done]
            search = Search(part, before, self.apart, lots("groups", f"{self.seed} {len(before)}"))
            aim = bounds(played=before, plans=part, apart=self.apart)
            done += search.run(aim, self.effort * len(part) / len(self.plans))
        return tuple(done)

    def _tried_all(self, best: Known) -> Known | None:
        """The best draw, proven by trying all. None where that is too much, or somebody does not sit in some round."""
        plan = self.plans[0]
        if plan.sitting_out or any(other != plan for other in self.plans):
            return None
        people = in_order(plan.present)
        number = {player: index for index, player in enumerate(people)}
        past = past_of(self.played, number)
        try:
            every = Exhaustive(len(people), plan.sizes, len(self.plans), past=past, apart=numbered(self.apart, number))
            numbers = [[[number[player] for player in table] for table in each.tables] for each in best.rounds]
            found = every.best(every.cost(numbers))
        except TooMany:
            return None
        rounds = [Round(tuple(tuple(people[person] for person in table) for table in tables)) for tables in found]
        return Known(TRIED, tuple(rounds) or best.rounds)
