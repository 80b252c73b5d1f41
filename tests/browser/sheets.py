"""The paper of the evening: who plays what, and what it comes to by a second, simpler way of counting."""

from collections import defaultdict
from fractions import Fraction

NAMES = ["Ada", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gita", "Hugo", "Ines", "Jan", "Kira", "Leo", "Mona", "Nils",
         "Olga", "Pia"]  # fmt: skip
LATE = "Quin"
DEALS = 2


class Sheets:
    """The score slips: cards left by name, of each deal, by round and table."""

    def __init__(self) -> None:
        self.slips: dict[tuple[int, int], list[dict[str, int]]] = {}
        self.adjusted: dict[str, int] = {}

    def play(self, number: int, table: int, names: list[str]) -> list[dict[str, int]]:
        """Play a table of round `number`: now this one wins, now that one, and the same on every run."""
        deals = []
        for deal in range(DEALS):
            score = {name: (5 * (ord(name[0]) - 65) + 7 * number + 4 * deal) % 17 for name in names}
            winner = min(names, key=lambda name: (score[name], name))
            deals.append({name: 0 if name == winner else 1 + score[name] // 2 for name in names})
        self.slips[number, table] = deals
        return deals

    def totals(self) -> dict[str, Fraction]:
        """Points of everybody: 1000 for the fewest cards left at a table, 0 for the most, evenly between them; who are
        equal share."""
        found: dict[str, Fraction] = defaultdict(Fraction)
        for deals in self.slips.values():
            left = {name: sum(deal[name] for deal in deals) for name in deals[0]}
            for name, mine in left.items():
                fewer = sum(other < mine for other in left.values())
                equal = sum(other == mine for other in left.values())
                place = fewer + Fraction(equal + 1, 2)
                found[name] += 1000 * (len(left) - place) / (len(left) - 1)
        for name, points in self.adjusted.items():
            found[name] += points
        return dict(found)
