"""Whatever is done, in whatever order: the numbers are those of the naive model, a preview says what comes and leaves
no trace, a refusal changes nothing, and the competition can be rebuilt from its logs."""

import os
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from competitions.audit import audit_competition
from competitions.facts import Kind
from competitions.services import corrections, drawing, entries, rounds
from competitions.services.entries import NewEntry
from competitions.services.writing import Receipt, preview
from games.models import Player, Session
from games.services import corrections as table_corrections
from games.services import people, recording, sessions
from games.services.recording import PaperResult
from games.services.transactions import rehearsal
from tests.competitions.builders import a_league
from tests.competitions.naive import ABSENCE, BYE, Fact, Naive, seats_once
from tests.competitions.rows import REFUSALS, everything
from tests.games.builders import NOW

pytestmark = pytest.mark.django_db

EXAMPLES = int(os.environ.get("NAIVE_EXAMPLES", "6"))
STEPS = 22


class Run:
    """A competition and its naive model, side by side. Each operation takes three numbers to choose by."""

    def __init__(self, form: str, deals: int) -> None:
        more = {"rounds": 3} if form == "round-robin" else {}
        values: dict[str, Any] = {"absence": str(ABSENCE), "bye": str(BYE)}
        if form == "knockout":
            values = {"best": 1}
        self.league = a_league(
            16,
            enter=False,
            format=form,
            deals=deals,
            tables={"preferred": 4, "smallest": 3, "largest": 5},
            **values,
            **more,
        )
        self.model = Naive(deals=deals, knockout=form == "knockout")
        self.ids = [player.pk for player in self.league.people]
        self.names = {player.pk: player for player in self.league.people}
        self.extra = 0
        self.merged = False
        self.do("enter", *[NewEntry(player.public_id) for player in self.league.people[:9]])

    def do(self, kind: str, *given: Any) -> None:
        assert kind == "enter"
        seq = self.league.row.seq
        entries.enter(**self.league.about, entries=list(given))
        for index, _ in enumerate(given):
            self.model.facts.append(Fact("enter", seq + index + 1, {"player": self.ids[index], "first": 1}))

    # -- one write to the competition: first as a preview, then for good

    def write(self, call: Callable[[], Receipt]) -> bool:
        """Whether it was done. A refusal changes nothing; a preview promises just what comes, and changes nothing."""
        before = everything()
        try:
            promised = preview(call)
        except REFUSALS:
            promised = None
        assert everything() == before
        try:
            done = call()
        except REFUSALS as refusal:
            assert promised is None, refusal
            assert everything() == before
            return False
        assert promised is not None
        assert (done.seq, done.effects) == (promised.seq, promised.effects)
        return True

    def note(self, kind: str, **about: Any) -> None:
        """The operation that was just done, under the seq of its first event of that kind."""
        self.model.facts.append(Fact(kind, self.seq_of[kind](), about))

    @property
    def seq_of(self) -> dict[str, Callable[[], int]]:
        kinds = {
            "enter": Kind.ENTERED,
            "withdraw": Kind.WITHDRAWN,
            "reinstate": Kind.REINSTATED,
            "sit out": Kind.SAT_OUT,
            "substitute": Kind.SUBSTITUTED,
            "open": Kind.OPENED,
            "close": Kind.CLOSED,
            "add table": Kind.TABLE_ADDED,
            "adjust": Kind.ADJUSTED,
            "undo": Kind.UNDONE,
        }
        return {name: lambda kind=kind: self.last(kind) for name, kind in kinds.items()}

    def last(self, kind: Kind) -> int:
        return max(event.seq for event in self.league.state.events if event.kind is kind)

    def player(self, number: int) -> Player:
        return self.names[self.ids[number % len(self.ids)]]

    def session(self, a: int, b: int) -> tuple[int, Session] | None:
        """A table, chosen by two numbers, and its round."""
        tables = [(number, session) for number in sorted(self.model.rounds()) for session in self.model.tables(number)]
        if not tables:
            return None
        number, session = tables[(a + 7 * b) % len(tables)]
        return number, Session.objects.get(pk=session)

    # -- the operations

    def enter(self, a: int, b: int, c: int) -> None:
        player = self.player(a)
        first = None if b % 2 else 1 + c % 3
        upcoming = self.league.state.next_round
        if self.write(
            lambda: entries.enter(**self.league.about, entries=[NewEntry(player.public_id, from_round=first)])
        ):
            self.note("enter", player=player.pk, first=first or upcoming)

    def withdraw(self, a: int, b: int, c: int) -> None:
        player = self.player(a)
        first = None if b % 2 else 1 + c % 4
        upcoming = self.league.state.next_round
        own = self.own(player)
        if self.write(lambda: entries.withdraw(**self.league.about, player=player.public_id, from_round=first)):
            for pk in own:
                if self.model.entered()[pk][1] is None:
                    seq = max(e.seq for e in self.league.state.events if e.kind is Kind.WITHDRAWN and e.player == pk)
                    self.model.facts.append(Fact("withdraw", seq, {"player": pk, "until": first or upcoming}))

    def reinstate(self, a: int, b: int, c: int) -> None:
        player = self.player(a)
        if self.write(lambda: entries.reinstate(**self.league.about, player=player.public_id)):
            event = next(e for e in self.league.state.events if e.seq == self.last(Kind.REINSTATED))
            self.note("reinstate", player=event.player)

    def sit_out(self, a: int, b: int, c: int) -> None:
        player, number, points = self.player(a), 1 + b % 4, [None, "1/3", "40"][c % 3]
        if self.write(
            lambda: entries.sit_out(
                **self.league.about,
                player=player.public_id,
                number=number,
                bye=bool(c & 4),
                points=points,
                reason="r",
            )
        ):
            event = next(e for e in self.league.state.events if e.seq == self.last(Kind.SAT_OUT))
            worth = None if points is None else Fraction(points)
            self.note("sit out", player=event.player, round=number, bye=bool(c & 4), points=worth)

    def substitute(self, a: int, b: int, c: int) -> None:
        player, by, number = self.player(a), self.player(b), self.league.state.next_round
        credit = entries.CREDITS[c % 2]
        if self.write(
            lambda: entries.substitute(
                **self.league.about,
                player=player.public_id,
                number=number,
                by=by.public_id,
                credit=credit,
                reason="r",
            )
        ):
            event = next(e for e in self.league.state.events if e.seq == self.last(Kind.SUBSTITUTED))
            self.model.facts = [
                fact
                for fact in self.model.facts
                if not (fact.kind == "substitute" and fact.about["round"] == number)
                or fact.about["player"] != event.player
            ]
            self.note("substitute", player=event.player, by=by.pk, round=number, credit=credit)

    def draw(self, a: int, b: int, c: int) -> None:
        number = self.league.state.next_round
        self.write(lambda: drawing.draw(**self.league.about, number=number, variant=a % 2, effort=0.02))

    def open(self, a: int, b: int, c: int) -> None:
        number = self.league.state.next_round
        if self.write(lambda: rounds.open_round(**self.league.about, number=number, publish=True)):
            at = self.league.state.round(number)
            tables = {
                table.session: list(
                    Session.objects.get(pk=table.session).occupancies.order_by("seat").values_list("player", flat=True)
                )
                for table in at.tables
                if table.drawn
            }
            assert at.plan is not None
            self.note("open", round=number, tables=tables, out=[int(player) for player in at.plan.sitting_out])

    def begin(self, a: int, b: int, c: int) -> None:
        """The next round, once those that are played are closed."""
        self.fill(a, b, c)
        if self.league.state.round(self.league.state.next_round).plan is None:
            self.draw(a, b, c)
        self.open(a, b, c)

    def add_table(self, a: int, b: int, c: int) -> None:
        number = 1 + a % 3
        chosen = [self.player(b + index) for index in range(3 + c % 3)]
        self.extra += 1
        try:
            opened = sessions.open_session(
                caller=self.league.caller,
                club=self.league.club.slug,
                label=f"extra {self.extra}",
                scheme="card-count",
                settings={"deals_planned": self.model.deals},
                players={seat: player.public_id for seat, player in enumerate(chosen)},
                now=NOW,
                door="test",
            )
        except REFUSALS:
            return
        if self.write(lambda: rounds.add_table(**self.league.about, number=number, session=opened.session)):
            session = Session.objects.get(public_id=opened.session)
            self.note("add table", round=number, session=session.pk, players=[player.pk for player in chosen])

    def result(self, a: int, b: int, c: int) -> None:
        self._result(a, b, c, new=True)

    def correct(self, a: int, b: int, c: int) -> None:
        self._result(a, b, c, new=False)

    def _result(self, a: int, b: int, c: int, *, new: bool) -> None:
        found = self.session(a, b)
        if found is None:
            return
        _, session = found
        known = self.model.results.get(session.pk, {})
        number = len(known) + 1 if new else 1 + c % max(len(known), 1)
        if not new and not known:
            return
        seats = session.occupancies.values("seat").distinct().count()
        left = [(a * (seat + 3) + b * seat + c) % 5 + 1 for seat in range(seats)]
        left[c % seats] = 0
        try:
            recording.record_deal(
                caller=self.league.caller,
                session=session.public_id,
                number=number,
                dealer=0 if number == 1 else None,
                result=PaperResult(left),
                reason="r",
                now=NOW,
                door="test",
            )
        except REFUSALS:
            return
        self.model.results.setdefault(session.pk, {})[number] = left

    def fill(self, a: int, b: int, c: int) -> None:
        """All that is missing in a round, then its closing."""
        for number in sorted(self.model.rounds() - self.model.closed()):
            for index, session in enumerate(self.model.tables(number)):
                while not self.model.over(session, number):
                    row = Session.objects.get(pk=session)
                    seats = row.occupancies.values("seat").distinct().count()
                    left = [(a + index + seat * b) % 4 + 1 for seat in range(seats)]
                    left[(a + index) % seats] = 0
                    deal = len(self.model.results.get(session, {})) + 1
                    self.league.score(row, left, deal)
                    self.model.results.setdefault(session, {})[deal] = left
            self.close(number - 1, 0, 0)
            return

    def close(self, a: int, b: int, c: int) -> None:
        number = 1 + a % 4
        complete = number in self.model.rounds() and self.model.complete(number)
        if self.write(lambda: rounds.close(**self.league.about, number=number)):
            assert complete
            self.note("close", round=number)

    def adjust(self, a: int, b: int, c: int) -> None:
        player, points = self.player(a), f"{b % 9 - 4}/{1 + c % 3}"
        if self.write(
            lambda: corrections.adjust(**self.league.about, player=player.public_id, points=points, reason="r")
        ):
            event = next(e for e in self.league.state.events if e.seq == self.last(Kind.ADJUSTED))
            self.note("adjust", player=event.player, points=Fraction(points))

    def undo(self, a: int, b: int, c: int) -> None:
        noted = [fact for fact in self.model.facts if fact.seq is not None]
        fact = noted[-1 - (a + 3 * b) % min(len(noted), 6)]
        if self.write(lambda: corrections.undo(**self.league.about, seq=fact.seq, reason="r")):
            seq = max(e.seq for e in self.league.state.events if e.kind is Kind.UNDONE and e.data["seq"] == fact.seq)
            self.model.facts.append(Fact("undo", seq, {"target": fact.seq}))

    def merge(self, a: int, b: int, c: int) -> None:
        one, other = self.player(a), self.player(b)
        before = everything()
        try:
            people.merge(
                caller=self.league.caller,
                player=one.public_id,
                into=other.public_id,
                reason="r",
                now=NOW,
                door="test",
            )
        except REFUSALS:
            assert everything() == before
            return
        self.model.same[one.pk] = other.pk
        self.merged = True

    def unmerge(self, a: int, b: int, c: int) -> None:
        if not self.model.same:
            return
        one = self.names[sorted(self.model.same)[a % len(self.model.same)]]
        people.unmerge(caller=self.league.caller, player=one.public_id, reason="r", now=NOW, door="test")
        del self.model.same[one.pk]

    def void(self, a: int, b: int, c: int) -> None:
        """The last result of a table is void, and stands again where that is undone."""
        found = self.session(a, b)
        known = self.model.results.get(found[1].pk, {}) if found else {}
        if found is None or not known:
            return
        number, session = max(known), found[1].public_id
        about = {"caller": self.league.caller, "session": session, "reason": "r", "now": NOW, "door": "test"}
        left = known.pop(number)
        seq = table_corrections.void(**about, number=number).seq
        self.check()
        table_corrections.undo(**about, seq=seq)
        known[number] = left

    def own(self, player: Player) -> list[int]:
        return [pk for pk in self.model.entered() if self.model.who(pk) == self.model.who(player.pk)]

    # -- what holds always

    def check(self) -> None:
        league, model = self.league, self.model
        assert audit_competition(league.row) == []
        table, state = league.standings, league.state
        assert {row.entrant: row.total for row in table.rows} == model.totals()
        assert {row.entrant: row.rank for row in table.rows} == model.ranks()
        for number, at in state.rounds.items():
            if at.plan is None or at.opened_seq is not None:
                continue
            drawn = seats_once([list(map(int, t)) for t in at.plan.tables], list(map(int, at.plan.sitting_out)), {})
            if not self.merged and not model.knockout:  # a merge alone draws nothing anew
                assert drawn == model.part(number)
        for number in model.opened():
            seats_once(list(model.opened()[number]["tables"].values()), [], {})


OPERATIONS = {
    "begin": 4, "fill": 3, "undo": 3, "result": 2,
    **dict.fromkeys(("enter", "withdraw", "reinstate", "sit_out", "substitute", "draw", "open", "add_table"), 1),
    **dict.fromkeys(("correct", "close", "adjust", "void", "merge", "unmerge"), 1),
}  # fmt: skip
"""How often each is tried beside the others."""

CHOICES = st.tuples(
    st.sampled_from([name for name, times in OPERATIONS.items() for _ in range(times)]),
    st.integers(0, 99),
    st.integers(0, 99),
    st.integers(0, 99),
)


@settings(
    max_examples=EXAMPLES,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(
    form=st.sampled_from(["league-night", "round-robin", "swiss", "knockout"]),
    deals=st.integers(1, 2),
    steps=st.lists(CHOICES, min_size=8, max_size=STEPS),
)
def test_whatever_is_done_the_numbers_are_those_of_the_naive_model(form, deals, steps):
    with rehearsal():
        run = Run(form, deals)
        run.check()
        for name, a, b, c in steps:
            getattr(run, name)(a, b, c)
            run.check()
