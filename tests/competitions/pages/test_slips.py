"""Whoever holds the score slip of a table enters its results, and nothing else."""

import pytest
from django.test import Client
from django.urls import reverse

from competitions.services import setup
from competitions.slips import code_of, session_of
from games.models import Deal, Event, EventDetail, Role, User
from games.services import corrections, sessions
from tests.admin.conftest import log_in
from tests.competitions.builders import a_league
from tests.competitions.pages.slips import Phone, a_key, text_of
from tests.games.builders import NOW, a_member

pytestmark = pytest.mark.django_db
ANN_WINS = [0, 3, 2, 5]
OTHERWISE = [0, 3, 2, 6]


def a_night(count=4, **more):
    """A league with its first round open; returns it and the session of table 1."""
    league = a_league(count, **{"deals": 2, **more})
    league.open(1)
    return league, league.sessions(1)[0]


def names_at(session):
    return [item.player.name for item in session.occupancies.order_by("seat").select_related("player")]


# -- the code


def test_a_code_is_twenty_characters_in_groups_however_it_is_written(db):
    code = code_of("49q7ddzzuxwq")
    assert len(code) == 24
    assert code.startswith("49q7-ddzz-uxwq-")
    for written in (code, code.upper(), code.replace("-", ""), code[:20] + "-" + code[20:]):
        assert session_of(written) == "49q7ddzzuxwq"


@pytest.mark.parametrize("change", ["last", "first", "shorter", "longer", "letters"])
def test_another_code_is_none(change):
    code = code_of("49q7ddzzuxwq")
    wrong = {
        "last": code[:-1] + ("2" if code[-1] != "2" else "3"),
        "first": "5" + code[1:],
        "shorter": code[:-1],
        "longer": code + "2",
        "letters": code[:-2] + "é\x00",
    }[change]
    assert session_of(wrong) is None


def test_a_code_still_holds_after_the_key_of_the_server_was_changed(settings):
    code = code_of("49q7ddzzuxwq")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key", [settings.SECRET_KEY]
    assert session_of(code) == "49q7ddzzuxwq"
    settings.SECRET_KEY_FALLBACKS = []
    assert session_of(code) is None


def test_a_wrong_code_and_the_code_of_no_table_are_pages_that_there_are_not():
    _, session = a_night()
    right = reverse("slip", args=[code_of(session.public_id)])
    assert Client().get(right).status_code == 200
    for wrong in (right[:-3] + "x2/", "/r/x/", "/r/%00/", "/r/" + "a" * 2000 + "/", f"/r/{code_of('49q7ddzzuxwq')}/"):
        assert Client().get(wrong).status_code == 404, wrong


def test_who_guesses_has_to_wait(settings, redis_url):
    _, session = a_night()
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "slips": (3, 60)}
    right = reverse("slip", args=[code_of(session.public_id)])
    assert [Client().get("/r/x/").status_code for _ in range(3)] == [404] * 3
    answer = Client().get("/r/x/")
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 60
    assert Client().get(right).status_code == 200  # all phones of a club may come from that address


def test_the_page_is_kept_nowhere_and_its_address_told_to_nobody():
    _, session = a_night()
    answer = Client().get(reverse("slip", args=[code_of(session.public_id)]))
    assert answer["Cache-Control"] == "no-store"
    assert answer["Referrer-Policy"] == "same-origin"
    assert "worker-src 'self'" in answer["Content-Security-Policy"]
    assert 'content="noindex"' in answer.content.decode()


# -- entering


def test_a_player_says_who_they_are_and_enters_what_the_slip_says():
    league, session = a_night()
    phone = Phone(session)
    assert "Who are you?" in phone.look()
    for name in names_at(session):
        assert name in phone.said
    phone.sit(1)
    assert f"You are {names_at(session)[1]}." in phone.said
    assert phone.enter(1, ANN_WINS) == 200
    assert "Deal 1 is saved." in phone.said
    assert f"Entered by {names_at(session)[1]}." in phone.said
    assert phone.on_record().result["cards_left"] == ANN_WINS
    event = Event.objects.filter(session=session).latest("seq")
    assert User.objects.get(pk=event.actor_id).username == "slip-2"
    assert EventDetail.objects.get(session=session, seq=event.seq).door == "slip"
    # What the table stands at, and the next deal with its dealer.
    assert "The table so far" in phone.said
    assert "Enter deal 2" in phone.said
    assert '<option value="1" selected>' in phone.answer.content.decode()
    assert phone.enter(2, ANN_WINS, dealer=1) == 200
    assert "All deals of this table are entered." in phone.said
    assert league.sessions(1)[0].status == "finished"
    assert phone.enter(3, ANN_WINS, dealer=2) == 409
    assert Deal.objects.filter(session=session).count() == 2


@pytest.mark.parametrize(
    ("left", "dealer", "words"),
    [
        ([0, 0, 2, 3], 0, "Only one player can have 0 cards left."),
        ([1, 4, 2, 3], 0, "Nobody has 0 cards left. Who won?"),
        ([0, 14, 2, 3], 0, "At most 13: that many were dealt."),
        ([0, "", 2, 3], 0, "Fill this in, with 0 for none."),
        ([0, "three", 2, 3], 0, "A whole number, such as 4."),
        ([0, -1, 2, 3], 0, "A whole number, such as 4."),
        ([0, 3, 2, 5], "", "Say who dealt."),
        ([0, 3, 2, 5], 9, "Say who dealt."),
    ],
)
def test_what_cannot_be_is_said_beside_its_field_and_stored_nowhere(left, dealer, words):
    _, session = a_night()
    phone = Phone(session, seat=0)
    assert phone.enter(1, left, dealer) == 422
    assert words in phone.said
    assert f'value="{left[3]}"' in phone.answer.content.decode()  # as it was filled in
    assert not Deal.objects.exists()


def test_passes_are_asked_for_where_the_scoring_needs_them_and_turns_have_to_go_round():
    _, session = a_night(scheme="pool", points="neutral")
    phone = Phone(session, seat=0)
    assert "Wrong passes" in phone.said
    rest = {f"{name}_{seat}": 0 for name in ("forced", "wrongful") for seat in range(4)}
    # Dealer 3: seat 0 begins and wins with 13 cards, so that everybody else had 12 turns.
    assert phone.enter(1, [0, 3, 2, 5], 3, **rest) == 422
    assert "Turns go round the table" in phone.said
    assert phone.enter(1, [0, 3, 2, 5], 3, **rest, anyway="on") == 200
    even = rest | {"forced_1": 2, "forced_2": 1, "forced_3": 4}
    assert phone.enter(2, [0, 3, 2, 5], 3, **even) == 200


def test_withheld_sevens_are_asked_for_where_they_cost_something():
    _, session = a_night(scheme="yellowclub-chips", points="neutral")
    phone = Phone(session, seat=0)
    passes = {f"wrongful_{seat}": int(seat == 1) for seat in range(4)}
    assert phone.enter(1, [0, 3, 2, 5], 3, **passes) == 422
    assert "say which sevens were withheld" in phone.said
    assert phone.enter(1, [0, 3, 2, 5], 3, **passes, payer_0=1, payee_0="") == 422
    assert phone.enter(1, [0, 3, 2, 5], 3, **passes, payer_0=1, payee_0=1) == 422
    assert phone.enter(1, [0, 3, 2, 5], 3, **passes, payer_0=1, payee_0=2) == 200
    assert phone.on_record().result["withheld"] == [[1, 2]]


def test_the_same_key_stores_once_and_answers_the_same():
    _, session = a_night()
    phone, key = Phone(session, seat=0), a_key()
    assert [phone.enter(1, ANN_WINS, key=key) for _ in range(2)] == [200, 200]
    assert Deal.objects.count() == 1
    assert phone.enter(1, OTHERWISE, key=key) == 422
    assert "used with a different request" in phone.said


def test_one_result_sent_twice_under_two_keys_is_one_result():
    _, session = a_night()
    phone = Phone(session, seat=0)
    assert [phone.enter(1, ANN_WINS) for _ in range(2)] == [200, 200]
    assert Deal.objects.count() == 1


def test_the_table_puts_its_own_mistake_right_and_the_log_says_so():
    _, session = a_night()
    phone = Phone(session, seat=2)
    phone.enter(1, ANN_WINS)
    assert phone.enter(1, OTHERWISE, seen=1) == 200
    assert phone.on_record().result["cards_left"] == OTHERWISE
    reasons = EventDetail.objects.filter(session=session).exclude(reason="").values_list("reason", flat=True)
    assert list(reasons) == ["Entered again at the table, by seat 3."]


def test_what_a_scorer_entered_or_put_right_a_scorer_changes():
    league, session = a_night()
    phone = Phone(session, seat=0)
    league.score(session, ANN_WINS)
    assert "Entered by a scorer." in phone.look()
    assert "Enter it again" not in phone.said
    assert phone.enter(1, OTHERWISE, seen=1) == 403
    assert "ask a scorer" in phone.said
    phone.enter(2, ANN_WINS, dealer=1)
    about = {"caller": league.caller, "session": session.public_id, "now": NOW, "door": "test"}
    corrections.void(**about, number=2, reason="cards shown")
    assert phone.enter(2, OTHERWISE, dealer=1, seen=1) == 403
    assert [deal.take for deal in Deal.objects.filter(number=2)] == [1]


# -- a second person


def test_another_person_on_another_phone_confirms():
    league, session = a_night(confirm=True)
    first, second = Phone(session, seat=0), Phone(session, seat=1)
    first.enter(1, ANN_WINS)
    assert "counts once a second person has confirmed it" in first.said
    assert "That is right" not in first.look()
    assert first.confirm(1) == 409
    assert "waits for a second person" in second.look()
    assert "That is right" in second.said
    assert second.confirm(1) == 200
    assert "Deal 1 is confirmed." in second.said
    assert f"Confirmed by {names_at(session)[1]}." in second.said
    assert phone_cannot_change(first)
    assert [row.total for row in league.sessions(1)[0].table_rows.order_by("seat")] == ["0", "3", "2", "5"]


def phone_cannot_change(phone):
    status = phone.enter(1, OTHERWISE, seen=1)
    return status == 403 and "is confirmed: ask a scorer to change it" in phone.said


def test_a_phone_that_has_entered_a_result_is_nobody_elses():
    _, session = a_night(confirm=True)
    phone = Phone(session, seat=0)
    assert phone.sit(1) == 200  # the wrong name was tapped
    assert phone.sit("") == 200
    assert "Who are you?" in phone.said
    phone.sit(0)
    phone.enter(1, ANN_WINS)
    assert phone.sit(1) == 409
    assert phone.confirm(1) == 409
    assert phone.on_record().awaits


def test_a_second_person_who_saw_something_else_leaves_both_versions_to_be_compared():
    _, session = a_night(confirm=True)
    first, second = Phone(session, seat=0), Phone(session, seat=1)
    first.enter(1, ANN_WINS)
    assert second.enter(1, OTHERWISE, seen=1) == 200
    assert second.on_record().awaits
    said = first.look()
    assert f"Before that, {names_at(session)[0]} entered:" in said
    assert first.confirm(1, take=1) == 409
    assert first.confirm(1, take=2) == 200
    assert first.on_record().result["cards_left"] == OTHERWISE


def test_of_two_who_enter_the_same_deal_the_second_confirms_or_sees_both():
    _, session = a_night(confirm=True)
    first, second, third = (Phone(session, seat=seat) for seat in range(3))
    first.enter(1, ANN_WINS)
    assert third.enter(1, OTHERWISE) == 409
    assert "Somebody entered this deal meanwhile, and otherwise. You entered:" in third.said
    assert third.on_record().take == 1
    assert second.enter(1, ANN_WINS) == 200
    assert "Deal 1 is confirmed." in second.said
    # Without a second person too the first stands until somebody has looked at both.
    _, session = a_night_of_another_club()
    first, second = Phone(session, seat=0), Phone(session, seat=1)
    first.enter(1, ANN_WINS)
    assert second.enter(1, OTHERWISE) == 409
    assert 'name="seen" value="1"' in second.answer.content.decode()
    assert second.enter(1, OTHERWISE, seen=1) == 200


def a_night_of_another_club():
    league = a_league(4, name="other", deals=2)
    league.open(1)
    return league, league.sessions(1)[0]


# -- only that table, only while it is open


def test_a_code_is_of_its_own_table_alone():
    league, _ = a_night(8)
    one, other = league.sessions(1)
    phone = Phone(one, seat=0)
    there = Phone(other, client=phone.client)
    assert "Who are you?" in there.look()
    assert there.enter(1, ANN_WINS) == 403
    assert not Deal.objects.exists()
    assert {
        name for name in names_at(other) if f">{name}<" in phone.client.get(phone.address).content.decode()
    } == set()


def test_once_the_round_is_closed_only_scorers_change_anything():
    league, session = a_night(deals=1, confirm=True)
    first, second = Phone(session, seat=0), Phone(session, seat=1)
    first.enter(1, ANN_WINS)
    second.confirm(1)
    league.close(1)
    assert "This table is closed." in first.look()
    assert "Save deal" not in first.said
    assert first.enter(1, OTHERWISE, seen=1) in (403, 409, 422)
    assert second.confirm(1) in (403, 409, 422)
    assert first.on_record().take == 1


def test_a_seat_that_only_has_the_slip_may_do_nothing_else():
    from games.access import Caller, slip_account
    from games.errors import Forbidden, NotFound

    league, session = a_night(8)
    other = league.sessions(1)[1]
    caller = Caller(slip_account(0).pk, table=session.pk)
    about = {"caller": caller, "now": NOW, "door": "slip"}
    for refused in (
        lambda: sessions.close(**about, session=session.public_id),
        lambda: sessions.configure(**about, session=session.public_id, changes={"confirm": True}),
        lambda: corrections.void(**about, session=session.public_id, number=1, reason="x"),
        lambda: setup.configure(**about, competition=league.public_id, changes={"deals": 3}, reason=""),
    ):
        with pytest.raises((Forbidden, NotFound)):
            refused()
    with pytest.raises(NotFound):
        sessions.close(**about, session=other.public_id)


def test_the_setting_turns_it_off_for_all_but_scorers():
    league, session = a_night(slip_entry=False)
    nobody = Phone(session)
    nobody.answer = nobody.client.get(nobody.address)
    assert nobody.answer.status_code == 302
    assert nobody.answer["Location"].startswith(reverse("login"))
    member = Phone(session, client=log_in(a_member(league.club, "member", Role.MEMBER)))
    assert "a scorer enters the results" in member.look()
    assert member.answer.status_code == 403
    assert member.enter(1, ANN_WINS) == 403
    scorer = Phone(session, client=log_in(a_member(league.club, "scorer", Role.SCORER)))
    assert scorer.enter(1, ANN_WINS) == 200
    assert Deal.objects.count() == 1


def test_a_competition_from_before_the_setting_lets_players_enter():
    from competitions.state import fold

    league, _ = a_night()
    events = league.state.events
    created = next(event for event in events if "settings" in event.data)
    del created.data["settings"]["slip_entry"]
    assert fold(events).settings.slip_entry is True
    assert fold(events).settings_json["slip_entry"] is True


def test_scorers_enter_under_their_own_name_and_say_why_they_change():
    league, session = a_night(confirm=True)
    scorer = Phone(session, client=log_in(a_member(league.club, "scorer", Role.SCORER)))
    phone = Phone(session, seat=0)
    phone.enter(1, ANN_WINS)
    scorer.look()
    assert "Who are you?" not in scorer.said
    assert scorer.enter(1, OTHERWISE, seen=1) == 422
    assert scorer.enter(1, OTHERWISE, seen=1, reason="misread") == 200
    event = Event.objects.filter(session=session).latest("seq")
    assert User.objects.get(pk=event.actor_id).username == "scorer"
    assert "That is right" not in scorer.look()
    assert phone.confirm(1, take=2) == 200


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"do": "fly"},
        {"do": "sit", "seat": "99"},
        {"do": "sit", "seat": "²"},
        {"do": "sit", "seat": "7"},
        {"do": "enter"},
        {"do": "enter", "number": "0"},
        {"do": "enter", "number": "99999"},
        {"do": "enter", "number": "1", "seen": "x", "key": "\x00"},
        {"do": "enter", "number": "1", "dealer": "0", "left_0": "9" * 400},
        {"do": "confirm"},
        {"do": "confirm", "number": "1", "take": "1"},
        {"do": "confirm", "number": "1", "take": "99999", "key": "\x00"},
    ],
)
def test_junk_is_answered_with_a_page_and_stores_nothing(fields):
    _, session = a_night()
    phone = Phone(session, seat=0)
    assert phone.send(**fields) in (200, 409, 422)
    assert not Deal.objects.exists()
    assert Client(enforce_csrf_checks=True).post(phone.address, fields).status_code == 403


def test_a_page_costs_as_many_statements_for_many_deals_as_for_none(django_assert_num_queries):
    _, session = a_night(deals=12, confirm=True)
    first, second = Phone(session, seat=0), Phone(session, seat=1)
    first.enter(1, ANN_WINS)
    with django_assert_num_queries(7):
        first.look()
    for number in range(1, 9):
        first.enter(number, ANN_WINS, dealer=(number - 1) % 4)
        if number < 6:
            second.confirm(number)
    with django_assert_num_queries(7):
        first.look()


def test_nobody_else_gets_an_account_with_such_a_name():
    from django.core.exceptions import ValidationError

    from games.services.members import check_username

    for name in ("slip-1", "Slip-x"):
        with pytest.raises(ValidationError, match="belong to the server"):
            check_username(name)


def test_slips_lead_to_the_page_of_their_table_and_say_its_address():
    league, session = a_night()
    page = log_in(league.organiser).get(reverse("print-slips", args=[league.public_id, 1]))
    code = code_of(session.public_id)
    assert f'href="http://testserver/r/{code}/"' in page.content.decode()
    assert f"testserver/r/{code}" in text_of(page)


def test_slips_printed_from_an_address_that_phones_cannot_reach_say_so():
    league, _ = a_night()
    organiser, address = log_in(league.organiser), reverse("print-slips", args=[league.public_id, 1])
    for host in ("localhost", "127.0.0.1:8000", "[::1]:8000"):
        assert f"Phones cannot reach this address ({host})" in text_of(organiser.get(address, headers={"host": host}))
    assert "Phones cannot reach this address" not in text_of(organiser.get(address))


def test_a_page_learns_cheaply_whether_its_table_has_moved_on(django_assert_num_queries):
    _, session = a_night(confirm=True)
    first, second = Phone(session, seat=0), Phone(session, seat=1)

    def version():
        with django_assert_num_queries(2):
            answer = second.client.head(second.address)
        assert (answer.status_code, answer.content) == (200, b"")
        return answer["Slip-Version"]

    seen = [version()]
    first.enter(1, ANN_WINS)
    seen.append(version())
    second.confirm(1)
    seen.append(version())
    assert len(set(seen)) == 3
    second.look()
    assert f'data-version="{seen[-1]}"' in second.answer.content.decode()
    assert Client().head("/r/x/").status_code == 404


def test_the_table_so_far_is_in_the_order_of_places():
    _, session = a_night(confirm=True)
    first, second = Phone(session, seat=0), Phone(session, seat=1)
    waits = "Deals that wait for a second person do not count yet."
    first.enter(1, ANN_WINS)
    assert waits in first.look()
    second.confirm(1)
    assert waits not in first.look()
    so_far = first.said[first.said.index("The table so far") :]
    names = names_at(session)
    places = [so_far.index(names[seat]) for seat in (0, 2, 1, 3)]
    assert places == sorted(places)


def test_a_scorer_enters_all_deals_of_a_slip_at_once_up_to_the_first_that_cannot_be():
    league, session = a_night(deals=4)
    scorer = Phone(session, client=log_in(a_member(league.club, "scorer", Role.SCORER)))
    assert "Enter all missing deals at once" in scorer.look()
    page = text_of(scorer.client.get(scorer.address + "?all"))
    assert [page.count(f"Deal {number} ") for number in range(1, 5)] == [1, 1, 1, 1]
    wrong = all_at_once({1: ANN_WINS, 2: ANN_WINS, 3: [0, 0, 1, 2], 4: ANN_WINS})
    assert scorer.send(do="enter-all", **wrong) == 422
    assert "Deal 1 is saved." in scorer.said
    assert "Deal 2 is saved." in scorer.said
    assert "Only one player can have 0 cards left." in scorer.said
    assert "Save these deals" in scorer.said
    assert list(Deal.objects.order_by("number").values_list("number", flat=True)) == [1, 2]
    # The same once more stores nothing twice; what is left empty is left out.
    assert scorer.send(do="enter-all", **{**wrong, **all_at_once({3: ANN_WINS}), "deal4-left_0": ""}) == 422
    assert list(Deal.objects.order_by("number").values_list("number", flat=True)) == [1, 2, 3]
    assert scorer.send(do="enter-all", **all_at_once({4: ANN_WINS})) == 200
    assert Deal.objects.count() == 4
    assert Deal.objects.filter(take=1).count() == 4
    phone = Phone(session, seat=0)
    assert phone.send(do="enter-all", **all_at_once({5: ANN_WINS})) == 403


def all_at_once(deals):
    return {
        f"deal{number}-{name}": value
        for number, left in deals.items()
        for name, value in {
            "number": number,
            "seen": 0,
            "key": a_key(),
            "dealer": (number - 1) % 4,
            **{f"left_{seat}": count for seat, count in enumerate(left)},
        }.items()
    }
