"""Nothing unpublished reaches anybody who may not see it, through any door, whatever address is guessed.

As with hidden hands: whatever organisers do without publishing it, every answer to everybody else stays the same to the
byte.
"""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from competitions.pages import urls as pages
from competitions.services import corrections, drawing, entries, publishing, setup
from games.models import Player, Role, User
from tests.api.clients import Api
from tests.competitions.api.clients import Cup
from tests.competitions.api.routes import all_routes, path_of
from tests.games.builders import a_member

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(900)]

NUMBERS = (1, 2, 3)
WHICH = ["?show=now", "?show=provisional", "?publication=1", "?publication=2", "?publication=3"]
QUERIES = {
    "competition-table": ["?provisional=true", "?after_round=1"],
    "publication-diff": ["?to=1", "?to=2", "?to=3"],
    "standings": ["?rounds=true"],
    "file-standings": ["?publication=1", "?publication=2", "?publication=3", "?after_round=1"],
    "file-results": ["?round=1"],
    "competition-page": [*WHICH, "?q=A"],
    "competition-crosstable": WHICH,
    "competition-player": WHICH,
    "competition-news": ["?show=now"],
    "competition-room": ["?show=tables", "?show=names,standings&seconds=5"],
    "print-standings": ["?after=1", "?publication=2", "?publication=3", "?explained"],
}


def addresses(cup: Cup) -> list[str]:
    """Every address of competitions that can be read, with the numbers that somebody might guess."""
    found = []
    for name, method in all_routes():
        if method == "GET":
            for number in NUMBERS:
                path = path_of(name, cup, number=number, seq=12)
                found += [f"/api/v1{path}{query}" for query in ["", *QUERIES.get(name, [])]]
    for pattern in pages.urlpatterns:
        assert pattern.name is not None
        values = {"public_id": cup.league.public_id, "form": "csv", "player": cup.ids[1]}
        for number in NUMBERS:
            asked = {
                name: value for name, value in {**values, "number": number}.items() if name in str(pattern.pattern)
            }
            path = reverse(pattern.name, kwargs=asked)
            found += [f"{path}{query}" for query in ["", *QUERIES.get(pattern.name, [])]]
    sessions = [session.public_id for session in cup.league.sessions(1)]
    found += [f"/api/v1/sessions/{session}{more}" for session in sessions for more in ("", "/table", "/events")]
    found += ["/api/v1/sessions", "/api/v1/clubs/river/sessions", "/api/v1/clubs/river/players"]
    return list(dict.fromkeys(found))


class Reader:
    """Somebody at every door: a token for the API, a browser for pages."""

    def __init__(self, user: User | None) -> None:
        self.api, self.browser = Api(user), Client()
        if user is not None:
            self.browser.force_login(user)

    def everything(self, cup: Cup) -> dict[str, tuple[int, bytes]]:
        found = {}
        for address in addresses(cup):
            answer = (self.api if address.startswith("/api") else self.browser).get(address)
            found[address] = (answer.status_code, body_of(answer))
        return found


def body_of(answer: Any) -> bytes:
    """The body; of a stream with the tag of its snapshot, which may tell no more than the lines do; of a page without
    the token of its forms, which is another each time."""
    if answer.streaming:
        return answer.getvalue() + answer["Export-Snapshot"].encode()
    return re.sub(rb'(name="csrfmiddlewaretoken" value)="\w+"', rb"\1", answer.content)


def readers(cup: Cup) -> dict[str, Reader]:
    return {
        "anonymous": Reader(None),
        "outsider": Reader(cup.outsider.user),
        "member": Reader(cup.member.user),
        "player": Reader(a_player(cup)),
    }


def a_player(cup: Cup) -> User:
    user = a_member(cup.league.club, "a-player", Role.MEMBER)
    Player.objects.filter(pk=cup.league.player("A").pk).update(user=user)
    return user


def later() -> Any:
    return timezone.now() + timedelta(days=2)


def unpublished(cup: Cup) -> list[tuple[str, Callable[[], Any]]]:
    """What organisers may do before they publish, one after the other."""
    about, ids = cup.league.about, cup.ids

    def adjust() -> None:
        seq = corrections.adjust(**about, player=ids[1], points=-400, reason="A secret.").seq
        corrections.undo(**about, seq=seq, reason="Another secret.")
        corrections.adjust(**about, player=ids[2], points=400, reason="A third one.")

    spare = Player.objects.create(club=cup.league.club, name="Spare").public_id
    return [
        ("draw", lambda: drawing.draw(**about, number=2)),
        ("draw again", lambda: drawing.draw(**about, number=2, variant=1)),
        ("seat by hand", lambda: drawing.seat_by_hand(**about, number=2, tables=[ids[:4], ids[4:]])),
        ("let one sit out", lambda: entries.sit_out(**about, player=ids[5], number=2)),
        ("substitute", lambda: entries.substitute(**about, player=ids[0], number=2, by=spare, reason="Ill.")),
        ("keep apart", lambda: entries.keep_apart(**about, players=(ids[0], ids[1]))),
        ("adjust", adjust),
        ("embargo the draw", lambda: publishing.publish(**about, what="draw", number=2, not_before=later())),
        ("embargo standings", lambda: publishing.publish(**about, what="standings", not_before=later())),
        (
            "take embargoed standings back",
            lambda: publishing.unpublish(**about, number=max(cup.league.state.publications), reason="Not yet."),
        ),
    ]


@pytest.mark.parametrize("public", [False, True])
def test_what_is_not_published_changes_no_byte_for_anybody_else(public):
    cup = Cup(8, rounds=3, public=public, tie_breaks=["wins"])
    cup.league.whole_round(1)
    publishing.publish(**cup.league.about, what="standings")
    everybody = readers(cup)
    steps = unpublished(cup)
    before = {name: reader.everything(cup) for name, reader in everybody.items()}
    events = cup.get("/events?limit=200", cup.scorer)
    for what, step in steps:
        step()
        member = everybody["member"].everything(cup)
        assert [address for address, answer in member.items() if answer != before["member"][address]] == [], what
        happened = cup.get("/events?limit=200", cup.scorer)
        assert happened != events, f"{what}: nothing happened, so this proves nothing"
        events = happened
    for name, reader in everybody.items():
        now = reader.everything(cup)
        assert [address for address, answer in now.items() if answer != before[name][address]] == [], name
    assert before["member"][f"/api/v1{cup.path}/standings"][0] == 200


def test_once_published_it_is_seen_and_once_taken_back_it_is_not():
    cup = Cup(8, rounds=2)
    drawing.draw(**cup.league.about, number=1)
    hidden = Reader(cup.member.user).everything(cup)
    publishing.publish(**cup.league.about, what="draw", number=1)
    shown = Reader(cup.member.user).everything(cup)
    assert {address for address in shown if shown[address] != hidden[address]} >= {
        f"/api/v1{cup.path}/rounds",
        f"/api/v1{cup.path}/rounds/1",
        f"/api/v1{cup.path}/publications",
        f"/api/v1{cup.path}/publications/1",
    }
    publishing.unpublish(**cup.league.about, number=1, reason="The wrong one.")
    taken_back = Reader(cup.member.user).everything(cup)
    # A stream's id says that something has been seen; its state that it is there no more.
    stream = f"/api/v1{cup.path}/stream"
    before, after = (seen.pop(stream)[1].split(b"data: ")[1] for seen in (hidden, taken_back))
    assert before == after
    assert taken_back == hidden


def test_without_the_gate_the_test_would_see_it(monkeypatch):
    cup = Cup(8, rounds=3)
    member = Reader(cup.member.user)
    before = member.everything(cup)
    monkeypatch.setattr("competitions.selectors.may_see_unpublished", lambda caller, competition: True)
    drawing.draw(**cup.league.about, number=2)
    assert member.everything(cup) != before


def test_a_competition_that_is_no_longer_public_is_nothing_to_others():
    cup = Cup(4, public=True)
    setup.configure(**cup.league.about, changes={"public": False})
    statuses = {
        answer[0] for address, answer in Reader(cup.outsider.user).everything(cup).items() if cup.path in address
    }
    assert statuses == {404}
