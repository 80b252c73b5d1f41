"""A correction shows what it would change before it is made: the same refusals, the same numbers, nothing stored."""

import pytest

from games import hooks, selectors
from games.models import Deal, Event, Player, Role
from games.services import corrections, sessions
from tests.admin.conftest import a_member_of, log_in
from tests.admin.test_session_pages import SLIP, errors_of, messages_of
from tests.games.builders import a_table
from tests.games.test_corrections import correct, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(make_desk):
    desk = make_desk(4, scheme="card-count")
    record(desk.table, 1, [2, 3, 1, 0])
    record(desk.table, 2, [0, 4, 2, 5], dealer=None)
    return desk


def ask(desk, action, **data):
    """Send a form once: the page that comes back."""
    return desk.client.post(desk.address(action), data)


def shown(answer):
    """The parts of a preview, as heading, sentences and rows."""
    assert answer.status_code == 200
    return [
        (part.heading, list(part.sentences), [list(row) for row in part.rows]) for part in answer.context["form"].shown
    ]


def confirm(desk, action, answer, **data):
    return desk.client.post(desk.address(action), {**data, "confirmed": answer.context["form"].confirms}, follow=True)


def stored(desk):
    return Event.objects.count(), desk.table.row.version


def test_voiding_shows_the_table_as_it_would_be_and_stores_nothing_until_it_is_confirmed(desk):
    before = stored(desk)
    data = {"number": 1, "reason": "misdeal"}

    answer = ask(desk, "void", **data)

    [(heading, _, rows)] = shown(answer)
    assert heading == "The table of this session"
    assert rows == [
        ["1", "A", "2 → 0", "1", "2 → 1"],
        ["2", "B", "7 → 4", "4 → 3", "2 → 1"],
        ["3", "C", "3 → 2", "2", "2 → 1"],
        ["4", "D", "5", "3 → 4", "2 → 1"],
    ]
    assert "Nothing is stored yet" in answer.content.decode()
    assert stored(desk) == before

    done = messages_of(confirm(desk, "void", answer, **data))
    assert "Deal 1 is void." in done
    assert "Seat 2 (B): total 7 → 4, place 4 → 3, deals counted 2 → 1." in done
    assert stored(desk) != before


def test_what_is_changed_in_the_form_or_in_the_session_meanwhile_is_shown_anew(desk):
    first = ask(desk, "void", number=1, reason="misdeal")
    other = confirm(desk, "void", first, number=2, reason="misdeal")
    assert shown(other)[0][2][1] == ["2", "B", "7 → 3", "4", "2 → 1"]

    correct(corrections.adjust, desk.table, seat=1, points=10)
    again = confirm(desk, "void", other, number=2, reason="misdeal")
    assert shown(again)[0][2][1] == ["2", "B", "17 → 13", "4", "2 → 1"]
    assert not Deal.objects.exclude(voided_by=None).exists()

    confirm(desk, "void", again, number=2, reason="misdeal")
    assert Deal.objects.exclude(voided_by=None).get().number == 2


def test_play_going_on_does_not_spoil_a_preview(desk):
    desk.table.deal(3)
    data = {"number": 1, "reason": "misdeal"}
    answer = ask(desk, "void", **data)
    desk.table.step()
    assert "Deal 1 is void." in messages_of(confirm(desk, "void", answer, **data))


def test_the_preview_is_refused_with_what_the_correction_is_refused_with(desk):
    assert "There is no deal 7" in errors_of(ask(desk, "void", number=7, reason="x"))
    a = desk.table.players[0].pk
    double = {f"seat_{seat}": a for seat in range(4)}
    asked = ask(desk, "reseat", from_number=1, to_number=2, reason="x", **double)
    assert "stands twice" in errors_of(asked)
    assert "already sits at the table" in errors_of(
        ask(desk, "substitute", seat=1, player=a, from_number=2, credit="last", reason="x")
    )


def chairs(desk, letters):
    return {f"seat_{seat}": desk.table.players["ABCD".index(letter)].pk for seat, letter in enumerate(letters)}


def test_players_in_wrong_chairs_are_put_right_over_the_deals_that_are_named(desk):
    page = desk.client.get(desk.address("reseat")).content.decode()
    assert 'name="to_number" value="2"' in page
    data = {"from_number": 2, "to_number": 2, "reason": "sat wrong", **chairs(desk, "BACD")}

    answer = ask(desk, "reseat", **data)

    assert shown(answer)[0][2][0] == ["1", "A → A 2, B 0", "2", "1", "2"]
    done = confirm(desk, "reseat", answer, **data)
    assert "Who sat where in deal 2 is corrected." in messages_of(done)
    names = {player.pk: player.name for player in desk.table.players}
    state = selectors.state_of(desk.table.row)
    assert ["".join(names[pk] for pk in state.players_of(number)) for number in (1, 2, 3)] == ["ABCD", "BACD", "ABCD"]
    assert "From deal 2 to 2 there sat: B in seat 1, A in seat 2." in desk.text()


def test_chairs_as_they_were_entered_need_no_correction(desk):
    before = stored(desk)
    answer = desk.do("reseat", from_number=1, to_number=2, reason="x", **chairs(desk, "ABCD"))
    assert "nothing is changed" in messages_of(answer)
    assert stored(desk) == before


def test_a_substitute_who_played_already_is_entered_from_that_deal_on(desk):
    zoe = Player.objects.create(club=desk.table.club, name="Zoë")
    data = {"seat": 0, "player": zoe.pk, "from_number": 2, "credit": "deals", "reason": "came late"}
    answer = ask(desk, "substitute", **data)
    assert shown(answer)[0][2] == [["1", "A → A 2, Zoë 0", "2", "1", "2"]]
    assert "Zoë takes seat 1 from A, from deal 2 on." in messages_of(confirm(desk, "substitute", answer, **data))


def test_a_deal_entered_again_is_shown_first_and_a_new_one_is_not(desk):
    again = {**SLIP, "left_1": 9, "number": 1, "dealer": 0, "reason": "misread"}
    answer = ask(desk, "result", **again)
    assert shown(answer)[0][2] == [["2", "B", "7 → 13", "4", "2"]]
    assert "is saved" in messages_of(confirm(desk, "result", answer, **again))
    assert ask(desk, "result", number=3, dealer=2, **SLIP).status_code == 302


def test_in_a_closed_session_an_organiser_corrects_and_a_scorer_is_told_why_not(desk):
    correct(sessions.close, desk.table, reason="The evening is over.")
    page = desk.text()
    assert "What is past can still be corrected" in page
    assert "Void a deal" in page
    assert "Deal 1 is void." in messages_of(desk.do("void", number=1, reason="misdeal"))
    assert desk.table.row.status == "closed"

    scorer = log_in(a_member_of(desk.table.club, "sam", Role.SCORER))
    answer = scorer.post(desk.address("result"), {**SLIP, "left_1": 9, "number": 2, "dealer": 1, "reason": "misread"})
    assert "This session is closed (The evening is over)." in errors_of(answer)
    assert "?number=2" not in scorer.get(desk.page).content.decode()


class Counting:
    """A watcher that has something to say of every correction."""

    name = "league"

    def look(self, session):
        return "before"

    def corrected(self, session, looked, *, events, caller, now, door):
        return {"seen": looked, "kinds": [event.kind.name for event in events]}

    def recall(self, session, seq):
        return {"seen": "recalled", "kinds": []}

    def words(self, effects):
        return "The league", [f"It saw {effects['seen']}: {', '.join(effects['kinds'])}."]


def test_whoever_counts_on_the_session_says_what_changes_there(desk, monkeypatch):
    monkeypatch.setattr(hooks, "watchers", [Counting()])
    data = {"seat": 0, "points": 3, "reason": "x"}
    answer = ask(desk, "adjust", **data)
    assert shown(answer)[1] == ("The league", ["It saw before: ADJUSTED."], [])
    assert "It saw recalled" in messages_of(confirm(desk, "adjust", answer, **data))


def test_a_preview_of_another_clubs_session_is_not_to_be_had(desk):
    other = a_table(3, name="hill")
    address = desk.address("void").replace(f"/{desk.pk}/", f"/{other.row.pk}/")
    assert desk.client.post(address, {"number": 1, "reason": "x"}).status_code in (302, 404)
