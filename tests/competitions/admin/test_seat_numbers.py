"""Seats are counted from 1 on every page of a competition, on its sheets, and in what is refused there."""

import re

import pytest
from django.urls import reverse

from competitions.services import corrections, drawing, publishing
from tests.admin.test_seat_numbers import SAID, words_of
from tests.competitions.admin.conftest import Desk, errors_of

pytestmark = pytest.mark.django_db


def pages(desk: Desk):
    """Every page about the competition, its forms and its sheets."""
    yield desk.page
    for part in ("entries", "standings", "files", "publications"):
        yield desk.part(part)
    for number in desk.league.state.numbers:
        yield desk.part("round", number)
    for number in desk.league.state.publications:
        yield desk.part("publication", number)
    for form in ("swap", "seat", "close", "publish", "adjust", "substitute", "sit-out"):
        yield desk.address(form, round=2)
    public_id = desk.row.public_id
    yield reverse("print-standings", args=[public_id])
    yield reverse("print-draw", args=[public_id, 1])
    yield reverse("print-slips", args=[public_id, 1])
    for session in desk.league.sessions(1):
        yield reverse("admin:games_session_change", args=[session.pk])
        yield reverse("admin:games_session_do", args=[session.pk, "result"])


def test_no_page_of_a_competition_speaks_of_a_seat_0(desk):
    league = desk.league
    league.whole_round(1)
    publishing.publish(**league.about, what="standings")
    corrections.adjust(**league.about, player=league.people[0].public_id, points=1, reason="r")
    drawing.draw(**league.about, number=2)
    said = 0
    for address in pages(desk):
        answer = desk.client.get(address)
        assert answer.status_code in (200, 302), address
        text = words_of(answer)
        assert not SAID.search(text), address
        said += bool(re.search(r"[Ss]eat \d", text))
    assert said, "no page names a seat, so this proves nothing"


def test_a_result_that_is_refused_names_the_seat_of_the_slip(desk):
    desk.league.open(1)
    session = desk.league.sessions(1)[0]
    name = session.occupancies.select_related("player").get(seat=0).player.name
    address = reverse("admin:games_session_do", args=[session.pk, "result"])
    slip = {f"left_{seat}": seat and seat - 1 for seat in range(session.occupancies.count())}
    answer = desk.client.post(address, {"number": 1, "dealer": 1, **slip, "left_0": 30})
    assert f"Seat 1 ({name}) cannot have 30 cards left" in errors_of(answer)
