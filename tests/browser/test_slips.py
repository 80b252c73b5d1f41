"""Results entered on phones at the table: with bad connections, by two people, stored exactly once."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from competitions.slips import code_of
from games.models import Deal, Session
from tests.admin.conftest import log_in
from tests.browser.axe import serious
from tests.competitions.builders import League, a_league

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.processes]

PHONE = {"width": 360, "height": 740}
NO_NET = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to load resource")


@pytest.fixture
def night(live_http) -> League:
    league = a_league(4, deals=4, confirm=True)
    league.open(1)
    return league


class Phone:
    """A phone that has opened the code of the table's slip."""

    def __init__(self, page: Page, url: str, session: Session) -> None:
        self.page, self.session = page, session
        page.goto(url + reverse("slip", args=[code_of(session.public_id)]))

    def sit(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()
        expect(self.page.get_by_text(f"You are {name}.")).to_be_visible()

    def fill(self, number: int, *left: str, dealer: str = "") -> None:
        form = self.page.locator(f"#deal-{number} form.entry")
        if dealer:
            form.get_by_label("Dealer").select_option(label=dealer)
        for seat, count in enumerate(left):
            form.locator(f"[name=left_{seat}]").fill(count)

    def save(self, number: int) -> None:
        self.page.get_by_role("button", name=f"Save deal {number}").click()

    def says(self, words: str) -> None:
        expect(self.page.locator("#main")).to_contain_text(words)


def at_table(session: Session) -> list[str]:
    return [item.player.name for item in session.occupancies.order_by("seat").select_related("player")]


def takes(session: Session) -> list[tuple[int, int]]:
    return list(Deal.objects.filter(session=session).order_by("ordinal").values_list("number", "take"))


def test_what_is_entered_without_a_connection_is_stored_once_and_confirmed_by_another_phone(a_page, live_http, night):
    session = night.sessions(1)[0]
    names = at_table(session)
    page = a_page(viewport=PHONE, allowed=NO_NET)
    phone = Phone(page, live_http.url, session)
    assert serious(page) == []
    phone.sit(names[0])
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    # What cannot be is said at once; nothing is sent.
    phone.fill(1, "0", "14", "0", "3", dealer=names[3])
    phone.save(1)
    phone.says("Only one player can have 0 cards left.")
    phone.says("At most 13: that many were dealt.")
    assert takes(session) == []
    assert serious(page) == []
    phone.fill(1, "0", "12", "2", "3")
    expect(page.get_by_text("Only one player can have 0 cards left.")).to_have_count(0)
    page.locator("#deal-1 [name=left_1] + button").click()
    phone.save(1)
    phone.says("Deal 1 is saved.")
    assert serious(page) == []
    assert Deal.objects.get(session=session).result["cards_left"] == [0, 13, 2, 3]

    # Two deals without a connection, and the page is closed and opened again meanwhile.
    page.wait_for_function("() => caches.match(location.pathname).then(Boolean)")
    page.context.set_offline(True)
    phone.fill(2, "3", "0", "2", "3")
    phone.save(2)
    phone.says("Deal 2 is kept on this phone. It is sent as soon as there is a connection.")
    phone.fill(3, "3", "4", "2", "")
    page.locator("#deal-3 fieldset").nth(3).get_by_role("button", name="won").click()
    phone.save(3)
    assert serious(page) == []
    page.close()
    page = page.context.new_page()
    phone = Phone(page, live_http.url, session)
    phone.says("Deal 2 is kept on this phone.")
    phone.says("Deal 3 is kept on this phone.")
    assert takes(session) == [(1, 1)]
    phone.fill(4, "7")
    page.context.set_offline(False)
    phone.says("Deal 3 is saved.")
    expect(page.locator("#deal-4 [name=left_0]")).to_have_value("7")
    expect(page.locator("#outbox")).to_be_empty()
    assert takes(session) == [(1, 1), (2, 1), (3, 1)]
    # The dealer moved on, though nobody asked the server.
    assert list(Deal.objects.order_by("number").values_list("dealer", flat=True)) == [3, 0, 1]

    # Another person, another phone.
    other = Phone(a_page(viewport=PHONE, allowed=("status of 409",)), live_http.url, session)
    other.sit(names[1])
    other.page.locator("#deal-1").get_by_role("button", name="That is right").click()
    other.says("Deal 1 is confirmed.")
    deal = other.page.locator("#deal-2")
    deal.get_by_text("Something else").click()
    other.fill(2, "3", "0", "2", "4")
    deal.get_by_role("button", name="Save deal 2").click()
    other.says("Deal 2 is saved.")
    expect(deal).to_contain_text(f"Before that, {names[0]} entered:")
    assert serious(other.page) == []
    assert takes(session)[-1] == (2, 2)

    # The organiser sees who said what.
    answer = log_in(night.organiser).get(reverse("admin:games_session_change", args=[session.pk]))
    assert f"entered by seat 1 ({names[0]}), at the table" in answer.content.decode()


def test_an_answer_that_gets_lost_on_its_way_stores_nothing_twice(a_page, live_http, night):
    session = night.sessions(1)[0]
    names = at_table(session)
    page = a_page(viewport=PHONE, service_workers="block", allowed=(*NO_NET, "blocked by Playwright"))
    phone = Phone(page, live_http.url, session)
    phone.sit(names[2])
    lost: list[int] = []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and len(lost) < 2:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.fallback()

    page.route(re.compile("/r/"), lose)
    phone.fill(1, "0", "1", "2", "3", dealer=names[0])
    phone.save(1)
    phone.says("Deal 1 is kept on this phone.")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    phone.says("Deal 1 is saved.")
    assert len(lost) == 2
    assert takes(session) == [(1, 1)]
    expect(page.locator("#outbox")).to_be_empty()


def test_a_refusal_shows_both_results_and_what_was_typed(a_page, live_http, night):
    session = night.sessions(1)[0]
    names = at_table(session)
    page = a_page(viewport=PHONE, allowed=("status of 409",))
    phone = Phone(page, live_http.url, session)
    phone.sit(names[1])
    night.score(session, [0, 1, 2, 3])
    phone.fill(1, "0", "1", "2", "4", dealer=names[0])
    phone.save(1)
    phone.says("Somebody entered this deal meanwhile, and otherwise. You entered:")
    phone.says("Ask a scorer which is right.")
    expect(page.locator("#outbox")).to_be_empty()
    assert serious(page) == []
    page.get_by_role("button", name="That is right").click()
    phone.says("Deal 1 is confirmed.")
    assert takes(session) == [(1, 1)]


def test_a_page_shows_by_itself_what_another_phone_entered_unless_something_is_being_typed(a_page, live_http, night):
    session = night.sessions(1)[0]
    names = at_table(session)
    first, second = (Phone(a_page(viewport=PHONE), live_http.url, session) for _ in range(2))
    first.sit(names[0])
    second.sit(names[1])
    first.fill(1, "0", "1", "2", "3", dealer=names[0])
    first.save(1)
    first.says("Deal 1 is saved.")
    second.page.clock.install()
    second.page.reload()
    second.page.get_by_role("button", name="That is right").click()
    second.says("Deal 1 is confirmed.")
    first.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    first.says(f"Confirmed by {names[1]}.")

    second.fill(2, "4")
    first.fill(2, "0", "1", "2", "3")
    first.save(2)
    first.says("Deal 2 is saved.")
    second.page.clock.run_for(20_000)
    expect(second.page.locator("#deal-2 [name=left_0]")).to_have_value("4")
    second.fill(2, "")
    second.page.locator("#deal-2 [name=left_0]").blur()
    second.page.clock.run_for(20_000)
    second.says("That is right")


def test_the_page_works_without_a_script(a_page, live_http, night):
    session = night.sessions(1)[0]
    names = at_table(session)
    phone = Phone(a_page(viewport=PHONE, java_script_enabled=False), live_http.url, session)
    phone.sit(names[3])
    phone.fill(1, "0", "1", "2", "3", dealer=names[0])
    phone.save(1)
    phone.says("Deal 1 is saved.")
    assert takes(session) == [(1, 1)]
