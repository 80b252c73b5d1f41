"""The admin in a real browser: nothing that the content policy refuses, nothing that keeps somebody out, no page wider
than a phone, in light and dark; and the first page, which keeps itself up to date."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from competitions.admin.competitions import FORMS
from competitions.services import publishing
from games.admin.sessions import ACTIONS
from games.models import Membership, Role, User
from games.services import recording, sessions
from games.services.members import settle_staff
from games.services.recording import PaperResult
from tests.browser.axe import serious
from tests.competitions.builders import League, a_league
from tests.games.builders import Table, a_table
from tests.servers import WebServer

pytestmark = [
    pytest.mark.browser,
    pytest.mark.processes,
    pytest.mark.timeout(900),
    pytest.mark.django_db(transaction=True),
]

PHONE = {"width": 360, "height": 740}


def enter(table: Table, number: int) -> None:
    recording.record_deal(
        caller=table.caller, session=table.session, number=number, dealer=0 if number == 1 else None,
        result=PaperResult([0, 1, 2, 3]), now=timezone.now(), door="test",
    )  # fmt: skip


@pytest.fixture
def table(live_http: WebServer) -> Table:
    """A session with two deals, of which one waits for a second person."""
    table = a_table(4, people=4, settings={"confirm": True})
    enter(table, 1)
    enter(table, 2)
    return table


@pytest.fixture
def league(table: Table) -> League:
    """A competition of the same organiser with a round that is closed and published, and one being played."""
    league = a_league(8, rounds=3, name="hill")
    Membership.objects.create(user=table.organiser, club=league.club, role=Role.ORGANISER)
    league.whole_round(1)
    publishing.publish(**league.about, what="standings")
    league.open(2)
    return league


def pages(table: Table, league: League) -> Iterator[str]:
    """Every page of the admin about what there is, each form among them."""
    objects: dict[str, Any] = {
        "session": table.row.pk,
        "player": table.players[0].pk,
        "deal": table.row.deals.first().pk,
        "membership": Membership.objects.first().pk,
        "club": table.club.pk,
        "competition": league.row.pk,
    }
    yield reverse("admin:index")
    yield reverse("admin:password_change")
    for model, model_admin in admin.site._registry.items():
        name, app = model._meta.model_name, model._meta.app_label
        if name == "user":  # for superusers alone
            continue
        yield reverse(f"admin:{app}_{name}_changelist")
        if name not in ("deal", "importjob", "club"):
            yield reverse(f"admin:{app}_{name}_add")
        if name in objects and model_admin:
            yield reverse(f"admin:{app}_{name}_change", args=[objects[name]])
    yield reverse("admin:games_session_import")
    for form in ACTIONS:
        yield reverse("admin:games_session_do", args=[table.row.pk, form.slug])
    row = league.row
    for part in ("entries", "standings", "publications", "files"):
        yield reverse(f"admin:competitions_competition_{part}", args=[row.pk])
    for part, number in (("round", 1), ("round", 2), ("publication", 1)):
        yield reverse(f"admin:competitions_competition_{part}", args=[row.pk, number])
    for form in FORMS:
        address = reverse("admin:competitions_competition_do", args=[row.pk, form.slug])
        yield f"{address}?round=2&table=1&number=1&seq=9"


def log_in(page: Page, url: str, user: User) -> Page:
    settle_staff(user)
    page.goto(f"{url}/admin/login/?next=/admin/")
    page.fill("#id_username", user.username)
    page.fill("#id_password", "correct horse battery")
    page.locator("#login-form [type=submit]").click()
    page.wait_for_url("**/admin/")
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_can_be_used_by_everybody_and_fits_a_phone(
    live_http: WebServer, a_page: Callable[..., Page], table: Table, league: League, scheme: str
) -> None:
    page = log_in(a_page(viewport=PHONE, color_scheme=scheme), live_http.url, table.organiser)
    faults: list[str] = []
    for address in pages(table, league):
        answer = page.goto(live_http.url + address)
        assert answer is not None
        assert answer.status == 200, address
        if (width := page.evaluate("document.documentElement.scrollWidth")) > PHONE["width"]:
            faults.append(f"{address} is {width} wide")
        faults += [f"{address} {fault}" for fault in serious(page)]
    assert faults == []


def test_the_admins_own_switch_between_light_and_dark_changes_its_colours(
    live_http: WebServer, a_page: Callable[..., Page], table: Table
) -> None:
    page = log_in(a_page(color_scheme="light"), live_http.url, table.organiser)

    def ground() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light = ground()
    assert light == "rgb(255, 255, 255)"
    page.locator(".theme-toggle").click()  # from what the browser wants to the other
    assert ground() != light
    page.reload()
    assert ground() != light


def test_the_admin_speaks_the_language_that_is_chosen_and_comes_back_to_where_it_was(
    live_http: WebServer, a_page: Callable[..., Page], table: Table
) -> None:
    page = log_in(a_page(), live_http.url, table.organiser)
    page.goto(f"{live_http.url}/admin/games/player/")
    page.locator(".languages summary").click()
    page.get_by_role("button", name="Français").click()
    page.wait_for_url("**/admin/games/player/")
    assert page.locator("html").get_attribute("lang") == "fr"


def test_the_first_page_shows_what_changed_without_taking_the_focus_away(
    live_http: WebServer, a_page: Callable[..., Page], table: Table
) -> None:
    page = log_in(a_page(viewport=PHONE), live_http.url, table.organiser)
    expect(page.locator("#summary")).to_have_text("One thing needs you")
    here = reverse("admin:games_session_change", args=[table.row.pk])
    page.locator(f'#now a[href="{here}"]').first.focus()
    players = {seat: player.public_id for seat, player in enumerate(table.players)}
    stuck = sessions.open_session(
        caller=table.caller, club="river", label="stuck", players=players, now=timezone.now(), door="test"
    )
    table.session = stuck.session
    table.deal(1, now=timezone.now() - timedelta(minutes=30))
    look = "document.dispatchEvent(new Event('visibilitychange'))"  # as when the phone is taken out of the pocket
    page.evaluate(look)
    expect(page.locator("#summary")).to_have_text("2 things need you")
    expect(page.locator("#said")).to_have_text("2 things need you")
    assert page.evaluate("document.activeElement.getAttribute('href')") == here
    page.evaluate("document.querySelector('#needs').id = 'same'")
    with page.expect_response(re.compile("/admin/now/")) as answer:
        page.evaluate(look)
    assert answer.value.status == 304
    assert page.locator("#same").count() == 1  # nothing changed: nothing was touched


def test_the_first_page_says_that_there_is_no_connection(
    live_http: WebServer, a_page: Callable[..., Page], table: Table
) -> None:
    page = log_in(a_page(allowed=("ERR_INTERNET_DISCONNECTED",)), live_http.url, table.organiser)
    expect(page.locator("#lost")).to_be_hidden()
    page.context.set_offline(True)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#lost")).to_be_visible()
    page.context.set_offline(False)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#lost")).to_be_hidden()
