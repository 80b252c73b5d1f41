"""The replay's page says at every step what the rules say, and nothing that its reader may not see."""

import json

import pytest
from django.urls import reverse

from games.access import Caller
from games.models import Club, Session
from games.services import importing
from tests.games.builders import NOW, a_member
from tests.pages.naive import NaiveDeal, Shown
from tests.servers import ROOT

pytestmark = pytest.mark.django_db

GOLDEN = (ROOT / "tests" / "golden" / "cases" / "deals.jsonl").read_bytes().splitlines()
EVERY_STEP = (1, 2, 6, 8, 27, 31)
"""Lines of the golden deals: five seats and three, wrongful passes and corrections, 32 cards, eight seats with the ace
low, and one that nobody took a pass back in."""


def address(session: str, number: int = 1, query: str = "") -> str:
    return reverse("replay", args=[session, number]) + query


@pytest.fixture
def club():
    club = Club.objects.create(name="River", slug="river")
    a_member(club, "river-organiser")
    return club


def imported(club: Club, lines: list[bytes]) -> list[Session]:
    """Each line as a public session of its own."""
    caller = Caller.of(club.memberships.get().user)
    labelled = [json.dumps({**json.loads(line), "session": f"s{n}", "number": 1}) for n, line in enumerate(lines)]
    importing.import_records(
        caller=caller,
        club=club.slug,
        lines=enumerate((line.encode() for line in labelled), 1),
        dry_run=False,
        now=NOW,
        door="test",
    )
    Session.objects.update(public=True)
    return list(Session.objects.order_by("label", "pk").filter(club=club).order_by("pk"))


@pytest.mark.parametrize("line", EVERY_STEP)
def test_the_page_at_every_step_is_what_the_rules_say(client, club, line):
    (session,) = imported(club, [GOLDEN[line - 1]])
    deal = NaiveDeal(GOLDEN[line - 1])
    dealt = [set(hand) for hand in deal.hands]
    for step in range(len(deal.actions) + 1):
        if step:
            deal.act(deal.actions[step - 1])
        shown = Shown.of(client.get(address(session.public_id, 1, f"?step={step}")).content)
        assert shown.current == [step]
        assert shown.laid() == set(deal.laid)
        last = [card for card, classes in shown.layout.items() if "last" in classes]
        assert last == ([deal.actions[step - 1][-2:]] if step and deal.actions[step - 1] != "-" else [])
        assert shown.acting == ([] if deal.over else [deal.to_act])
        for seat, hand in enumerate(deal.hands):
            cards = shown.hands[seat]
            assert set(cards) == dealt[seat]
            assert {card for card, state in cards.items() if state != "gone"} == set(hand)
            legal = {card for card, state in cards.items() if state == "legal"}
            assert legal == (deal.legal if seat == deal.to_act else set())


def test_the_list_of_every_golden_deal_says_what_the_script_shows(client, club):
    lines = [line for line in GOLDEN if "result" not in json.loads(line)]
    for session, line in zip(imported(club, lines), lines, strict=True):
        deal = NaiveDeal(line)
        shown = Shown.of(client.get(address(session.public_id)).content)
        marks = {}
        for step, item in enumerate(shown.steps):
            if step:
                action = deal.actions[step - 1]
                if mark := deal.act(action):
                    marks[step] = mark
                elif action.startswith("^"):
                    marks[step - 1] = "corrected"
                assert item["data-card"] == ("" if action == "-" else action[-2:])
            assert set(item["data-legal"].split()) == deal.legal
            assert item.get("data-seat") == (None if deal.over else str(deal.to_act))
            assert item["data-left"] == " ".join(str(len(hand)) for hand in deal.hands)
        assert len(shown.steps) == len(deal.actions) + 1
        assert shown.marks == marks
