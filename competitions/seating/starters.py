"""Schedules that come from turning a few rounds around a circle: the rounds they start from, found by search.

Players sit on one or more circles of one length, and perhaps some in the middle. The next round has everybody replaced
by the next player of his circle; those in the middle stay. If every distance between two places on the circles turns up
once in the first round (or λ times), then every two players meet once (or λ times) in the rounds together. A circle can
also be a product of circles, with two distances instead of one: 3 × 3 for nine places.

Numbers are players: circle × length + place, and then the middle. Tables are divided by |.
"""

from dataclasses import dataclass
from itertools import product
from math import prod

Table = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Starter:
    """What a schedule starts from.

    - `circle`: the length of each circle, or the lengths of which it is the product.
    - `rounds`: each is turned all the way round. `tables`: each makes one round, of all its turned copies.
    - `step`: how far the rounds are turned from one to the next, so that rounds in a row share few pairs.
    """

    title: str
    circle: tuple[int, ...]
    rounds: tuple[str, ...]
    tables: tuple[str, ...] = ()
    step: int = 1

    def schedule(self, players: int) -> list[list[Table]]:
        """All rounds, by tables. Who is at none sits out."""
        places = list(product(*map(range, self.circle)))
        length = prod(self.circle)
        numbers = {place: number for number, place in enumerate(places)}

        def turned(player: int, by: int) -> int:
            if player >= players - players % length:
                return player
            pairs = zip(places[player % length], places[by], self.circle, strict=True)
            return player - player % length + numbers[tuple((one + other) % size for one, other, size in pairs)]

        turns = [index * self.step % length for index in range(length)]
        starts = [[tuple(map(int, table.split())) for table in text.split("|")] for text in self.rounds]
        schedule = [
            [tuple(turned(player, by) for player in table) for table in tables] for tables in starts for by in turns
        ]
        for text in self.tables:
            table = tuple(map(int, text.split()))
            schedule.append([tuple(turned(player, by) for player in table) for by in turns])
        return schedule


STARTERS: dict[tuple[int, int], tuple[Starter, ...]] = {
    (15, 3): (Starter("Kirkman's schoolgirls", (7,), ("2 12 14|0 7 8|3 4 6|5 9 11|1 10 13",)),),
    (18, 3): (
        Starter(
            "nearly Kirkman system",
            (4,),
            (
                "6 8 9|1 4 7|2 11 13|5 12 17|0 14 16|3 10 15",
                "1 2 6|0 8 17|4 13 14|5 10 16|7 11 15|3 9 12",
            ),
        ),
    ),
    (21, 3): (
        Starter(
            "Kirkman system",
            (7,),
            ("3 10 14|1 9 17|0 12 19|2 4 5|7 11 13|15 16 18|6 8 20",),
            ("0 11 17", "6 12 14", "6 9 19"),
        ),
    ),
    (24, 3): (
        Starter("nearly Kirkman system", (11,), ("6 16 22|3 9 12|4 5 8|11 15 21|10 14 17|7 18 20|1 13 23|0 2 19",)),
    ),
    (27, 3): (
        Starter("Kirkman system", (13,), ("1 16 25|4 11 12|0 23 26|3 7 20|2 5 21|10 22 24|6 8 15|9 14 17|13 18 19",)),
    ),
    (30, 3): (
        Starter(
            "nearly Kirkman system",
            (14,),
            ("0 12 17|1 4 10|3 16 19|7 8 22|11 21 28|5 23 25|18 26 27|9 13 20|6 15 29|2 14 24",),
        ),
    ),
    (36, 3): (
        Starter(
            "nearly Kirkman system",
            (17,),
            ("20 28 33|3 7 10|6 30 35|5 11 22|2 4 29|9 25 34|0 12 26|14 15 27|17 23 24|8 16 31|1 19 21|13 18 32",),
        ),
    ),
    (8, 4): (Starter("whist design", (7,), ("1 3 4 5|0 2 6 7",)),),
    (9, 4): (Starter("whist design", (3, 3), ("1 5 7 8|0 2 3 4",)),),
    (12, 4): (Starter("whist design", (11,), ("0 1 7 11|2 3 5 10|4 6 8 9",)),),
    (13, 4): (Starter("whist design", (13,), ("0 1 6 9|4 8 10 11|2 3 5 7",)),),
    (17, 4): (Starter("whist design", (17,), ("0 1 11 13|3 4 6 10|2 7 8 16|5 9 12 14",), step=5),),
    (20, 4): (Starter("whist design", (19,), ("8 13 15 19|5 9 11 14|0 3 4 12|1 2 7 18|6 10 16 17",), step=3),),
    (21, 4): (Starter("whist design", (21,), ("0 8 10 15|1 5 12 14|3 4 6 9|7 13 16 17|2 11 18 19",)),),
    (24, 4): (
        Starter(
            "groupwise resolvable design", (7,), ("0 1 3 10|4 9 18 22|6 16 17 19|7 11 12 15|5 13 20 23|2 8 14 21",)
        ),
        Starter("whist design", (23,), ("2 6 17 18|5 10 14 15|8 16 22 23|7 9 12 19|0 1 3 20|4 11 13 21",), step=7),
    ),
    (28, 4): (
        Starter(
            "resolvable design",
            (3, 3),
            ("3 4 7 17|6 22 23 26|1 8 13 19|12 14 15 25|2 10 18 27|0 9 16 21|5 11 20 24",),
        ),
    ),
    # Not perfect: ten pairs meet twice where none need to.
    (32, 4): (
        Starter(
            "turned rounds",
            (10,),
            ("1 11 15 22|7 12 14 26|18 19 24 28|0 6 9 27|2 4 10 13|8 20 21 23|5 17 25 30|3 16 29 31",),
        ),
    ),
    (20, 5): (Starter("resolvable design", (19,), ("7 9 12 13 19|0 3 4 10 11|1 5 6 15 17|2 8 14 16 18",), step=4),),
    (30, 5): (
        Starter(
            "turned rounds", (6,), ("0 5 9 12 14|2 8 10 18 19|6 7 13 27 29|16 17 20 22 28|4 11 15 23 24|1 3 21 25 26",)
        ),
    ),
    (12, 6): (Starter("Hadamard design", (11,), ("1 2 3 7 10 11|0 4 5 6 8 9",)),),
    (16, 8): (Starter("Hadamard design", (15,), ("2 4 9 10 11 13 14 15|0 1 3 5 6 7 8 12",)),),
}
"""By players and players at a table. Of several, one that leaves no pair twice comes first."""
