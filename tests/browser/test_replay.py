"""A replay in a real browser: by keys, clicks, its address, by itself, without a script, in a frame of another site."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from games.access import Caller
from games.models import Club, Session
from games.services import importing
from tests.browser.axe import serious
from tests.games.builders import NOW, a_member
from tests.pages.naive import NaiveDeal, Shown
from tests.servers import ROOT

pytestmark = [
    pytest.mark.browser,
    pytest.mark.processes,
    pytest.mark.timeout(600),
    pytest.mark.django_db(transaction=True),
]

LINE = (ROOT / "tests" / "golden" / "cases" / "deals.jsonl").read_bytes().splitlines()[1]
"""Three seats, with forced and wrongful passes and some that were taken back."""
STEPS = len(NaiveDeal(LINE).actions)


@pytest.fixture
def another_site() -> Iterator[Callable[[str], str]]:
    """Another origin: `another_site(body)` is the address of a page there. A real server, since a browser lets no page
    that only looks like another site's reach this machine."""
    pages: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(pages[-1])

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def show(body: str) -> str:
            pages.append(f'<!doctype html><link rel="icon" href="data:,"><title>Club</title>{body}'.encode())
            return f"http://127.0.0.1:{server.server_port}/"

        yield show
        server.shutdown()


@pytest.fixture
def session(live_http) -> Session:
    club = Club.objects.create(name="River", slug="river")
    caller = Caller.of(a_member(club, "river-organiser"))
    record = json.dumps({**json.loads(LINE), "session": "Thursday", "number": 1}).encode()
    importing.import_records(
        caller=caller, club="river", lines=iter([(1, record)]), dry_run=False, now=NOW, door="test"
    )
    Session.objects.update(public=True)
    return Session.objects.get()


@pytest.fixture
def address(live_http, session) -> str:
    return live_http.url + reverse("replay", args=[session.public_id, 1])


def shows(page: Page, step: int, query: str = "?step=") -> None:
    """Everything on the page is that of the step: what the script shows is what the server makes of the address."""
    expect(page.locator(".at .step")).to_have_text(str(step))
    expect(page).to_have_url(re.compile(re.escape(f"{query}{step}") + "$"))
    plain = page.context.browser.new_context(java_script_enabled=False, locale="en-GB").new_page()
    plain.goto(page.url)
    seen, made = (Shown.of(each.content().encode()) for each in (page, plain))
    assert made.current == [step]
    assert (seen.layout, seen.hands, seen.acting, seen.current) == (made.layout, made.hands, made.acting, [step])
    for part in (".said", ".turn p", ".hands"):
        assert page.locator(part).inner_text().split() == plain.locator(part).inner_text().split()
    assert page.locator(".turn li").count() == plain.locator(".turn li").count()
    plain.context.close()


def test_keys_and_clicks_go_from_step_to_step(a_page, address):
    page = a_page(viewport={"width": 1100, "height": 900})
    page.goto(address)
    expect(page.locator(".at .step")).to_have_text("0")
    for key, step in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", STEPS), ("ArrowRight", STEPS)]:
        page.keyboard.press(key)
        shows(page, step)
    page.keyboard.press("Home")
    shows(page, 0)
    page.get_by_role("link", name="One step on").click()
    shows(page, 1)
    page.get_by_role("link", name="Last step").click()
    shows(page, STEPS)
    page.get_by_role("link", name="One step back").click()
    page.locator(".steps li").nth(12).click()
    shows(page, 12)
    page.get_by_label("Speed").focus()
    page.keyboard.press("End")
    assert page.locator(".at .step").inner_text() == "12"


def test_a_jump_can_be_gone_back_from_and_an_address_begins_where_it_says(a_page, address):
    page = a_page()
    page.goto(f"{address}?step=5")
    shows(page, 5)
    page.keyboard.press("ArrowRight")
    page.locator(".steps li").nth(20).click()
    page.locator(".steps li").nth(30).click()
    page.go_back()
    shows(page, 20)
    page.go_back()
    shows(page, 6)
    page.go_forward()
    shows(page, 20)
    page.reload()
    shows(page, 20)


def test_the_picture_leads_to_the_step_that_is_clicked(a_page, address):
    page = a_page(viewport={"width": 1100, "height": 900})
    page.goto(address)
    box = page.locator(".timeline .axis").bounding_box()
    page.locator(".timeline").scroll_into_view_if_needed()
    box = page.locator(".timeline .axis").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 10 / STEPS, box["y"] + box["height"] / 2)
    shows(page, 10)


def test_it_plays_by_itself_to_the_end_and_stops_when_asked(a_page, address):
    page = a_page()
    page.clock.install(time=NOW)
    page.goto(f"{address}?step={STEPS - 4}")
    page.clock.pause_at(NOW + timedelta(minutes=1))
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.clock.run_for(1100)
    shows(page, STEPS - 3)
    page.keyboard.press("ArrowLeft")
    page.clock.run_for(5000)
    shows(page, STEPS - 4)
    page.locator("h1").click()
    page.keyboard.press("Space")
    page.clock.run_for(10_000)
    shows(page, STEPS)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_label("Speed").select_option("fast")
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(1300)
    shows(page, 3)


def test_as_one_seat_saw_it_goes_along(a_page, address):
    page = a_page()
    page.goto(f"{address}?step=7")
    page.keyboard.press("ArrowRight")
    page.get_by_role("link", name="As Бранко saw it").click()
    shows(page, 8, "?seat=1&step=")
    page.keyboard.press("ArrowRight")
    shows(page, 9, "?seat=1&step=")
    assert page.locator(".hands .hand").count() == 1
    page.get_by_role("link", name="All hands").click()
    shows(page, 9)


def test_without_a_script_the_links_do(a_page, address):
    page = a_page(java_script_enabled=False)
    page.goto(address)
    page.get_by_role("link", name="One step on").click()
    page.get_by_role("link", name="One step on").click()
    expect(page.locator(".at .step")).to_have_text("2")
    page.locator(".steps li a").nth(11).click()
    expect(page.locator(".at .step")).to_have_text("11")
    expect(page.get_by_role("button", name="Play")).to_be_hidden()
    expect(page.locator(".copy").filter(visible=True)).to_have_count(0)


def test_the_record_is_copied_or_selected(a_page, address):
    page = a_page()
    page.goto(address)
    record = page.locator(".record").first
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')); }")
    record.get_by_role("button", name="Copy").click()
    expect(record.get_by_role("status")).to_have_text("Selected: copy it by Ctrl+C.")
    text = record.locator("textarea").input_value()
    assert page.evaluate("window.getSelection().toString()") == text
    assert json.loads(text)["players"] == NaiveDeal(LINE).players
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    record.get_by_role("button", name="Copy").click()
    expect(record.get_by_role("status")).to_have_text("Copied.")
    assert page.evaluate("window.copied") == text


def test_another_site_shows_it_in_a_frame_and_no_other_page(a_page, address, another_site):
    page = a_page(allowed=("frame-ancestors", "X-Frame-Options", "Refused to display"))
    page.goto(f"{address}?step=3")
    page.keyboard.press("ArrowRight")
    page.goto(another_site(page.locator(".snippet").input_value()))
    inside = page.frame_locator("iframe")
    expect(inside.locator(".at .step")).to_have_text("4")
    inside.get_by_role("link", name="One step on").click()
    expect(inside.locator(".at .step")).to_have_text("5")
    whole = inside.get_by_role("link", name="Open the whole page")
    expect(whole).to_have_attribute("href", f"{address}?step=5")
    with page.expect_popup() as opened:
        whole.click()
    expect(opened.value.locator(".at .step")).to_have_text("5")
    assert page.context.cookies() == []
    with page.expect_event("requestfailed", lambda request: request.url == address):
        page.goto(another_site(f'<iframe src="{address}"></iframe>'))
    expect(page.frame_locator("iframe").locator(".at .step")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_left_out(a_page, address, scheme):
    for width, locale in ((360, "ru"), (1100, "en-GB")):
        page = a_page(viewport={"width": width, "height": 800}, color_scheme=scheme, locale=locale)
        for place in ("?step=9", "?seat=1&step=20"):
            page.goto(address + place)
            assert serious(page) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.goto(address + "embed?step=9")
        assert serious(page) == []
