"""Hosted deals: who may deal, what the first deal fixes, who deals next."""

import pytest

from games import bots
from games.access import Caller
from games.engine.session import SessionError
from games.engine.session_events import Kind
from games.errors import Forbidden, Invalid, NotFound, Refusal
from games.models import Club, Deal, DealCards, Event, EventDetail, Role
from games.services import dealing, players, sessions
from tests.games.builders import NOW, a_member, a_table

pytestmark = pytest.mark.django_db


class Prepared:
    """A generator whose draws are known: the dealer it names, and a deck left in order."""

    def __init__(self, dealer=0):
        self.dealer = dealer

    def shuffle(self, cards):
        pass

    def randrange(self, stop):
        return self.dealer


def kinds(table):
    return [
        Kind(kind) for kind in Event.objects.filter(session=table.row).order_by("seq").values_list("kind", flat=True)
    ]


def test_the_first_deal_freezes_rules_and_scheme_with_all_their_values_and_draws_the_dealer():
    table = a_table(4, rules="bicycle", scheme="bicycle")

    table.deal(1, rng=Prepared(dealer=2))

    assert kinds(table)[-3:] == [Kind.FROZEN, Kind.DEALER_DRAWN, Kind.DEALT]
    frozen = EventDetail.objects.get(session=table.row, seq=table.row.seq - 2).data
    assert frozen["rules"] == {
        "profile": "bicycle",
        "deck": 52,
        "ace": "low",
        "start": "left_of_dealer",
        "min_seats": 3,
        "wrongful_pass": "refused",
    }
    assert frozen["scheme"]["wrongful_pass"] == 3
    assert frozen["seats"] == 4
    assert table.row.deals.get().dealer == 2


def test_the_dealer_moves_one_seat_to_the_left():
    table = a_table(3, bot="random")
    for number in (1, 2, 3):
        table.deal(number, rng=Prepared(dealer=2))
        table.play_out()

    assert list(table.row.deals.order_by("number").values_list("dealer", flat=True)) == [2, 0, 1]


def test_the_deck_is_kept_in_dealing_order_and_dealt_from_the_dealers_left():
    table = a_table(4)

    table.deal(1, rng=Prepared(dealer=0))

    deck = bytes(DealCards.objects.get(deal__session=table.row).deck)
    assert sorted(deck) == list(range(52))
    assert table.position().deal.hands[1] == sum(1 << card for card in deck[::4])


def test_a_deal_is_dealt_once_however_often_it_is_asked_for():
    table = a_table(4)
    table.deal(1)

    with pytest.raises(Refusal) as refused:
        table.deal(1)
    assert refused.value.code == "wrong_number"
    assert refused.value.extra == {"next_number": 2}
    with pytest.raises(SessionError) as refused:
        table.deal(2)
    assert refused.value.code == "deal_running"


@pytest.mark.parametrize(("seats", "code"), [(2, "bad_seats"), (0, "bad_seats")])
def test_too_few_players_cannot_start(seats, code):
    table = a_table(seats)

    with pytest.raises(SessionError) as refused:
        table.deal(1)
    assert refused.value.code == code
    assert not table.row.deals.exists()


def test_a_gap_between_the_seats_is_named():
    table = a_table(4)
    sessions.seat(caller=table.caller, session=table.session, seat=1, player=None, now=NOW, door="test")

    with pytest.raises(SessionError, match="Seat 1 is empty"):
        table.deal(1)


def test_seats_and_rules_are_fixed_once_the_session_has_started():
    table = a_table(4)
    table.deal(1)

    for attempt in (
        lambda: sessions.seat(caller=table.caller, session=table.session, seat=0, player=None, now=NOW, door="test"),
        lambda: sessions.configure(
            caller=table.caller, session=table.session, changes={"rules": "ace-low"}, now=NOW, door="test"
        ),
    ):
        with pytest.raises(SessionError) as refused:
            attempt()
        assert refused.value.code in ("session_started", "rules_frozen")


def test_a_person_without_an_account_cannot_be_dealt_a_hosted_hand():
    table = a_table(3)
    lone = players.create_player(caller=table.caller, club=table.club.slug, name="Lone")
    sessions.seat(caller=table.caller, session=table.session, seat=3, player=lone, now=NOW, door="test")

    with pytest.raises(Invalid) as refused:
        table.deal(1)
    assert refused.value.code == "seat_without_account"
    assert "Lone" in refused.value.message


def test_who_may_deal():
    table = a_table(4, people=1)
    table.deal(1)
    table.play_out()
    outsider = Caller.of(a_member(Club.objects.create(name="Hill", slug="hill"), "outsider"))
    member = Caller.of(a_member(table.club, "member", Role.MEMBER))

    def deal_by(caller):
        dealing.deal(caller=caller, session=table.session, number=2, rng=Prepared(), now=NOW, door="test")

    with pytest.raises(NotFound):
        deal_by(outsider)
    with pytest.raises(Forbidden):
        deal_by(member)
    deal_by(table.seat_caller(0))
    assert Deal.objects.filter(session=table.row).count() == 2


def test_settings_are_checked():
    table = a_table(3)
    for changes in (
        {"turn_seconds": 0},
        {"turn_seconds": True},
        {"deal_after": -1},
        {"deal_after": "5"},
        {"public": 1},
        {"stand_in": "grandmaster"},
    ):
        with pytest.raises(Invalid) as refused:
            sessions.configure(caller=table.caller, session=table.session, changes=changes, now=NOW, door="test")
        assert refused.value.code == "bad_settings"
    assert "follow" in bots.available()


@pytest.mark.parametrize("name", ["", "a\x00b", "a\u202eb", "a\nb", " a", "x" * 81, "\u2066a", "a\u200bb", "a\u00adb"])
def test_names_are_free_text_in_any_script_without_control_and_bidi_characters(name):
    table = a_table(3)

    with pytest.raises(Invalid) as refused:
        players.create_player(caller=table.caller, club=table.club.slug, name=name)
    assert refused.value.code == "bad_text"
    players.create_player(caller=table.caller, club=table.club.slug, name="Šárka Ó Brien 李")


def test_a_session_that_is_full_says_so(monkeypatch):
    table = a_table(4)
    table.deal(1)
    table.play_out()
    monkeypatch.setattr("games.services.writing.MOST_DEALS", 1)

    with pytest.raises(Invalid) as refused:
        table.deal(2)
    assert refused.value.code == "too_many_deals"
