"""Playing for chips: antes, passes and withheld sevens, and a pot for the winner (rules.md 5.2, 5.3)."""

from collections.abc import Sequence

from scoring.result import DealResult, Points
from scoring.schemes.base import Parameter, Preset, Scheme
from scoring.wording import say


class ChipPot(Scheme):
    """Chips as a signed account without a floor; every deal sums to zero over the seats.

    To the pot go each seat's `ante` (a seat with a shorter hand than others: `ante_short` more) and the price of its
    forced and wrongful passes. The winner takes the pot, and `card_left` a card from each other seat. For each withheld
    seven the offender pays `withheld_seven` directly to every payee that the result names (rules.md 5.3).
    A session lasts `deals` deals, or until it is closed where that is left open.
    """

    key = "chip-pot"
    title = say("Chip pot")
    description = say(
        "Antes and fines go into a pot; the winner of the deal takes it, and chips for the others' cards."
    )
    parameters = {
        "ante": Parameter(1, 0, say("Chips each seat pays into the pot before the deal.")),
        "forced_pass": Parameter(1, 0, say("Chips to the pot for a pass without a legal card.")),
        "wrongful_pass": Parameter(1, 0, say("Chips to the pot for an uncorrected pass with a legal card.")),
        "withheld_seven": Parameter(0, 0, say("Chips to each holder of a withheld seven's neighbours.")),
        "card_left": Parameter(1, 0, say("Chips to the winner for each card left in another hand.")),
        "ante_short": Parameter(0, 0, say("Chips that seats with a shorter hand ante on top.")),
        "deals": Parameter(None, 1, say("Deals that make a session; left out, an organiser ends it.")),
    }
    presets = {
        "pool": Preset(
            say("Pool"),
            say("Every pass costs a chip, forced or not."),
            {"ante": 1, "forced_pass": 1, "wrongful_pass": 1, "withheld_seven": 0, "card_left": 1},
        ),
        "yellowclub-chips": Preset(
            say("YellowClub chips"),
            say("Forced passes are free; a withheld seven costs five chips to each neighbour's holder."),
            {"ante": 1, "forced_pass": 0, "wrongful_pass": 1, "withheld_seven": 5, "card_left": 1},
        ),
        "bicycle": Preset(
            say("Bicycle"),
            say("Every pass costs, a wrongful one three; withheld sevens cost five; shorter hands ante one more."),
            {"ante": 1, "forced_pass": 1, "wrongful_pass": 3, "withheld_seven": 5, "card_left": 1, "ante_short": 1},
        ),
    }

    __slots__ = ()

    def missing(self, result: DealResult) -> bool:
        wrongful = result.wrongful_passes
        return (
            (self.value("forced_pass") > 0 and result.forced_passes is None)
            or (self.value("wrongful_pass") > 0 and wrongful is None)
            or (self.value("withheld_seven") > 0 and result.withheld is None and wrongful is not None and any(wrongful))
        )

    def points(self, result: DealResult) -> tuple[Points, ...]:
        seats = len(result.cards_left)
        unpriced = (0,) * seats
        longest = max(result.hand_sizes)
        chips, pot = [0] * seats, 0
        for seat, (size, left, forced, wrongful) in enumerate(
            zip(
                result.hand_sizes,
                result.cards_left,
                result.forced_passes or unpriced,
                result.wrongful_passes or unpriced,
                strict=True,
            )
        ):
            paid = self.value("ante") + (self.value("ante_short") if size < longest else 0)
            paid += self.value("forced_pass") * forced + self.value("wrongful_pass") * wrongful
            paid += self.value("card_left") * left  # the winner has none left
            chips[seat] -= paid
            pot += paid
        chips[result.winner] += pot
        for payer, payee in result.withheld or ():
            chips[payer] -= self.value("withheld_seven")
            chips[payee] += self.value("withheld_seven")
        return tuple(chips)

    def finished(self, totals: Sequence[Points], counted: int) -> bool:
        deals = self.values["deals"]
        return deals is not None and counted >= deals
