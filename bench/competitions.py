"""A big league: what a result costs at round 100 against round 1, and reading its standings against folding them.

The league is made by `manage.py big_club`: 2,000 players, 100 nights of 25 tables, 10,000 deals, the last night open.
Beside it stands a league of the same players whose first night is open. Wall time, one connection, committed.
"""

import time
from collections.abc import Iterator
from itertools import count
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from bench.figures import Figure, in_turn, ratios
from competitions import folding
from competitions.models import Competition
from competitions.results import standing_of
from competitions.services import drawing, entries, setup
from competitions.services import rounds as nights
from competitions.services.entries import NewEntry
from games.access import Caller
from games.models import Player, Session, User
from games.services import recording
from games.services.recording import PaperResult

ROUNDS, TABLES = 100, 25
RESULTS = 5
"""Results of each side in each round."""


def measure(rounds: int) -> Iterator[Figure]:
    call_command("big_club", rounds=ROUNDS, tables=TABLES, open=1)
    old = Competition.objects.select_related("club").get()
    caller = Caller.of(User.objects.get(username="organiser"))
    new = _fresh(caller, old)
    late, early = _Tables(caller, old, ROUNDS), _Tables(caller, new, 1)
    for name, tables in (("round 100", late), ("round 1", early)):
        with CaptureQueriesContext(connection) as captured:
            tables.enter()
        yield Figure(f"statements of a result, {name}", [len(captured)], unit="")
    took = in_turn(rounds, {"late": lambda: late.seconds(RESULTS), "early": lambda: early.seconds(RESULTS)})
    yield Figure("time of a result, round 100 over round 1", ratios(took, "late", "early"), at_most=1.25)

    folding.standings_now(old)
    reads = in_turn(
        rounds,
        {
            "fold": lambda: _seconds(lambda: standing_of(folding.state_of(old), folding.scores_of(old))),
            "kept": lambda: _seconds(lambda: _read_kept(old)),
            "at hand": lambda: _seconds(lambda: folding.standings_now(old)),
        },
    )
    note = f"folding takes {1000 * sorted(reads['fold'])[rounds // 2]:,.0f} ms"
    yield Figure("standings folded, over read as kept", ratios(reads, "fold", "kept"), note=note)
    yield Figure("standings folded, over at hand", ratios(reads, "fold", "at hand"))


def _fresh(caller: Caller, like: Competition) -> Competition:
    """A league of the same people, its first night open."""
    about: dict[str, Any] = {"caller": caller, "now": timezone.now(), "door": "bench"}
    settings = folding.state_of(like).settings_json
    made = setup.create_competition(**about, club=like.club.slug, name="New league", settings=settings).competition
    people = list(Player.objects.filter(entries__competition=like).order_by("pk").values_list("public_id", flat=True))
    entries.enter(**about, competition=made, entries=[NewEntry(player) for player in people])
    drawing.draw(**about, competition=made, number=1, present=people[: 4 * TABLES], effort=0.02)
    nights.open_round(**about, competition=made, number=1, publish=True)
    return Competition.objects.select_related("club").get(public_id=made)


class _Tables:
    """The open tables of a round, which get one result after the other."""

    def __init__(self, caller: Caller, competition: Competition, number: int) -> None:
        self.caller = caller
        tables = folding.state_of(competition).round(number).tables
        self.sessions = [Session.objects.get(pk=table.session).public_id for table in tables]
        self.places = ((number, session) for number in count(1) for session in self.sessions)

    def enter(self) -> None:
        number, session = next(self.places)
        recording.record_deal(
            caller=self.caller,
            session=session,
            number=number,
            dealer=0 if number == 1 else None,
            result=PaperResult([0, 3, 2, 5]),
            now=timezone.now(),
            door="bench",
        )

    def seconds(self, results: int) -> float:
        return _seconds(lambda: [self.enter() for _ in range(results)])


def _read_kept(competition: Competition) -> None:
    folding.forget_kept()
    folding.standings_now(competition)


def _seconds(work: Any) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
