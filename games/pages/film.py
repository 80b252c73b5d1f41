"""A deal step by step, as its page says it: what was done, who is next and could lay what, how the layout lies."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from games.engine.cards import card_text
from games.engine.deal import CORRECTION, PASS
from games.engine.rules import Rules
from games.pages.board import action_said
from games.replays import Moment, Replay, Step
from games.wording import rows_in_words


@dataclass(frozen=True, slots=True)
class Frame:
    """What there is to say once `step` actions are done.

    - `said`: the last of them, in a sentence. `card`: what it brought to the layout, "" where it was a pass. `mark`: of
      a pass, whether it was forced, wrongful, or taken back.
    - `to_act`: whose turn it is, None at the end; `turn`: that in words; `legal`: the cards that this seat may play.
    - `left`: cards in each hand; `rows`: the layout in words.
    """

    step: int
    said: str
    card: str
    mark: str
    to_act: int | None
    turn: str
    legal: tuple[str, ...]
    left: tuple[int, ...]
    rows: str


@dataclass(frozen=True)
class Film:
    """A deal that is over, for all who may see it, or as one `seat` saw it: of the others it then knows what everybody
    at the table did, and no card that they held or could have laid."""

    replay: Replay
    names: Sequence[str]
    seat: int | None = None

    @property
    def rules(self) -> Rules:
        return self.replay.start.rules

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.replay.steps)

    @cached_property
    def frames(self) -> list[Frame]:
        steps: list[Step | None] = [None, *self.replay.steps]
        return [
            self._frame(number, step, moment)
            for number, (step, moment) in enumerate(zip(steps, self.replay.moments, strict=True))
        ]

    @cached_property
    def laid_at(self) -> dict[str, int]:
        """The step at which each card came to the layout."""
        return {frame.card: frame.step for frame in self.frames if frame.card}

    @cached_property
    def hands(self) -> dict[int, list[int]]:
        """The hands as dealt, in writing order, by seat: only those that may be seen."""
        in_order = self.rules.tables.in_order
        return {seat: in_order(hand) for seat, hand in enumerate(self.replay.start.hands) if self._opens(seat)}

    def _opens(self, seat: int | None) -> bool:
        return self.seat is None or seat == self.seat

    def _frame(self, number: int, step: Step | None, moment: Moment) -> Frame:
        opened = self._opens(moment.to_act)
        known = step is not None and self._opens(step.seat)
        return Frame(
            step=number,
            said=self._said(step, won=moment.to_act is None),
            card="" if step is None or step.action == PASS else card_text(step.action & ~CORRECTION),
            # That a pass was taken back everybody at the table saw.
            mark=(step.passed or "") if step and (known or step.passed == "corrected") else "",
            to_act=moment.to_act,
            turn=self._turn(moment, last=number == self.last),
            legal=tuple(map(card_text, self.rules.tables.in_order(moment.legal))) if opened else (),
            left=moment.left,
            rows=rows_in_words(moment.rows),
        )

    def _said(self, step: Step | None, *, won: bool) -> str:
        if step is None:
            return _("{name} deals the cards.").format(name=self.names[self.replay.start.dealer])
        name = self.names[step.seat]
        if step.action == PASS:
            return self._pass(step, name)
        return action_said(name, step.action, won=won)

    def _pass(self, step: Step, name: str) -> str:
        if step.passed == "corrected":
            return _("{name} passes, but could have played.").format(name=name)
        if not self._opens(step.seat):
            return _("{name} passes.").format(name=name)
        if step.passed == "forced":
            return _("{name} passes: no card fits.").format(name=name)
        return _("{name} passes, but could have played.").format(name=name)

    def _turn(self, moment: Moment, *, last: bool) -> str:
        if moment.to_act is None:
            return ""
        if last:
            return _("Nothing more was played.")
        name = self.names[moment.to_act]
        if not self._opens(moment.to_act):
            return _("{name} is to play.").format(name=name)
        if not moment.legal:
            return _("{name} has no card that fits.").format(name=name)
        return _("{name} can play:").format(name=name)
