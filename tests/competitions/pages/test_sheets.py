"""Sheets to print and files to take away: right for whom may see them, and closed to everybody else."""

import pytest
from django.urls import reverse

from competitions.files.entries import read_entries
from competitions.files.results import read_results
from competitions.files.standings import read_standings
from competitions.services import corrections, drawing, entries, publishing
from competitions.slips import code_of
from games.models import Player
from tests.competitions.pages.door import Door, text_of

pytestmark = pytest.mark.django_db


def test_a_draw_is_printed_by_table_and_by_name():
    door = Door()
    Player.objects.filter(pk=door.league.player("H").pk).update(name="Ärmel", search_key="armel")
    entries.substitute(
        **door.league.about,
        player=door.league.player("B").public_id,
        number=1,
        by=Player.objects.create(club=door.league.club, name="Zed <i>").public_id,
        reason="ill",
    )
    drawing.draw(**door.league.about, number=1)
    page = door.organiser.get(door.at("print-draw", number=1))
    said = text_of(page)
    assert "Not published" in said
    assert page["Cache-Control"] == "no-store"
    names = said[said.index("by name") :]
    order = [
        names.index(name)
        for name in ("A Table", "Ärmel Table", "B absent, Zed &lt;i&gt; plays", "C Table", "Zed &lt;i&gt; Table")
    ]
    assert order == sorted(order)
    assert "Zed &lt;i&gt; for B" in said


def test_a_draw_that_is_not_published_is_printed_by_scorers_and_organisers_only():
    door = Door()
    drawing.draw(**door.league.about, number=1)
    address = door.at("print-draw", number=1)
    assert door.statuses(address) == [200, 200, 404, 404, 302]
    publishing.publish(**door.league.about, what="draw", number=1)
    assert door.statuses(address) == [200, 200, 200, 404, 302]
    assert "Not published" not in text_of(door.member.get(address))


def test_a_public_competition_shows_everybody_what_is_out():
    door = Door(public=True)
    door.league.whole_round(1)
    standings = door.at("print-standings")
    assert door.statuses(door.at("print-draw", number=1)) == [200] * 5
    assert door.statuses(standings) == [200, 200, 404, 404, 302]
    publishing.publish(**door.league.about, what="standings")
    assert door.statuses(standings) == [200] * 5
    assert door.statuses(f"{standings}?after=1") == [200, 200, 403, 403, 302]
    assert door.statuses(door.at("standings-file", form="csv")) == [200] * 5
    assert door.statuses(door.at("entries-file", form="csv")) == [200, 200, 200, 403, 302]
    assert door.statuses(door.at("results-file", form="csv")) == [200, 200, 403, 403, 302]
    assert door.statuses(door.at("print-slips", number=1)) == [200, 200, 403, 403, 302]


def test_slips_have_the_names_of_each_table_and_lead_to_its_page():
    door = Door(deals=2)
    drawing.draw(**door.league.about, number=1)
    address = door.at("print-slips", number=1)
    assert "not open yet" in text_of(door.organiser.get(address))
    door.league.open(1)
    page = door.organiser.get(address)
    sessions = door.league.sessions(1)
    content = page.content.decode()
    assert content.count("<svg") == len(sessions) == 2
    for session in sessions:
        link = f"http://testserver{reverse('slip', args=[code_of(session.public_id)])}"
        assert f'href="{link}"' in content
        assert door.scorer.get(link).status_code == 200
    assert text_of(page).count("Deal 2") == 2
    assert "Deal 3" not in content
    assert "wrong" not in content
    assert "second person" not in content


def test_slips_ask_for_what_the_scheme_and_the_second_person_need():
    door = Door(4, scheme="pool", confirm=True, deals=20)
    door.league.open(1)
    said = text_of(door.organiser.get(door.at("print-slips", number=1)))
    assert said.count("wrong") >= 12
    assert "Confirmed by a second person" in said
    assert "take another slip" in said


def test_standings_are_printed_with_the_order_of_their_tie_breaks():
    door = Door(tie_breaks=["wins"])
    door.league.whole_round(1)
    page = text_of(door.organiser.get(door.at("print-standings")))
    assert "As they are now; none are published" in page
    assert "Equal totals are decided by: 1. Wins" in page
    assert "1st of 8" not in page
    assert "of 8 with" in text_of(door.organiser.get(door.at("print-standings") + "?explained"))
    publishing.publish(**door.league.about, what="standings")
    number = max(door.league.state.publications)
    assert f"Publication {number}" in text_of(door.member.get(door.at("print-standings") + f"?publication={number}"))
    now = door.organiser.get(door.at("print-standings"))
    assert f"As they are now; publication {number} says the same" in text_of(now)
    assert f'href="{door.at("print-standings")}?publication={number}"' in now.content.decode()
    corrections.adjust(**door.league.about, player=door.league.people[7].public_id, points=1, reason="x")
    assert f"publication {number} says otherwise" in text_of(door.organiser.get(door.at("print-standings")))
    draw = min(door.league.state.publications)
    for wrong in (f"?publication={draw}", "?publication=99", "?publication=x", "?after=9"):
        assert door.organiser.get(door.at("print-standings") + wrong).status_code == 404


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_files_are_taken_away_under_a_name_that_says_what_they_are(form):
    door = Door()
    door.league.whole_round(1)
    for what, read, count in (
        ("entries", read_entries, 8),
        ("results", read_results, 2),
        ("standings", read_standings, 8),
    ):
        answer = door.organiser.get(door.at(f"{what}-file", form=form))
        assert answer["Content-Disposition"] == f'attachment; filename="cup-2026-{what}.{form}"'
        assert len(read(answer.content, "x").rows) == count


def test_results_of_one_round_are_taken_away_and_unknown_parameters_refused():
    door = Door()
    door.league.whole_round(1)
    door.league.whole_round(2)
    address = door.at("results-file", form="csv")
    found = [read_results(door.organiser.get(address + query).content, "x").rows for query in ("", "?round=2")]
    assert [{deal.round for deal in deals} for deals in found] == [{1, 2}, {2}]
    assert door.organiser.get(address + "?round=x").status_code == 404
    refused = door.organiser.get(address + "?rounds=2")
    assert refused.status_code == 400
    assert "takes no “rounds”. It takes round." in text_of(refused)
    for what in ("entries", "standings"):
        assert door.organiser.get(door.at(f"{what}-file", form="csv") + "?round=1").status_code == 400


def test_pages_take_no_posts_and_know_no_other_address():
    door = Door(4)
    assert door.organiser.post(door.at("print-standings")).status_code == 405
    assert door.organiser.get(door.at("print-draw", number=9)).status_code == 404
    assert door.organiser.get("/competitions/nothing/print/standings").status_code == 404
    assert door.organiser.get(door.at("entries-file", form="csv").replace("csv", "exe")).status_code == 404


def test_pages_cost_as_many_statements_for_many_as_for_few(django_assert_max_num_queries):
    door = Door(24)
    door.league.open(1)
    for name, more in (("print-draw", {"number": 1}), ("print-slips", {"number": 1}), ("print-standings", {})):
        with django_assert_max_num_queries(14):
            door.organiser.get(door.at(name, **more))
