"""Who sits out: those who did so least often, so that nobody does twice before everybody has once."""

from collections.abc import Collection, Mapping, Sequence
from random import Random

from competitions.seating.objective import sitting_out_counts
from competitions.seating.rounds import Player, Round, in_order


def turns(played: Sequence[Round], players: Collection[Player]) -> dict[Player, int]:
    """How often each player has had to sit out, as far as it counts for whose turn it is.

    Somebody who missed a round counts as no less than the least of those who missed none: who comes late, or back, does
    not make up for what the others sat out before.
    """
    counts = sitting_out_counts(played)
    there = [set(each.people()) for each in played]
    always = [counts[player] for player in players if all(player in people for people in there)]
    least = min(always, default=0)
    return {
        player: counts[player] if all(player in people for people in there) else max(counts[player], least)
        for player in players
    }


def choose(
    count: int,
    *,
    present: Collection[Player],
    turn: Mapping[Player, int],
    last_out: Mapping[Player, int],
    rng: Random,
    rather: Mapping[Player, int] | None = None,
) -> tuple[Player, ...]:
    """So many of the present: the fewest turns first, then the highest in `rather`, who sat out longest ago, by lot.

    `last_out` is the number of the round in which somebody sat out last; who never did is not in it.
    """
    people = in_order(present)
    rng.shuffle(people)
    rather = rather or {}
    people.sort(key=lambda player: (turn[player], -rather.get(player, 0), last_out.get(player, -1)))
    return tuple(in_order(people[:count]))


def last_rounds_out(played: Sequence[Round]) -> dict[Player, int]:
    """For each player who ever sat out, the number of the latest such round, from 0."""
    return {player: number for number, each in enumerate(played) for player in each.sitting_out}
