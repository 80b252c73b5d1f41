"""Filters of lists, and the rows and members of standings that a request asks for."""

from urllib.parse import urlencode

import pytest
from django.utils import timezone

from competitions.models import Competition
from games.models import Session
from tests.api.clients import code_of
from tests.competitions.api.clients import Cup
from tests.games.people import add, merge

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup():
    """Two rounds of eight are played, the standings after each are published."""
    cup = Cup(8, public=True)
    for number in (1, 2):
        cup.league.whole_round(number)
        cup.post("/publications", {"what": "standings"})
    return cup


def rows(cup, **query):
    return cup.get(f"/standings?{urlencode(query)}", cup.anonymous)["rows"]


def test_standings_are_read_as_they_were_after_a_round(cup):
    first = cup.get("/standings?round=1", cup.anonymous)
    assert (first["round"], first["rounds"]) == (1, [1])
    assert cup.get("/standings?round=2", cup.anonymous) == cup.get("/standings", cup.anonymous)
    assert code_of(cup.anonymous.get(f"{cup.path}/standings?round=3")) == (404, "not_published")


def test_a_request_names_the_members_it_wants(cup):
    assert all(list(row) == ["rank", "total"] for row in rows(cup, fields="rank,total"))
    whole = rows(cup)
    assert rows(cup, fields="player,sentence") == [
        {"player": row["player"], "sentence": row["sentence"]} for row in whole
    ]
    assert [len(row["rounds"]) for row in rows(cup, fields="rounds")] == [2] * 8
    assert rows(cup, fields="rounds", rounds="true") == rows(cup, fields="rounds")


@pytest.mark.parametrize("text", ["", "rank,", "rank,rank", "name", "rank total", "Rank"])
def test_members_that_there_are_not_are_refused(cup, text):
    for path in ("/standings", "/table"):
        answer = cup.organiser.get(f"{cup.path}{path}?{urlencode({'fields': text})}")
        assert code_of(answer) == (400, "bad_parameter")


def test_one_row_is_found_by_its_player_whoever_they_are_merged_into(cup):
    whole = rows(cup)
    one = whole[3]
    assert rows(cup, player=one["player"]["id"]) == [one]
    assert cup.get(f"/table?player={one['player']['id']}")["rows"][0]["player"] == one["player"]
    assert rows(cup, player="aaaaaaaaaaaa") == []
    twin = add(cup.league, "Twin")
    merge(cup.league, twin, next(who for who in cup.league.people if who.public_id == one["player"]["id"]))
    assert rows(cup, player=twin.public_id) == rows(cup, player=one["player"]["id"])


def test_rows_that_were_asked_for_differently_have_different_tags(cup):
    tags = {cup.anonymous.get(f"{cup.path}/standings{query}")["ETag"] for query in ("", "?fields=rank", "?round=1")}
    assert len(tags) == 3


def test_publications_are_found_by_kind_round_and_time(cup):
    def numbers(client=cup.anonymous, **query):
        return [one["number"] for one in cup.get(f"/publications?{urlencode(query)}", client)["results"]]

    everything = cup.get("/publications", cup.anonymous)["results"]
    standings = [one["number"] for one in everything if one["what"] == "standings"]
    assert numbers(what="standings") == standings
    assert numbers(what="standings", round=2) == standings[1:]
    assert numbers(since=timezone.now().isoformat()) == []
    assert numbers(since="2020-01-01T00:00:00Z") == [one["number"] for one in everything]
    assert code_of(cup.anonymous.get(f"{cup.path}/publications?what=news")) == (400, "bad_parameter")
    assert code_of(cup.anonymous.get(f"{cup.path}/publications?since=today")) == (400, "bad_parameter")


def found(client, path="/competitions", **query):
    return [one["id"] for one in client.get(f"{path}?{urlencode(query)}").json()["results"]]


def test_competitions_are_found_by_format_player_and_time(cup):
    own, player = cup.league.public_id, cup.ids[0]
    row = Competition.objects.get(public_id=own)
    assert found(cup.anonymous, format=row.format) == [own]
    assert found(cup.anonymous, format="knockout") == []
    assert found(cup.organiser, player=player) == [own]
    assert found(cup.organiser, player="aaaaaaaaaaaa") == []
    before = timezone.now()
    assert found(cup.organiser, since=before.isoformat()) == []
    cup.patch("", {"season": "next"})
    assert found(cup.organiser, "/clubs/river/competitions", since=before.isoformat()) == [own]


def test_others_find_a_player_only_where_everybody_may_watch(cup):
    Session.objects.update(public=False)
    assert found(cup.anonymous, player=cup.ids[0]) == []
    assert found(cup.member, player=cup.ids[0]) == [cup.league.public_id]


def test_sessions_are_found_by_player_and_time(cup):
    with_first = found(cup.member, "/sessions", player=cup.ids[0])
    assert len(with_first) == 2
    assert set(with_first) < set(found(cup.member, "/sessions"))
    assert found(cup.member, "/sessions", since=timezone.now().isoformat()) == []
    assert found(cup.member, "/clubs/river/sessions", player=cup.ids[0], status="closed") == with_first
