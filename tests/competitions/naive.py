"""A competition as simple as it can be told: a list of what was done, counted by brute force. It shares no code with
the project: points are recomputed from the cards left by everybody's place at a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

ABSENCE, BYE = Fraction(10), Fraction(70)


@dataclass
class Fact:
    """Something done. `seq`: of its event in the log; None for what is no event of the competition."""

    kind: str
    seq: int | None = None
    about: dict[str, Any] = field(default_factory=dict)


@dataclass
class Naive:
    """Players are ids. `results`: cards left, by session and deal number, of those that stand."""

    facts: list[Fact] = field(default_factory=list)
    results: dict[int, dict[int, Sequence[int]]] = field(default_factory=dict)
    same: dict[int, int] = field(default_factory=dict)
    deals: int = 1
    knockout: bool = False

    def alive(self) -> list[Fact]:
        dead: set[int] = set()
        found = []
        for fact in reversed(self.facts):
            if fact.seq in dead:
                continue
            if fact.kind == "undo":
                dead.add(fact.about["target"])
            found.append(fact)
        return found[::-1]

    def of(self, *kinds: str) -> list[Fact]:
        return [fact for fact in self.alive() if fact.kind in kinds]

    def who(self, player: int) -> int:
        return self.same.get(player, player)

    def entered(self) -> dict[int, tuple[int, int | None]]:
        """By player from which round on, and until before which."""
        found: dict[int, tuple[int, int | None]] = {}
        for fact in self.of("enter", "withdraw", "reinstate"):
            player = fact.about["player"]
            if fact.kind == "enter":
                found[player] = (fact.about["first"], None)
            elif player in found:
                found[player] = (found[player][0], fact.about["until"] if fact.kind == "withdraw" else None)
        return found

    def part(self, number: int) -> set[int]:
        """The people who are to be in the draw of a round."""
        away = {self.who(f.about["player"]) for f in self.of("sit out") if f.about["round"] == number}
        there = {
            self.who(player)
            for player, (first, until) in self.entered().items()
            if first <= number and (until is None or number < until)
        }
        stand_ins = {
            self.who(f.about["by"])
            for f in self.of("substitute")
            if f.about["round"] == number and self.who(f.about["player"]) in there - away
        }
        return there - away - stand_ins

    def opened(self) -> dict[int, dict[str, Any]]:
        return {fact.about["round"]: fact.about for fact in self.of("open")}

    def tables(self, number: int) -> dict[int, Sequence[int]]:
        """By session of a round who sits there, by seat."""
        found = dict(self.opened().get(number, {}).get("tables", {}))
        for fact in self.of("add table"):
            if fact.about["round"] == number:
                found[fact.about["session"]] = fact.about["players"]
        return found

    def rounds(self) -> set[int]:
        return {fact.about["round"] for fact in self.of("open", "add table")}

    def closed(self) -> set[int]:
        return {fact.about["round"] for fact in self.of("close")}

    def over(self, session: int, number: int) -> bool:
        return len(self.results.get(session, {})) >= self.deals or number in self.closed()

    def complete(self, number: int) -> bool:
        """Whether the round can be closed."""
        return all(self.over(session, number) for session in self.tables(number))

    def brought_home(self) -> Iterator[tuple[int, int, Fraction]]:
        """Round, person, points: of every table, bye and declared value."""
        for number in sorted(self.rounds()):
            played: set[int] = set()
            owner = {
                self.who(fact.about["by"]): fact.about["player"]
                for fact in self.of("substitute")
                if fact.about["round"] == number and fact.about["credit"] == "player"
            }
            for session, players in self.tables(number).items():
                # What is played beyond the planned deals counts for nothing.
                left = dict(sorted(self.results.get(session, {}).items())[: self.deals])
                if not left or not self.over(session, number):
                    continue
                totals = [sum(deal[seat] for deal in left.values()) for seat in range(len(players))]
                for seat, player in enumerate(players):
                    person = self.who(owner.get(self.who(player), player))
                    played.add(person)
                    yield number, person, neutral(totals, seat) + (1000 * (number - 1) if self.knockout else 0)
            declared: dict[int, Fraction | None] = {}
            for fact in self.of("sit out"):
                about = fact.about
                if about["round"] == number and self.who(about["player"]) not in declared:
                    usual = None if self.knockout else BYE if about["bye"] else ABSENCE
                    declared[self.who(about["player"])] = usual if about["points"] is None else about["points"]
            for player in self.opened().get(number, {}).get("out", ()):
                declared.setdefault(self.who(player), None if self.knockout else BYE)
            for person, worth in declared.items():
                if person not in played and worth is not None:
                    yield number, person, worth

    def totals(self) -> dict[int, Fraction]:
        """By person the total."""
        home = list(self.brought_home())
        people = {self.who(player) for player in self.entered()} | {person for _, person, _ in home}
        found = dict.fromkeys(people, Fraction(0))
        for person in people:
            rounds: dict[int, Fraction] = {} if self.knockout else dict.fromkeys(self.closed(), ABSENCE)
            for number in {number for number, other, _ in home if other == person}:
                rounds[number] = sum((p for n, other, p in home if (n, other) == (number, person)), Fraction(0))
            if rounds:
                found[person] += max(rounds.values()) if self.knockout else sum(rounds.values(), Fraction(0))
        for fact in self.of("adjust"):
            found[self.who(fact.about["player"])] += fact.about["points"]
        return found

    def ranks(self) -> dict[int, int | None]:
        """By person the rank; None for whoever has withdrawn, or was never entered."""
        totals = self.totals()
        playing = {self.who(player) for player, (_, until) in self.entered().items() if until is None}
        return {
            person: 1 + sum(totals[other] > total for other in playing) if person in playing else None
            for person, total in totals.items()
        }


def neutral(left: Sequence[int], seat: int) -> Fraction:
    """What the place of a seat is worth from 1000 to 0: fewest cards are first, equals share what they take up."""
    ahead = sum(other < left[seat] for other in left)
    equal = sum(other == left[seat] for other in left)
    worth = [Fraction(1000 * (len(left) - 1 - place), len(left) - 1) for place in range(ahead, ahead + equal)]
    return sum(worth, Fraction(0)) / equal


def seats_once(tables: Sequence[Sequence[int]], out: Sequence[int], same: Mapping[int, int]) -> set[int]:
    """The people of a draw, each of whom has one place."""
    people = [same.get(player, player) for table in [*tables, out] for player in table]
    assert len(people) == len(set(people)), people
    return set(people)
