"""What the environment says, or ImproperlyConfigured that names the variable and what it must be.

An empty variable counts as one that is not set. Values are not repeated in errors where they may hold a password.
"""

import ipaddress
import os
import re
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from fantan_site.redis_url import celery_url

YES = ("1", "true", "yes", "on")
NO = ("0", "false", "no", "off")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
POSTGRESQL = ("postgres", "postgresql", "psql", "pgsql")


def text(name: str, default: str = "") -> str:
    return os.environ.get(name) or default


def required(name: str, why: str) -> str:
    """The variable's value; the error tells the way out."""
    value = text(name)
    if not value:
        raise ImproperlyConfigured(
            f"{name} is not set: {why}. `python3 dev.py` sets it for local use; see docs/deploy.md."
        )
    return value


def names(name: str) -> list[str]:
    """The parts between commas, without blanks and empty ones."""
    return [part.strip() for part in text(name).split(",") if part.strip()]


def switch(name: str, default: bool = False) -> bool:
    """On or off. A word that is neither is an error: HTTPS=enabled must not switch https off."""
    value = text(name).strip().lower()
    if value and value not in YES + NO:
        raise ImproperlyConfigured(f"{name} must be 1 or 0 (or true, false, yes, no, on, off), not {value!r}.")
    return value in YES if value else default


def number(name: str, default: int) -> int:
    """A whole number, 0 or more."""
    value = text(name).strip()
    if value and not (value.isascii() and value.isdigit() and len(value) < 10):
        raise ImproperlyConfigured(f"{name} must be a whole number from 0 to 999999999, not {value!r}.")
    return int(value) if value else default


def networks(name: str) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    """Networks between commas: 10.1.0.0/16, fd00::/8, or single addresses."""
    try:
        return [ipaddress.ip_network(part) for part in names(name)]
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} must name networks, with commas, such as 10.1.0.0/16, not {text(name)!r}."
        ) from None


def origins(name: str) -> list[str]:
    """Origins between commas, as browsers name them: https://club.example.org, with a port that is not the usual."""
    for origin in names(name):
        if not re.fullmatch(r"https?://[^/\s*?#@]+", origin):
            raise ImproperlyConfigured(
                f"{name} must name origins, with commas, such as https://club.example.org, not {origin!r}."
            )
    return names(name)


def rate(name: str, default: str) -> tuple[int, int] | None:
    """So many requests in so many seconds, `300/10`; None for `off`."""
    value = text(name, default).strip().lower()
    if value == "off":
        return None
    limit, _, seconds = value.partition("/")
    if not all(part.isascii() and part.isdigit() and len(part) < 10 and int(part) for part in (limit, seconds)):
        raise ImproperlyConfigured(
            f"{name} must be a number of requests and one of seconds, such as 300/10, or off; not {value!r}."
        )
    return int(limit), int(seconds)


def level(name: str, default: str) -> str:
    """A level of Python's logging."""
    value = text(name, default).strip().upper()
    if value not in LEVELS:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(LEVELS)}, not {value!r}.")
    return value


def database(url: str) -> dict[str, Any]:
    """Django's form of DATABASE_URL."""
    if url.partition("://")[0] not in POSTGRESQL:
        raise ImproperlyConfigured("DATABASE_URL does not name a PostgreSQL database. No other database is supported.")
    try:
        return dict(environ.Env.db_url_config(url))
    except ValueError:  # whose text would show parts of the address
        raise ImproperlyConfigured("DATABASE_URL must be postgres://user:password@host:port/name.") from None


def broker(url: str) -> str:
    """Celery's form of REDIS_URL."""
    try:
        return celery_url(url)
    except ValueError as error:
        raise ImproperlyConfigured(f"{error}.") from error
