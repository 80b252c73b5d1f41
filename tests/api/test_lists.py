"""Lists in pages: nothing comes twice or is left out, links keep the filters, times and points have one form."""

import re

import pytest

from games.models import Player, Session
from tests.api.clients import World, code_of

pytestmark = pytest.mark.django_db

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


def pages(client, path, between=lambda: None):
    """Every page of a list, following `next` to the end; `between` is called after each."""
    found = []
    while path is not None:
        answer = client.get(path)
        assert answer.status_code == 200, answer.content
        body = answer.json()
        assert set(body) == {"results", "next"}
        found.append(body["results"])
        path = body["next"] and body["next"].removeprefix("http://testserver")
        between()
        assert len(found) < 100
    return found


def test_players_are_paged_while_more_are_added():
    world = World()
    Player.objects.bulk_create(Player(club=world.club, name=f"P{n}", name_key=f"p{n}") for n in range(23))
    before = list(Player.objects.filter(club=world.club).order_by("id").values_list("public_id", flat=True))
    added = iter(range(100))

    def add() -> None:
        n = next(added)
        if n < 3:
            Player.objects.create(club=world.club, name=f"late {n}")

    found = pages(world.member, "/clubs/river/players?limit=5", add)
    ids = [row["id"] for page in found for row in page]
    assert ids[: len(before)] == before
    assert len(ids) == len(set(ids)) == len(before) + 3
    assert all(len(page) == 5 for page in found[:-1])


def test_sessions_are_paged_newest_first_and_links_keep_the_filters():
    world = World()
    path = "/clubs/river/sessions"
    made = [world.organiser.post(path, {"label": f"t {n}", "public": n % 2 == 0}).json()["session"] for n in range(9)]
    expected = [*reversed(made), world.session]
    add = lambda: world.organiser.post(path, {})  # noqa: E731
    ids = [row["id"] for page in pages(world.member, "/sessions?limit=3&status=open&club=river", add) for row in page]
    assert ids == expected
    first = world.member.get("/sessions?limit=3&status=open&club=river").json()
    assert "limit=3&status=open&club=river&after=" in first["next"]
    assert first["next"].startswith("http://testserver/api/v1/sessions?")
    public = [row["id"] for page in pages(world.anonymous, "/sessions?limit=2") for row in page]
    assert public == [session for session in reversed(made) if made.index(session) % 2 == 0]
    labelled = world.member.get("/sessions?label=t%203").json()["results"]
    assert [row["label"] for row in labelled] == ["t 3"]
    assert world.member.get("/clubs/river/sessions?status=closed").json()["results"] == []


def test_clubs_deals_and_events_are_paged_too():
    world = World()
    assert pages(world.superuser, "/clubs?limit=1") == [
        [{"id": "river", "name": "River", "timezone": "UTC", "role": None}],
        [{"id": "hill", "name": "Hill", "timezone": "UTC", "role": None}],
    ]
    for number in range(1, 8):
        body = {"number": number, "dealer": 0, "result": {"cards_left": [0, 1, 2, 3]}}
        answer = world.scorer.post(f"{world.path}/deals", body)
        assert answer.status_code == 201, answer.content
    deals = pages(world.member, f"{world.path}/deals?limit=3")
    assert [[row["number"] for row in page] for page in deals] == [[1, 2, 3], [4, 5, 6], [7]]
    events = pages(world.member, f"{world.path}/events?limit=4")
    seqs = [row["seq"] for page in events for row in page]
    assert seqs == sorted(set(seqs))
    assert len(seqs) == Session.objects.get(public_id=world.session).seq
    assert world.member.get(f"{world.path}/events?after={seqs[-1]}").json() == {"results": [], "next": None}
    assert code_of(world.member.get(f"{world.path}/events?after=x")) == (400, "bad_parameter")


def test_times_have_a_zone_everywhere():
    world = World(settings={"turn_seconds": 60, "stand_in": "follow"})
    world.start()
    found = []
    for path in ("", "/events", "/deals/1"):
        text = world.member.get(f"{world.path}{path}").content.decode()
        found += re.findall(r'"(?:at|[a-z]+_at)":"([^"]+)"', text)
    assert len(found) > 5
    assert all(TIME.fullmatch(time) for time in found)


def test_fractions_are_shown_rounded_half_to_even():
    from games.api.rendering import all_points, points

    assert all_points([1, "1/3", "-2/3", "1/8", "3/8", "5/2", "6/2"]) == [1, 0.33, -0.67, 0.12, 0.38, 2.5, 3]
    assert type(points("6/2")) is int
    assert points(None) is None
    assert all_points(None) is None
