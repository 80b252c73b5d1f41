"""The pages of a competition: what is published is for everybody who may see it, what is now for scorers."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from competitions.crosstable import crosstable
from competitions.models import Competition
from competitions.pages import crosstable as crosstable_page
from competitions.pages import listing
from competitions.pages import standings as standings_page
from competitions.services import corrections, drawing, entries, publishing, setup
from games.models import Club, Player, Role, Session, User
from tests.admin.conftest import log_in
from tests.competitions.builders import a_league, by_lot
from tests.competitions.pages.door import Door, text_of
from tests.games.builders import NOW, a_member

pytestmark = pytest.mark.django_db

PAGES = ("competition-page", "competition-crosstable", "competition-rounds", "competition-room", "competition-news")


def publish(door, what="standings", **more):
    publishing.publish(**door.league.about, what=what, **more)


def page_of(door, name, **more):
    return text_of(door.nobody.get(door.at(name, **more)))


def row_of(text, name):
    """The words of a row of the standings, up to the next row's."""
    found = re.search(rf"\S+ {re.escape(name)} (?:you )?Why\? .*?\.", text)
    assert found, f"no row of {name} in {text}"
    return found[0]


# -- who sees them


def test_pages_of_a_public_competition_are_there_for_everybody_and_of_a_clubs_own_for_the_club():
    open_door = Door(public=True)
    open_door.league.whole_round(1)
    publish(open_door)
    player = open_door.league.people[0].public_id
    addresses = [open_door.at(name) for name in PAGES]
    addresses += [open_door.at("competition-round", number=1), open_door.at("competition-player", player=player)]
    for address in addresses:
        assert open_door.statuses(address) == [200] * 5, address
    setup.configure(**open_door.league.about, changes={"public": False}, reason="r")
    for address in addresses:
        assert open_door.statuses(address) == [200, 200, 200, 404, 302], address


def test_standings_of_now_are_for_scorers_and_organisers_and_say_so():
    door = Door(public=True)
    door.league.whole_round(1)
    publish(door)
    corrections.adjust(**door.league.about, player=door.league.player("A").public_id, points=-5000, reason="Late.")
    shown = door.at("competition-page")
    for address in (f"{shown}?show=now", f"{shown}?show=provisional"):
        assert door.statuses(address) == [200, 200, 403, 403, 302]
    published, now = (text_of(door.scorer.get(address)) for address in (shown, f"{shown}?show=now"))
    assert "After round 1; published" in published
    assert "-" not in row_of(published, "A")
    assert "As they are now. Only scorers and organisers see this" in now
    assert "Not ranked" not in now
    assert "with -" in row_of(now, "A")
    assert "Late." in now
    assert "As they are now" not in text_of(door.member.get(shown))


def test_provisional_standings_count_the_tables_that_are_being_played():
    door = Door(deals=2)
    door.league.open(1)
    door.league.play(1)
    now, provisional = (
        text_of(door.organiser.get(door.at("competition-page") + f"?show={show}")) for show in ("now", "provisional")
    )
    assert "Provisional. Tables that are still being played count" in provisional
    assert "1000" not in now
    assert "1000" in provisional


def test_an_earlier_publication_stays_to_be_seen_and_says_that_it_is_one():
    door = Door(public=True)
    door.league.whole_round(1)
    publish(door)
    number = max(door.league.state.publications)
    door.league.whole_round(2)
    publish(door)
    latest = door.nobody.get(door.at("competition-page"))
    assert f'href="?publication={number}"' in latest.content.decode()
    earlier = text_of(door.nobody.get(door.at("competition-page") + f"?publication={number}"))
    assert "These may not be the latest standings. After round 1" in earlier
    assert "Rounds 1 and 2" not in earlier
    assert "Rounds 1 and 2 count" in text_of(latest)


def test_what_is_under_embargo_is_not_on_any_page_until_its_time():
    door = Door(public=True)
    door.league.whole_round(1)
    publish(door, not_before=timezone.now() + timedelta(days=1))
    assert "No standings are published yet" in page_of(door, "competition-page")
    assert "No standings are published yet" in page_of(door, "competition-crosstable")
    assert '"standings"' not in door.nobody.get(door.at("competition-news")).content.decode()
    number = max(door.league.state.publications)
    hidden = door.at("competition-page") + f"?publication={number}"
    assert door.statuses(hidden) == [200, 200, 404, 404, 302]
    assert "Not published: only scorers and organisers see this" in text_of(door.scorer.get(hidden))


# -- standings


def test_every_row_says_why_it_is_where_it_is():
    door = Door(4, public=True, tie_breaks=["wins"])
    door.league.whole_round(1)
    publish(door)
    said = page_of(door, "competition-page")
    assert row_of(said, "B") == "2 B Why? 2nd of 4 with 666."  # and so on, up to the dot of the number
    assert "2nd of 4 with 666.67 points, behind A by points (666.67 to 1000). Round 1 counts: 666.67." in said
    assert "Equal totals are decided by: 1. Wins." in said


def test_whoever_is_logged_in_finds_the_own_row(monkeypatch):
    monkeypatch.setattr(standings_page, "A_PAGE", 3)
    door = Door(8)
    Player.objects.filter(pk=door.league.player("H").pk).update(user=a_member(door.league.club, "hugo", Role.MEMBER))
    hugo = log_in(Player.objects.get(pk=door.league.player("H").pk).user)
    door.league.whole_round(1)
    publish(door)
    first = hugo.get(door.at("competition-page"))
    found = re.search(
        r'You are in place (\d), with .*? points\.\s*<a href="(\?page=\d#player-\w+)">', first.content.decode()
    )
    assert found
    mine = hugo.get(door.at("competition-page") + found[2].partition("#")[0])
    assert f'<tr id="{found[2].partition("#")[2]}" class="own">' in mine.content.decode()
    assert "H you Why?" in text_of(mine)
    assert "You are in place" not in text_of(door.member.get(door.at("competition-page")))
    assert "you" not in row_of(text_of(door.member.get(door.at("competition-page"))), "A")


def test_names_are_found_without_accents_and_many_rows_come_in_pages(monkeypatch):
    monkeypatch.setattr(standings_page, "A_PAGE", 5)
    door = Door(12, public=True)
    Player.objects.filter(pk=door.league.player("K").pk).update(name="Jérôme")
    door.league.whole_round(1)
    publish(door)
    here = door.at("competition-page")
    pages = [door.nobody.get(f"{here}?page={n}") for n in (1, 2, 3)]
    rows = [re.findall(r'<tr id="player-(\w+)"', page.content.decode()) for page in pages]
    assert list(map(len, rows)) == [5, 5, 2]
    assert len({row for some in rows for row in some}) == 12
    assert "Next page" in text_of(pages[0])
    assert "Next page" not in text_of(pages[2])
    found = door.nobody.get(f"{here}?q=JEROME")
    assert re.findall(r'<tr id="player-(\w+)"', found.content.decode()) == [door.league.player("K").public_id]
    assert "Nobody here has “&lt;x&gt;” in their name" in text_of(door.nobody.get(f"{here}?q=%3Cx%3E"))


# -- who met whom


def test_the_crosstable_shows_what_is_counted(monkeypatch):
    door = Door(8, public=True)
    for number in (1, 2, 3):
        door.league.open(number)
        door.league.play(number, by_lot(number))
        door.league.close(number)
    publish(door)
    table = door.league.standings
    counted = crosstable(table)
    content = door.nobody.get(door.at("competition-crosstable")).content.decode()
    lines = re.findall(r"<tr><td class=\"number\">\d+</td>.*?</tr>", content)
    order = [row.entrant for row in table.rows]
    assert len(lines) == 8
    for who, line in zip(order, lines, strict=True):
        cells = [cell.strip() for cell in re.findall(r"<td(?: class=\"self\")?>(.*?)</td>", line)]
        met = [counted[who].get(other) for other in order]
        assert cells == [
            "" if one is None else f"{one.ahead}–{one.behind}" + (f"–{one.level}" if one.level else "") for one in met
        ]
    monkeypatch.setattr(crosstable_page, "A_BLOCK", 3)
    last = door.nobody.get(door.at("competition-crosstable") + "?page=3")
    assert "These are lines 7 to 8 of 8" in text_of(last)
    assert last.content.decode().count('class="self"') == 2


# -- rounds


def test_a_round_shows_its_draw_when_it_is_out_and_results_as_they_come_in():
    door = Door(8, rounds=2)
    drawing.draw(**door.league.about, number=1)
    here = door.at("competition-round", number=1)
    assert "not published yet" in text_of(door.member.get(here))
    assert "not published: only scorers and organisers see it" in text_of(door.scorer.get(here))
    listed = text_of(door.member.get(door.at("competition-rounds")))
    assert "Round 1 Planned Round 2 Planned" in listed
    door.league.open(1)
    drawn = text_of(door.member.get(here))
    assert "Table 1 Not begun" in drawn
    assert "By name A Table" in drawn
    first, _second = door.league.sessions(1)
    door.league.score(first, [0, 1, 2, 3])
    played = text_of(door.member.get(here))
    assert "Table 1 Result in" in played
    assert "place 1 · 0" in played
    assert "Table 2 Not begun" in played
    assert "Round 1 Being played 2 tables published" in text_of(door.member.get(door.at("competition-rounds")))


def test_a_round_names_substitutes_and_who_sits_out():
    door = Door(9, tables={"preferred": 4, "smallest": 4, "largest": 4, "full_only": True})
    stand_in = Player.objects.create(club=door.league.club, name="Zed")
    entries.substitute(
        **door.league.about, player=door.league.player("B").public_id, number=1, by=stand_in.public_id, reason="ill"
    )
    door.league.open(1)
    said = text_of(door.member.get(door.at("competition-round", number=1)))
    assert re.search(r"Zed (for B )?Table|Sitting out: (Zed|B)|Zed for B", said)
    assert "Sitting out:" in said


def test_tables_that_a_reader_may_not_see_are_not_linked_and_have_no_results():
    door = Door(8, public=True)
    door.league.open(1)
    door.league.play(1)
    Session.objects.update(public=False)
    said = page_of(door, "competition-round", number=1)
    assert "Result in" not in said
    assert "place 1" not in said
    assert "Result in" in text_of(door.member.get(door.at("competition-round", number=1)))


# -- a player


def test_a_player_has_results_opponents_form_and_a_season():
    door = Door(8, public=True)
    for number in (1, 2, 3):
        door.league.whole_round(number)
    publish(door)
    one = door.league.player("C")
    content = door.nobody.get(door.at("competition-player", player=one.public_id)).content.decode()
    said = " ".join(re.sub(r"<[^>]*>", " ", content).split())
    counted = crosstable(door.league.standings)[one.pk]
    row = door.league.standings.row(one.pk)
    places = [result.place for line in row.rounds for result in line.results]
    assert "Form " + " ".join(f"{place} of 4" for place in places) in said
    for other, met in counted.items():
        name = next(player.name for player in door.league.people if player.pk == other)
        assert f"{name} {met.times} {met.ahead} {met.level} {met.behind}" in said[said.index("Head to head") :]
    assert content.count("<title>Round ") == 3
    assert content.count("<polyline") == 1
    assert said.count("Round 1") >= 1
    assert re.search(r"After round Place 1 \d 2 \d 3 \d", said)


def test_somebody_who_was_merged_is_found_by_the_old_id_and_a_stranger_is_not():
    door = Door(8, public=True)
    old = Player.objects.create(
        club=door.league.club, name="C again", active=False, merged_into=door.league.player("C")
    )
    stranger = Player.objects.create(club=door.league.club, name="Stranger")
    elsewhere = Player.objects.create(club=Club.objects.create(name="Far", slug="far"), name="Elsewhere")
    door.league.whole_round(1)
    publish(door)
    assert door.member.get(door.at("competition-player", player=old.public_id)).status_code == 200
    for nobody in (stranger.public_id, elsewhere.public_id, "nobody"):
        assert door.organiser.get(door.at("competition-player", player=nobody)).status_code == 404


def test_before_the_first_standings_a_player_of_the_published_draw_has_a_page_with_the_table():
    door = Door(8, public=True)
    here = door.at("competition-player", player=door.league.player("A").public_id)
    drawing.draw(**door.league.about, number=1)
    assert door.nobody.get(here).status_code == 302
    publish(door, "draw", number=1)
    said = text_of(door.nobody.get(here))
    assert re.search(r"Round 1: table [12] with \w, \w, \w", said)
    assert "No standings are published yet" in said


# -- the room


def test_the_room_shows_the_draw_that_is_on_and_the_standings_and_nothing_unpublished():
    door = Door(8, public=True, rounds=2)
    assert "Nothing is published yet" in page_of(door, "competition-room")
    drawing.draw(**door.league.about, number=1)
    assert "Nothing is published yet" in text_of(door.organiser.get(door.at("competition-room")))
    door.league.open(1)
    drawn = page_of(door, "competition-room")
    assert "Round 1: by table Table 1" in drawn
    assert "Round 1: by name A Table" in drawn
    door.league.play(1)
    door.league.close(1)
    publish(door)
    stood = page_of(door, "competition-room")
    assert "by table" not in stood
    assert "Standings after round 1 1 A 1000" in stood
    door.league.open(2)
    both = page_of(door, "competition-room")
    assert both.index("Round 2: by table") < both.index("Round 2: by name") < both.index("Standings after round 1")
    only = text_of(door.nobody.get(door.at("competition-room") + "?show=standings&seconds=5"))
    assert "by table" not in only
    content = door.nobody.get(door.at("competition-room")).content.decode()
    assert '<noscript><meta http-equiv="refresh" content="30"></noscript>' in content


@pytest.mark.parametrize("query", ["show=x", "show=tables,x", "seconds=x", "seconds=2", "seconds=99999", "seconds=-1"])
def test_the_room_says_what_its_address_takes(query):
    door = Door(4, public=True)
    for browser in (door.nobody, door.organiser):
        answer = browser.get(f"{door.at('competition-room')}?{query}")
        assert answer.status_code == 400
        assert "tables, names and standings" in text_of(answer) or "from 3 to 600" in text_of(answer)


def test_news_are_the_numbers_of_what_is_out():
    door = Door(8, public=True)
    news = door.at("competition-news")
    assert door.nobody.get(news).json() == {"version": None}
    door.league.whole_round(1)
    publish(door)
    assert door.nobody.get(news).json() == {"draw": 1, "standings": 2, "version": None}
    assert door.scorer.get(news).json()["version"] > 0


# -- the list


def test_the_list_has_what_is_running_first_and_then_the_newest_and_finds_by_words():
    league = a_league(4, public=True)
    made = {}
    for name in ("Old cup", "Running cup", "New league"):
        made[name] = setup.create_competition(
            caller=league.caller,
            club="river",
            name=name,
            settings={"public": name != "New league"},
            now=NOW,
            door="test",
        ).competition
    Competition.objects.filter(public_id=made["Running cup"]).update(status="running")

    def names(client, query=""):
        content = client.get(f"/competitions/{query}").content.decode()
        return re.findall(r'<th scope="row"><a href="[^"]*">(.*?)</a>', content)

    assert names(Client()) == ["Running cup", "Old cup", "Cup 2026"]
    assert names(log_in(league.organiser)) == ["Running cup", "New league", "Old cup", "Cup 2026"]
    assert names(Client(), "?q=cup+RIVER") == ["Running cup", "Old cup", "Cup 2026"]
    assert names(Client(), "?q=2026") == ["Cup 2026"]
    assert "No competition has “nothing” in its name" in text_of(Client().get("/competitions/?q=nothing"))


def test_a_long_list_comes_in_pages_and_counts_nothing(monkeypatch):
    monkeypatch.setattr(listing, "A_PAGE", 3)
    league = a_league(4, public=True)
    for n in range(6):
        about = {"caller": league.caller, "club": "river", "now": NOW, "door": "test"}
        setup.create_competition(**about, name=f"Cup {n}", settings={"public": True})
    seen = []
    for page in (1, 2, 3):
        with CaptureQueriesContext(connection) as asked:
            content = Client().get(f"/competitions/?page={page}").content.decode()
        assert not [query for query in asked.captured_queries if "COUNT(" in query["sql"]]
        seen.append(re.findall(r'<th scope="row"><a href="[^"]*">(.*?)</a>', content))
    assert list(map(len, seen)) == [3, 3, 1]
    assert "There are no more competitions" in text_of(Client().get("/competitions/?page=9"))


# -- all of them


def grown(rounds, count):
    door = Door(count, public=True)
    for number in range(1, rounds + 1):
        door.league.whole_round(number)
    publish(door)
    door.league.open(rounds + 1)
    return door


def test_pages_cost_as_many_statements_for_many_as_for_few():
    def statements():
        door = doors.pop()
        player = door.league.people[0].public_id
        addresses = [door.at(name) for name in PAGES]
        addresses += [door.at("competition-round", number=1), door.at("competition-player", player=player)]
        addresses += [f"{door.at('competition-page')}?show=now", "/competitions/"]
        found = {}
        for address in addresses:
            door.organiser.get(address)  # what is cached for the process
            with CaptureQueriesContext(connection) as asked:
                assert door.organiser.get(address).status_code == 200, address
            found[address.replace(door.league.public_id, "").replace(player, "")] = len(asked)
        return found

    doors = [grown(1, 8)]
    few = statements()
    Club.objects.filter(slug="river").update(slug="brook", name="Brook")
    Club.objects.filter(slug="other").update(slug="others", name="Others")
    for user in User.objects.all():
        user.username = f"old-{user.username}"
        user.save()
    doors = [grown(4, 24)]
    many = statements()
    assert many == few
    assert max(many.values()) <= 16, many


@pytest.mark.parametrize(
    "query",
    [
        "?page=x",
        "?page=0",
        "?page=99999999999999999999",
        "?q=%00",
        "?show=%00",
        "?publication=99999",
        "?q=" + "x" * 500,
    ],
)
def test_junk_in_an_address_is_no_servers_error(query):
    door = Door(4, public=True)
    door.league.whole_round(1)
    publish(door)
    player = door.league.people[0].public_id
    addresses = ["/competitions/", *(door.at(name) for name in PAGES)]
    addresses += [door.at("competition-player", player=player), door.at("competition-round", number=1)]
    for address in addresses:
        assert door.organiser.get(address + query).status_code in (200, 400, 404), address
    for address in ("rounds/99999999999999999999/", "rounds/0/", "players/" + "x" * 300 + "/"):
        assert door.organiser.get(f"/competitions/{door.league.public_id}/{address}").status_code == 404


def test_names_are_written_as_they_are_and_never_as_markup():
    door = Door(8, public=True)
    Player.objects.filter(pk=door.league.player("A").pk).update(name="<b>A</b>")
    door.league.whole_round(1)
    publish(door)
    door.league.open(2)
    player = door.league.player("A").public_id
    addresses = [door.at(name) for name in PAGES]
    addresses += [door.at("competition-round", number=1), door.at("competition-player", player=player)]
    for address in addresses:
        assert b"<b>A" not in door.nobody.get(address).content, address


def test_pages_and_sheets_say_which_language_they_speak():
    door = Door(8, public=True)
    door.league.whole_round(1)
    publish(door)
    for name in ("competition-page", "print-standings", "competition-room"):
        content = door.nobody.get(door.at(name), headers={"Accept-Language": "ru"}).content.decode()
        assert '<html lang="ru">' in content


def test_times_are_those_of_the_clubs_zone():
    door = Door(4, public=True)
    Club.objects.filter(pk=door.league.club.pk).update(timezone="Pacific/Kiritimati")
    door.league.whole_round(1)
    publish(door)
    row = door.league.row.publications.latest("number")
    row.__class__.objects.filter(pk=row.pk).update(at="2026-12-31T12:00:00Z")
    assert "2027" in page_of(door, "competition-page")
