"""Phones of one table that send at the same moment, to a real server: one result is stored."""

import re
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from django.urls import reverse

from competitions.slips import code_of
from games.audit import audit_session
from games.models import Deal
from tests.competitions.builders import a_league
from tests.competitions.pages.slips import a_key

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.processes]
LEFT = [[0, 3, 2, 5], [0, 3, 2, 6], [0, 3, 2, 7], [0, 3, 2, 8]]


class Phone:
    def __init__(self, url, session, seat):
        self.address = reverse("slip", args=[code_of(session.public_id)])
        self.client = httpx.Client(base_url=url, headers={"Referer": url}, follow_redirects=True, timeout=30)
        self.token = ""
        self.send(do="sit", seat=seat)

    def send(self, **fields):
        page = self.client.get(self.address)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
        return self.client.post(self.address, data={"csrfmiddlewaretoken": token[1], **fields})

    def enter(self, left, key):
        cells = {f"left_{seat}": count for seat, count in enumerate(left)}
        return self.send(do="enter", number=1, dealer=0, seen=0, key=key, **cells).status_code


@pytest.fixture
def phones_at(live_http):
    """Open a table with a phone for each seat: `phones_at(confirm=True)` gives its session and the phones."""
    found = []

    def make(**settings):
        league = a_league(4, deals=2, **settings)
        league.open(1)
        session = league.sessions(1)[0]
        found.extend(Phone(live_http.url, session, seat) for seat in range(4))
        return session, found

    yield make
    for phone in found:
        phone.client.close()


def at_once(calls):
    with ThreadPoolExecutor(len(calls)) as pool:
        return [made.result() for made in [pool.submit(call) for call in calls]]


def test_of_four_different_results_under_keys_of_their_own_one_is_stored(phones_at):
    session, phones = phones_at()
    answers = at_once([lambda p=p, left=left: p.enter(left, a_key()) for p, left in zip(phones, LEFT, strict=True)])
    assert sorted(answers) == [200, 409, 409, 409]
    assert Deal.objects.filter(session=session).count() == 1
    assert audit_session(session) == []


def test_one_entry_sent_four_times_at_once_is_stored_once(phones_at):
    session, phones = phones_at()
    key = a_key()
    assert at_once([lambda: phones[0].enter(LEFT[0], key)] * 4) == [200] * 4
    assert Deal.objects.filter(session=session).count() == 1


def test_of_equal_results_of_two_people_one_is_entered_and_one_confirms(phones_at):
    session, phones = phones_at(confirm=True)
    assert at_once([lambda p=p: p.enter(LEFT[0], a_key()) for p in phones[:2]]) == [200, 200]
    deal = Deal.objects.get(session=session)
    assert (deal.take, deal.awaits) == (1, False)
    assert audit_session(session) == []
