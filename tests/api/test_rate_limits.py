"""Rate limits: exact across processes, announced on every answer, told when to come back, and gone with Redis."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from django.test import RequestFactory

from games import limits, lossy
from games.limits import client_address, take
from games.models import Token
from tests.api.clients import Api, World, code_of
from tests.games.builders import a_user
from tests.games.test_broker_down import OwnRedis
from tests.servers import WebServer

ANNOUNCED = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy")


@pytest.fixture
def limited(settings, redis_url):
    """Set limits: `limited(reads=(3, 60))`."""

    def limit(**rates):
        named = {name.replace("_", "-"): rate for name, rate in rates.items()}
        settings.RATE_LIMITS = {**settings.RATE_LIMITS, **named}

    return limit


def announced(answer):
    return tuple(answer.headers.get(name) for name in ANNOUNCED)


@pytest.mark.django_db
def test_each_answer_says_what_is_left_and_the_one_too_many_when_to_come_back(limited):
    limited(reads=(3, 60))
    ada = Api(a_user("ada"))
    for left in ("2", "1", "0"):
        answer = ada.get("/me")
        assert answer.status_code == 200
        assert announced(answer) == ("3", left, "60", '"reads";q=3;w=60')
    answer = ada.get("/me")
    assert code_of(answer) == (429, "throttled")
    assert answer["Retry-After"] == "60"
    assert announced(answer) == ("3", "0", "60", '"reads";q=3;w=60')


@pytest.mark.django_db
def test_what_is_refused_counts_and_is_announced_too(limited):
    limited(reads=(9, 60), writes=(9, 60), anonymous=(9, 60))
    world = World()
    for answer in (
        world.outsider.get(world.path),
        world.member.post("/clubs/river/players", {"name": "X"}),
        world.anonymous.get("/me"),
        world.member.get("/me?x=1"),
        world.member.delete("/me"),
    ):
        assert 400 <= answer.status_code < 500
        assert announced(answer)[:2] in {("9", "8"), ("9", "7")}, answer.content


@pytest.mark.django_db
def test_reading_and_writing_and_long_work_and_each_token_are_counted_apart(limited):
    limited(reads=(1, 60), writes=(1, 60), bulk=(1, 60), tokens=(1, 60))
    world = World()
    one, other = world.organiser, Api(world.organiser.user)
    new = {"label": "x", "scopes": ["account:read"]}

    def each(client):
        return [
            client.get("/me").status_code,
            client.post("/clubs/river/players", {"name": "X"}).status_code,
            client.get(f"{world.path}/records").status_code,
            client.post("/me/tokens", new).status_code,
        ]

    assert each(one) == [200, 201, 200, 201]
    assert each(one) == [429] * 4
    assert each(other) == [200, 201, 200, 201]


@pytest.mark.django_db
def test_without_a_token_an_address_is_counted(limited):
    limited(anonymous=(1, 60))
    client = Api()
    assert client.get("/rules", REMOTE_ADDR="10.0.0.1").status_code == 200
    assert client.get("/rules", REMOTE_ADDR="10.0.0.1").status_code == 429
    assert client.get("/rules", REMOTE_ADDR="10.0.0.2").status_code == 200
    assert Api(a_user("ada")).get("/rules", REMOTE_ADDR="10.0.0.1").status_code == 200


@pytest.mark.django_db
def test_guessing_tokens_is_slowed_down_and_good_tokens_from_there_are_not(limited):
    limited(bad_tokens=(2, 60))
    guessing, ada = Api(), Api(a_user("ada"))
    guessing.credentials(HTTP_AUTHORIZATION="Bearer fantan_" + "a" * 43)
    assert [code_of(guessing.get("/rules")) for _ in range(3)] == [(401, "bad_token")] * 2 + [(429, "throttled")]
    assert "Retry-After" in guessing.get("/me").headers
    assert ada.get("/me").status_code == 200


@pytest.mark.django_db
def test_a_revoked_token_is_a_bad_one(limited):
    limited(bad_tokens=(1, 60))
    ada = Api(a_user("ada"))
    Token.objects.all().delete()
    assert [ada.get("/me").status_code for _ in range(2)] == [401, 429]


def test_a_window_begins_with_its_first_request_and_ends(limited, redis_client):
    limited(reads=(1, 1))
    assert not take("reads", "x").over
    assert take("reads", "x").over
    assert 0 < redis_client.pttl("fantan:rate:reads:x") <= 1000
    end = time.monotonic() + 5
    while redis_client.exists("fantan:rate:reads:x"):
        assert time.monotonic() < end
    assert not take("reads", "x").over


def test_a_window_without_an_end_gets_one(limited, redis_client):
    limited(reads=(5, 60))
    redis_client.set("fantan:rate:reads:x", 7)
    assert take("reads", "x").reset == 60
    assert redis_client.pttl("fantan:rate:reads:x") > 0


def test_what_is_not_limited_costs_no_question(settings, monkeypatch):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "reads": None}
    monkeypatch.setattr(lossy, "ask", lambda call: pytest.fail("asked"))
    assert take("reads", "x") is None


def naive_take(client, name, limit, turn):
    """Look, then count: what the script must not be."""
    used = int(client.get(name) or 0)
    turn.wait(5)
    if used < limit:
        client.incr(name)
    return used < limit


def test_at_once_just_as_many_pass_as_may_and_more_would_if_it_were_not_one_script(limited, redis_client):
    limited(reads=(5, 60))
    turn = threading.Barrier(20)

    def one(number):
        turn.wait(5)
        return not take("reads", "x").over

    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(one, range(20))) == 5
    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(lambda number: naive_take(redis_client, "naive", 5, turn), range(20))) == 20


# -- whose address


def address(**meta):
    return client_address(RequestFactory().get("/", **meta))


def test_an_address_is_what_connects_unless_proxies_are_named(settings):
    settings.NUM_PROXIES = 0
    assert address(REMOTE_ADDR="10.0.0.9", HTTP_X_FORWARDED_FOR="1.2.3.4") == "10.0.0.9"
    settings.NUM_PROXIES = 1
    assert address(REMOTE_ADDR="10.0.0.9", HTTP_X_FORWARDED_FOR="6.6.6.6, 1.2.3.4") == "1.2.3.4"
    assert address(REMOTE_ADDR="10.0.0.9") == "10.0.0.9"
    settings.NUM_PROXIES = 2
    assert address(REMOTE_ADDR="10.0.0.9", HTTP_X_FORWARDED_FOR="6.6.6.6, 1.2.3.4, 10.0.0.8") == "1.2.3.4"


def test_a_household_has_one_address(settings):
    settings.NUM_PROXIES = 0
    assert address(REMOTE_ADDR="2001:db8:1:2:3:4:5:6") == address(REMOTE_ADDR="2001:db8:1:2::9") == "2001:db8:1:2::"
    assert address(REMOTE_ADDR="::ffff:1.2.3.4") == "1.2.3.4"
    assert address(REMOTE_ADDR="") == address(REMOTE_ADDR="nonsense") == "unknown"


# -- without Redis


@pytest.fixture
def own_redis(settings, monkeypatch):
    server = OwnRedis()
    settings.REDIS_URL = server.url
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "reads": (1, 60)}
    monkeypatch.setattr(lossy, "_quiet_until", 0.0)
    yield server
    server.thaw()
    server.kill()


@pytest.mark.processes
def test_while_redis_is_frozen_or_gone_nothing_is_limited_and_nobody_waits_long(own_redis, monkeypatch):
    def slowest():
        """The longest of some calls of several at once; none is counted."""

        def one(number):
            begin = time.monotonic()
            assert take("reads", "x") is None
            return time.monotonic() - begin

        with ThreadPoolExecutor(4) as pool:
            return max(pool.map(one, range(40)))

    assert take("reads", "x").used == 1
    own_redis.freeze()
    assert slowest() < 1
    begin = time.monotonic()
    assert slowest() < 0.1  # left alone meanwhile
    assert time.monotonic() - begin < lossy.PAUSE
    own_redis.thaw()
    monkeypatch.setattr(lossy, "_quiet_until", time.monotonic() - 1)
    assert take("reads", "x").over
    own_redis.kill()
    assert slowest() < 1
    own_redis.start()
    monkeypatch.setattr(lossy, "_quiet_until", time.monotonic() - 1)
    assert take("reads", "x").used == 1


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
def test_of_200_at_once_at_two_servers_just_the_limit_passes(redis_url, monkeypatch):
    monkeypatch.setenv("RATE_LIMIT_READS", "50/600")
    _, secret = Token.issue(user=a_user("ada"), label="test")
    servers = [WebServer(), WebServer()]
    try:
        for server in servers:
            server.wait_until_ready()

        def ask(number):
            url = f"{servers[number % 2].url}/api/v1/me"
            answer = httpx.get(url, headers={"Authorization": f"Bearer {secret}"}, timeout=30)
            assert answer.status_code in (200, 429), answer.text
            assert (answer.status_code == 429) == ("Retry-After" in answer.headers)
            return answer.status_code

        with ThreadPoolExecutor(20) as pool:
            statuses = list(pool.map(ask, range(200)))
    finally:
        for server in servers:
            server.discard()
    assert statuses.count(200) == 50
    # Both served some of those that passed.
    assert {number % 2 for number, status in enumerate(statuses) if status == 200} == {0, 1}


def test_the_policies_of_everyday_play_leave_room(settings):
    """One action in 100 ms, with a look at the table before each."""
    from fantan_site.settings import USUAL_RATES

    for name in ("reads", "writes"):
        limit, seconds = map(int, USUAL_RATES[name].split("/"))
        assert limit / seconds >= 1.5 * 10
    assert set(limits.settings.RATE_LIMITS) == set(USUAL_RATES)
