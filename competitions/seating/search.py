"""One search for rounds: the problem in the numbers of `board`, some annealing, and the rounds back."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from competitions.seating.anneal import Turns, anneal
from competitions.seating.board import Board, Groups, Past, Weights
from competitions.seating.bound import Bounds, Plan
from competitions.seating.objective import score
from competitions.seating.rounds import Pair, Player, Round, in_order, meetings
from competitions.seating.sitouts import choose, last_rounds_out, turns

STEPS = 400_000
"""Swaps tried in one search, at an effort of 1."""

SEARCHES = 3


class Search:
    """The rounds `plans` to be drawn after `played`. People are numbered in their order."""

    def __init__(self, plans: Sequence[Plan], played: Sequence[Round], apart: frozenset[Pair], rng: Random) -> None:
        self.plans, self.played, self.apart, self.rng = plans, played, apart, rng
        self.people = in_order({player for plan in plans for player in plan.present})
        self.number = {player: number for number, player in enumerate(self.people)}
        self.past = past_of(played, self.number)
        largest = max(size for plan in plans for size in plan.sizes)
        self.weights = Weights.of(largest=largest, rounds=len(plans) + len(played))
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
        enough = self._enough(aim)
        seats = sum(sum(plan.sizes) for plan in self.plans)
        unit = self.weights.unit
        best: Board | None = None
        for attempt in range(SEARCHES):
            board, handing_on = self._start()
            if attempt == 0:
                # A quick one: enough for draws with room to spare, which most are.
                steps = round(min(effort * STEPS, max(5_000, 200 * seats)))
                hot, cold = 0.4 * unit, 0.2 * unit
            else:
                steps, hot, cold = round(effort * STEPS), 1.0 * unit, 0.2 * unit
            anneal(
                board, rng=self.rng, steps=steps, hot=hot, cold=cold, enough=enough, turns=handing_on, focus=not attempt
            )
            if len({size for plan in self.plans for size in plan.sizes}) > 1:
                anneal(board, rng=self.rng, steps=min(20 * seats, steps), hot=4, cold=0.5, turns=handing_on)
            if best is None or board.cost < best.cost:
                best = board
            if best.coarse <= enough:
                break
        assert best is not None
        return [self._round(groups) for groups in best.groups]

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
