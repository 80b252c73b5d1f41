"""Recorded deals in and out: all or nothing, nothing lost, the same bytes again."""

import json
from pathlib import Path

import pytest

from games import exporting
from games.access import Caller
from games.audit import audit_session
from games.engine.record import parse, replay_record
from games.errors import Forbidden, Invalid
from games.models import Club, Event, Player, Role, Session
from games.services import importing, people, players
from scoring.schemes import scheme_from_text
from scoring.table import session_table
from tests.games.builders import NOW, a_member, a_table

pytestmark = pytest.mark.django_db
CASES = Path(__file__).parent.parent / "golden" / "cases"
SESSIONS = (CASES / "sessions.jsonl").read_bytes().splitlines()


def a_club(name="river"):
    club = Club.objects.create(name=name.title(), slug=name)
    return club, Caller.of(a_member(club, f"{name}-organiser"))


def bring_in(caller, club, lines, **more):
    more.setdefault("dry_run", False)
    return importing.import_records(
        caller=caller, club=club.slug, lines=list(enumerate(lines, start=1)), now=NOW, door="import", **more
    )


def exported(club):
    sessions = Session.objects.filter(club=club).order_by("pk")
    return [line for session in sessions for line in exporting.record_lines(session)]


def result_line(**changes):
    record = {
        "sevens": 1,
        "rules": "pagat",
        "session": "s",
        "number": 1,
        "players": ["Ana", "Бранко", "Chloé"],
        "dealer": 0,
        "result": {"cards_left": [2, 0, 1]},
        **changes,
    }
    return json.dumps({key: value for key, value in record.items() if value is not None}, ensure_ascii=False).encode()


def test_imported_sessions_are_scored_as_the_score_command_does_and_pass_the_audit():
    club, caller = a_club()

    report = bring_in(caller, club, SESSIONS, scheme="pool")

    expected = [json.loads(line) for line in (CASES / "sessions.expected.jsonl").read_text().splitlines()]
    expected = {row["session"]: row for row in expected if row["scheme"] == "pool"}
    assert report["deals"] == len(SESSIONS)
    for session in Session.objects.filter(club=club):
        rows = session.table_rows.order_by("seat")
        assert [int(row.total) for row in rows] == expected[session.label]["totals"]
        assert [row.place for row in rows] == expected[session.label]["places"]
        assert session.deals.filter(counted=True).count() == expected[session.label]["counted"]
        assert list(audit_session(session)) == []


def test_export_import_export_gives_the_same_bytes():
    club, caller = a_club()
    odd = [
        result_line(session="odd", number=1, note="kept", rating={"x": [1, 2.5]}).replace(b"2.5]", b"2.50]"),
        result_line(session="odd", number=2, dealer=1, voided="a card fell", hands=["7C", "", "7C 2D"]),
        result_line(session="odd", number=3, dealer=1, players=["Ana", "Zoë", "Chloé"]),
    ]
    bring_in(caller, club, [*SESSIONS, *odd])
    first = exported(club)

    other, other_caller = a_club("hill")
    bring_in(other_caller, other, [line.encode() for line in first])

    assert exported(other) == first
    assert len(first) == len(SESSIONS) + len(odd)
    assert '"note":"kept","rating":{"x":[1,2.50]}' in first[-3]
    assert '"voided":"a card fell"' in first[-2]


def test_a_hosted_session_exports_what_scores_to_its_own_table_and_imports_again():
    table = a_table(4, rules="bicycle", scheme="bicycle")
    for number in (1, 2, 3):
        table.deal(number)
        table.play_out()
    table.deal(4)

    lines = list(exporting.record_lines(table.row))

    records = [parse(line.encode()) for line in lines]
    assert len(records) == 3
    assert all(record.rules.wrongful_pass == "refused" for record in records)
    scored = session_table(scheme_from_text("bicycle"), [replay_record(record).result() for record in records], 4)
    assert [str(total) for total in scored.totals] == [row.total for row in table.row.table_rows.order_by("seat")]
    club, caller = a_club("hill")
    bring_in(caller, club, [line.encode() for line in lines])
    assert exported(club) == lines


def test_a_dry_run_says_what_would_happen_and_stores_nothing():
    club, caller = a_club()
    ana = players.create_player(caller=caller, club=club.slug, name="ANA")
    lines = [result_line(), result_line(number=2, dealer=0)]

    report = bring_in(caller, club, lines, dry_run=True)

    assert report["matched_players"] == {"Ana": ana}
    assert report["new_players"] == ["Бранко", "Chloé"]
    assert report["warnings"] == [
        {"line": 2, "code": "dealer_rotation", "message": "Seat 0 deals; after the deal before it would be seat 1."}
    ]
    assert report["sessions"] == [{"session": None, "label": "s", "deals": 2, "rules": "pagat", "scheme": "wins"}]
    assert (Session.objects.count(), Player.objects.count(), Event.objects.count()) == (0, 1, 0)


def test_every_fault_is_listed_with_its_line_and_nothing_is_stored():
    club, caller = a_club()
    lines = [
        result_line(),
        b"{",
        result_line(number=2, rules="nope"),
        result_line(number=3, dealer=7),
        result_line(number=1),
        result_line(number=4, result={"cards_left": [1, 1, 1]}),
        result_line(number=5, players=["Ana", "ana", "Chloé"]),
        result_line(number=6, players=["Ana", "Bo\u202eb", "Chloé"]),
        result_line(number=7, scheme="pool"),
    ]

    with pytest.raises(Invalid) as refused:
        bring_in(caller, club, lines)

    assert refused.value.code == "import_faults"
    found = [(fault["line"], fault["code"]) for fault in refused.value.extra["errors"]]
    assert found == [
        (2, "bad_record"),
        (3, "bad_rules"),
        (4, "bad_deal"),
        (5, "bad_record"),
        (6, "bad_result"),
        (7, "bad_text"),
        (8, "bad_text"),
        (1, "missing_passes"),
        (9, "missing_passes"),
    ]
    assert (Session.objects.count(), Player.objects.count()) == (0, 0)


def test_a_session_is_imported_once():
    club, caller = a_club()
    for label in ("s", None):
        bring_in(caller, club, [result_line(session=label)])
        with pytest.raises(Invalid) as refused:
            bring_in(caller, club, [result_line(session=label)])
        assert refused.value.extra["errors"][0]["code"] == "already_imported"


def test_a_name_that_may_be_two_players_is_settled_by_the_request():
    club, caller = a_club()
    first = players.create_player(caller=caller, club=club.slug, name="Ana")
    players.create_player(caller=caller, club=club.slug, name="ana")

    with pytest.raises(Invalid) as refused:
        bring_in(caller, club, [result_line()])
    assert refused.value.extra["errors"][0]["code"] == "ambiguous_player"

    bring_in(caller, club, [result_line()], players={"Ana": first})
    assert Session.objects.get().occupancies.get(seat=0).player.public_id == first


def made(caller, club, name):
    return Player.objects.get(public_id=players.create_player(caller=caller, club=club.slug, name=name))


def one_of(caller, player, into):
    people.merge(caller=caller, player=player.public_id, into=into.public_id, reason="r", now=NOW, door="test")


def test_the_name_of_a_merged_player_means_the_person_and_makes_nothing_ambiguous():
    club, caller = a_club()
    anna, twin, other = made(caller, club, "Anna"), made(caller, club, "Ana"), made(caller, club, "Ana")
    one_of(caller, twin, anna)
    one_of(caller, other, anna)

    report = bring_in(caller, club, [result_line()])

    assert report["matched_players"] == {"Ana": anna.public_id}
    assert Session.objects.get().occupancies.get(seat=0).player == anna
    line = result_line(session="t", players=["Zed", "Бранко", "Chloé"])
    mapped = bring_in(caller, club, [line], players={"Zed": twin.public_id}, dry_run=True)
    assert mapped["matched_players"]["Zed"] == anna.public_id


def test_two_names_of_one_person_in_a_deal_are_a_fault_of_its_line():
    club, caller = a_club()
    anna, chloe = made(caller, club, "Ana"), made(caller, club, "Chloé")
    one_of(caller, chloe, anna)

    with pytest.raises(Invalid) as refused:
        bring_in(caller, club, [result_line()])

    fault = refused.value.extra["errors"][0]
    assert (fault["line"], fault["code"]) == (1, "already_seated")
    assert "“Ana” and “Chloé” are one player" in fault["message"]
    assert not Session.objects.exists()


def test_a_merged_player_who_is_gone_for_good_is_not_mapped_to():
    club, caller = a_club()
    anna = made(caller, club, "Ana")
    people.anonymise(caller=caller, player=anna.public_id, reason="By letter.", now=NOW, door="test")
    with pytest.raises(Invalid) as refused:
        bring_in(caller, club, [result_line()], players={"Ana": anna.public_id})
    assert refused.value.extra["errors"][0]["code"] == "bad_player"
    assert bring_in(caller, club, [result_line()])["new_players"] == ["Ana", "Бранко", "Chloé"]


def test_an_export_keeps_the_names_as_entered_and_says_nobodys_who_is_forgotten():
    club, caller = a_club()
    bring_in(caller, club, [result_line()])
    before = exported(club)
    one_of(caller, Player.objects.get(name="Ana"), made(caller, club, "Anna"))
    assert exported(club) == before
    chloe = Player.objects.get(name="Chloé")
    people.anonymise(caller=caller, player=chloe.public_id, reason="By letter.", now=NOW, door="test")
    assert exported(club) == [line.replace("Chloé", f"Player {chloe.public_id[:4]}") for line in before]


def test_players_of_another_club_are_never_matched():
    other, other_caller = a_club("hill")
    stranger = players.create_player(caller=other_caller, club=other.slug, name="Ana")
    club, caller = a_club()

    report = bring_in(caller, club, [result_line()], dry_run=True)
    assert "Ana" in report["new_players"]
    with pytest.raises(Invalid) as refused:
        bring_in(caller, club, [result_line()], players={"Ana": stranger})
    assert refused.value.extra["errors"][0]["code"] == "bad_player"


def test_only_scorers_and_organisers_import():
    club, _ = a_club()
    member = Caller.of(a_member(club, "member", Role.MEMBER))

    with pytest.raises(Forbidden):
        bring_in(member, club, [result_line()])


def test_the_log_holds_no_name():
    club, caller = a_club()
    bring_in(caller, club, [result_line(), result_line(number=2, dealer=1, voided="misdeal")])

    from games.models import EventDetail

    logged = json.dumps(list(EventDetail.objects.values_list("data", flat=True)), ensure_ascii=False)
    for name in ("Ana", "Бранко", "Chloé"):
        assert name not in logged
