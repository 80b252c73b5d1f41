"""A known schedule for these players: with the seed's places in it, and going on where the played rounds left off."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from competitions.seating.bound import Plan
from competitions.seating.designs import Design, designs
from competitions.seating.lots import Seed, lots
from competitions.seating.rounds import Pair, Player, Round, in_order

TRIES = 4_000
"""Exchanges of places tried to keep people apart."""


@dataclass(frozen=True, slots=True)
class Known:
    """Rounds to follow the played ones, and where they come from; as many as that has, up to those asked for."""

    title: str
    rounds: tuple[Round, ...]


def continued(plans: Sequence[Plan], *, played: Sequence[Round], apart: frozenset[Pair], seed: Seed) -> Iterator[Known]:
    """The known schedules that begin with the rounds played, from there on.

    The same people must be there in all rounds, at the same table sizes.
    """
    plan = plans[0]
    people = in_order(plan.present)
    if any(other != plan for other in plans):
        return
    if any(set(each.people()) != plan.present or sorted(each.sizes) != sorted(plan.sizes) for each in played):
        return
    for design in designs(len(people), plan.sizes):
        rounds = _placed(design, people, apart, seed, len(played) + len(plans))
        begun, rest = rounds[: len(played)], rounds[len(played) :]
        if rest and not any(map(_differ, begun, played)):
            yield Known(design.title, tuple(rest))


def _differ(one: Round, other: Round) -> bool:
    return {frozenset(table) for table in one.tables} != {frozenset(table) for table in other.tables}


def _placed(design: Design, people: Sequence[Player], apart: frozenset[Pair], seed: Seed, rounds: int) -> list[Round]:
    """The first rounds of the design, with everybody in a place of the seed's."""
    places = _places(design, people, apart, seed)
    found = []
    for tables in design.first(rounds):
        seated = tuple(tuple(in_order(places[point] for point in table)) for table in tables)
        sitting = {player for table in seated for player in table}
        found.append(Round(seated, tuple(player for player in people if player not in sitting)))
    return found


def _places(design: Design, people: Sequence[Player], apart: frozenset[Pair], seed: Seed) -> list[Player]:
    """Who has which place of the design: by lot, then exchanged as long as that keeps people further apart.

    The places do not depend on how many rounds are wanted, so that rounds drawn one by one fit together.
    """
    rng = lots("places", seed)
    places = list(people)
    rng.shuffle(places)
    if design.whole or not apart:
        return places
    point = {player: place for place, player in enumerate(places)}
    concerned = [player for player in people if any(player in pair for pair in apart)]
    if not concerned:
        return places

    def meetings() -> int:
        return sum(design.met[point[one]][point[other]] for one, other in apart if one in point and other in point)

    cost = meetings()
    for _ in range(TRIES):
        if not cost:
            break
        this, that = rng.choice(concerned), rng.choice(people)
        point[this], point[that] = point[that], point[this]
        now = meetings()
        if now <= cost:
            cost = now
        else:
            point[this], point[that] = point[that], point[this]
    return sorted(people, key=point.__getitem__)
