"""One search for rounds: the problem in the numbers of `board`, some annealing, and the rounds back."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from competitions.seating.anneal import Turns, anneal
from competitions.seating.board import Board, Groups, Past, Weights
from competitions.seating.bound import Bounds, Plan
from competitions.seating.objective import score
from competitions.seating.rounds import Pair, Player, Round, in_order, meetings
from competitions.seating.sitouts import choose, last_rounds_out, turns

STEPS = 300_000
"""Swaps tried in one search, at an effort of 1."""

LONG = 10
"""With more rounds than this a swap takes longer, and fewer are tried."""

SEARCHES = 3
"""A quick one, and long ones if that did not reach the bound."""

MORE = 8
"""The part of a long search that goes into sharing out the small tables."""


class Search:
    """The rounds `plans` to be drawn after `played`. People are numbered in their order."""

    def __init__(self, plans: Sequence[Plan], played: Sequence[Round], apart: frozenset[Pair], rng: Random) -> None:
        self.plans, self.played, self.apart, self.rng = plans, played, apart, rng
        self.people = in_order({player for plan in plans for player in plan.present})
        self.number = {player: number for number, player in enumerate(self.people)}
        self.past = past_of(played, self.number)
        largest = max(size for plan in plans for size in plan.sizes)
        self.weights = Weights.of(largest=largest, rounds=len(plans) + len(played))
        self.seats = sum(sum(plan.sizes) for plan in plans)
        self.turn = turns(played, self.people)
        self.out = self._sitting_out()

    def _sitting_out(self) -> list[tuple[Player, ...]]:
        turn, last_out = dict(self.turn), last_rounds_out(self.played)
        found = []
        for number, plan in enumerate(self.plans, len(self.played)):
            out = choose(plan.sitting_out, present=plan.present, turn=turn, last_out=last_out, rng=self.rng)
            found.append(out)
            for player in out:
                turn[player] += 1
                last_out[player] = number
        return found

    def run(self, aim: Bounds, effort: float) -> list[Round]:
        """The best of some searches; fewer when one comes down to `aim`."""
        enough, unit, steps = self._enough(aim), self.weights.unit, self._steps(effort)
        # A quick search is enough for draws with room to spare, which most are.
        quick = round(min(steps, max(5_000, 200 * self.seats)))
        best = self._searched(quick, 0.4 * unit, 0.2 * unit, enough, focus=True)
        for _ in range(SEARCHES - 1):
            if best.coarse > enough:
                other = self._searched(steps, 1.0 * unit, 0.2 * unit, enough)
                best = min(best, other, key=lambda board: board.cost)
        # Where that is soon done, look for one that shares out the small tables better.
        for _ in range(round(steps / MORE / quick)):
            if best.coarse <= enough and sum(count * count for count in best.company) > self._least_company():
                other = self._searched(quick, 0.4 * unit, 0.2 * unit, enough, focus=True)
                best = min(best, other, key=lambda board: board.cost)
        return [self._round(groups) for groups in best.groups]

    def _searched(self, steps: int, hot: float, cold: float, enough: int, *, focus: bool = False) -> Board:
        """The board that one search leaves."""
        board, handing_on = self._start()
        anneal(board, rng=self.rng, steps=steps, hot=hot, cold=cold, enough=enough, turns=handing_on, focus=focus)
        self._share_out(board, handing_on)
        return board

    def _steps(self, effort: float) -> int:
        """How many swaps a long search tries."""
        return max(1, round(effort * STEPS * min(1, LONG / len(self.plans))))

    def _least_company(self) -> int:
        """The sum of squares of opponents if they were as even as they can be."""
        ends = sum(self.past.company) + sum(size * (size - 1) for plan in self.plans for size in plan.sizes)
        each, more = divmod(ends, len(self.people))
        return len(self.people) * each * each + more * (2 * each + 1)

    def improve(self, rounds: Sequence[Round], aim: Bounds, effort: float) -> tuple[Round, ...]:
        """Rounds near the given ones, at least as good."""
        groups = [
            [[self.number[player] for player in table] for table in [*each.tables, each.sitting_out]] for each in rounds
        ]
        board = Board(len(self.people), groups, self.weights, self.past, numbered(self.apart, self.number))
        hot, cold = 0.35 * self.weights.unit, 0.15 * self.weights.unit
        anneal(board, rng=self.rng, steps=self._steps(effort), hot=hot, cold=cold, enough=self._enough(aim))
        self._share_out(board, None)
        return tuple(self._round(each) for each in board.groups)

    def _share_out(self, board: Board, handing_on: Turns | None) -> None:
        """Share out the smaller tables, without a loss in what matters more: a search far below a whole unit."""
        if len({size for plan in self.plans for size in plan.sizes}) > 1:
            anneal(board, rng=self.rng, steps=min(60 * self.seats, STEPS // MORE), hot=4, cold=0.5, turns=handing_on)

    def _enough(self, aim: Bounds) -> int:
        """The coarse cost of a draw that reaches `aim`: what a board counts from nought, the played rounds do not."""
        unit, so_far = self.weights.unit, score(self.played, apart=self.apart)
        meeting = sum(size * (size - 1) // 2 for plan in self.plans for size in plan.sizes)
        squares = -(-(aim.squares - so_far.squares - meeting) // 2)
        again = (aim.again - so_far.again) * (self.weights.again // unit)
        return squares + again + (aim.apart - so_far.apart) * (self.weights.apart // unit)

    def _start(self) -> tuple[Board, Turns | None]:
        """A board filled by lot."""
        filled = []
        for plan, out in zip(self.plans, self.out, strict=True):
            people = [self.number[player] for player in in_order(plan.present) if player not in out]
            self.rng.shuffle(people)
            filled.append(deal_out(people, plan.sizes, [self.number[player] for player in out]))
        board = Board(len(self.people), filled, self.weights, self.past, numbered(self.apart, self.number))
        if not any(self.out):
            return board, None
        last_out = [player for each in self.played[-1:] for player in each.sitting_out]
        last = [self.number[player] for player in last_out if player in self.number]
        return board, Turns(board, earlier=[self.turn[player] for player in self.people], last=last)

    def _round(self, groups: Groups) -> Round:
        *tables, out = [tuple(in_order(self.people[person] for person in table)) for table in groups]
        return Round(tuple(tables), out)


def deal_out(people: Sequence[int], sizes: Sequence[int], out: Sequence[int]) -> Groups:
    """The people at tables of these sizes, one table after the other, and who sits out."""
    groups = []
    start = 0
    for size in sizes:
        groups.append(list(people[start : start + size]))
        start += size
    return [*groups, list(out)]


def past_of(played: Sequence[Round], number: Mapping[Player, int]) -> Past:
    """What the played rounds left among the people of `number`."""
    met = [
        (number[one], number[other], count)
        for (one, other), count in meetings(played).items()
        if one in number and other in number
    ]
    pairs = [pair for each in played[-1:] for pair in each.pairs()]
    last = numbered(pairs, number)
    company = [0] * len(number)
    for each in played:
        for table in each.tables:
            for player in table:
                if player in number:
                    company[number[player]] += len(table) - 1
    return Past(met, last, company, len(played))


def numbered(pairs: Iterable[Pair], number: Mapping[Player, int]) -> list[tuple[int, int]]:
    """The pairs in numbers, without those of which one is not among the people. In order, for the draw's sake."""
    return sorted((number[one], number[other]) for one, other in pairs if one in number and other in number)
