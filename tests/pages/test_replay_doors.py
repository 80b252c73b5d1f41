"""Who may see a replay and what it says of deals of every kind; frames of other sites."""

from datetime import UTC, datetime, timedelta
from html import unescape
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.engine.actions import parse_action
from games.engine.cards import mask_of, parse_card
from games.models import Session
from games.services import corrections, players, recording
from games.services.recording import PaperResult
from tests.api.clients import World
from tests.games.builders import NOW, Table, a_table
from tests.pages.naive import Shown

pytestmark = pytest.mark.django_db

HANDS = ["7D 8D 2C", "6D 9D 3C", "7H TD KS"]


def page_of(table: Table | World, number: int = 1, query: str = "") -> str:
    return reverse("replay", args=[table.session, number]) + query


def frame_of(table: Table | World, number: int = 1, query: str = "") -> str:
    return reverse("replay-embed", args=[table.session, number]) + query


def logged_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text(answer) -> str:
    return answer.content.decode()


def enter(table: Table, number: int, left: list[int], **more) -> None:
    recording.record_deal(
        caller=table.caller,
        session=table.session,
        number=number,
        dealer=(number - 1) % 4,
        result=PaperResult(left),
        now=NOW,
        door="test",
        **more,
    )


def a_public_table(**more) -> Table:
    return a_table(4, settings={"public": True, **more.pop("settings", {})}, **more)


# -- who may see it


def test_of_a_private_session_its_club_sees_the_replay_and_nobody_else(client):
    world = World()
    world.start()
    world.table.play_out()
    address = page_of(world)
    assert logged_in(world.member.user).get(address).status_code == 200
    assert logged_in(world.outsider.user).get(address).status_code == 404
    answer = client.get(address)
    assert (answer.status_code, answer["Location"]) == (302, f"{reverse('login')}?next={address}")
    assert client.get(frame_of(world)).status_code == 404
    assert logged_in(world.organiser.user).get(frame_of(world)).status_code == 404


def test_a_running_deal_says_so_to_everybody_and_shows_no_hand(client):
    world = World(settings={"public": True})
    world.start()
    hand = world.own_view(0)["view"]["hand"]
    readers = [client, *(logged_in(api.user) for api in (world.member, world.organiser, world.seats[0]))]
    for reader in readers:
        answer = reader.get(page_of(world))
        assert answer.status_code == 409
        assert "The deal is being played" in text(answer)
        assert not any(f'data-card="{card}"' in text(answer) for card in hand)
    frame = client.get(frame_of(world))
    assert (frame.status_code, "still being played" in text(frame)) == (409, True)
    world.table.play_out()
    assert client.get(page_of(world)).status_code == 200


def test_spectators_of_a_delayed_session_see_the_replay_later(client, time_machine):
    start = datetime(2026, 12, 1, 20, 0, tzinfo=UTC)
    time_machine.move_to(start, tick=False)
    world = World(settings={"public": True, "spectator_delay": 600})
    world.start()
    world.play_out()
    scorer = logged_in(world.scorer.user)
    assert [client.get(page_of(world)).status_code, client.get(frame_of(world)).status_code] == [409, 409]
    assert scorer.get(page_of(world)).status_code == 200
    assert scorer.get(frame_of(world)).status_code == 409
    time_machine.move_to(start + timedelta(seconds=601), tick=False)
    assert [client.get(page_of(world)).status_code, client.get(frame_of(world)).status_code] == [200, 200]


@pytest.mark.parametrize("path", ["sessions/2222222222zz/deals/1/", "sessions/x/deals/1/", "sessions/%00/deals/1/"])
def test_what_there_is_not_is_a_page_that_says_so(path):
    table = a_public_table()
    reader = logged_in(table.organiser)
    assert reader.get(f"/{path}").status_code == 404
    for number in (1, 77, 999_999_999):
        assert reader.get(page_of(table, number)).status_code == 404
        assert reader.get(frame_of(table, number)).status_code == 404


# -- deals of every kind


def test_of_a_result_alone_there_is_the_result(client):
    table = a_public_table()
    enter(table, 1, [0, 1, 2, 3])
    answer = client.get(page_of(table, query="?step=5"))
    assert "Only the result of this deal was entered" in text(answer)
    assert 'class="replay"' not in text(answer)
    assert "&quot;result&quot;" in text(answer)
    assert client.get(frame_of(table)).status_code == 200


def test_a_void_deal_says_so_and_shows_its_cards(client):
    table = a_public_table()
    table.deal(1)
    table.step()
    corrections.void(caller=table.caller, session=table.session, number=1, reason="r", now=NOW, door="test")
    answer = client.get(page_of(table, query="?step=1"))
    assert "This deal is void" in text(answer)
    assert "Nothing more was played." in text(answer)
    assert len(Shown.of(answer.content).steps) == 2


def test_of_a_deal_entered_again_the_latest_entry_is_shown(client):
    table = a_public_table()
    enter(table, 1, [0, 1, 2, 3])
    enter(table, 1, [3, 1, 2, 0], reason="read again")
    answer = client.get(page_of(table))
    assert "This deal was entered again" in text(answer)
    assert totals(answer) == [("0", "0"), ("0", "0"), ("0", "0"), ("0", "1")]


def test_a_deal_that_waits_for_a_second_person_does_not_count_yet(client):
    table = a_public_table(settings={"confirm": True})
    enter(table, 1, [0, 1, 2, 3])
    answer = client.get(page_of(table))
    assert "counts once a second person has confirmed it" in text(answer)
    assert totals(answer) == []


def totals(answer) -> list[tuple[str, str]]:
    """Totals before and after, by seat, as the page has them."""
    rows = text(answer).split("<h2>Result</h2>")[1].split("</table>")[0].split("<tr>")[2:]
    cells = [[cell.split("</td>")[0] for cell in row.split('<td class="number">')[1:]] for row in rows]
    return [(row[4], row[5].removeprefix("<b>").removesuffix("</b>")) for row in cells if len(row) > 4]


def test_the_totals_are_those_before_the_deal_and_after_it(client):
    table = a_public_table(scheme="card-count")
    for number, left in enumerate([[0, 1, 2, 3], [4, 0, 1, 2], [1, 2, 0, 3]], 1):
        enter(table, number, left)
    assert totals(client.get(page_of(table, 3))) == [("4", "5"), ("1", "3"), ("3", "3"), ("5", "8")]
    corrections.void(caller=table.caller, session=table.session, number=1, reason="r", now=NOW, door="test")
    assert totals(client.get(page_of(table, 3))) == [("4", "5"), ("0", "2"), ("1", "1"), ("2", "5")]
    assert "added or took off" not in text(client.get(page_of(table, 3)))
    corrections.adjust(
        caller=table.caller, session=table.session, seat=0, points=7, reason="late", now=NOW, door="test"
    )
    answer = client.get(page_of(table, 3))
    assert totals(answer) == [("4", "5"), ("0", "2"), ("1", "1"), ("2", "5")]
    assert "added or took off" in text(answer)


def test_names_are_those_of_who_played_that_deal(client):
    table = a_public_table()
    table.deal(1)
    table.play_out()
    other = players.create_player(caller=table.caller, club="river", name="Substitute", strategy="random")
    corrections.substitute(
        caller=table.caller, session=table.session, seat=1, player=other, reason="ill", now=NOW, door="test"
    )
    table.deal(2)
    table.play_out()
    assert "Substitute" not in text(client.get(page_of(table, 1)))
    assert "Substitute" in text(client.get(page_of(table, 2)))
    assert "As B saw it" not in text(client.get(page_of(table, 2)))
    assert "· bot" in text(client.get(page_of(table, 1)))


def test_a_part_of_a_deal_is_shown_as_far_as_it_was_entered(client):
    table = a_table(3, settings={"public": True}, rules="duel")
    deck = [f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA"]
    hands = [mask_of(parse_card(card) for card in deck[seat::3]) for seat in range(3)]
    recording.record_deal(
        caller=table.caller,
        session=table.session,
        number=1,
        dealer=2,
        hands=hands,
        actions=bytes([parse_action(next(card for card in ("7C", "7D", "7H", "7S") if card in deck[0::3]))]),
        now=NOW,
        door="test",
    )
    answer = client.get(page_of(table))
    assert "Only a part of this deal has been entered so far." in text(answer)
    assert len(Shown.of(answer.content).steps) == 2


def test_the_page_speaks_of_cards_by_their_names(client):
    table = a_public_table()
    table.deal(1)
    table.play_out()
    page = text(client.get(page_of(table)))
    assert " of hearts" in page
    assert "clubs: nothing yet; diamonds: nothing yet; hearts: nothing yet; spades: nothing yet" in page
    assert page.count("wins the deal.") == 1


def test_the_organisers_page_of_a_deal_leads_to_its_replay():
    table = a_public_table()
    table.organiser.is_staff = True
    table.organiser.save()
    reader = logged_in(table.organiser)
    table.deal(1)
    row = table.row.deals.get()
    address = reverse("admin:games_deal_change", args=[row.pk])
    assert page_of(table) not in text(reader.get(address))
    table.play_out()
    assert page_of(table) in text(reader.get(address))


# -- statements


def test_the_statements_of_a_page_are_the_same_for_long_sessions_and_long_deals():
    small, large = a_public_table(), a_table(7, settings={"public": True}, name="hill")
    small.deal(1)
    small.play_out()
    for number in range(1, 6):
        large.deal(number) if large.row.status != "finished" else None
        large.play_out()
    counts = set()
    for table, number in ((small, 1), (large, 1), (large, 2)):
        for address in (page_of(table, number), page_of(table, number, "?seat=1&step=9")):
            reader = logged_in(table.organiser)
            with CaptureQueriesContext(connection) as seen:
                assert reader.get(address).status_code == 200
            counts.add(len(seen))
    assert len(counts) == 1
    assert counts.pop() <= 14


# -- frames of other sites


def test_a_frame_is_for_every_site_and_knows_nobody(client):
    table = a_public_table()
    table.deal(1)
    table.play_out()
    answer = client.get(frame_of(table, query="?step=7"))
    assert answer.status_code == 200
    assert "frame-ancestors *;" in answer["Content-Security-Policy"] + ";"
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer
    assert not answer.cookies
    assert "Cookie" not in answer["Vary"]
    assert Shown.of(answer.content).current == [7]
    member = logged_in(table.organiser)
    member.cookies["language"] = "fr"
    member.cookies["messages"] = "x"
    assert member.get(frame_of(table, query="?step=7")).content == answer.content
    assert page_of(table) in text(answer)
    assert "<nav" not in text(answer)
    assert "&quot;sevens&quot;" not in text(answer)


def test_pages_themselves_are_in_no_frame(client):
    table = a_public_table()
    table.deal(1)
    table.play_out()
    answer = client.get(page_of(table))
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"


def test_only_of_a_public_session_a_frame_is_offered():
    table = a_table(4)
    table.deal(1)
    table.play_out()
    page = text(logged_in(table.organiser).get(page_of(table)))
    assert "iframe" not in page
    assert "/api/v1/" not in page
    Session.objects.update(public=True)
    page = text(logged_in(table.organiser).get(page_of(table)))
    assert "iframe" in page
    assert f"/api/v1/sessions/{table.session}/deals/1/record" in page


def test_what_is_pasted_into_another_site_is_one_frame_whatever_the_session_is_called(client):
    label = 'Tom & "Jerry" <script>'
    table = a_public_table()
    table.deal(1)
    table.play_out()
    Session.objects.update(label=label)
    page = text(client.get(page_of(table, query="?seat=1&step=3")))
    snippet = unescape(page.split('class="snippet"')[1].split(">", 1)[1].split("</textarea>")[0])
    (frame,) = ElementTree.fromstring(f"<p>{snippet}</p>")
    assert frame.get("src") == f"http://testserver{frame_of(table)}?seat=1&step=3"
    assert frame.get("title") == f"Deal 1 – {label}"
