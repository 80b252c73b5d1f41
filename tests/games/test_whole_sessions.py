"""Whole sessions: played to the end, and corrected in every way at random."""

import random

import pytest

from games.audit import audit_session
from games.engine.errors import EngineError
from games.errors import Refusal
from games.models import Event
from games.services import corrections, players, sessions
from tests.games.builders import a_table
from tests.games.test_corrections import correct, record

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("seats", "rules", "scheme"),
    [
        (4, "pagat", "wins:target=2"),
        (3, "bicycle", "bicycle:deals=2"),
        (8, "short-32", "card-count:target=10"),
        (2, "duel", "wins:target=2"),
    ],
)
def test_a_session_of_bots_is_played_until_its_scheme_says_that_it_is_over(seats, rules, scheme):
    table = a_table(seats, rules=rules, scheme=scheme)
    number = 1
    while table.row.status != "finished":
        table.deal(number)
        table.play_out()
        number += 1

    assert sum(row.wins for row in table.row.table_rows.all()) == number - 1
    assert list(audit_session(table.row)) == []


def moves(table, rng):
    """Every service that changes a session, each with arguments that are often but not always allowed."""
    number = rng.randint(1, 4)
    seat = rng.randrange(5)
    seqs = list(Event.objects.filter(session=table.row, kind__gte=16).values_list("seq", flat=True)) or [1]
    left = [rng.randint(0, 3) for _ in range(4)]
    return [
        lambda: table.deal(number),
        lambda: table.row.live_deal and table.step(),
        table.play_out,
        lambda: record(table, number, left, dealer=rng.choice([None, seat])),
        lambda: correct(corrections.void, table, number=number),
        lambda: correct(corrections.adjust, table, seat=seat, points=rng.randint(-3, 3)),
        lambda: correct(corrections.undo, table, seq=rng.choice(seqs)),
        lambda: correct(
            corrections.substitute,
            table,
            seat=seat,
            player=rng.choice(table.spare),
            credit=rng.choice(["last", "first", "deals"]),
        ),
        lambda: correct(sessions.close, table),
    ]


@pytest.mark.parametrize("seed", range(6))
def test_after_any_corrections_in_any_order_everything_stored_follows_from_the_log(seed):
    rng = random.Random(seed)
    table = a_table(4, scheme=rng.choice(["wins:target=2", "card-count:target=9", "yellowclub-chips:withheld_seven=0"]))
    table.spare = [
        players.create_player(caller=table.caller, club=table.club.slug, name=name, strategy="random")
        for name in ("X", "Y")
    ] + [player.public_id for player in table.players]
    done = refused = 0

    for _ in range(30):
        before = table.row.seq
        try:
            rng.choice(moves(table, rng))()
            done += 1
        except (Refusal, EngineError):
            assert table.row.seq == before, "a refusal stores nothing"
            refused += 1
        assert list(audit_session(table.row)) == []

    assert done > 3
    assert refused > 3
