"""A drawn schedule after somebody came or went: everybody stays where he is, but for those who must move.

In each round the number of tables stays if it can. The rounds are repaired one after the other (`repair`).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from competitions.seating.bound import Plan, bounds_of
from competitions.seating.chairs import FIRST, best_order
from competitions.seating.draw import Drawn, plan_rounds
from competitions.seating.lots import Seed, lots
from competitions.seating.objective import seat_counts, table_counts
from competitions.seating.repair import Repair, prices_of
from competitions.seating.rounds import (
    Player,
    Round,
    check_pairs,
    check_players,
    check_rounds,
    in_order,
)
from competitions.seating.sitouts import choose, last_rounds_out, turns
from competitions.seating.sizes import TableRule, even_sizes


def amend(
    planned: Sequence[Round],
    *,
    players: Iterable[Player],
    rule: TableRule,
    seed: Seed,
    played: Sequence[Round] = (),
    keep_apart: Iterable[Collection[Player]] = (),
    absent: Mapping[int, Collection[Player]] | None = None,
    first_seat: int = 1,
) -> Drawn:
    """The rounds `planned`, not yet played, for the players who now take part. `changes` lists the differences.

    Raise NoTables when so many cannot sit at such tables, BadDraw when the request contradicts itself.
    """
    people = check_players(list(players))
    check_rounds(played, played=True)
    check_rounds(planned)
    apart = check_pairs(keep_apart)
    plans = plan_rounds(people, rounds=len(planned), rule=rule, absent=absent or {})
    plans = [
        Plan(plan.present, _sizes(len(plan.present), len(each.tables), rule) or plan.sizes)
        for plan, each in zip(plans, planned, strict=True)
    ]
    rng = lots("amend", seed)
    turn, last_out = turns(played, people), last_rounds_out(played)
    done = list(played)
    for number, (plan, each) in enumerate(zip(plans, planned, strict=True)):
        rather = dict.fromkeys(each.sitting_out, 1)
        out = choose(plan.sitting_out, present=plan.present, turn=turn, last_out=last_out, rng=rng, rather=rather)
        for player in out:
            turn[player] += 1
            last_out[player] = len(done)
        others = [*done, *planned[number + 1 :]]
        price = prices_of(done, planned[number + 1 :], apart, max(plan.sizes))
        tables = Repair(each, plan, out, price, table_counts(others), rng).tables
        done.append(Round(_in_seats(tables, each, others, first_seat), out))
    amended = tuple(done[len(played) :])
    proven = bounds_of(amended, played=played, plans=plans, apart=apart)
    return Drawn(tuple(played), amended, proven, "amended", apart, first_seat)


def _sizes(players: int, tables: int, rule: TableRule) -> tuple[int, ...] | None:
    """The sizes with as many tables as before; None where the rule says how many, or they cannot be."""
    if rule.full_only or rule.tables is not None or not tables or players < tables:
        return None
    sizes = even_sizes(players, tables)
    return sizes if rule.smallest <= sizes[-1] and sizes[0] <= rule.largest else None


def _in_seats(
    tables: Sequence[Sequence[Player]], before: Round, others: Sequence[Round], first_seat: int
) -> tuple[tuple[Player, ...], ...]:
    """Everybody in his old seat where it is still there; the free seats to the rest, as evenly as can be."""
    had = seat_counts(others)
    found = []
    for number, table in enumerate(tables):
        old = before.tables[number] if number < len(before.tables) else ()
        seats: list[Player | None] = [player if player in table else None for player in old[: len(table)]]
        seats += [None] * (len(table) - len(seats))
        rest = in_order(player for player in table if player not in seats)
        free = [seat for seat, player in enumerate(seats, 1) if player is None]
        order = best_order(
            rest, free, lambda player, seat: (2 * had[player, seat] + 1) * (FIRST if seat == first_seat else 1)
        )
        for seat, player in zip(free, order, strict=True):
            seats[seat - 1] = player
        found.append(tuple(player for player in seats if player is not None))
    return tuple(found)
