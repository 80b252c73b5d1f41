"""A competition in bulk: the whole of it line by line, and results fit for ratings."""

import json
from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from competitions.services import corrections, entries, publishing
from games.models import Player, Session
from games.services import corrections as at_table
from games.services import importing, people, recording
from games.services.recording import PaperResult
from tests.api.clients import code_of
from tests.competitions.api.clients import Cup
from tests.games.builders import NOW
from tests.games.test_import_export import result_line

pytestmark = pytest.mark.django_db


def asked(client, path):
    answer = client.get(path)
    assert answer.status_code == 200, answer.content
    found = [json.loads(line) for line in answer.getvalue().splitlines()]
    assert int(answer["Export-Lines"]) == len(found)
    return found


def of_type(lines, name):
    return [line for line in lines if line["type"] == name]


def a_cup(**settings):
    """Eight people, round 1 over and published with its standings."""
    cup = Cup(8, rounds=3, **settings)
    cup.league.whole_round(1)
    publishing.publish(**cup.league.about, what="standings")
    return cup


# -- results for ratings


def test_every_deal_that_counts_says_who_came_where_under_which_terms():
    cup = a_cup()
    found = asked(cup.member, "/clubs/river/results.ndjson")
    assert [(line["competition"], line["round"], line["table"]) for line in found] == [
        (cup.league.public_id, 1, 1),
        (cup.league.public_id, 1, 2),
    ]
    assert asked(cup.member, f"{cup.path}/results.ndjson") == found
    line = found[0]
    assert (line["rules"], line["scheme"], line["lowest_wins"], line["deal"]) == ("pagat", "card-count", True, 1)
    assert line["time"] == "2026-11-29T20:00:00.000000Z"
    seats = line["seats"]
    assert sorted(seat["place"] for seat in seats) == [1, 2, 3, 4]
    assert [seat["winner"] for seat in seats] == [seat["cards_left"] == 0 for seat in seats]
    assert {seat["player"] for seat in seats} < set(cup.ids)


def test_results_are_those_of_the_sessions_tables():
    cup = a_cup()
    points = Counter()
    for line in asked(cup.member, "/clubs/river/results.ndjson"):
        points.update({seat["player"]: seat["points"] for seat in line["seats"]})
    for session in Session.objects.all():
        for row in cup.member.get(f"/sessions/{session.public_id}/table").json()["rows"]:
            assert points[row["players"][0]["player"]["id"]] == row["total"]


def test_equal_points_share_a_place_and_fewest_cards_win_where_the_scheme_says_so():
    cup = Cup(4)
    lines = [
        result_line(scheme="card-count", result={"cards_left": [2, 0, 2]}),
        result_line(session="t", scheme="wins", result={"cards_left": [2, 0, 1]}),
    ]
    bring_in(cup, lines)
    found = asked(cup.member, "/clubs/river/results.ndjson")
    assert [[seat["place"] for seat in line["seats"]] for line in found] == [[2, 1, 2], [2, 1, 2]]
    assert {line["competition"] for line in found} == {None}


def bring_in(cup, lines):
    importing.import_records(
        caller=cup.league.caller,
        club="river",
        lines=list(enumerate(lines, start=1)),
        dry_run=False,
        now=NOW,
        door="import",
    )


def test_void_deals_and_those_that_do_not_count_are_left_out():
    cup = Cup(4)
    first = {"scheme": {"scheme": "wins", "target": 1}}  # which ends with the second deal
    bring_in(
        cup,
        [
            result_line(number=1, voided="a card fell", **first),
            result_line(number=2, **first),
            result_line(number=3, dealer=1, **first),
        ],
    )
    assert [line["deal"] for line in asked(cup.member, "/clubs/river/results.ndjson")] == [2]


def test_a_substitute_has_the_deals_they_played_and_merged_players_are_the_person():
    cup = Cup(4)
    about = {"caller": cup.league.caller, "now": NOW, "door": "test"}
    bring_in(cup, [result_line(number=1), result_line(number=2, dealer=1)])
    session = Session.objects.get(label="s")
    at_table.substitute(**about, session=session.public_id, seat=0, player=cup.ids[0], from_number=2, reason="Left.")
    ana = Player.objects.get(name="Ana").public_id
    first, second = asked(cup.member, "/clubs/river/results.ndjson")
    assert (first["seats"][0]["player"], second["seats"][0]["player"]) == (ana, cup.ids[0])
    people.merge(**about, player=ana, into=cup.ids[1], reason="r")
    assert asked(cup.member, "/clubs/river/results.ndjson")[0]["seats"][0]["player"] == cup.ids[1]
    assert len(asked(cup.member, f"/clubs/river/results.ndjson?player={ana}")) == 1


def test_results_come_in_the_order_in_which_deals_ended_and_since_a_time():
    cup = Cup(4)
    bring_in(cup, [result_line(session="b"), result_line(session="a")])
    late = Session.objects.get(label="b")
    recording.record_deal(
        caller=cup.league.caller,
        session=late.public_id,
        number=2,
        result=PaperResult([1, 0, 2]),
        now=NOW + timedelta(hours=1),
        door="test",
    )
    found = asked(cup.member, "/clubs/river/results.ndjson")
    assert [(line["label"], line["deal"]) for line in found] == [("b", 1), ("a", 1), ("b", 2)]
    assert asked(cup.member, "/clubs/river/results.ndjson?since=2026-11-29T20:30:00Z") == found[2:]


def test_tables_whose_sessions_one_may_not_see_are_in_no_results():
    cup = a_cup(public=True)
    Session.objects.update(public=False)
    Session.objects.filter(pk=cup.league.sessions(1)[0].pk).update(public=True)
    assert len(asked(cup.anonymous, f"{cup.path}/results.ndjson")) == 1
    assert len(asked(cup.anonymous, f"{cup.path}/deals.ndjson")) == 1
    assert len(asked(cup.member, f"{cup.path}/results.ndjson")) == 2
    whole = asked(cup.anonymous, f"{cup.path}/export.ndjson")
    assert [line["session"] is None for line in of_type(whole, "table")] == [False, True]
    assert {line["table"] for line in of_type(whole, "result")} == {1}


def test_the_deals_of_a_competition_are_those_of_its_sessions():
    cup = a_cup()
    bring_in(cup, [result_line()])
    records = [cup.member.get(f"/sessions/{one.public_id}/records").content for one in cup.league.sessions(1)]
    assert cup.member.get(f"{cup.path}/deals.ndjson").getvalue() == b"".join(records)


# -- the whole competition


def everything(cup):
    """What only scorers and organisers see is there too."""
    about = cup.league.about
    corrections.adjust(**about, player=cup.ids[0], points="1/3", reason="Came late.")
    spare = Player.objects.create(club=cup.league.club, name="Spare").public_id
    entries.sit_out(**about, player=cup.ids[5], number=2)
    entries.substitute(**about, player=cup.ids[0], number=2, by=spare, reason="Ill.")
    publishing.publish(**about, what="standings", not_before=timezone.now() + timedelta(days=1))


def test_a_whole_competition_is_told_line_by_line():
    cup = a_cup(tie_breaks=["wins"])
    everything(cup)
    lines = asked(cup.scorer, f"{cup.path}/export.ndjson")
    assert Counter(line["type"] for line in lines) == {
        "competition": 1,
        "entry": 8,
        "round": 3,
        "table": 2,
        "result": 8,
        "adjustment": 1,
        "sit_out": 1,
        "substitution": 1,
        "publication": 3,
        "drawn": 8,
        "standing": 16,
    }
    assert lines[0]["type"] == "competition"
    assert (lines[0]["whole"], lines[0]["settings"]["deals"]) == (True, 1)
    assert of_type(lines, "adjustment")[0]["points"] == "1/3"
    assert of_type(lines, "adjustment")[0]["reason"] == "Came late."
    standings = of_type(lines, "standing")
    assert {line["publication"] for line in standings} == {2, 3}
    results = {line["player"]: line for line in of_type(lines, "result")}
    assert sum(line["total"] for line in results.values()) == 2 * (0 + 1 + 2 + 3)
    assert {line["own_points"] == line["total"] and line["share"] == 1 for line in results.values()} == {True}


def test_whoever_sees_only_what_is_published_gets_only_that():
    cup = a_cup(public=True)
    everything(cup)
    member = asked(cup.member, f"{cup.path}/export.ndjson")
    assert Counter(line["type"] for line in member) == {
        "competition": 1,
        "entry": 8,
        "round": 3,
        "table": 2,
        "result": 8,
        "publication": 2,
        "drawn": 8,
        "standing": 8,
    }
    assert (member[0]["whole"], member[0]["version"]) == (False, None)
    anonymous = asked(cup.anonymous, f"{cup.path}/export.ndjson")
    assert of_type(anonymous, "entry") == []
    assert of_type(anonymous, "standing") == of_type(member, "standing")


@pytest.mark.parametrize("role", ["scorer", "anonymous"])
def test_an_export_goes_on_at_every_line_to_the_same_lines(role):
    cup = a_cup(public=True)
    everything(cup)
    client, path = cup.roles[role], f"{cup.path}/export.ndjson"
    lines = asked(client, path)
    tag = client.head(path)["Export-Snapshot"]
    for line in range(1, len(lines) + 2):
        rest = client.get(f"{path}?snapshot={tag}&from_line={line}").getvalue().splitlines()
        assert [json.loads(one) for one in rest] == lines[line - 1 :]


def test_a_change_of_the_competition_ends_the_snapshot_for_those_who_see_it():
    cup = a_cup(public=True)
    path = f"{cup.path}/export.ndjson"

    def tags():
        return {role: cup.roles[role].head(path)["Export-Snapshot"] for role in ("scorer", "member", "anonymous")}

    before = tags()
    corrections.adjust(**cup.league.about, player=cup.ids[0], points=1, reason="r")
    after = tags()
    assert {role for role in before if before[role] != after[role]} == {"scorer"}
    assert code_of(cup.scorer.get(f"{path}?snapshot={before['scorer']}&from_line=1")) == (409, "moved_on")
    publishing.publish(**cup.league.about, what="standings")
    assert {role for role in before if after[role] != tags()[role]} == set(before)
    entries.withdraw(**cup.league.about, player=cup.ids[7])
    assert tags()["member"] != after["member"]


def test_a_longer_competition_takes_no_more_statements_for_its_lines():
    cup, counts = Cup(8, rounds=3), []
    for rounds in (1, 2):
        cup.league.whole_round(rounds)
        with CaptureQueriesContext(connection) as captured:
            asked(cup.scorer, f"{cup.path}/export.ndjson")
        counts.append(len(captured))
    assert counts[1] - counts[0] <= 3, "a published draw takes two, and nothing else grows"
