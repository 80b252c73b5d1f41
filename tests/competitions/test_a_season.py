"""A competition from entry to final standings."""

import pytest

from competitions.facts import Kind
from competitions.services import publishing
from tests.competitions.builders import a_league

pytestmark = pytest.mark.django_db


def test_a_swiss_of_three_rounds_is_played_and_published():
    league = a_league(8, rounds=3, absence="0", points="scheme", tie_breaks=["wins"], unranked=["withdrawn"])
    for number in (1, 2, 3):
        league.whole_round(number)
    table = league.standings
    assert table.rows[0].rank == 1
    assert sum(len(row.rounds) for row in table.rows) == 24
    publishing.publish(**league.about, what="standings")
    kinds = [event.kind for event in league.state.events]
    assert kinds.count(Kind.PUBLISHED) == 4
