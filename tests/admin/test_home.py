"""The organisers' first page: what needs somebody now, the form one tap away; what it leaves out, with its number."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import attention
from games.admin.home import MOST_SHOWN
from games.models import Club, Membership, Role, Session
from games.services import corrections, importing, recording, sessions
from games.services.recording import PaperResult
from tests.admin.conftest import a_member_of, log_in
from tests.admin.test_scope import SLIP
from tests.games.builders import a_table, a_user

pytestmark = pytest.mark.django_db

HOME = "/admin/"
NOW = "/admin/now/"
EVENING = (Path(__file__).parents[2] / "docs" / "samples" / "evening.jsonl").read_bytes().splitlines()


def words(client: Client, address: str = NOW) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def leads(client: Client, link: str) -> str:
    """Where the first link with this text leads to."""
    found = re.search(rf'href="([^"]+)"[^>]*>\s*{re.escape(link)}\s*<', client.get(NOW).content.decode())
    assert found, words(client)
    return found[1].replace("&amp;", "&")


def test_a_table_where_nothing_happens_is_named_with_whose_turn_it_is(make_desk):
    desk = make_desk(4, people=4)
    desk.table.deal(1, now=timezone.now() - timedelta(minutes=20))
    page = words(desk.client)
    name = "ABCD"[desk.table.row.to_act]
    assert "One thing needs you" in page
    assert "One table is being played, but nothing happens there." in page
    assert f"{desk.table.row.label}: {name} to play since" in page
    assert leads(desk.client, "Look at the table") == desk.page


def test_bots_that_do_not_move_are_told_as_workers_that_are_down(desk):
    desk.table.deal(1, now=timezone.now() - timedelta(minutes=2))
    Session.objects.update(due_at=timezone.now() - timedelta(minutes=2))
    assert "workers seem to be down" in words(desk.client)


def test_a_deal_to_confirm_is_one_tap_away_for_everybody_but_whoever_entered_it(make_desk):
    desk = make_desk(4, settings={"confirm": True})
    desk.do("result", number=1, dealer=0, **SLIP)
    assert "You entered it, so another scorer or organiser confirms it." in words(desk.client)
    second = log_in(a_member_of(desk.table.club, "sam", Role.SCORER))
    address = leads(second, "Compare and confirm")
    assert address == desk.address("confirm") + "?number=1"
    assert "Confirm deal 1" in second.get(address).content.decode()


def test_a_session_that_is_over_is_closed_from_here_by_organisers(make_desk):
    desk = make_desk(4, settings={"deals_planned": 1})
    desk.do("result", number=1, dealer=0, **SLIP)
    assert "One session is over and can be closed." in words(desk.client)
    assert leads(desk.client, "Close it") == desk.address("close")
    scorer = log_in(a_member_of(desk.table.club, "sam", Role.SCORER))
    assert "Close it" not in words(scorer)


def test_the_most_urgent_comes_first(make_desk):
    desk = make_desk(4, settings={"deals_planned": 1})
    desk.do("result", number=1, dealer=0, **SLIP)
    stuck = sessions.open_session(
        caller=desk.table.caller, club="river", label="stuck", now=timezone.now(), door="test",
        players={seat: player.public_id for seat, player in enumerate(desk.table.players)},
    ).session  # fmt: skip
    desk.table.session = stuck
    desk.table.deal(1, now=timezone.now())
    Session.objects.filter(public_id=stuck).update(due_at=timezone.now() - timedelta(hours=1))
    page = words(desk.client)
    assert page.index("waits for the server") < page.index("can be closed")


def test_what_was_imported_or_left_lying_is_one_line_with_its_number_and_a_list(desk):
    lines = [line.replace(b'"session":"', b'"session":"%d ' % n) for n in range(5) for line in EVENING]
    importing.import_records(
        caller=desk.table.caller, club="river", lines=list(enumerate(lines, 1)), dry_run=False, now=timezone.now(),
        door="admin",
    )  # fmt: skip
    page = words(desk.client)
    unfinished = Session.objects.exclude(status="closed").count() - 1
    assert f"{unfinished} sessions are left from before or were imported" in page
    assert "evening" not in page
    assert desk.table.row.label in page  # opened today
    found = desk.client.get(leads(desk.client, "Look at the list"))
    assert found.context["cl"].result_count == unfinished + 1


def test_where_not_all_tables_are_shown_it_says_how_many_more_and_leads_to_them(desk):
    for number in range(MOST_SHOWN + 4):
        sessions.open_session(
            caller=desk.table.caller, club="river", label=f"s{number}", now=timezone.now(), door="test"
        )
    assert "and 5 more" in words(desk.client)
    found = desk.client.get(leads(desk.client, "and 5 more"))
    assert found.context["cl"].result_count == MOST_SHOWN + 5


def test_a_fresh_club_is_shown_its_first_steps(db):
    club = Club.objects.create(name="New", slug="new")
    client = log_in(a_member_of(club, "nina", Role.ORGANISER))
    page = words(client)
    assert "First steps" in page
    assert "Add the players who come to your club." in page
    for link in ("Add a player", "Open a session", "New competition", "Add a member"):
        assert client.get(leads(client, link)).status_code == 200
    a_table(4)
    Membership.objects.create(user=a_user("x"), club=club, role=Role.ORGANISER)
    assert "First steps" in words(client)  # another club's table changes nothing


def test_first_steps_are_gone_with_the_first_session(desk):
    assert "First steps" not in words(desk.client)


def test_a_script_asks_whether_anything_changed_and_gets_no_page_where_nothing_did(desk):
    page = desk.client.get(HOME).content.decode()
    tag = re.search(r'data-tag="([^"]+)"', page)[1].replace("&quot;", '"')
    assert re.search(r'data-address="([^"]+)"', page)[1] == NOW
    assert desk.client.get(NOW, headers={"If-None-Match": tag}).status_code == 304
    assert desk.client.get(NOW, headers={"If-None-Match": f"W/{tag}"}).status_code == 304
    desk.do("adjust", seat=0, points=1, reason="x")
    desk.table.deal(1, now=timezone.now())
    answer = desk.client.get(NOW, headers={"If-None-Match": tag})
    assert answer.status_code == 200
    assert answer["ETag"] != tag
    assert answer.content.decode() in desk.client.get(HOME).content.decode()


def test_what_needs_organisers_is_nobody_elses_business(desk):
    member = log_in(a_member_of(desk.table.club, "mia", Role.MEMBER))
    assert member.get(NOW).status_code == 403
    assert Client().get(NOW).status_code == 302
    hill = log_in(a_member_of(Club.objects.create(name="Hill", slug="hill"), "hugo", Role.ORGANISER))
    assert desk.table.row.label not in words(hill)


def test_who_is_in_several_clubs_reads_which_one_it_is(make_desk):
    desk = make_desk(4, settings={"confirm": True})
    desk.do("result", number=1, dealer=0, **SLIP)
    hill = Club.objects.create(name="Hill", slug="hill")
    Membership.objects.create(user=desk.table.organiser, club=hill, role=Role.ORGANISER)
    assert f"{desk.table.row.label} (River): deal 1" in words(desk.client)


def test_the_number_of_statements_depends_on_nothing_that_is_shown(make_desk):
    desk = make_desk(4, people=4)
    caller, players = desk.table.caller, desk.table.players

    def grow(first: int, last: int) -> None:
        """More sessions of each kind: stuck, to confirm, over, between deals, open, imported."""
        seats = {seat: player.public_id for seat, player in enumerate(players)}
        for n in range(first, last):
            for kind, settings in (
                ("stuck", {}),
                ("confirm", {"confirm": True}),
                ("over", {"deals_planned": 1}),
                ("paper", {}),
                ("open", {}),
            ):
                made = sessions.open_session(
                    caller=caller, club="river", label=f"{kind} {n}", players=seats, settings=settings,
                    now=timezone.now(), door="test",
                ).session  # fmt: skip
                if kind in ("confirm", "over", "paper"):
                    recording.record_deal(
                        caller=caller, session=made, number=1, dealer=0, result=PaperResult([0, 1, 2, 3]),
                        now=timezone.now(), door="test",
                    )  # fmt: skip
                if kind == "stuck":
                    desk.table.session = made
                    desk.table.deal(1, now=timezone.now() - attention.STALLED)
                if kind == "paper":
                    corrections.adjust(
                        caller=caller, session=made, seat=0, points=1, reason="x", now=timezone.now(), door="test"
                    )
            line = EVENING[0].replace(b'"session":"', b'"session":"%d ' % n)
            importing.import_records(
                caller=caller, club="river", lines=[(1, line)], dry_run=False, now=timezone.now(), door="test"
            )

    def statements() -> int:
        desk.client.get(NOW)
        with CaptureQueriesContext(connection) as seen:
            assert desk.client.get(NOW).status_code == 200
        return len(seen)

    grow(0, 2)
    few, page = statements(), words(desk.client)
    for text in ("nothing happens there", "wait for a second person", "can be closed", "Between deals", "imported"):
        assert text in page
    grow(2, 14)
    assert statements() == few
    assert few <= 18
