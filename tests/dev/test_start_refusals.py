"""The site refuses to start with settings that would be unsafe or could not work, and says what to do."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fantan_site import checks

ROOT = Path(__file__).resolve().parents[2]
STRONG = "k9Zr_3vXw-7Qm2TtBn5LsYc8HdPfGj4Ua6EeRiOoWqNxMv1z"
SERVER = {
    "SECRET_KEY": STRONG,
    "DATABASE_URL": "postgres://fantan@localhost/fantan",
    "REDIS_URL": "redis://localhost:6379/0",
    "ALLOWED_HOSTS": "fantan.example.org",
}

IN_ORDER: dict[str, Any] = {
    "SECRET_KEY": STRONG,
    "SECRET_KEY_FALLBACKS": [],
    "ALLOWED_HOSTS": ["fantan.example.org", "localhost"],
    "LOCAL_HOSTS": ["localhost"],
    "DEBUG": False,
    "EMBEDDED": False,
    "OFFLINE": False,
    "TESTING": False,
    "CELERY_TASK_ALWAYS_EAGER": False,
    "CELERY_BROKER_URL": "redis://localhost/0",
}


SERVERS = {
    "web": ["-c", "import fantan_site.wsgi"],
    "asgi": ["-c", "import fantan_site.asgi"],
    "worker": ["-m", "celery", "-A", "fantan_site", "worker", "--pool", "solo"],
    "beat": ["-m", "celery", "-A", "fantan_site", "beat", "--pidfile", ""],
}


def start(*arguments: str, **changes: "str | None") -> "subprocess.CompletedProcess[str]":
    """Run Python with arguments in a server's environment with some variables changed (None: missing)."""
    env = {k: v for k, v in {**SERVER, **changes}.items() if v is not None}
    env |= {"PATH": os.environ["PATH"], "C_FORCE_ROOT": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("missing", ["SECRET_KEY", "DATABASE_URL", "REDIS_URL"])
def test_a_server_without_a_needed_variable_does_not_start_and_names_it(missing: str) -> None:
    done = start("-c", "import fantan_site.settings", **{missing: None})
    assert done.returncode == 1
    assert f"ImproperlyConfigured: {missing} is not set" in done.stderr


def test_the_web_server_starts_with_complete_settings() -> None:
    assert start(*SERVERS["web"]).stderr == ""


def arguments_of(server: str, folder: Path) -> list[str]:
    return [*SERVERS[server], *(["--schedule", str(folder / "beat")] if server == "beat" else [])]


@pytest.mark.parametrize("server", SERVERS)
def test_every_server_refuses_what_the_checks_refuse_even_with_a_quiet_log(server: str, tmp_path: Path) -> None:
    unsafe = {"SECRET_KEY": "changeme", "DEBUG": "1", "ALLOWED_HOSTS": "*", "CELERY_TASK_ALWAYS_EAGER": "1"}
    done = start(*arguments_of(server, tmp_path), LOG_LEVEL="CRITICAL", **unsafe)
    assert done.returncode == 1
    assert "SECRET_KEY is short or well known." in done.stderr
    assert "DEBUG is on for other hosts than this one: *." in done.stderr
    assert "ALLOWED_HOSTS accepts every host." in done.stderr
    assert "CELERY_TASK_ALWAYS_EAGER is on." in done.stderr


@pytest.mark.parametrize("server", SERVERS)
def test_every_server_refuses_another_database(server: str, tmp_path: Path) -> None:
    done = start(*arguments_of(server, tmp_path), DATABASE_URL="sqlite://")
    assert done.returncode == 1
    assert "DATABASE_URL does not name a PostgreSQL database. No other database is supported." in done.stderr


@pytest.mark.parametrize("command", ["migrate", "audit", "check"])
def test_every_command_refuses_another_database_with_the_same_sentence(command: str) -> None:
    done = start("manage.py", command, DATABASE_URL="sqlite:///var/db.sqlite3")
    assert done.returncode == 1
    assert "ImproperlyConfigured: DATABASE_URL does not name a PostgreSQL database." in done.stderr


@pytest.mark.parametrize(
    ("code", "settings"),
    [
        ("E001", {"SECRET_KEY": "short"}),
        ("E001", {"SECRET_KEY": "django-insecure-" + STRONG}),
        ("E001", {"SECRET_KEY": "ab" * 40}),
        ("E001", {"SECRET_KEY_FALLBACKS": ["an-old-password-that-is-long-enough-to-pass-by-length"]}),
        ("E003", {"DEBUG": True}),
        ("E004", {"ALLOWED_HOSTS": ["localhost"]}),
        ("E005", {"ALLOWED_HOSTS": ["*"]}),
        ("E006", {"CELERY_TASK_ALWAYS_EAGER": True}),
        ("E007", {"CELERY_BROKER_URL": "memory://"}),
    ],
)
def test_each_unsafe_setting_has_its_own_refusal(
    code: str, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "settings", SimpleNamespace(**IN_ORDER))
    assert checks.refusals() == []
    monkeypatch.setattr(checks, "settings", SimpleNamespace(**{**IN_ORDER, **settings}))
    assert [error.id for error in checks.refusals()] == [f"fantan.{code}"]


@pytest.mark.parametrize("mode", ["EMBEDDED", "OFFLINE"])
def test_the_embedded_mode_and_offline_commands_need_no_host(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    local = {**IN_ORDER, "ALLOWED_HOSTS": ["localhost"], mode: True}
    monkeypatch.setattr(checks, "settings", SimpleNamespace(**local))
    assert checks.refusals() == []
