"""Statements of reading a competition: as many with 200 players as with 20, and in round 4 as in round 1."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from competitions import folding
from competitions.services import publishing
from tests.competitions.api.clients import Cup

READS = {
    ("scorer", "/table"): 7,
    ("scorer", "/table?rounds=true"): 7,
    ("scorer", "/table?after_round=1"): 9,
    ("member", "/standings"): 6,
    ("member", "/crosstable?limit=200"): 6,
    ("scorer", "/rounds/1"): 10,
    ("member", "/rounds/1"): 10,
    ("member", "/rounds"): 7,
    ("member", "/entries?limit=200"): 4,
    ("member", "/publications"): 3,
    ("member", "/publications/1"): 5,
    ("member", "/publications/2"): 6,
    ("member", "/publications/3/diff"): 12,
    ("member", ""): 3,
    ("scorer", "/adjustments"): 4,
    ("scorer", "/events?limit=200"): 7,
}


def counts(players: int, rounds: int) -> dict[tuple[str, str], int]:
    cup = Cup(players)
    for number in range(1, rounds + 1):
        cup.league.whole_round(number)
        if number == 1:
            publishing.publish(**cup.league.about, what="standings")
            cup.post("/adjustments", {"player": cup.ids[0], "points": 1, "reason": "r"})
            publishing.publish(**cup.league.about, what="standings")
    return {who: counted(cup, *who) for who in READS}


def counted(cup: Cup, role: str, path: str) -> int:
    cup.get(path, cup.roles[role])  # whoever comes first folds the table for everybody
    folding.forget_kept()
    with CaptureQueriesContext(connection) as captured:
        cup.get(path, cup.roles[role])
    return len(captured)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_reads_take_the_same_few_statements_however_many_play():
    few = counts(20, 1)
    assert {who: (n, READS[who]) for who, n in few.items() if n > READS[who]} == {}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_ten_times_as_many_players_take_no_more_statements():
    assert {who: n for who, n in counts(200, 2).items() if n > READS[who]} == {}
