"""Scripts of other sites: what a browser asks first, and what it lets them read."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings

from fantan_site.environment import origins
from tests.api.clients import BASE, World

ELSEWHERE = "https://club.example.org"

pytestmark = pytest.mark.django_db


def preflight(client, path, method="GET", headers=""):
    asked = {"HTTP_ORIGIN": ELSEWHERE, "HTTP_ACCESS_CONTROL_REQUEST_METHOD": method}
    if headers:
        asked["HTTP_ACCESS_CONTROL_REQUEST_HEADERS"] = headers
    return client.options(f"{BASE}{path}", **asked)


def test_any_site_may_read_what_is_public_and_never_with_cookies(client):
    world = World(settings={"public": True})
    world.start()
    answer = client.get(f"{BASE}{world.path}/table", HTTP_ORIGIN=ELSEWHERE)
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (200, "*")
    assert "Access-Control-Allow-Credentials" not in answer
    exposed = answer["Access-Control-Expose-Headers"]
    assert {"ETag", "Link", "Retry-After", "RateLimit-Remaining"} <= set(exposed.split(", "))


def test_errors_can_be_read_too(client):
    answer = client.get(f"{BASE}/me", HTTP_ORIGIN=ELSEWHERE)
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (401, "*")


def test_a_browser_is_told_beforehand_that_a_token_and_a_key_may_be_sent(client):
    world = World()
    answer = preflight(client, f"{world.path}/actions", "POST", "authorization, idempotency-key, content-type")
    assert answer.status_code == 200
    assert "POST" in answer["Access-Control-Allow-Methods"]
    assert {"authorization", "idempotency-key"} <= set(answer["Access-Control-Allow-Headers"].split(", "))
    assert "Access-Control-Allow-Credentials" not in answer


def test_the_session_cookie_of_the_admin_is_nobody_here(client):
    world = World()
    client.force_login(world.organiser.user)
    assert client.get(f"{BASE}{world.path}", HTTP_ORIGIN=ELSEWHERE).status_code == 404
    assert client.get(f"{BASE}/me").status_code == 401


@override_settings(CORS_ALLOW_ALL_ORIGINS=False, CORS_ALLOWED_ORIGINS=["https://other.example.org"])
def test_where_origins_are_named_the_others_are_told_nothing(client):
    answer = client.get(f"{BASE}/rules", HTTP_ORIGIN=ELSEWHERE)
    assert "Access-Control-Allow-Origin" not in answer
    assert "origin" in answer["Vary"]
    assert "Access-Control-Allow-Origin" not in preflight(client, "/rules")
    named = client.get(f"{BASE}/rules", HTTP_ORIGIN="https://other.example.org")
    assert named["Access-Control-Allow-Origin"] == "https://other.example.org"


def test_pages_and_the_admin_are_for_no_other_site(client):
    for path in ("/admin/login/", "/", "/healthz"):
        assert "Access-Control-Allow-Origin" not in client.get(path, HTTP_ORIGIN=ELSEWHERE)


@pytest.mark.parametrize("text", ["*", "club.example.org", "https://club.example.org/", "https://a b", "https://u@h"])
def test_what_is_no_origin_is_refused_at_start(monkeypatch, text):
    monkeypatch.setenv("API_ORIGINS", text)
    with pytest.raises(ImproperlyConfigured, match="API_ORIGINS must name origins"):
        origins("API_ORIGINS")


def test_origins_are_read_as_they_are(monkeypatch):
    monkeypatch.setenv("API_ORIGINS", "https://club.example.org, http://localhost:5173")
    assert origins("API_ORIGINS") == ["https://club.example.org", "http://localhost:5173"]
