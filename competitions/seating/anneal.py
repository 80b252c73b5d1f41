"""Simulated annealing by swaps: two people at different tables of one round change places if that is not too costly."""

from collections.abc import Collection
from math import exp, log
from random import Random

from competitions.seating.board import Board

HANDING_ON = 0.05
"""How often, of all steps, a turn to sit out is handed on instead of a seat."""


class Turns:
    """Whose turn it is to sit out, in a search that may hand a turn on but never change how often anybody has one.

    Two people may exchange their turns when each of them is in his n-th round of sitting out, for the same n: then
    nobody sits out twice before everybody has once, however many exchanges are made. And nobody gets two in a row.
    """

    def __init__(self, board: Board, *, earlier: list[int], last: Collection[int] = ()) -> None:
        """`earlier`: for each person the turns that count before these rounds. `last`: out in the last played round."""
        self.board = board
        self.earlier = earlier
        self.last = frozenset(last)
        self.recount()

    def recount(self) -> None:
        """Find out anew who sits out where: for each round, each person and his earlier turns."""
        counts = self.earlier[:]
        self.nth: list[dict[int, int]] = []
        for groups in self.board.groups:
            self.nth.append({person: counts[person] for person in groups[-1]})
            for person in groups[-1]:
                counts[person] += 1
        self.rounds = [number for number, turns in enumerate(self.nth) if turns]

    def exchange(self, rng: Random, bearable: float) -> None:
        """Try to exchange two turns, by lot; made if the cost rises by no more than `bearable`."""
        early, late = rng.choice(self.rounds), rng.choice(self.rounds)
        one, other = rng.choice(self.board.groups[early][-1]), rng.choice(self.board.groups[late][-1])
        if early == late or one == other or not self._may(early, one, late, other):
            return
        board = self.board
        cost = board.change(early, one, other)
        board.swap(early, one, other, cost)
        rest = board.change(late, other, one)
        if cost + rest <= bearable:
            board.swap(late, other, one, rest)
            self.nth[early][other] = self.nth[early].pop(one)
            self.nth[late][one] = self.nth[late].pop(other)
        else:
            board.swap(early, other, one, -cost)

    def _may(self, early: int, one: int, late: int, other: int) -> bool:
        where, out = self.board.where, [len(groups) - 1 for groups in self.board.groups]
        return (
            self.nth[early][one] == self.nth[late][other]
            and 0 <= where[late][one] < out[late]
            and 0 <= where[early][other] < out[early]
            and not self._beside(late, one, but=early)
            and not self._beside(early, other, but=late)
        )

    def _beside(self, number: int, person: int, *, but: int) -> bool:
        """Whether the person sits out just before or after the round, the round `but` aside."""
        if number == 0 and person in self.last:
            return True
        near = (each for each in (number - 1, number + 1) if 0 <= each < len(self.nth) and each != but)
        return any(person in self.nth[each] for each in near)


def anneal(
    board: Board,
    *,
    rng: Random,
    steps: int,
    hot: float,
    cold: float,
    enough: int | None = None,
    turns: Turns | None = None,
    focus: bool = False,
) -> None:
    """Search through so many swaps, from the temperature `hot` to `cold`, in whole costs of the board.

    A swap that makes things worse by d is made with probability exp(-d / temperature). The search stops early when the
    board's `coarse` cost is down to `enough`; it leaves the best state that it saw. With `focus` only those are moved
    who meet somebody again: where such are few, nothing else is worth a try.
    """
    random = rng.random
    present = [board.present(number) for number in range(board.rounds)]
    out = [len(groups) - 1 for groups in board.groups]
    if turns is not None:
        turns.recount()
    best, kept, unkept = board.cost, board.snapshot(), False
    cooling = (cold / hot) ** (1 / max(steps, 1))
    temperature = hot
    for _ in range(steps):
        if enough is not None and board.coarse <= enough:
            return
        temperature *= cooling
        if turns is not None and len(turns.rounds) > 1 and random() < HANDING_ON:
            if unkept:
                kept, unkept = board.snapshot(), False
            turns.exchange(rng, -temperature * log(1 - random()))
        else:
            number = int(random() * len(present))
            people = present[number]
            one, other = people[int(random() * len(people))], people[int(random() * len(people))]
            at = board.where[number]
            if at[one] == at[other] or at[one] == out[number] or at[other] == out[number]:
                continue
            if focus and not board.discomfort(number, one):
                continue
            change = board.change(number, one, other)
            if change > 0:
                if random() >= exp(-change / temperature):
                    continue
                if unkept:
                    kept, unkept = board.snapshot(), False
            board.swap(number, one, other, change)
        if board.cost < best:
            best, unkept = board.cost, True
    if board.cost > best:
        board.restore(kept)
