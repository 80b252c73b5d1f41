"""What the site refuses to start with: `manage.py` runs these as checks; web, worker and beat call them themselves.

What cannot even be read (no key, another database, HTTPS=maybe) is refused earlier, by fantan_site/environment.py.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import Error, Tags, register
from django.core.exceptions import ImproperlyConfigured

SHORTEST_KEY = 40
WEAK_MARKS = ("django-insecure", "changeme", "change-me", "change_me", "secret", "example", "password")


@register(Tags.security)
def refusals(app_configs: Sequence[Any] | None = None, **kwargs: object) -> list[Error]:
    """Every reason not to start with the settings in force, each with the way out."""
    return [Error(message, hint=hint, id=f"fantan.{code}") for code, message, hint in _reasons()]


def refuse_to_start() -> None:
    """ImproperlyConfigured with every reason at once: for servers, which do not run Django's checks themselves."""
    found = refusals()
    if found:
        raise ImproperlyConfigured(" ".join(f"{error.msg} {error.hint}" for error in found))


def _is_weak(key: str) -> bool:
    return len(key) < SHORTEST_KEY or len(set(key)) < 10 or any(mark in key.lower() for mark in WEAK_MARKS)


def _reasons() -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    keys = [("SECRET_KEY", settings.SECRET_KEY), *(("SECRET_KEY_FALLBACKS", k) for k in settings.SECRET_KEY_FALLBACKS)]
    make_one = "Make one: python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"
    found.extend(("E001", f"{name} is short or well known.", make_one) for name, key in keys if _is_weak(key))
    others = [host for host in settings.ALLOWED_HOSTS if host not in settings.LOCAL_HOSTS]
    if settings.DEBUG and others and not settings.TESTING:
        found.append(("E003", f"DEBUG is on for other hosts than this one: {', '.join(others)}.", "Unset DEBUG."))
    if not settings.EMBEDDED and not settings.OFFLINE and not others:
        found.append(("E004", "ALLOWED_HOSTS is not set.", "Name the hosts that clients ask for, with commas."))
    if "*" in others:
        found.append(("E005", "ALLOWED_HOSTS accepts every host.", "Name the hosts that clients ask for."))
    if settings.CELERY_TASK_ALWAYS_EAGER and not settings.TESTING:
        found.append(("E006", "CELERY_TASK_ALWAYS_EAGER is on.", "Tasks run in a real worker everywhere but in tests."))
    broker = urlsplit(settings.CELERY_BROKER_URL).scheme
    if broker not in ("redis", "rediss", "redis+socket"):
        found.append(("E007", f"The broker is {broker}, not Redis.", "Set REDIS_URL."))
    return found
