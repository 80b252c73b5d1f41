"""Streams opened by the page of a table, with the login's cookie: the same messages, for as long as the login."""

import httpx
import pytest

from games.models import Membership
from tests.api.clients import World
from tests.games.test_workers import wait_for
from tests.pages.browsers import Browser
from tests.servers import StreamServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.processes]


def test_a_seat_watches_by_its_login_and_sees_its_hand(live_streams):
    world = World()
    world.start()
    browser = Browser(live_streams, world.seats[1].user)
    with browser.watching(f"{world.path}/seats/1/stream") as stream:
        assert next(stream).data == world.own_view(1)
        answer = world.step().json()
        told = next(stream)
        assert (told.event, told.id) == ("action", answer["seq"])
        assert told.data["view"]["hand"] == world.own_view(1)["view"]["hand"]
    with browser.watching(f"{world.path}/stream", after=answer["seq"] - 1) as stream:
        assert next(stream).data == answer


@pytest.mark.parametrize("seat", [0, 2])
def test_no_login_opens_the_stream_of_another_seat(live_streams, seat):
    world = World()
    world.start()
    address = f"{world.path}/seats/{seat}/stream"
    assert Browser(live_streams, world.seats[1].user).get(address).json()["code"] == "not_your_seat"
    assert Browser(live_streams, world.table.organiser).get(address).json()["code"] == "not_your_seat"
    nobody = Browser(live_streams).get(address)
    assert (nobody.status_code, nobody.json()["code"]) == (401, "not_authenticated")


def test_a_token_opens_nothing_on_a_page(live_streams):
    world = World()
    world.start()
    secret = world.seats[1].secret
    answer = httpx.get(f"{live_streams.url}{world.path}/seats/1/stream", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 401


def _log_out(world, browser):
    browser.log_out_elsewhere()


def _close_the_account(world, browser):
    user = world.seats[1].user
    user.is_active = False
    user.save(update_fields=["is_active"])


def _change_the_password(world, browser):
    user = world.seats[1].user
    user.set_password("another horse battery")
    user.save(update_fields=["password"])


@pytest.mark.parametrize("what", [_log_out, _close_the_account, _change_the_password])
def test_a_stream_ends_with_the_login_that_opened_it(live_streams, what):
    world = World()
    world.start()
    browser = Browser(live_streams, world.seats[1].user)
    with browser.watching(f"{world.path}/seats/1/stream") as stream:
        next(stream)
        what(world, browser)
        last = list(stream)[-1]
        assert (last.event, last.data["code"]) == ("end", "not_authenticated")


def test_whoever_leaves_the_club_watches_it_no_longer(live_streams):
    world = World()
    world.start()
    browser = Browser(live_streams, world.member.user)
    with browser.watching(f"{world.path}/stream") as stream:
        next(stream)
        Membership.objects.filter(user=world.member.user).delete()
        last = list(stream)[-1]
        assert (last.event, last.data["code"]) == ("end", "not_found")


def _opens(browser, address):
    try:
        with browser.watching(address) as stream:
            return next(stream).event == "state"
    except AssertionError:
        return False


def test_an_account_has_so_many_streams_open_and_no_more():
    server = StreamServer(STREAMS_PER_TOKEN="2")
    server.wait_until_ready()
    try:
        world = World(settings={"public": True})
        world.start()
        address = f"{world.path}/stream"
        browser, other = Browser(server, world.member.user), Browser(server, world.seats[0].user)
        with browser.watching(address) as first, browser.watching(address) as second:
            assert next(first).event == next(second).event == "state"
            refused = Browser(server, world.member.user).get(address)
            assert (refused.status_code, refused.json()["code"]) == (429, "too_many_streams")
            with other.watching(address) as stream:
                assert next(stream).event == "state"
        wait_for(lambda: _opens(browser, address), "room for another one")
    finally:
        server.stop()
