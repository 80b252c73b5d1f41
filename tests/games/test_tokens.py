"""Tokens: what they are made for, and how they end. Streams that they opened hear of it."""

from datetime import timedelta

import pytest

from games import lossy
from games.access import Caller
from games.errors import Forbidden, Invalid, NotFound
from games.models import Token, User
from games.notify import TOKENS
from games.scopes import opened
from games.services.tokens import issue_token, revoke_token, shorten_token
from tests.games.builders import NOW, a_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return Caller(a_user("ada").pk)


@pytest.fixture
def told(monkeypatch):
    """What was published, instead of by Redis."""
    said = []
    monkeypatch.setattr("games.notify.publish", lambda channel, text: said.append((channel, text)))
    return said


def with_token(caller, *scopes, expires_at=None):
    """The caller with a token for these things."""
    token, _ = issue_token(caller=caller, label="with", scopes=scopes, expires_at=expires_at, now=NOW)
    return Caller(caller.user, token=token.pk, scopes=opened(scopes))


def test_scopes_are_kept_each_once_and_in_their_usual_order(ada):
    token, secret = issue_token(
        caller=ada, label="x", scopes=["standings:read", "account:read", "standings:read"], now=NOW
    )
    assert token.scopes == ["account:read", "standings:read"]
    assert secret.startswith("fantan_")
    assert secret.startswith(token.prefix)
    assert token.kind == "personal"


@pytest.mark.parametrize("scopes", [[], ["everything"], ["admin", ""], ["Admin"]])
def test_a_scope_that_there_is_not_is_refused(ada, scopes):
    with pytest.raises(Invalid) as refused:
        issue_token(caller=ada, label="x", scopes=scopes, now=NOW)
    assert refused.value.code == "bad_scope"


def test_a_token_makes_none_that_is_for_more_than_itself(ada):
    narrow = with_token(ada, "tokens:manage", "sessions:play")
    assert issue_token(caller=narrow, label="x", scopes=["sessions:read"], now=NOW)[0].made_with_id == narrow.token
    for scope in ("admin", "sessions:score"):
        with pytest.raises(Forbidden) as refused:
            issue_token(caller=narrow, label="x", scopes=["sessions:read", scope], now=NOW)
        assert (refused.value.code, refused.value.extra) == ("scope_needed", {"scope": scope})


def test_a_token_makes_none_that_outlives_it(ada):
    end = NOW + timedelta(days=2)
    short = with_token(ada, "admin", expires_at=end)
    assert issue_token(caller=short, label="x", scopes=["admin"], now=NOW)[0].expires_at == end
    soon = NOW + timedelta(days=1)
    assert issue_token(caller=short, label="x", scopes=["admin"], expires_at=soon, now=NOW)[0].expires_at == soon
    with pytest.raises(Invalid, match="outlive") as refused:
        issue_token(caller=short, label="x", scopes=["admin"], expires_at=end + timedelta(seconds=1), now=NOW)
    assert refused.value.code == "bad_expiry"


def test_a_bot_makes_no_token_for_itself():
    robot = User.objects.create(username="robot", is_bot=True)
    with pytest.raises(Forbidden):
        issue_token(caller=Caller(robot.pk), label="x", scopes=["sessions:play"], now=NOW)


def test_a_revoked_token_is_told_of_once(ada, told, django_capture_on_commit_callbacks):
    token, _ = issue_token(caller=ada, label="x", scopes=["admin"], now=NOW)
    with django_capture_on_commit_callbacks(execute=True):
        revoke_token(caller=ada, token=token.public_id, now=NOW)
        revoke_token(caller=ada, token=token.public_id, now=NOW + timedelta(hours=1))
        assert told == []
    assert told == [(TOKENS, str(token.pk))]
    assert Token.objects.get().revoked_at == NOW


def test_a_token_can_end_earlier_and_never_later(ada, told, django_capture_on_commit_callbacks):
    token, _ = issue_token(caller=ada, label="x", scopes=["admin"], now=NOW)
    with django_capture_on_commit_callbacks(execute=True):
        shorten_token(caller=ada, token=token.public_id, expires_at=NOW + timedelta(days=9), now=NOW)
        shorten_token(caller=ada, token=token.public_id, expires_at=NOW + timedelta(days=2), now=NOW)
    assert told == [(TOKENS, str(token.pk))] * 2
    for wrong in (timedelta(days=3), timedelta(0), timedelta(days=-1)):
        with pytest.raises(Invalid) as refused:
            shorten_token(caller=ada, token=token.public_id, expires_at=NOW + wrong, now=NOW)
        assert refused.value.code == "bad_expiry"
    assert Token.objects.get().expires_at == NOW + timedelta(days=2)


def test_somebody_elses_token_is_nobodys_but_a_superusers(ada):
    token, _ = issue_token(caller=ada, label="x", scopes=["admin"], now=NOW)
    other = a_user("bob").pk
    for service in (revoke_token, lambda **about: shorten_token(expires_at=NOW + timedelta(days=1), **about)):
        with pytest.raises(NotFound):
            service(caller=Caller(other), token=token.public_id, now=NOW)
    revoke_token(caller=Caller(other, superuser=True), token=token.public_id, now=NOW)
    assert Token.objects.get().revoked_at == NOW


def test_who_listens_hears_what_is_published(redis_client):
    with redis_client.pubsub() as heard:
        heard.subscribe(TOKENS)
        assert heard.get_message(timeout=5)["type"] == "subscribe"
        assert lossy.publish(TOKENS, "7")
        assert heard.get_message(timeout=5)["data"] == "7"


def test_a_redis_that_is_gone_is_asked_once_and_then_left_alone(settings, monkeypatch):
    monkeypatch.setattr(lossy, "_quiet_until", 0.0)
    settings.REDIS_URL = "unix:///dev/null/redis.sock?db=0"
    assert lossy.publish(TOKENS, "7") is False
    assert lossy.ask(lambda server: pytest.fail("asked again")) is None
    monkeypatch.setattr(lossy, "_quiet_until", 0.0)
