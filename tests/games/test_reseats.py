"""Players who sat in other chairs than was entered (re-seats), and substitutes entered afterwards."""

import json

import pytest

from games import exporting, people, selectors
from games.access import Caller
from games.audit import audit_session
from games.engine.session import SessionError
from games.errors import Forbidden, Invalid
from games.models import Event, Player, Role
from games.services import corrections, players, sessions
from tests.games.builders import NOW, a_member, a_table
from tests.games.test_corrections import REASON, correct, places, record, totals

pytestmark = pytest.mark.django_db

LEFT = ([2, 3, 1, 0], [4, 0, 2, 1], [1, 2, 0, 3])


@pytest.fixture
def table():
    """Three deals entered by their results, scored by cards left: 7 5 3 4 by seat."""
    table = a_table(4, scheme="card-count")
    for number, left in enumerate(LEFT, start=1):
        record(table, number, list(left), dealer=0 if number == 1 else None)
    yield table
    assert list(audit_session(table.row)) == []


def ids(table, letters):
    return {seat: table.players["ABCD".index(letter)].public_id for seat, letter in enumerate(letters)}


def reseat(table, seats, **more):
    return correct(corrections.reseat, table, seats=seats, **more)


def another(table, name="Zoë"):
    return players.create_player(caller=table.caller, club=table.club.slug, name=name)


def substitute(table, **more):
    return correct(corrections.substitute, table, **more)


def sitting(table, number):
    """The names by seat in that deal."""
    names = dict(Player.objects.values_list("pk", "name"))
    return "".join(names[player] for player in selectors.state_of(table.row).players_of(number))


def shares(table, seat):
    """Deals and points of each player of the seat, in order."""
    names = dict(Player.objects.values_list("pk", "name"))
    row = table.row.table_rows.get(seat=seat)
    return [(names[share["player"]], share["deals"], share["points"]) for share in row.players]


def refusal(attempt):
    with pytest.raises((SessionError, Invalid)) as refused:
        attempt()
    return refused.value.code


def test_two_players_in_each_others_chairs_get_the_points_of_the_chairs_they_sat_in(table):
    before = totals(table), places(table)

    reseat(table, ids(table, "BA"), from_number=1, to_number=3)

    assert [sitting(table, number) for number in (1, 2, 3, 4)] == ["BACD", "BACD", "BACD", "ABCD"]
    assert shares(table, 0) == [("B", 3, 7)]
    assert shares(table, 1) == [("A", 3, 5)]
    assert shares(table, 2) == [("C", 3, 3)]
    assert (totals(table), places(table)) == before


def test_a_reseat_over_some_deals_leaves_everybody_the_points_of_their_own_deals(table):
    reseat(table, ids(table, "BA"), from_number=2, to_number=2)

    assert shares(table, 0) == [("A", 2, 3), ("B", 1, 4)]
    assert shares(table, 1) == [("B", 2, 5), ("A", 1, 0)]


def test_a_whole_table_may_be_turned_round(table):
    reseat(table, ids(table, "BCDA"))

    assert [sitting(table, number) for number in (1, 2, 3, 4)] == ["BCDA", "BCDA", "BCDA", "ABCD"]
    assert [shares(table, seat)[0][0] for seat in range(4)] == list("BCDA")


def test_somebody_who_was_not_entered_at_all_may_have_sat_there(table):
    reseat(table, {3: another(table)}, from_number=2)

    assert shares(table, 3) == [("D", 1, 0), ("Zoë", 2, 4)]


def test_they_may_go_on_in_the_chairs_they_are_in(table):
    reseat(table, ids(table, "BA"), from_number=2, onwards=True)
    record(table, 4, [5, 1, 1, 0], dealer=None)

    assert [sitting(table, number) for number in (1, 2, 4, 5)] == ["ABCD", "BACD", "BACD", "BACD"]
    assert shares(table, 0) == [("A", 1, 2), ("B", 3, 10)]
    substitute(table, seat=0, player=another(table), credit="deals")
    assert sitting(table, 5) == "ZoëACD"


def test_undoing_a_reseat_brings_everybody_back_and_undoing_that_moves_them_again(table):
    start = [shares(table, seat) for seat in range(4)]
    change = reseat(table, ids(table, "BA"))
    moved = [shares(table, seat) for seat in range(4)]

    undo = correct(corrections.undo, table, seq=change.seq)
    assert [shares(table, seat) for seat in range(4)] == start
    correct(corrections.undo, table, seq=undo.seq)
    assert [shares(table, seat) for seat in range(4)] == moved


def test_of_two_reseats_the_later_one_holds_where_both_speak(table):
    reseat(table, ids(table, "BA"), from_number=1, to_number=2)
    reseat(table, ids(table, "ACB"), from_number=2, to_number=3)

    assert [sitting(table, number) for number in (1, 2, 3)] == ["BACD", "ACBD", "ACBD"]


def test_records_name_who_sat_there(table):
    reseat(table, ids(table, "BA"), from_number=1, to_number=1)

    lines = [json.loads(line)["players"] for line in exporting.record_lines(table.row)]

    assert lines == [["B", "A", "C", "D"], ["A", "B", "C", "D"], ["A", "B", "C", "D"]]


def test_a_penalty_stays_with_the_seat_and_goes_to_who_sat_there(table):
    correct(corrections.adjust, table, seat=0, points=10)
    reseat(table, ids(table, "BA"))

    assert shares(table, 0) == [("B", 3, 17)]


def test_after_a_reseat_a_substitution_still_says_who_gets_the_points_of_the_other_deals(table):
    zoe = another(table)
    substitute(table, seat=0, player=zoe, credit="last")
    record(table, 4, [6, 1, 1, 0], dealer=None)
    reseat(table, ids(table, "BA"), from_number=1, to_number=1)

    # Deal 1 was B's; deals 2 and 3 were A's and deal 4 Zoë's, who gets the points of the seat.
    assert shares(table, 0) == [("B", 1, 2), ("A", 2, 0), ("Zoë", 1, 11)]


def test_a_seat_list_with_the_same_person_twice_is_refused_and_changes_nothing(table):
    before = Event.objects.count(), table.row.version
    one, two = ids(table, "AB")[0], ids(table, "AB")[1]

    assert refusal(lambda: reseat(table, {0: two, 1: two})) == "already_seated"
    assert refusal(lambda: reseat(table, {0: two})) == "already_seated"
    assert refusal(lambda: reseat(table, {0: two, 2: one})) == "already_seated"

    assert (Event.objects.count(), table.row.version) == before


def test_a_reseat_that_moves_nobody_stores_nothing(table):
    before = table.row.seq
    assert reseat(table, ids(table, "ABCD")).seq == before


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"from_number": 4}, "no_such_deal"),
        ({"to_number": 4}, "no_such_deal"),
        ({"from_number": 0}, "no_such_deal"),
        ({"from_number": 3, "to_number": 2}, "bad_range"),
        ({"to_number": 2, "onwards": True}, "bad_range"),
        ({"seats": {4: None}}, "bad_seat"),
        ({"seats": {0: "zzzzzzzzzzzz"}}, "bad_player"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_reason(table, more, code):
    seats = more.pop("seats", None) or ids(table, "BA")
    seats = {seat: player or another(table) for seat, player in seats.items()}

    assert refusal(lambda: reseat(table, seats, **more)) == code


def test_nobody_of_another_club_is_seated(table):
    other = a_table(3, name="hill")
    assert refusal(lambda: reseat(table, {0: other.players[0].public_id})) == "bad_player"


def test_before_the_first_deal_players_are_seated_instead():
    table = a_table(4)
    assert refusal(lambda: reseat(table, ids(table, "BA"))) == "not_started"


def test_only_an_organiser_reseats(table):
    scorer = Caller.of(a_member(table.club, "scorer", Role.SCORER))
    with pytest.raises(Forbidden):
        corrections.reseat(
            caller=scorer, session=table.session, seats=ids(table, "BA"), reason=REASON, now=NOW, door="test"
        )


def test_while_a_hosted_deal_runs_those_before_can_be_reseated_and_it_cannot(table):
    table.deal(4)

    assert refusal(lambda: reseat(table, ids(table, "BA"), to_number=4)) == "deal_running"
    assert refusal(lambda: reseat(table, ids(table, "BA"), onwards=True)) == "deal_running"
    reseat(table, ids(table, "BA"))

    assert [sitting(table, number) for number in (1, 3, 4)] == ["BACD", "BACD", "ABCD"]
    assert table.row.status == "playing"


def test_a_reseat_brought_back_by_undoing_its_undo_takes_nobodys_running_hand(table):
    change = reseat(table, ids(table, "BA"), onwards=True)
    undo = correct(corrections.undo, table, seq=change.seq)
    table.deal(4)

    assert refusal(lambda: correct(corrections.undo, table, seq=undo.seq)) == "deal_running"
    assert sitting(table, 4) == "ABCD"


def test_an_older_take_that_would_seat_somebody_twice_cannot_come_back(table):
    undone = correct(corrections.undo, table, seq=table.row.seq)
    reseat(table, {1: another(table)}, onwards=True)
    substitute(table, seat=0, player=ids(table, "AB")[1], from_number=3)

    correct(corrections.undo, table, seq=undone.seq)

    assert sitting(table, 3) == "BZoëCD"


# -- substitutes entered afterwards


def test_a_substitute_may_be_entered_from_a_past_deal_on(table):
    substitute(table, seat=0, player=another(table), credit="deals", from_number=2)

    assert [sitting(table, number) for number in (1, 2, 4)] == ["ABCD", "ZoëBCD", "ZoëBCD"]
    assert shares(table, 0) == [("A", 1, 2), ("Zoë", 2, 5)]


@pytest.mark.parametrize(("credit", "points"), [("last", [0, 7]), ("first", [7, 0]), ("deals", [2, 5])])
def test_the_credit_of_a_past_substitution_says_who_gets_the_points(table, credit, points):
    substitute(table, seat=0, player=another(table), credit=credit, from_number=2)

    assert [share[2] for share in shares(table, 0)] == points


def test_who_never_sat_in_a_seat_is_not_in_its_row(table):
    substitute(table, seat=0, player=another(table), from_number=1)

    assert shares(table, 0) == [("Zoë", 3, 7)]


def test_a_later_substitution_holds_from_its_deal_on_whichever_is_entered_first(table):
    substitute(table, seat=0, player=another(table, "Y"), from_number=3)
    substitute(table, seat=0, player=another(table, "X"), from_number=2)

    assert [sitting(table, number) for number in (1, 2, 3)] == ["ABCD", "XBCD", "YBCD"]


def test_a_substitute_is_entered_from_the_next_deal_at_the_latest(table):
    assert refusal(lambda: substitute(table, seat=0, player=another(table), from_number=5)) == "no_such_deal"
    assert refusal(lambda: substitute(table, seat=0, player=another(table, "X"), from_number=0)) == "no_such_deal"
    substitute(table, seat=0, player=another(table, "Y"), from_number=4)


def test_a_cycle_of_substitutions_is_refused(table):
    """B would have to sit in two chairs of deal 3: changing places is a re-seat."""
    substitute(table, seat=0, player=another(table), from_number=3)
    one, two = ids(table, "AB")[0], ids(table, "AB")[1]

    assert refusal(lambda: substitute(table, seat=0, player=two, from_number=3)) == "already_seated"
    substitute(table, seat=1, player=one, from_number=3)
    assert refusal(lambda: substitute(table, seat=1, player=one, from_number=1)) == "already_seated"
    assert refusal(lambda: substitute(table, seat=0, player=one, from_number=3)) == "already_seated"


def test_a_substitute_who_comes_to_sit_elsewhere_later_is_refused(table):
    zoe = another(table)
    substitute(table, seat=1, player=zoe, from_number=3)

    assert refusal(lambda: substitute(table, seat=0, player=zoe, from_number=2)) == "already_seated"


def test_a_past_substitution_takes_nobodys_running_hand(table):
    table.deal(4)
    assert refusal(lambda: substitute(table, seat=0, player=another(table), from_number=2)) == "deal_running"
    assert refusal(lambda: substitute(table, seat=0, player=another(table, "X"), from_number=4)) == "deal_running"
    substitute(table, seat=0, player=another(table, "Y"))
    assert (sitting(table, 4), sitting(table, 5)) == ("ABCD", "YBCD")


# -- in closed sessions


def test_reseats_and_substitutes_are_entered_in_a_closed_session_too(table):
    correct(sessions.close, table)

    reseat(table, ids(table, "BA"), to_number=2)
    substitute(table, seat=3, player=another(table), from_number=3, credit="deals")

    assert [sitting(table, number) for number in (1, 2, 3)] == ["BACD", "BACD", "ABCZoë"]
    assert table.row.status == "closed"


def test_in_a_closed_session_nobody_is_left_over_in_a_seat_where_they_never_played(table):
    correct(sessions.close, table)
    zoe = another(table)

    reseat(table, {0: zoe})

    assert [sitting(table, number) for number in (1, 3, 4)] == ["ZoëBCD"] * 3
    assert not table.row.occupancies.filter(player=table.players[0]).exists()


def test_a_players_record_names_the_seat_they_played_in(table):
    reseat(table, ids(table, "BACD"))

    (result,) = people.record_of(table.players[0]).latest

    assert (result.seat, result.total) == (1, "5")
