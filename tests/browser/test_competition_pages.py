"""The pages of a competition in a real browser: from the standings to a player, and the display on the wall."""

import re
from urllib.parse import urlsplit

import pytest
from django.urls import reverse

from competitions.services import publishing
from games.models import Player, Role
from tests.admin.conftest import log_in
from tests.browser.axe import serious
from tests.competitions.builders import a_league, by_lot
from tests.games.builders import a_member

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 360, "height": 740}
PAGES = ("page", "crosstable", "rounds", "room")


@pytest.fixture
def league(live_http):
    league = a_league(16, public=True, rounds=9, tie_breaks=["wins", "fewest-cards-left", "direct-encounter"])
    for number in (1, 2, 3):
        league.open(number)
        league.play(number, by_lot(number))
        league.close(number)
    publishing.publish(**league.about, what="standings")
    return league


@pytest.fixture
def address(league, live_http):
    """The address of one of the league's pages."""

    def address_of(name, **more):
        return live_http.url + reverse(f"competition-{name}", kwargs={"public_id": league.public_id, **more})

    return address_of


def fits(page):
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= page.viewport_size["width"], f"{page.url} is {wide} wide"


def test_from_the_standings_by_why_to_a_player_and_his_season(a_page, address):
    page = a_page()
    page.goto(address("page"))
    row = page.locator("table.standings tbody tr").nth(4)
    row.get_by_text("Why?").click()
    assert re.match(r"\d+\w\w of 16 with .* points", row.locator("details p").first.inner_text())
    name = row.locator("th > a").inner_text()
    row.locator("th > a").click()
    page.get_by_role("heading", name=name, exact=True).wait_for()
    plot = page.get_by_role("img", name="The place after each round")
    assert plot.locator("polyline").count() == 1
    assert plot.locator("circle").count() == 3
    met = page.locator("table.head-to-head tbody tr")
    assert met.count() == len({*page.locator("table.by-round li a").all_inner_texts()})
    page.go_back()
    page.get_by_label("Find a name").fill(name)
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name="Show all").wait_for()
    assert name in page.locator("table.standings tbody th > a").all_inner_texts()


def test_an_open_page_says_when_the_standings_have_changed_and_does_not_jump(a_page, address, league):
    page = a_page()
    page.clock.install()
    page.goto(address("page"))
    note = page.get_by_role("link", name="The standings have changed")
    with page.expect_response(re.compile("/news")):
        page.clock.run_for(31_000)
    assert not note.is_visible()
    publishing.publish(**league.about, what="standings")
    with page.expect_response(re.compile("/news")):
        page.clock.run_for(31_000)
    note.wait_for()
    assert "publication 4" in page.locator(".which").inner_text()
    with page.expect_navigation():
        note.click()
    assert "publication 5" in page.locator(".which").inner_text()
    assert not note.is_visible()


def test_the_own_row_is_marked_and_linked(a_page, address, league, live_http):
    user = a_member(league.club, "hugo", Role.MEMBER)
    Player.objects.filter(pk=league.player("H").pk).update(user=user)
    page = a_page()
    cookie = log_in(user).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_http.url}])
    page.goto(address("page"))
    page.get_by_role("link", name="To your row").click()
    assert urlsplit(page.url).fragment == f"player-{league.player('H').public_id}"
    own = page.locator("tr.own")
    assert own.count() == 1
    assert "H" in own.inner_text()


def test_the_display_turns_by_itself_holds_and_goes_by_keys(a_page, address, league):
    league.open(4)
    page = a_page(viewport={"width": 800, "height": 600})
    page.clock.install()
    page.goto(address("room") + "?seconds=10")
    at = page.locator("#at")
    many = int(at.inner_text().split("/")[1])
    assert many >= 3
    seen = []
    for _ in range(many):
        heading = page.locator("section.on h2")
        assert heading.count() == 1
        seen.append(heading.inner_text())
        page.clock.run_for(10_000)
    assert seen[0].startswith("Round 4")
    assert any("Standings after round 3" in text for text in seen)
    assert at.inner_text().startswith("1 /")
    page.keyboard.press("Space")
    page.clock.run_for(60_000)
    assert at.inner_text().startswith("1 /")
    assert page.get_by_role("button", name="Hold").get_attribute("aria-pressed") == "true"
    page.keyboard.press("ArrowRight")
    assert at.inner_text().startswith("2 /")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert at.inner_text() == f"{many} / {many}"
    assert page.locator("#clock").inner_text() != ""


def test_every_name_comes_by_on_a_small_screen(a_page, address, league):
    league.open(4)
    page = a_page(viewport={"width": 700, "height": 420})
    page.clock.install()
    page.goto(address("room") + "?show=names")
    inside = """() => { const box = document.querySelector('section.on .lines').getBoundingClientRect();
        return [...document.querySelectorAll('section.on .lines .name')].filter((name) => {
            const at = name.getBoundingClientRect();
            return at.left >= box.left - 1 && at.right <= box.right + 1 && at.bottom <= box.bottom + 2;
        }).map((name) => name.textContent); }"""
    names = set()
    for _ in range(int(page.locator("#at").inner_text().split("/")[1])):
        names.update(page.evaluate(inside))
        page.keyboard.press("ArrowRight")
    assert names == {player.name for player in league.people}


def test_the_display_takes_what_is_new_and_keeps_what_it_has_when_the_network_is_cut(a_page, address, league):
    page = a_page(allowed=("ERR_INTERNET_DISCONNECTED",))
    page.clock.install()
    page.goto(address("room"))
    assert "Standings after round 3" in page.locator("h2").all_inner_texts()
    page.context.set_offline(True)
    page.clock.run_for(25_000)
    page.get_by_text("No connection since").wait_for()
    assert page.locator("section.on .lines li").count() == 16
    league.open(4)
    page.context.set_offline(False)
    page.clock.run_for(25_000)
    page.get_by_text("Round 4: by table").wait_for(state="attached")
    page.get_by_text("No connection since").wait_for(state="hidden")


def test_the_display_does_not_grow_over_the_hours(a_page, address):
    page = a_page()
    page.clock.install()
    page.goto(address("room"))
    count = "document.getElementsByTagName('*').length"
    before = page.evaluate(count)
    page.clock.fast_forward("05:00:00")
    page.clock.run_for(30_000)
    assert page.evaluate(count) == before


def test_without_a_script_everything_stands_on_the_display(a_page, address, league):
    league.open(4)
    page = a_page(java_script_enabled=False)
    page.goto(address("room"))
    assert page.locator("section:visible").count() == 3
    page.goto(address("page"))
    page.locator("summary").filter(has_text="Why?").first.click()
    assert "of 16 with" in page.locator("details[open] p").first.inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_are_sound_to_axe_and_fit_a_phone(a_page, address, league, live_http, scheme):
    league.open(4)
    Player.objects.filter(pk=league.player("A").pk).update(name="Wolfeschlegelsteinhausenbergerdorff-Łódź")
    page = a_page(viewport=PHONE, color_scheme=scheme, locale="ru")
    player = league.player("A").public_id
    addresses = [address(name) for name in PAGES] + [f"{live_http.url}/competitions/"]
    addresses += [address("round", number=4), address("round", number=1), address("player", player=player)]
    for one in addresses:
        page.goto(one)
        assert serious(page) == [], one
        fits(page)
