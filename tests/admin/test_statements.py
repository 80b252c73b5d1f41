"""The number of statements of a page does not depend on how many rows there are."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Token
from games.services import players, recording, sessions
from games.services.recording import PaperResult
from tests.admin.conftest import a_member_of
from tests.admin.test_scope import LISTS, SLIP
from tests.games.builders import NOW, a_table

pytestmark = pytest.mark.django_db


def statements(client, address: str) -> int:
    client.get(address)  # what is cached for the process
    with CaptureQueriesContext(connection) as seen:
        answer = client.get(address)
        assert answer.status_code == 200
    return len(seen)


def grow(table, how_many: int) -> None:
    """More players, members, tokens and sessions, each session with a deal; more deals in the first one."""
    from games.models import Role

    caller = table.caller
    for n in range(how_many):
        player = players.create_player(caller=caller, club="river", name=f"P{how_many}-{n}", strategy="random")
        a_member_of(table.club, f"m{how_many}-{n}", Role.SCORER)
        Token.issue(user=table.organiser, label=f"t{n}")
        seats = {seat: p.public_id for seat, p in enumerate(table.players)} | {4: player}
        opened = sessions.open_session(
            caller=caller, club="river", label=f"s{how_many}-{n}", players=seats, now=NOW, door="test"
        )
        left = PaperResult([0, 1, 2, 3, 4])
        recording.record_deal(
            caller=caller, session=opened.session, number=1, dealer=0, result=left, now=NOW, door="test"
        )


def test_lists_and_first_page(desk, superuser):
    addresses = [reverse(f"admin:games_{name}_changelist") for name in [*LISTS, "user", "club"]]
    addresses += [reverse("admin:index"), reverse("admin:games_session_changelist") + "?q=P"]
    addresses += [reverse("admin:games_session_add") + "?club=river", reverse("admin:games_session_import")]
    addresses.append(reverse("admin:autocomplete") + "?app_label=games&model_name=occupancy&field_name=player&term=")
    a_table(4, name="hill")
    grow(desk.table, 3)
    few = [statements(superuser, address) for address in addresses]
    grow(desk.table, 15)
    a_table(4, name="dale")
    assert [statements(superuser, address) for address in addresses] == few
    assert max(few) <= 18


def test_lists_of_an_organiser(desk):
    addresses = [reverse(f"admin:games_{name}_changelist") for name in LISTS] + [reverse("admin:index")]
    grow(desk.table, 3)
    few = [statements(desk.client, address) for address in addresses]
    grow(desk.table, 15)
    assert [statements(desk.client, address) for address in addresses] == few


def test_the_pages_of_a_session_and_a_deal(make_desk):
    desk = make_desk(4, scheme="card-count:target=9999")
    actions = ("deal", "result", "record", "substitute", "reseat", "void", "adjust", "settings", "close")

    def counts() -> list[int]:
        deal = desk.table.row.deals.first()
        addresses = [desk.page, *map(desk.address, actions), reverse("admin:games_deal_change", args=[deal.pk])]
        return [statements(desk.client, address) for address in addresses]

    def more(start: int, how_many: int) -> None:
        for number in range(start, start + how_many):
            assert desk.do("result", number=number, dealer=0, **SLIP).status_code == 200
            assert desk.do("adjust", seat=1, points=-1, reason="x").status_code == 200

    more(1, 3)
    few = counts()
    more(4, 15)
    assert counts() == few
    assert max(few) <= 14
