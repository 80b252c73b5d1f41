"""Files of entries, results and points: all rows or none, the same by dry run and for real."""

import pytest

from competitions.files.entries import EntryLine, write_entries
from competitions.files.results import DealLine, SeatLine, write_results
from competitions.models import Entry
from competitions.services import corrections, entries, rounds
from competitions.services.importing import import_entries, import_points
from competitions.services.results import import_results
from games.access import Caller
from games.errors import Forbidden, Invalid, NotFound
from games.models import Event, Player, Role
from games.services.keys import Key
from tests.competitions.builders import a_league
from tests.games.builders import a_member

pytestmark = pytest.mark.django_db


def bring(league, rows, *, dry_run=False, **more):
    data = rows if isinstance(rows, bytes) else write_entries(rows, "xlsx")
    return import_entries(**{**league.about, "data": data, "name": "entries", "dry_run": dry_run, **more})


def faults_of(refused):
    return [(fault.get("line"), fault["code"]) for fault in refused.value.extra["errors"]]


def seats_of(session):
    return [item.player.name for item in session.occupancies.order_by("seat").select_related("player")] or [
        Player.objects.get(pk=pk).name for pk in seated(session)
    ]


def seated(session):
    found = Event.objects.filter(session=session, detail__data__has_key="player").order_by("seq")
    return [event.detail.data["player"] for event in found.select_related("detail")]


def test_a_file_enters_players_and_makes_those_whom_the_club_does_not_know():
    league = a_league(2, enter=False)
    a = league.player("A")
    rows = [
        EntryLine("A", a.public_id, 1),
        EntryLine("b", "", 2, 3),
        EntryLine("Zoë"),
        EntryLine("=1+1", "", None, 1, 4),
    ]
    receipt = bring(league, rows)
    assert receipt.report == {
        "rows": 4,
        "entered": 4,
        "withdrawn": 1,
        "unchanged": 0,
        "new_players": ["Zoë", "=1+1"],
    }
    found = Entry.objects.order_by("id").values_list("player__name", "seed", "from_round", "withdrawn")
    assert list(found) == [("A", 1, 1, None), ("B", 2, 3, None), ("Zoë", None, 1, None), ("=1+1", None, 1, 4)]


def test_a_dry_run_says_the_same_and_changes_nothing():
    league = a_league(2)
    rows = [EntryLine("A"), EntryLine("New")]
    dry = bring(league, rows, dry_run=True)
    assert not Player.objects.filter(name="New").exists()
    assert Entry.objects.count() == 2
    real = bring(league, rows)
    assert dry.report == real.report
    assert real.report["unchanged"] == 1
    assert dry.effects.sentences == real.effects.sentences
    assert any("New" in sentence for sentence in real.effects.sentences)
    assert Entry.objects.count() == 3


def test_a_file_that_is_brought_again_changes_nothing():
    league = a_league(3, enter=False)
    rows = [EntryLine("A", "", 1), EntryLine("B", "", None, 1, 2), EntryLine("C", "", None, 2)]
    seq = bring(league, rows).seq
    again = bring(league, rows)
    assert (again.seq, again.report["unchanged"], again.report["entered"]) == (seq, 3, 0)


def test_every_row_that_cannot_be_taken_is_told_and_none_is_stored():
    league = a_league(3, enter=False)
    entries.enter(**league.about, entries=[entries.NewEntry(league.player("C").public_id, seed=3)])
    Player.objects.create(club=league.club, name="A")
    rows = [
        EntryLine("A"),
        EntryLine("Nobody", "zzzzzzzzzzzz"),
        EntryLine("B", league.player("C").public_id),
        EntryLine("C", "", 7),
        EntryLine("new\u202e"),
        EntryLine("Fine"),
    ]
    with pytest.raises(Invalid) as refused:
        bring(league, rows)
    assert refused.value.code == "import_faults"
    assert refused.value.message == "5 faults were found; nothing was imported."
    assert faults_of(refused) == [
        (2, "ambiguous_player"),
        (3, "bad_player"),
        (4, "bad_player"),
        (5, "already_entered"),
        (6, "bad_text"),
    ]
    assert not Player.objects.filter(name="Fine").exists()
    with pytest.raises(Invalid) as refused:
        bring(league, b"name;seed\nB;x\n;2\nA;1\n")
    assert faults_of(refused) == [(2, "bad_cell"), (3, "bad_cell"), (4, "ambiguous_player")]


def test_a_name_that_several_have_is_settled_by_the_request():
    league = a_league(1, enter=False)
    other = Player.objects.create(club=league.club, name="A")
    bring(league, [EntryLine("A")], players={"a": other.public_id})
    assert Entry.objects.get().player == other


def test_one_person_under_two_spellings_enters_once():
    league = a_league(1, enter=False)
    a = league.player("A")
    with pytest.raises(Invalid) as refused:
        bring(league, [EntryLine("A"), EntryLine("A", a.public_id)])
    assert faults_of(refused) == [(3, "already_entered")]


def test_a_file_that_is_none_and_a_header_that_does_not_fit_are_refused():
    league = a_league(1, enter=False)
    with pytest.raises(Invalid) as refused:
        bring(league, "name\nZoë".encode("utf-16"))
    assert refused.value.code == "bad_file"
    with pytest.raises(Invalid) as refused:
        bring(league, b"naam;seed\nA;1\n")
    assert refused.value.code == "bad_columns"
    assert [(fault["code"], fault["column"]) for fault in refused.value.extra["errors"]] == [
        ("unknown_column", "naam"),
        ("missing_column", "name"),
    ]


def test_a_key_that_is_sent_again_is_answered_as_before():
    league = a_league(1, enter=False)
    key = Key.of("one", "import", "body")
    first = bring(league, [EntryLine("Zoë")], key=key)
    again = bring(league, [EntryLine("Zoë")], key=key)
    assert (again.seq, again.report) == (first.seq, first.report)
    assert Entry.objects.count() == 1


def test_only_organisers_bring_entries_and_members_bring_no_results():
    league = a_league(2, enter=False)
    scorer = Caller.of(a_member(league.club, "scorer", Role.SCORER))
    member = Caller.of(a_member(league.club, "member", Role.MEMBER))
    with pytest.raises(Forbidden):
        bring(league, [EntryLine("A")], caller=scorer, dry_run=True)
    with pytest.raises(Forbidden):
        results_of(league, [], caller=member, dry_run=True)
    with pytest.raises(NotFound):
        results_of(league, [], caller=Caller(0), dry_run=True)


def test_points_brought_along_are_adjustments_and_count_once():
    league = a_league(3)
    data = b"name,total\nA,5/2\nB,0\nC,-3\n"
    about = {**league.about, "data": data, "name": "x.csv", "reason": "autumn", "dry_run": False}
    dry = import_points(**{**about, "dry_run": True})
    assert league.state.adjustments == []
    receipt = import_points(**about)
    assert dry.effects.sentences == receipt.effects.sentences
    assert receipt.report == {"rows": 3, "adjusted": 2, "unchanged": 1}
    assert {str(item.points) for item in league.state.adjustments} == {"5/2", "-3"}
    assert import_points(**about).report["adjusted"] == 0
    corrections.undo(**league.about, seq=receipt.seq, reason="wrong")
    assert import_points(**about).report["adjusted"] == 1


def test_points_for_somebody_who_is_not_entered_are_refused_by_the_line():
    league = a_league(2, enter=False)
    with pytest.raises(Invalid) as refused:
        import_points(**league.about, data=b"name,total\nA,1\nX,2\n", name="x", reason="r", dry_run=True)
    assert faults_of(refused) == [(2, "not_entered"), (3, "bad_player")]
    with pytest.raises(Invalid) as refused:
        import_points(**league.about, data=b"name,total\nA,1\n", name="x", reason=" ", dry_run=True)
    assert refused.value.code == "reason_required"


# -- results ---------------------------------------------------------------------------------------------------------


def results_of(league, deals, *, dry_run=False, **more):
    data = write_results(deals, "csv")
    return import_results(**{**league.about, "data": data, "name": "x.csv", "dry_run": dry_run, **more})


def a_deal(table, cards_left, names=(), *, number=1, deal=1, dealer=0):
    names = names or [""] * len(cards_left)
    return DealLine(
        number, table, deal, dealer, tuple(SeatLine(n, "", c) for n, c in zip(names, cards_left, strict=True))
    )


def an_open_league(deals=2):
    league = a_league(8, deals=deals, tables={"preferred": 4})
    league.open(1)
    return league


def test_results_of_a_round_are_entered_at_their_tables():
    league = an_open_league(deals=1)
    one, two = league.sessions(1)
    deals = [a_deal(1, [0, 2, 3, 4], seats_of(one)), a_deal(2, [3, 0, 1, 1])]
    dry = results_of(league, deals, dry_run=True)
    assert not one.deals.exists()
    real = results_of(league, deals)
    assert dry == real
    assert real.report == {"rows": 8, "deals": 2, "entered": 2, "confirmed": 0, "unchanged": 0}
    assert real.effects.sentences
    assert [deal.result["cards_left"] for deal in (*one.deals.all(), *two.deals.all())] == [[0, 2, 3, 4], [3, 0, 1, 1]]
    assert results_of(league, deals).report["unchanged"] == 2
    assert one.deals.count() == 1


def test_two_deals_of_one_table_are_entered_in_their_order():
    league = an_open_league()
    results_of(league, [a_deal(1, [1, 0, 1, 1], deal=2, dealer=1), a_deal(1, [0, 2, 3, 4])])
    assert [deal.number for deal in league.sessions(1)[0].deals.order_by("number")] == [1, 2]
    assert league.sessions(1)[0].status == "finished"


def test_every_deal_that_cannot_be_taken_is_told_and_none_is_stored():
    league = an_open_league()
    deals = [
        a_deal(1, [0, 14, 1, 1]),
        a_deal(2, [0, 1, 1]),
        a_deal(2, [0, 1, 1, 1], deal=3),
        a_deal(9, [0, 1, 1, 1]),
        a_deal(1, [0, 1, 1, 1], number=2),
    ]
    with pytest.raises(Invalid) as refused:
        results_of(league, deals)
    assert faults_of(refused) == [
        (2, "bad_result"),
        (6, "bad_result"),
        (13, "no_such_table"),
        (17, "no_such_table"),
    ]
    assert not any(session.deals.exists() for session in league.sessions(1))


def test_a_result_in_the_name_of_somebody_else_is_refused():
    league = an_open_league()
    names = seats_of(league.sessions(1)[0])
    with pytest.raises(Invalid) as refused:
        results_of(league, [a_deal(1, [0, 1, 1, 1], [names[1], names[0], "", ""])])
    assert faults_of(refused) == [(2, "wrong_player")]
    with pytest.raises(Invalid) as refused:
        results_of(league, [a_deal(1, [0, 1, 1, 1], ["", "", names[3], ""])])
    assert faults_of(refused) == [(4, "wrong_player")]


def test_a_deal_is_not_blamed_for_the_one_before_it_that_could_not_be_taken():
    league = an_open_league()
    with pytest.raises(Invalid) as refused:
        results_of(league, [a_deal(1, [0, 14, 1, 1]), a_deal(1, [0, 1, 1, 1], deal=2)])
    assert faults_of(refused) == [(2, "bad_result")]
    with pytest.raises(Invalid) as refused:
        results_of(league, [a_deal(2, [0, 1, 1, 1], deal=3)])
    assert faults_of(refused) == [(2, "wrong_number")]


def test_another_result_is_a_correction_and_needs_its_reason():
    league = an_open_league()
    results_of(league, [a_deal(1, [0, 2, 3, 4])])
    with pytest.raises(Invalid) as refused:
        results_of(league, [a_deal(1, [0, 2, 3, 5])])
    assert faults_of(refused) == [(2, "reason_required")]
    assert results_of(league, [a_deal(1, [0, 2, 3, 5])], reason="misread").report["entered"] == 1


def test_a_slip_that_must_be_miscounted_is_told_and_can_be_kept():
    league = a_league(4, deals=1)
    league.open(1)
    deal = DealLine(
        1, 1, 1, 0, tuple(SeatLine("", "", left, passes, 0) for left, passes in ((0, 1), (1, 1), (1, 9), (1, 1)))
    )
    with pytest.raises(Invalid) as refused:
        results_of(league, [deal])
    assert faults_of(refused) == [(2, "doubtful_result")]
    assert results_of(league, [deal], anyway=True).report["entered"] == 1


def test_a_closed_round_takes_no_more_results_but_knows_its_own():
    league = a_league(4, deals=1)
    league.open(1)
    deal = a_deal(1, [0, 2, 3, 4])
    results_of(league, [deal])
    rounds.close(**league.about, number=1)
    assert results_of(league, [deal]).report["unchanged"] == 1
    with pytest.raises(Invalid) as refused:
        results_of(league, [a_deal(1, [0, 2, 3, 5])], reason="late")
    assert faults_of(refused) == [(2, "round_closed")]


def test_a_second_person_confirms_by_the_same_file():
    league = a_league(4, deals=1, confirm=True)
    league.open(1)
    deal = a_deal(1, [0, 2, 3, 4])
    assert results_of(league, [deal]).report["entered"] == 1
    assert results_of(league, [deal]).report["unchanged"] == 1
    other = Caller.of(a_member(league.club, "other", Role.SCORER))
    assert results_of(league, [deal], caller=other).report["confirmed"] == 1
    assert results_of(league, [deal], caller=other).report["unchanged"] == 1
