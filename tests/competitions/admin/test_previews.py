"""Every correction is shown before it is made, and says afterwards what it changed."""

import pytest
from django.urls import reverse

from competitions.services import drawing
from games.models import Player
from games.services import corrections as correct
from tests.admin.conftest import log_in
from tests.competitions.admin.conftest import Desk, carried, errors_of, messages_of
from tests.competitions.builders import a_league
from tests.games.builders import NOW

pytestmark = pytest.mark.django_db


def shown(answer) -> str:
    """The preview on a page."""
    assert answer.status_code == 200
    form = answer.context["form"]
    assert form.shown is not None
    return " ".join(line for part in form.shown for line in part.sentences)


@pytest.fixture
def played(desk) -> Desk:
    desk.league.whole_round(1)
    return desk


def test_points_are_adjusted_once_it_was_seen_whom_that_moves(played):
    first = played.league.standings.rows[0].entrant
    player = Player.objects.get(pk=first)
    data = {"player": player.public_id, "points": "−600,5", "reason": "Came late"}
    asked = played.send("adjust", data)
    assert f"{player.name}: 1st → " in shown(asked)
    assert "1000 → 399.50 points" in shown(asked)
    assert not played.league.state.adjustments
    answer = played.send("adjust", {**data, **carried(asked)})
    assert "The points are adjusted." in messages_of(answer)
    assert "399.50 points" in messages_of(answer)
    assert played.league.standings.row(first).total == 1000 - 600.5


def test_what_is_changed_after_the_preview_is_shown_again(played):
    player = played.league.people[0].public_id
    data = {"player": player, "points": "5", "reason": "x"}
    asked = played.send("adjust", data)
    again = played.send("adjust", {**data, "points": "6", **carried(asked)})
    assert shown(again)
    assert not played.league.state.adjustments


def test_an_adjustment_without_a_reason_is_refused_at_its_field(played):
    data = {"player": played.league.people[0].public_id, "points": "5", "reason": ""}
    assert "required" in errors_of(played.send("adjust", data))


def test_undoing_shows_what_comes_back_and_the_log_leads_to_what_it_changed(played):
    player = played.league.people[0]
    played.do("adjust", {"player": player.public_id, "points": "-3000", "reason": "x"})
    seq = played.row.seq
    assert "-3000" in played.text(played.part("event", seq)) or "−3000" in played.text(played.part("event", seq))
    assert "points" in shown(played.send("undo", {"seq": seq, "reason": "Was wrong"}))
    answer = played.do("undo", {"seq": seq, "reason": "Was wrong"})
    assert "Undone: −3000 points for A." in messages_of(answer)
    assert f"{player.name}: " in played.text(played.part("event", played.row.seq))


def test_before_anything_is_drawn_players_come_and_go_without_being_asked_twice(desk):
    answer = desk.send("enter", {"typed": "Nina"})
    assert "1 player entered" in messages_of(answer)


def test_who_withdraws_from_a_drawn_round_is_gone_once_it_was_seen_who_moves(desk):
    drawing.draw(**desk.league.about, number=1)
    before = desk.league.state.round(1).plan
    data = {"player": desk.league.people[0].public_id}
    asked = desk.send("withdraw", data)
    assert "Round 1: A leaves" in shown(asked)
    assert desk.league.state.round(1).plan == before
    desk.send("withdraw", {**data, **carried(asked)})
    assert desk.league.people[0].pk not in desk.league.state.round(1).plan.people()


def test_a_late_joiner_is_seated_once_it_was_seen_who_moves(desk):
    drawing.draw(**desk.league.about, number=1)
    asked = desk.send("enter", {"typed": "Nina"})
    assert "Round 1: Nina joins" in shown(asked)
    assert not Player.objects.filter(name="Nina").exists()
    desk.do("enter", {"typed": "Nina"})
    assert Player.objects.get(name="Nina").pk in desk.league.state.round(1).plan.people()


def test_a_substitute_sits_with_the_credit_that_was_chosen(desk):
    other = Player.objects.create(club=desk.league.club, name="Sub")
    data = {
        "player": desk.league.people[0].public_id,
        "by": other.pk,
        "number": 1,
        "credit": "substitute",
        "reason": "Ill",
    }
    answer = desk.do("substitute", data)
    assert "Sub sits for A in Round 1." in messages_of(answer)
    (found,) = desk.league.state.substitutes(1)
    assert (found.substitute, found.credit) == (other.pk, "substitute")
    assert "substitution_cycle" not in errors_of(desk.send("substitute", {**data, "by": desk.league.people[0].pk}))


def test_settings_that_move_places_are_shown_first_and_need_a_reason_once_a_round_is_closed(played):
    form = played.client.get(played.address("settings")).context["form"]
    data = {name: form[name].value() for name in form.fields}
    data = {name: value for name, value in data.items() if value not in (None, False)}
    changed = {**data, "points": "places", "points_list": "7 5 3 1 0"}
    assert "reason" in errors_of(played.send("settings", changed)).lower()
    asked = played.send("settings", {**changed, "reason": "As agreed"})
    assert "1000 → 7 points" in shown(asked)
    played.send("settings", {**changed, "reason": "As agreed", **carried(asked)})
    assert played.league.state.settings_json["points"] == {"places": [7, 5, 3, 1, 0]}


def test_saving_settings_as_they_are_changes_nothing(desk):
    form = desk.client.get(desk.address("settings")).context["form"]
    data = {name: form[name].value() for name in form.fields}
    data = {name: value for name, value in data.items() if value not in (None, False)}
    seq = desk.row.seq
    assert "Nothing was changed." in messages_of(desk.send("settings", data))
    assert desk.row.seq == seq


def test_a_round_has_settings_of_its_own_and_follows_the_competition_in_the_rest(desk):
    form = desk.client.get(desk.address("round-settings", round=2)).context["form"]
    data = {name: form[name].value() for name in form.fields}
    data = {name: value for name, value in data.items() if value not in (None, False)}
    desk.do("round-settings", {**data, "deals": 3}, round=2)
    assert desk.league.state.round(2).overrides == {"deals": 3}
    desk.do("round-settings", {**data, "deals": 1, "once": "another"}, round=2)
    assert desk.league.state.round(2).overrides == {}


def test_a_tie_across_the_cut_of_a_knockout_is_asked_and_decided(db):
    league = a_league(8, format="knockout", best=1, tables={"preferred": 4, "smallest": 3, "largest": 5})
    desk = Desk(league, log_in(league.organiser))
    league.open(1)
    one, other = league.sessions(1)
    league.score(one, [0, 3, 3, 5])
    league.score(other, [0, 1, 2, 3])
    league.close(1)
    page = desk.text()
    assert "Table 1: 2 players share place 2, and 1 of them goes on" in page
    assert "is to be drawn" not in page
    equal = list(one.occupancies.order_by("seat").values_list("player__public_id", "player__name"))[1:3]
    data = {"number": 1, "table": 1, "players": [equal[1][0]], "reason": "Won the extra deal"}
    offered = desk.client.get(desk.address("decide", round=1, table=1)).context["form"].fields["players"].choices
    assert sorted(name for _, name in offered) == sorted(name for _, name in equal)
    both = {**data, "players": [public_id for public_id, _ in equal]}
    assert "Choose 1 of them." in errors_of(desk.send("decide", both, round=1, table=1))
    assert f"{equal[1][1]} plays the next round" in shown(desk.send("decide", data, round=1, table=1))
    desk.do("decide", data, round=1, table=1)
    assert "Round 2 is to be drawn: 4 players take part." in desk.text()
    names = [name for _, name in desk.client.get(desk.address("draw", round=2)).context["form"].fields["here"].choices]
    assert equal[1][1] in names
    assert equal[0][1] not in names


def test_a_list_filtered_by_season_is_found(desk):
    page = desk.text(reverse("admin:competitions_competition_changelist") + "?season=2026")
    assert "Cup 2026" in page
    assert "Cup 2026" not in desk.text(reverse("admin:competitions_competition_changelist") + "?season=2031")


def test_standings_are_published_with_an_embargo_in_the_clubs_own_time(played):
    club = played.league.club
    club.timezone = "Europe/Warsaw"
    club.save()
    played.do("publish", {"number": 1, "not_before": "2099-07-01T20:00"})
    (found,) = [item for item in played.league.state.publications.values() if item.what == "standings"]
    assert found.not_before.isoformat() == "2099-07-01T20:00:00+02:00"
    page = played.text(played.part("publications"))
    assert "embargo" in page
    assert "1 Jul 2099, 20:00" in page
    played.do("unpublish", {"number": found.number, "reason": "Too early"}, number=found.number)
    assert "taken back" in played.text(played.part("publications"))


def test_a_publication_says_what_changed_since_the_one_before(played):
    played.do("publish", {"number": 1})
    player = played.league.people[3]
    played.do("adjust", {"player": player.public_id, "points": "5000", "reason": "x"})
    assert "Something was corrected since the standings were published." in played.text()
    assert f"{player.name}: " in played.text(played.part("standings"))
    played.do("publish", {"number": 1})
    last = max(played.league.state.publications)
    assert "5000" in played.text(played.part("publication", last))


def test_publications_say_which_is_current_and_what_replaced_an_older_one(played):
    for _ in range(2):
        played.do("publish", {"number": 1})
    draw, older, newer = sorted(played.league.state.publications)
    lines = played.client.get(played.part("publications")).context["lines"]
    assert [line["number"] for line in lines if line["current"]] == [newer, draw]
    assert [line["number"] for line in lines if line["replaced_by"]] == [older]
    page = played.text(played.part("publication", older))
    assert f'<a href="{played.part("publication", newer)}">Replaced by publication {newer}.</a>' in page
    assert f"?publication={older}" in page
    assert "Replaced by" not in played.text(played.part("publication", newer))
    played.do("unpublish", {"number": newer, "reason": "Too early"}, number=newer)
    assert "Replaced by" not in played.text(played.part("publication", older))


def test_a_table_leads_back_to_its_round_and_the_log_names_it(played):
    session = played.league.sessions(1)[1]
    page = played.text(reverse("admin:games_session_change", args=[session.pk]))
    assert f'href="{played.part("round", 1)}">‹ Table 2 of Round 1 of Cup 2026</a>' in page
    correct.adjust(
        caller=played.league.caller,
        session=session.public_id,
        seat=0,
        points=5,
        reason="Miscounted",
        now=NOW,
        door="test",
    )
    assert "Round 1: table 2 was corrected." in played.text()


def test_among_many_entrants_one_is_searched_for(desk, monkeypatch):
    monkeypatch.setattr("competitions.admin.forms.fields.MOST_CHOICES", 3)
    player = desk.league.people[0]
    page = desk.text(desk.address("withdraw", player=player.public_id))
    assert f'<option value="{player.pk}" selected>' in page
    desk.do("withdraw", {"player": player.pk})
    assert desk.league.state.entries[player.pk].withdrawn == 1
    stranger = Player.objects.create(club=desk.league.club, name="Stranger")
    assert "valid choice" in errors_of(desk.send("withdraw", {"player": stranger.pk}))
