"""Every route of the API as the URL configuration has it, and an address for each in a world."""

from typing import Any

from django.urls import URLPattern

from games.api import urls
from games.live import urls as live_urls
from tests.api.clients import World

HTTP = ("get", "post", "put", "patch", "delete")
PATTERNS = [*live_urls.urlpatterns, *urls.urlpatterns]


def all_routes() -> list[tuple[str, str]]:
    """(name, method) of everything that can be asked for."""
    found = []
    for pattern in PATTERNS:
        assert isinstance(pattern, URLPattern)
        if pattern.name != "no-such-address":
            view = pattern.callback.view_class  # type: ignore[attr-defined]
            found += [(str(pattern.name), method.upper()) for method in HTTP if hasattr(view, method)]
    return found


def view_of(name: str) -> Any:
    """The view class of a route."""
    pattern = next(item for item in PATTERNS if item.name == name)
    return pattern.callback.view_class  # type: ignore[attr-defined]


def path_of(
    name: str,
    world: World,
    *,
    session: str | None = None,
    number: int = 1,
    seat: int = 0,
    player: str | None = None,
    token: str = "",
) -> str:
    """The address of a route, without the API's base."""
    pattern = next(item for item in PATTERNS if item.name == name)
    values: dict[str, Any] = {
        "club": world.club.slug,
        "session": session or world.session,
        "number": number,
        "seat": seat,
        "player": player or world.table.players[0].public_id,
        "token": token or "222222222222",
    }
    route = str(pattern.pattern)
    for part in ("slug:club", "public_id:session", "public_id:player", "public_id:token", "number:number", "seat:seat"):
        route = route.replace(f"<{part}>", str(values[part.partition(":")[2]]))
    if "<public_id:webhook>" in route:
        route = route.replace("<public_id:webhook>", world.webhook.public_id)
    if "<public_id:job>" in route:
        route = route.replace("<public_id:job>", world.import_job.public_id)
    if "<public_id:delivery>" in route:
        route = route.replace("<public_id:delivery>", world.delivery.public_id)
    assert "<" not in route, route
    return f"/{route}"
