"""Every route of competitions' API as the URL configuration has it, and an address for each in a cup."""

from typing import Any

from django.urls import URLPattern

from competitions.api import urls
from competitions.live import urls as live_urls
from tests.api.routes import HTTP
from tests.competitions.api.clients import Cup

PATTERNS = [*live_urls.urlpatterns, *urls.urlpatterns]


def all_routes() -> list[tuple[str, str]]:
    """(name, method) of everything that can be asked for."""
    found = []
    for pattern in PATTERNS:
        assert isinstance(pattern, URLPattern)
        view = pattern.callback.view_class  # type: ignore[attr-defined]
        found += [(str(pattern.name), method.upper()) for method in HTTP if hasattr(view, method)]
    return found


def view_of(name: str) -> Any:
    """The view class of a route."""
    pattern = next(item for item in PATTERNS if item.name == name)
    return pattern.callback.view_class  # type: ignore[attr-defined]


def path_of(name: str, cup: Cup, *, number: int = 1, seq: int = 1, player: int = 0) -> str:
    """The address of a route, without the API's base."""
    pattern = next(item for item in PATTERNS if item.name == name)
    values: dict[str, Any] = {
        "slug:club": cup.league.club.slug,
        "public_id:competition": cup.league.public_id,
        "public_id:player": cup.ids[player],
        "number:number": number,
        "number:seq": seq,
        "form:form": "csv",
        "public_id:session": next((one.public_id for one in cup.league.sessions(1)), "222222222222"),
    }
    route = str(pattern.pattern)
    for part, value in values.items():
        route = route.replace(f"<{part}>", str(value))
    assert "<" not in route, route
    return f"/{route}"
