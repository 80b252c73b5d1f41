"""The page of a table shows what its reader may see, plays what a form sends, and costs the same however long it is."""

import itertools
import json
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.engine.cards import card_text
from games.engine.deal import PASS
from games.engine.errors import IllegalAction
from games.engine.session_events import Kind
from games.models import DealCards, Event, Role
from games.services import corrections, players, sessions
from tests.admin.conftest import log_in
from tests.competitions.builders import a_league
from tests.games.builders import NOW, a_member, a_table

pytestmark = pytest.mark.django_db

ONCE = re.compile(rb'name="(csrfmiddlewaretoken|key)" value="[^"]+"|"now": \d+')


def address(table):
    return reverse("session-page", args=[table.session])


def state_of(answer):
    found = re.search(r'<script id="table-state" type="application/json">(.*?)</script>', answer.content.decode())
    return json.loads(found[1])


def words_of(answer):
    main = answer.content.decode().partition("<main")[2].partition("<script")[0]
    return " ".join(re.sub(r"<[^>]*>", " ", main).split())


def held(answer):
    """The cards of the hands on the page, those that fit marked."""
    return re.findall(r'value="(\^?\w\w)" data-card="\w\w" class="(fits|fits back|)"', answer.content.decode())


def a_game(people=4, **more):
    table = a_table(4, people=people, **more)
    table.deal(1)
    return table


def seat_of(table, seat):
    return log_in(table.players[seat].user)


def do(client, table, **fields):
    return client.post(reverse("table-do", args=[table.session]), fields, follow=True)


def test_a_player_sees_the_own_hand_and_nobody_else_sees_any():
    table = a_game(settings={"public": True})
    deal = table.position().deal
    for seat in range(4):
        own = {card_text(card) for card in deal.rules.tables.in_order(deal.hands[seat])}
        assert {card for card, _ in held(seat_of(table, seat).get(address(table)))} == own
    for client in (Client(), log_in(table.organiser), log_in(a_member(table.club, "member", Role.MEMBER))):
        page = client.get(address(table))
        assert held(page) == []
        assert state_of(page)["own"] == {}


def swap_hidden_cards(table, one, other):
    """Two seats change cards, so that all that was played stays right."""
    deal, cards = table.position().deal, DealCards.objects.get()
    hands = [deal.rules.tables.in_order(deal.hands[seat]) for seat in (one, other)]
    for pair in itertools.product(*hands):
        deck = bytearray(cards.deck)
        first, second = map(deck.index, pair)
        deck[first], deck[second] = deck[second], deck[first]
        DealCards.objects.update(deck=bytes(deck))
        try:
            table.position()
        except IllegalAction:
            continue
        return
    raise AssertionError("no two cards can be swapped")


@pytest.mark.parametrize("who", ["nobody", "organiser", "seat 0"])
def test_no_byte_of_a_page_depends_on_cards_that_its_reader_does_not_hold(who):
    table = a_game(settings={"public": True})
    for _ in range(6):
        table.step()
    client = {"nobody": Client(), "organiser": log_in(table.organiser), "seat 0": seat_of(table, 0)}[who]
    before = ONCE.sub(b"", client.get(address(table)).content)
    swap_hidden_cards(table, 1, 2)
    assert ONCE.sub(b"", client.get(address(table)).content) == before


def test_a_form_plays_a_card_once():
    table = a_game()
    seat = table.row.to_act
    client = seat_of(table, seat)
    page = client.get(address(table))
    assert "It is your turn" in words_of(page)
    fitting = [card for card, fits in held(page) if fits]
    sent = {"action": fitting[0] if fitting else "-", "expected_seq": table.row.live_seq, "key": "a form"}
    for _ in range(2):
        answer = do(client, table, **sent)
        assert answer.status_code == 200
    assert table.row.to_act == (seat + 1) % 4
    assert len(table.position().deal.log) == 1
    assert f"{'ABCD'[(seat + 1) % 4]} is to play." in words_of(answer)


def test_a_card_that_does_not_fit_is_refused_in_a_sentence():
    table = a_game()
    client = seat_of(table, table.row.to_act)
    card = next(card for card, fits in held(client.get(address(table))) if not fits)
    answer = do(client, table, action=card, expected_seq=table.row.live_seq, key="k")
    assert answer.status_code == 200
    assert 'class="message error"' in answer.content.decode()
    assert len(table.position().deal.log) == 0


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"do": "fly"},
        {"do": "play", "action": "1X", "expected_seq": "3"},
        {"do": "play", "action": "7D", "expected_seq": "9" * 40},
        {"do": "play", "action": "7D", "expected_seq": "-1"},
        {"do": "deal", "number": "x"},
        {"do": "deal"},
    ],
)
def test_what_no_form_sends_is_not_found(fields):
    table = a_game()
    assert do(seat_of(table, 0), table, **fields).status_code == 404


def test_seats_count_from_one_where_people_read_of_them():
    table = a_game()
    turn = table.row.to_act
    answer = do(seat_of(table, (turn + 1) % 4), table, do="play", action="-", expected_seq=table.row.live_seq)
    assert f"It is the turn of seat {turn + 1}" in words_of(answer)


def test_members_take_seats_and_start():
    table = a_table(3, settings={"self_seating": True})
    anna = a_member(table.club, "anna", Role.MEMBER)
    players.create_player(caller=table.caller, club=table.club.slug, name="Anna", username="anna")
    client = log_in(anna)
    assert "Take a seat" in words_of(client.get(address(table)))
    assert "Take a seat" not in words_of(log_in(a_member(table.club, "ben", Role.MEMBER)).get(address(table)))
    answer = do(client, table, do="join")
    assert "Take a seat" not in words_of(answer)
    assert "Deal the first deal" in words_of(answer)
    answer = do(client, table, do="deal", number=1)
    assert table.row.live_deal == 1
    assert len(held(answer)) == 13


def test_between_deals_those_at_the_table_deal_on_and_see_what_the_last_one_brought():
    table = a_game()
    table.play_out()
    client = seat_of(table, 2)
    page = client.get(address(table))
    assert "Deal the next deal" in words_of(page)
    assert reverse("replay", args=[table.session, 1]) in page.content.decode()
    winner = table.row.deals.get().result["winner"]
    assert f"The deal is over: {'ABCD'[winner]} has won it." in words_of(page)
    member = log_in(a_member(table.club, "member", Role.MEMBER))
    assert "Deal the next deal" not in words_of(member.get(address(table)))
    do(client, table, do="deal", number=2)
    assert table.row.live_deal == 2
    again = do(client, table, do="deal", number=2)
    assert "Deal 2" in words_of(again)


def test_a_pass_that_costs_and_one_that_is_taken_back_are_offered():
    table = a_game(rules={"profile": "pagat", "wrongful_pass": "fined"}, settings={"public": True})
    for _ in range(60):
        seat = table.row.to_act
        page = seat_of(table, seat).get(address(table))
        if any(fits for _, fits in held(page)):
            break
        table.step()
    assert "Pass all the same" in words_of(page)
    table.act(PASS)
    page = seat_of(table, seat).get(address(table))
    assert any(card.startswith("^") and fits == "fits back" for card, fits in held(page))
    card = next(card for card, fits in held(page) if fits)
    answer = do(seat_of(table, seat), table, do="play", action=card, expected_seq=table.row.live_seq)
    assert "takes the pass back and plays" in words_of(answer)


def test_who_watches_a_delayed_table_sees_it_later_and_who_plays_at_once():
    table = a_table(4, people=4, settings={"public": True, "spectator_delay": 600})
    now = timezone.now()
    table.deal(1, now=now)
    seat = table.row.to_act
    page = Client().get(address(table))
    assert "sees this table 600 seconds later" in words_of(page)
    assert "is to play" not in words_of(page)
    assert "counts" not in state_of(page)
    assert "It is your turn" in words_of(seat_of(table, seat).get(address(table)))


def test_pages_of_other_clubs_are_closed_and_of_nobody_lead_to_the_login():
    table = a_game()
    assert Client().get(address(table)).status_code == 302
    stranger = a_table(3, name="hill")
    assert log_in(stranger.organiser).get(address(table)).status_code == 404
    assert do(log_in(stranger.organiser), table, do="join").status_code == 404
    assert Client().post(reverse("table-do", args=[table.session]), {"do": "join"}).status_code == 302


def test_each_status_is_said():
    table = a_table(4, people=4)
    client = seat_of(table, 0)
    assert "The game has not begun." in words_of(client.get(address(table)))
    for number in (1, 2, 3, 4, 5, 6, 7, 8, 9):
        table.deal(number)
        table.play_out()
        if table.row.status == "finished":
            break
    assert "The game is over. First place:" in words_of(client.get(address(table)))
    sessions.close(caller=table.caller, session=table.session, now=NOW, door="test")
    assert "This session is closed." in words_of(client.get(address(table)))


def test_a_void_deal_and_a_paper_one_are_shown():
    table = a_game()
    table.play_out()
    corrections.void(
        caller=table.caller, session=table.session, number=1, reason="cards lay open", now=NOW, door="test"
    )
    assert "void" in words_of(seat_of(table, 0).get(address(table)))


def test_a_deal_on_paper_has_no_cloth_and_nothing_that_was_played():
    league = a_league(4)
    league.open(1)
    session = league.sessions(1)[0]
    client, page = log_in(league.organiser), reverse("session-page", args=[session.public_id])
    assert '<svg class="layout"' in client.get(page).content.decode()
    league.play(1)
    answer = client.get(page)
    assert '<svg class="layout"' not in answer.content.decode()
    assert "What was played" not in words_of(answer)
    assert "Deal 1" in words_of(answer)


def test_a_table_of_a_competition_leads_to_its_round_whoever_may_see_that():
    league = a_league(4)
    league.open(1)
    session = league.sessions(1)[0]
    link = f'<a href="{reverse("competition-round", args=[league.public_id, 1])}">Table 1 of Round 1 of Cup 2026</a>'
    page = reverse("session-page", args=[session.public_id])
    assert link in log_in(league.organiser).get(page).content.decode()
    type(session).objects.update(public=True)
    assert link not in Client().get(page).content.decode()
    league.row.__class__.objects.update(public=True)
    assert link in Client().get(page).content.decode()


def test_the_statements_are_the_same_for_any_number_of_seats_deals_and_actions():
    small, big = a_game(), a_table(8, people=8, name="hill", scheme="wins:target=9")
    for number in range(1, 6):
        big.deal(number)
        if number < 5:
            big.play_out()
    for _ in range(12):
        big.step()
    small.step()
    taken = []
    for table in (small, big):
        client = seat_of(table, 1)
        client.get(address(table))
        with CaptureQueriesContext(
            connection,
        ) as found:
            client.get(address(table))
        taken.append(len(found))
    assert taken[0] == taken[1] <= 14


def test_the_log_tells_who_did_what():
    table = a_game()
    assert Event.objects.filter(session=table.row, kind__lt=int(Kind.OPENED)).count() == 0
    assert "Nothing yet." in words_of(seat_of(table, 0).get(address(table)))
    table.step()
    said = words_of(seat_of(table, 0).get(address(table)))
    assert re.search(r"[ABCD] (passes|plays the \w+ of \w+)\.", said)
