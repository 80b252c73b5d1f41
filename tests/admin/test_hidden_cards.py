"""No page shows a live hand: nothing changes, in any byte, when hidden cards are swapped (rules.md 7.9)."""

import re

import pytest
from django.contrib import admin
from django.urls import reverse

from games.models import Deal, DealCards, Membership
from tests.admin.test_scope import ACTIONS, SLIP

pytestmark = pytest.mark.django_db

TOKEN = re.compile(rb'name="(csrfmiddlewaretoken|once)" value="[^"]+"')


def addresses(desk) -> list[str]:
    """Every page of the admin about this table, and every list."""
    objects = {
        "session": [desk.pk],
        "deal": [deal.pk for deal in Deal.objects.all()],
        "player": [player.pk for player in desk.table.players],
        "membership": [item.pk for item in Membership.objects.all()],
        "user": [desk.table.organiser.pk],
        "club": [desk.table.club.pk],
    }
    found = [reverse("admin:index")]
    for model in admin.site._registry:
        name, app = model._meta.model_name, model._meta.app_label
        found += [reverse(f"admin:{app}_{name}_{page}") for page in ("changelist", "add")]
        for pk in objects.get(name, []):
            found += [reverse(f"admin:{app}_{name}_{page}", args=[pk]) for page in ("change", "history", "delete")]
    found += [desk.address(action) for action in ACTIONS]
    found += [desk.address("result") + "?number=2", desk.address("void") + "?number=2"]
    found += [reverse("admin:games_session_records", args=[desk.pk]), reverse("admin:games_session_import")]
    return found


def pages(client, desk) -> dict[str, bytes]:
    found = {}
    for address in addresses(desk):
        answer = client.get(address)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        found[address] = TOKEN.sub(b"", body)
    bulk = {"action": "export_records", "_selected_action": [desk.pk]}
    answer = client.post(reverse("admin:games_session_changelist"), bulk)
    found["bulk export"] = b"".join(answer.streaming_content)
    return found


@pytest.mark.parametrize("who", ["organiser", "superuser"])
def test_no_page_depends_on_the_cards_of_a_running_hosted_deal(desk, superuser, who):
    client = superuser if who == "superuser" else desk.client
    desk.do("result", number=1, dealer=0, **SLIP)
    desk.do("deal", number=2)
    for _ in range(6):
        desk.table.step()
    before = pages(client, desk)
    assert len(before) > 40
    cards = DealCards.objects.get(deal__number=2)
    held = [card for hand in desk.table.position().deal.hands for card in _cards(hand)]
    deck = bytearray(cards.deck)
    first, second = (deck.index(card) for card in (held[0], held[-1]))  # of the first seat, and of the last
    deck[first], deck[second] = deck[second], deck[first]
    DealCards.objects.filter(pk=cards.pk).update(deck=bytes(deck))
    after = pages(client, desk)
    assert {address for address, body in before.items() if after[address] != body} == set()


def test_the_page_of_a_running_hosted_deal_says_that_it_is_hidden(desk, superuser):
    desk.do("deal", number=1)
    desk.table.step()
    page = superuser.get(reverse("admin:games_deal_change", args=[Deal.objects.get().pk])).content.decode()
    assert "shown to nobody but the players" in page
    assert "Hands as dealt" not in page


def test_a_deal_that_is_over_shows_every_action(desk):
    desk.do("deal", number=1)
    desk.table.play_out()
    page = desk.client.get(reverse("admin:games_deal_change", args=[Deal.objects.get().pk])).content.decode()
    assert "Hands as dealt" in page
    assert page.count("passes") + len(re.findall(r"[0-9JQKA][♣♦♥♠]</span></td>", page)) >= 40


def test_the_cards_and_the_log_have_no_page_of_their_own():
    registered = {model._meta.model_name for model in admin.site._registry}
    people = {"membership", "token", "club", "user"}
    assert registered == {"session", "player", "deal", "competition", "webhook", "importjob"} | people


def _cards(hand: int) -> list[int]:
    return [card for card in range(52) if hand >> card & 1]
