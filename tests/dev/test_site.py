"""The site around the API and the admin: front page, documentation, health probes, static files."""

import pytest
from django.test import Client, override_settings

from tests.servers import WebServer


@pytest.mark.django_db
def test_the_front_page_leads_to_admin_and_documentation(client: Client) -> None:
    page = client.get("/").content.decode()
    assert 'href="/admin/"' in page
    assert 'href="/api/docs/"' in page


@pytest.mark.django_db
def test_the_process_is_alive_and_ready(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ok"}


@pytest.mark.parametrize("path", ["/api/docs/", "/api/docs/?script", "/api/schema/"])
@pytest.mark.parametrize("method", ["OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE"])
def test_the_documentation_is_only_read(client: Client, path: str, method: str) -> None:
    answer = client.generic(method, path)
    assert (answer.status_code, answer["Content-Type"]) == (405, "application/problem+json")
    assert (answer.json()["code"], answer["Allow"]) == ("method_not_allowed", "GET, HEAD")
    assert client.head(path).status_code == 200


@pytest.mark.parametrize("path", ["/api/docs/", "/api/schema/"])
def test_the_documentation_in_a_form_it_does_not_have_is_a_problem_in_json(client: Client, path: str) -> None:
    answer = client.get(path, headers={"Accept": "image/png"})
    assert (answer.status_code, answer["Content-Type"]) == (406, "application/problem+json")
    assert answer.json()["code"] == "not_acceptable"


def test_healthz_asks_no_database(client: Client) -> None:
    assert client.get("/healthz").status_code == 200


@pytest.mark.django_db
def test_readyz_names_a_silent_redis(client: Client) -> None:
    with override_settings(REDIS_URL="unix:///dev/null/nothing.sock"):
        answer = client.get("/readyz")
    assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
    assert answer.json()["code"] == "not_ready"
    assert answer.json()["detail"] == "No answer from: redis."


@pytest.mark.django_db
def test_readyz_names_a_silent_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.db import OperationalError

    from fantan_site import health

    class Silent:
        def cursor(self) -> None:
            raise OperationalError("no route")

    monkeypatch.setattr(health, "connection", Silent())
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["detail"]) == (503, "No answer from: database.")


@pytest.mark.processes
def test_a_real_web_server_serves_pages_and_static_files(live_http: WebServer) -> None:
    with live_http.client() as http:
        assert http.get("/readyz").json() == {"status": "ok"}
        assert http.get("/admin/login/").status_code == 200
        assert http.get("/static/admin/css/base.css").headers["Content-Type"].startswith("text/css")
        docs = http.get("/api/docs/")
        assert docs.status_code == 200
        assert "//cdn" not in docs.text
