"""A night as an organiser clicks it: from a new competition to published standings."""

import re

import pytest
from django.urls import reverse

from competitions.models import Competition
from games.models import Player, Session
from tests.admin.conftest import log_in
from tests.competitions.admin.conftest import Desk, errors_of, messages_of
from tests.competitions.builders import a_club, a_league

pytestmark = pytest.mark.django_db

NEW = {
    "name": "Winter League",
    "season": "2026/27",
    "kind": "league",
    "format": "league-night",
    "preferred": 4,
    "smallest": 3,
    "largest": 5,
    "profile": "pagat",
    "points": "neutral",
}


def slip(page: str) -> dict[str, int]:
    """A result for the form on this page: the first seat wins."""
    seats = len(re.findall(r'name="left_\d"', page))
    return {"number": 1, "dealer": 0, **{f"left_{seat}": seat for seat in range(seats)}}


def test_a_competition_is_made_with_a_name_alone(db):
    club, organiser = a_club()
    client = log_in(organiser)
    page = client.get(reverse("admin:competitions_competition_add")).content.decode()
    assert "New competition of River" in page
    answer = client.post(reverse("admin:competitions_competition_add"), NEW, follow=True)
    assert "Winter League is made" in messages_of(answer)
    assert "Nobody is entered yet" in answer.content.decode()
    row = Competition.objects.get()
    assert (row.club, row.name, row.season, row.kind) == (club, "Winter League", "2026/27", "league")


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("name", "", "required"),
        ("smallest", "7", "7"),
        ("points_list", "7 x", "takes whole numbers"),
        ("ends_on", "2026-01-01", "comes before the first"),
        ("values", "target=5", "Choose the scoring"),
        ("tie_2", "wins", "asked twice"),
        ("best", "3", "not both"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(db, field, value, words):
    _, organiser = a_club()
    more = {"starts_on": "2026-02-01", "tie_1": "wins", "drop": "1" if field == "best" else ""}
    more |= {"points": "places"} if field == "points_list" else {}
    data = {**NEW, **more, field: value}
    answer = log_in(organiser).post(reverse("admin:competitions_competition_add"), data)
    assert words in errors_of(answer)
    assert not Competition.objects.exists()


def test_typed_names_are_entered_known_ones_once_and_unknown_ones_as_new_players(db):
    league = a_league(4, enter=False)
    desk = Desk(league, log_in(league.organiser))
    answer = desk.do("enter", {"typed": "a\nB\n  Nina   Nova \n\nB", "players": [league.player("C").public_id]})
    assert "4 players entered, 1 of them new" in messages_of(answer)
    assert sorted(entry.player.name for entry in desk.row.entries.all()) == ["A", "B", "C", "Nina Nova"]
    assert Player.objects.filter(club=league.club).count() == 5


def test_a_name_that_two_have_is_asked_about_and_nobody_is_entered(db):
    league = a_league(4, enter=False)
    Player.objects.create(club=league.club, name="a")
    desk = Desk(league, log_in(league.organiser))
    assert "several players" in errors_of(desk.send("enter", {"typed": "A\nNina"}))
    assert not desk.row.entries.exists()
    assert not Player.objects.filter(name="Nina").exists()


def test_the_page_leads_through_a_night(desk):
    assert "Round 1 is to be drawn: 8 players take part." in desk.text()
    form = desk.client.get(desk.address("draw", round=1)).context["form"]
    assert len(form["here"].value()) == 8  # everybody is ticked
    desk.do("draw", {"number": 1, "here": form["here"].value(), "variant": 0}, round=1)
    assert "the draw is not published" in desk.text()
    assert "is published" in messages_of(desk.do("publish-draw", {"number": 1}, round=1))
    assert "drawn and published" in desk.text()
    desk.do("open", {"number": 1}, round=1)
    page = desk.text()
    assert "2 of 2 results are missing." in page
    names = ", ".join(desk.league.sessions(1)[0].occupancies.values_list("player__name", flat=True))
    assert f"Table 1: {names}" in page
    for address in re.findall(r'href="(/admin/games/session/\d+/do/result/[^"]+)"', page):
        answer = desk.client.post(address, slip(desk.text(address)))
        assert answer["Location"] == desk.part("round", 1)
    assert "All results of Round 1 are in." in desk.text()
    desk.do("close", {"number": 1}, round=1)
    page = desk.text()
    assert "Round 2 is to be drawn" in page
    assert "The standings after Round 1 are not published." in page
    desk.do("publish", {"number": 1})
    assert "are not published" not in desk.text()
    assert "Standings after Round 1" in desk.text(desk.part("publications"))


def test_a_round_cannot_be_closed_with_results_missing_and_it_says_whose(desk):
    desk.league.open(1)
    answer = desk.send("close", {"number": 1}, round=1)
    assert "results are missing at table 1 (" in errors_of(answer)


def test_who_is_not_here_is_not_drawn(desk):
    here = [player.public_id for player in desk.league.people[:7]]
    desk.do("draw", {"number": 1, "here": here, "variant": 0}, round=1)
    plan = desk.league.state.round(1).plan
    assert desk.league.people[7].pk not in plan.people()


def test_two_change_places_after_the_preview_said_so(desk):
    desk.do("draw", {"number": 1, "here": [p.public_id for p in desk.league.people], "variant": 0}, round=1)
    before = desk.league.state.round(1).plan
    one, other = (Player.objects.get(pk=table[0]) for table in before.tables)
    data = {"number": 1, "one": one.public_id, "other": other.public_id}
    asked = desk.send("swap", data, round=1)
    assert f"{one.name} from table 1 seat 1 to table 2 seat 1" in asked.content.decode()
    assert desk.league.state.round(1).plan == before  # only looked at
    desk.do("swap", data, round=1)
    assert desk.league.state.round(1).plan.tables[0][0] == other.pk


def test_a_whole_round_is_seated_by_hand_as_text(desk):
    desk.do("seat", {"number": 1, "tables": "A; B; C; D\nE; F; G; H"}, round=1)
    names = {player.pk: player.name for player in desk.league.people}
    seated = [[names[player] for player in table] for table in desk.league.state.round(1).plan.tables]
    assert seated == [["A", "B", "C", "D"], ["E", "F", "G", "H"]]
    assert "named twice" in errors_of(desk.send("seat", {"number": 1, "tables": "A; A; C; D"}, round=1))
    assert "nobody called “Zoë”" in errors_of(desk.send("seat", {"number": 1, "tables": "A; Zoë; C"}, round=1))


def test_a_closed_round_is_opened_again(desk):
    desk.league.whole_round(1)
    closing = desk.league.state.round(1).closed_by
    assert "Reopen" in desk.text(desk.part("round", 1))
    answer = desk.do("undo", {"seq": closing, "reason": "A slip was misread"}, seq=closing)
    assert "Undone: Round 1 was closed." in messages_of(answer)
    assert desk.league.state.round(1).status == "open"
    assert not Session.objects.filter(status="closed").exists()


def test_a_competition_is_copied_into_the_next_season(desk):
    answer = desk.do("copy", {"name": "Cup", "season": "2027", "entries": "on"})
    copy = Competition.objects.get(season="2027")
    assert copy.entries.count() == 8
    assert str(copy.pk) in answer.redirect_chain[-1][0]


def test_a_result_leads_back_only_into_the_admin(desk):
    desk.league.open(1)
    session = desk.league.sessions(1)[0]
    here = reverse("admin:games_session_change", args=[session.pk])
    for wanted in (
        "https://evil.example/admin/",
        "//evil.example/admin/",
        "/api/v1/",
        "javascript:alert(1)",
        "/\\evil",
    ):
        address = reverse("admin:games_session_do", args=[session.pk, "result"])
        answer = desk.client.post(f"{address}?next={wanted}", slip(desk.text(address)))
        assert answer["Location"] == here, wanted


def test_the_first_page_says_what_the_competition_waits_for(desk):
    page = desk.text(reverse("admin:index"))
    assert "Round 1 is to be drawn" in page
    desk.league.open(1)
    assert "2 results are missing" in desk.text(reverse("admin:index"))
