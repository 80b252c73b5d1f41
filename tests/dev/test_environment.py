"""A variable that cannot be read is refused by its name, with what it must be."""

import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

SETTINGS = Path(__file__).resolve().parents[2] / "fantan_site" / "settings.py"
READS = re.findall(r'\b(switch|number|level)\("(\w+)"', SETTINGS.read_text())
SWITCHES = [name for kind, name in READS if kind == "switch"]
NUMBERS = [name for kind, name in READS if kind == "number"]


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Complete settings and nothing else."""
    for _, name in READS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SECRET_KEY", "a-key")
    monkeypatch.setenv("DATABASE_URL", "postgres://fantan@localhost/fantan")
    monkeypatch.setenv("REDIS_URL", "redis://localhost:6379/0")


def settings() -> dict[str, Any]:
    return runpy.run_path(str(SETTINGS))


def test_the_settings_read_switches_and_numbers() -> None:
    assert {"DEBUG", "HTTPS", "BEHIND_PROXY", "CELERY_TASK_ALWAYS_EAGER"} <= set(SWITCHES)
    assert {"HSTS_SECONDS", "DATABASE_CONN_MAX_AGE", "DATABASE_LOCK_TIMEOUT_MS"} <= set(NUMBERS)


@pytest.mark.parametrize("name", SWITCHES)
@pytest.mark.parametrize("value", ["maybe", "2", "enabled"])
def test_a_switch_is_on_or_off(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=f"^{name} must be 1 or 0 .*, not '{value}'"):
        settings()


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", ["x", "-1", "1.5", "\u0663", "9" * 10])
def test_a_number_is_whole_and_not_negative(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=f"^{name} must be a whole number from 0 to 999999999, not "):
        settings()


@pytest.mark.parametrize("value", ["300", "0/10", "300/0", "-1/10", "x/10", "3.5/1", "300/10/1", "none", "/"])
def test_a_rate_is_requests_in_seconds_or_off(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RATE_LIMIT_BAD_TOKENS", value)
    with pytest.raises(ImproperlyConfigured, match=r"^RATE_LIMIT_BAD_TOKENS must be .* such as 300/10, or off; not "):
        settings()


def test_rates_are_usual_unless_told_and_off_in_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RATE_LIMIT_WRITES", "5/60")
    monkeypatch.setenv("RATE_LIMIT_READS", "off")
    rates = settings()["RATE_LIMITS"]
    assert (rates["reads"], rates["writes"], rates["bulk"]) == (None, (5, 60), (30, 60))
    monkeypatch.setenv("FANTAN_TESTING", "1")
    assert settings()["RATE_LIMITS"] == dict.fromkeys(settings()["USUAL_RATES"]) | {"writes": (5, 60)}


def test_a_proxy_is_one_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings()["NUM_PROXIES"] == 0
    monkeypatch.setenv("BEHIND_PROXY", "1")
    assert settings()["NUM_PROXIES"] == 1
    monkeypatch.setenv("NUM_PROXIES", "2")
    assert settings()["NUM_PROXIES"] == 2


def test_a_level_of_logging_is_one_of_pythons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "loud")
    with pytest.raises(ImproperlyConfigured, match=r"^LOG_LEVEL must be one of DEBUG, .*, not 'LOUD'"):
        settings()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("foo", "DATABASE_URL does not name a PostgreSQL database. No other database is supported."),
        ("sqlite://", "DATABASE_URL does not name a PostgreSQL database. No other database is supported."),
        ("sqlite://:memory:", "DATABASE_URL does not name a PostgreSQL database. No other database is supported."),
        ("mysql://u:hush@h/x", "DATABASE_URL does not name a PostgreSQL database. No other database is supported."),
        ("postgres://u:hush@h:port/x", "DATABASE_URL must be postgres://user:password@host:port/name."),
        ("postgres://u:hush@[::1/x", "DATABASE_URL must be postgres://user:password@host:port/name."),
    ],
)
def test_the_database_is_postgresql_and_no_refusal_shows_a_password(
    url: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    with pytest.raises(ImproperlyConfigured) as refused:
        settings()
    assert str(refused.value) == reason


def test_the_queue_is_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "amqp://u:hush@h")
    with pytest.raises(ImproperlyConfigured) as refused:
        settings()
    assert str(refused.value) == "REDIS_URL must start with redis://, rediss:// or unix:///path, not amqp://."


def test_an_empty_variable_is_one_that_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for _, name in READS:
        monkeypatch.setenv(name, "")
    found = settings()
    assert (found["HTTPS"], found["DEBUG"], found["SECURE_HSTS_SECONDS"]) == (True, False, 31_536_000)
    assert found["LOG_LEVEL"] == "INFO"


@pytest.mark.parametrize(("word", "on"), [("1", True), ("Yes", True), ("on", True), ("0", False), ("FALSE", False)])
def test_a_switch_has_several_words(word: str, on: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEBUG", word)
    assert settings()["DEBUG"] is on
