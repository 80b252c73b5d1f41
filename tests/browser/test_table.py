"""A person at a table plays from its page, by mouse and keyboard, through reloads and cuts; others watch."""

import re

import pytest
from playwright.sync_api import Page, expect

from games import eventlog
from games.models import Deal as DealRow
from tests.browser.axe import serious
from tests.games.builders import a_table
from tests.pages.browsers import Browser
from tests.servers import StreamServer

pytestmark = [
    pytest.mark.browser,
    pytest.mark.processes,
    pytest.mark.timeout(280),
    pytest.mark.django_db(transaction=True),
]
PHONE = {"width": 360, "height": 740}
NETWORK = ("ERR_INTERNET_DISCONNECTED", "Failed to load resource")
"""What the console says of a network that a test takes away."""


@pytest.fixture(scope="module")
def _stream_server(django_db_setup):
    server = StreamServer(STREAM_HEARTBEAT_SECONDS="1")
    server.wait_until_ready()
    yield server
    server.stop()


@pytest.fixture
def site(transactional_db, redis_url, _stream_server) -> StreamServer:
    """The processes of `dev.py run`: one serves pages and streams."""
    return _stream_server


def log_in(page: Page, site, user) -> None:
    cookies = Browser(site, user).cookies
    page.context.add_cookies([{"name": "sessionid", "value": cookies["sessionid"], "url": site.url}])


def the_actions(session: str) -> list[tuple[int, str]]:
    """What the log has of the session's latest deal: seat and action."""
    row = DealRow.objects.filter(session__public_id=session).latest("number")
    return [(item.seat, item.action) for item in eventlog.actions(row.session_id, row)]


class Person:
    """Whoever sits before a page: plays the first card that fits, else passes."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.played = 0

    @property
    def fitting(self):
        return self.page.locator(".held .fits")

    @property
    def over(self) -> bool:
        return self.page.locator("#next button, form[action='/play'] button").count() > 0

    def wait_for_turn(self) -> bool:
        """False where the deal is over."""
        self.page.wait_for_function(
            "() => document.querySelector('.held .fits, .pass:not([hidden])')"
            " || document.querySelector(\"#next button, form[action='/play'] button\")"
        )
        return not self.over

    def act(self, how: str) -> None:
        """One action, done and taken by the server."""
        before = self.page.evaluate("document.querySelectorAll('.held button').length")
        passing = self.fitting.count() == 0
        if how == "mouse":
            (self.page.locator(".pass") if passing else self.fitting.first).click()
        elif passing:
            self.page.keyboard.press("p")
        else:
            self.fitting.first.focus()
            self.page.keyboard.press("Enter")
        self.played += 1
        if passing:
            expect(self.page.locator(".pass:visible")).to_have_count(0)
        else:
            self.page.wait_for_function(f"() => document.querySelectorAll('.held button').length < {before}")


def test_a_person_plays_a_whole_deal_against_bots_through_a_reload_and_a_cut(a_page, site, celery_worker_process):
    celery_worker_process(beat=True)
    page: Page = a_page(allowed=NETWORK)
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/sessions/**")
    session = page.url.rstrip("/").rsplit("/", 1)[1]
    watcher: Page = a_page(allowed=NETWORK)
    watcher.goto(page.url)
    assert serious(page) == []
    person, how = Person(page), ["mouse", "keyboard"]
    while person.wait_for_turn():
        if person.played == 3:
            page.reload()
            person.wait_for_turn()
        if person.played == 5 and person.fitting.count():
            cut_in_the_middle(page, person)
            continue
        person.act(how[person.played % 2])
    mine = [action for seat, action in the_actions(session) if seat == 0]
    assert len(mine) == person.played
    expect(watcher.locator("#turn")).to_have_text(page.locator("#turn").inner_text())
    expect(watcher.locator(".log li").last).to_contain_text("wins the deal")
    assert watcher.locator(".held").count() == 0
    assert serious(watcher) == []
    page.get_by_role("button", name="Deal the next deal").click()
    expect(page.locator(".held button").first).to_be_visible()
    expect(watcher.locator(".state")).to_contain_text("Deal 2")


def cut_in_the_middle(page: Page, person: Person) -> None:
    """The answer to an action is lost, and the network with it; when it is back, the action was done once."""
    held = page.locator(".held button").count()
    page.route("**/actions", lambda route: (route.fetch(), route.abort("internetdisconnected")), times=1)
    page.context.set_offline(True)
    page.context.set_offline(False)
    person.fitting.first.dblclick()
    person.played += 1
    page.context.set_offline(True)
    expect(page.locator("#notice")).to_contain_text("No connection")
    expect(page.locator("#connection")).to_contain_text("The connection is gone")
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_contain_text("The connection is back")
    expect(page.locator(".held button")).to_have_count(held - 1)


def test_what_was_done_without_a_network_is_sent_after_a_reload(a_page, site):
    table = a_table(4, people=4)
    table.deal(1)
    seat = table.row.to_act
    page: Page = a_page(allowed=NETWORK)
    log_in(page, site, table.players[seat].user)
    page.goto(f"{site.url}/sessions/{table.session}/")
    page.route("**/actions", lambda route: route.abort("internetdisconnected"))
    fitting = page.locator(".held .fits, .pass:not([hidden])").first
    fitting.click()
    expect(page.locator("#notice")).to_contain_text("No connection")
    assert the_actions(table.session) == []
    page.unroute("**/actions")
    page.reload()
    expect(page.locator("#turn")).to_have_text(f"{'ABCD'[(seat + 1) % 4]} is to play.")
    assert len(the_actions(table.session)) == 1


def test_a_card_that_does_not_fit_and_a_turn_of_somebody_else_are_told(a_page, site):
    table = a_table(4, people=4, settings={"turn_seconds": 90, "stand_in": "follow"})
    table.deal(1)
    seat = table.row.to_act
    page: Page = a_page()
    log_in(page, site, table.players[seat].user)
    page.goto(f"{site.url}/sessions/{table.session}/")
    expect(page.locator("#clock")).to_contain_text(re.compile(r"Time left|Thinking for|^$"))
    page.locator(".held button[aria-disabled]").first.click(force=True)
    expect(page.locator("#notice")).to_contain_text("does not fit now.")
    page.locator(".held .fits, .pass:not([hidden])").first.click()
    expect(page.locator("#turn")).to_have_text(f"{'ABCD'[(seat + 1) % 4]} is to play.")
    page.locator(".held button").first.click(force=True)
    expect(page.locator("#notice")).to_contain_text("It is not your turn.")
    assert len(the_actions(table.session)) == 1


def test_the_arrows_move_over_the_hand(a_page, site):
    table = a_table(4, people=4)
    table.deal(1)
    page: Page = a_page(viewport=PHONE)
    log_in(page, site, table.players[0].user)
    page.goto(f"{site.url}/sessions/{table.session}/")
    cards = page.locator(".held button")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".held button[tabindex='0']")).to_be_focused()
    page.keyboard.press("Home")
    expect(cards.first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(cards.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(cards.last).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(cards.nth(11)).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    expect(cards.last).to_be_focused()
    page.locator("header a").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("header a").first).to_be_focused()
    expect(page.locator(".keys")).to_be_hidden()
    assert page.locator(".held button[tabindex='0']").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert serious(page) == []
    box = cards.first.bounding_box()
    assert box["width"] >= 43.9
    assert box["height"] >= 44


def test_a_pass_with_a_card_that_fits_is_asked_about_once(a_page, site):
    table = a_table(4, people=4, rules={"profile": "pagat", "wrongful_pass": "fined"})
    table.deal(1)
    while True:
        view = table.position().deal
        if view.hands[view.to_act] & view.open:
            break
        table.step()
    seat, before = table.row.to_act, len(the_actions(table.session))
    page: Page = a_page()
    log_in(page, site, table.players[seat].user)
    page.goto(f"{site.url}/sessions/{table.session}/")
    page.keyboard.press("p")
    expect(page.locator("#notice")).to_contain_text("press again")
    assert len(the_actions(table.session)) == before
    page.keyboard.press("p")
    expect(page.locator(".held .back").first).to_be_visible()
    assert len(the_actions(table.session)) == before + 1
    page.locator(".held .back").first.click()
    expect(page.locator("#log li").last).to_contain_text("takes the pass back")


def test_a_server_that_keeps_no_stream_open_serves_the_page_too(a_page, live_http):
    table = a_table(4, people=4, settings={"public": True})
    table.deal(1)
    page: Page = a_page()
    page.goto(f"{live_http.url}/sessions/{table.session}/")
    for _ in range(3):
        table.step()
    expect(page.locator(".log li")).to_have_count(3, timeout=30_000)
    expect(page.locator("#connection")).to_have_text("")


def test_it_works_without_a_script(chromium, site):
    table = a_table(4, people=4)
    table.deal(1)
    seat = table.row.to_act
    context = chromium.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    log_in(page, site, table.players[seat].user)
    page.goto(f"{site.url}/sessions/{table.session}/")
    page.locator(".held .fits, .pass:not([hidden])").first.click()
    expect(page.locator("#turn")).to_have_text(f"{'ABCD'[(seat + 1) % 4]} is to play.")
    assert len(the_actions(table.session)) == 1
    context.close()


def test_logging_out_elsewhere_ends_what_the_page_is_told(a_page, site):
    table = a_table(4, people=4)
    table.deal(1)
    page: Page = a_page(allowed=("401",))
    browser = Browser(site, table.players[0].user)
    page.context.add_cookies([{"name": "sessionid", "value": browser.cookies["sessionid"], "url": site.url}])
    with page.expect_response("**/stream?*"):
        page.goto(f"{site.url}/sessions/{table.session}/")
    browser.log_out_elsewhere()
    expect(page.locator("#connection")).to_contain_text("You are logged out")
