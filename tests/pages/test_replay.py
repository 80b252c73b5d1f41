"""The replay's page says at every step what the rules say, and nothing that its reader may not see."""

import json
from itertools import combinations

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
EVERY_STEP = (2, 8, 27)
"""Lines of the golden deals: three seats with wrongful passes and corrections, 32 cards, eight seats with the ace
low."""


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
    lines = [line for line in GOLDEN[::5] if len(line) < 2000]
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


def test_a_seat_sees_its_own_hand_and_what_all_at_the_table_saw(client, club):
    line = GOLDEN[0]
    (session,) = imported(club, [line])
    for seat in range(5):
        deal = NaiveDeal(line)
        own = set(deal.hands[seat])
        for step in (0, 7, len(deal.actions)):
            while len(deal.done) < step:
                deal.act(deal.actions[len(deal.done)])
            page = client.get(address(session.public_id, 1, f"?seat={seat}&step={step}")).content
            shown = Shown.of(page)
            assert set(shown.hands[seat]) == own
            assert all(not cards for other, cards in shown.hands.items() if other != seat)
            assert shown.laid() == set(deal.laid)
            for turn in shown.steps:
                assert not turn["data-legal"] or turn["data-seat"] == str(seat)
            assert b"&quot;hands&quot;" not in page


def hidden_swaps(line: bytes, viewer: int):
    """The record again, with two cards changed over that two others held to the end and could never lay."""
    deal = NaiveDeal(line)
    hands = [list(hand) for hand in deal.hands]
    fitted: set[str] = set()
    for action in deal.actions:
        fitted |= {card for hand in deal.hands for card in hand if deal.fits(card)}
        deal.act(action)
    kept = {seat: [card for card in hand if card not in fitted] for seat, hand in enumerate(deal.hands)}
    for one, two in combinations([seat for seat in kept if seat != viewer and kept[seat]], 2):
        swapped = [list(hand) for hand in hands]
        a, b = kept[one][0], kept[two][0]
        swapped[one][swapped[one].index(a)], swapped[two][swapped[two].index(b)] = b, a
        record = {key: value for key, value in json.loads(line).items() if key not in ("deck", "hands")}
        for dealt in (hands, swapped):
            texts = [" ".join(hand) for hand in dealt]
            yield json.dumps({**record, "hands": texts, "rules": record["rules"]}).encode()
        return


def test_cards_that_a_seat_never_saw_change_no_byte_of_its_view(client, club):
    pairs = [(viewer, pair) for line in GOLDEN for viewer in range(2) if (pair := list(hidden_swaps(line, viewer)))][:8]
    assert len(pairs) == 8
    found = iter(imported(club, [line for _, pair in pairs for line in pair]))
    for viewer, _ in pairs:
        first, second = next(found), next(found)
        views, whole = [], []
        for session in (first, second):
            for query, kept in ((f"?seat={viewer}&step=9", views), ("?step=9", whole)):
                page = client.get(address(session.public_id, 1, query)).content.decode()
                kept.append(page.replace(session.public_id, "ID").replace(session.label, "LABEL"))
        assert views[0] == views[1]
        assert whole[0] != whole[1]


@pytest.mark.parametrize("query", ["?step=x", "?step=-1", "?step=", "?step=%00", "?step=1e3", "?step=²", "?other=1"])
def test_a_step_that_is_none_begins_at_the_first(client, club, query):
    (session,) = imported(club, [GOLDEN[0]])
    answer = client.get(address(session.public_id, 1, query))
    assert answer.status_code == 200
    assert Shown.of(answer.content).current == [0]


def test_a_step_beyond_the_last_is_the_last(client, club):
    (session,) = imported(club, [GOLDEN[0]])
    steps = len(json.loads(GOLDEN[0])["actions"].split())
    for step in (steps, steps + 1, 999_999):
        assert Shown.of(client.get(address(session.public_id, 1, f"?step={step}")).content).current == [steps]


@pytest.mark.parametrize("seat", ["5", "99999999999999999999", "x", "-1", "", "%00"])
def test_there_is_no_view_of_a_seat_that_the_table_does_not_have(client, club, seat):
    (session,) = imported(club, [GOLDEN[0]])
    for name in ("replay", "replay-embed"):
        answer = client.get(reverse(name, args=[session.public_id, 1]) + f"?seat={seat}")
        assert answer.status_code == 404
