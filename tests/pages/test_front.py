"""The front page leads everybody to what is theirs."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Role
from tests.admin.conftest import log_in
from tests.competitions.builders import a_league
from tests.games.builders import a_member, a_table

pytestmark = pytest.mark.django_db


def part(page, name):
    text = page.content.decode()
    found = re.search(rf'<section aria-labelledby="{name}">(.*?)</section>', text, re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", found[1]).split()) if found else ""


def a_running(name, **settings):
    table = a_table(4, people=4, name=name, settings=settings)
    table.deal(1, now=timezone.now())
    return table


def test_nobody_finds_public_tables_competitions_and_the_way_on():
    a_running("river", public=True)
    hidden = a_running("hill")
    league = a_league(8, name="lake")
    page = Client().get("/")
    text = page.content.decode()
    assert "Play now" in text
    assert "A, B, C, D" in part(page, "live")
    assert hidden.session not in text
    assert part(page, "own") == ""
    assert league.public_id not in text
    assert 'href="/rules/"' in text
    assert 'href="/api/docs/"' in text


def test_a_public_competition_is_named():
    league = a_league(8, public=True)
    assert league.public_id in Client().get("/").content.decode()


def test_who_is_to_play_reads_it_first():
    table = a_running("river")
    turn = table.row.to_act
    assert "It is your turn." in part(log_in(table.players[turn].user).get("/"), "own")
    waiting = part(log_in(table.players[(turn + 1) % 4].user).get("/"), "own")
    assert "It is your turn." not in waiting
    assert f"{'ABCD'[turn]} is to play." in waiting
    member = log_in(a_member(table.club, "member", Role.MEMBER)).get("/")
    assert part(member, "own") == ""
    assert "A, B, C, D" in part(member, "live")


def test_a_delayed_table_does_not_say_whose_turn_it_is_to_those_who_see_it_later():
    table = a_running("river", public=True, spectator_delay=60)
    assert "is to play" not in Client().get("/").content.decode()
    assert "is to play" in log_in(table.organiser).get("/").content.decode()


def test_a_table_where_nothing_happens_is_not_live():
    table = a_table(4, people=4, settings={"public": True})
    table.deal(1, now=timezone.now() - timedelta(days=2))
    assert "No table is being played just now." in part(Client().get("/"), "live")
    assert "A, B, C, D" in part(log_in(table.players[0].user).get("/"), "own")


def test_organisers_find_their_desk():
    table = a_table(4)
    assert "Organise your club" in part(log_in(table.organiser).get("/"), "more")


@pytest.mark.parametrize("logged_in", [False, True])
def test_the_statements_are_the_same_for_any_number_of_tables_and_competitions(logged_in):
    first = a_running("river", public=True)
    client = log_in(first.players[0].user) if logged_in else Client()
    client.get("/")
    with CaptureQueriesContext(connection) as few:
        client.get("/")
    for name in ("hill", "lake", "moor"):
        a_running(name, public=True)
    a_league(8, name="cups", public=True)
    with CaptureQueriesContext(connection) as many:
        client.get("/")
    assert len(few) == len(many) <= 9
