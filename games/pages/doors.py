"""What the script of a table asks for: the API's calls for a player, made by the login's cookie. Not for programs."""

from typing import Any

from rest_framework.response import Response

from games.api.base import ApiView
from games.api.cookies import CookieAuthentication
from games.api.deals import Deals
from games.api.play import Actions
from games.api.seating import Join
from games.engine.errors import EngineError, for_people
from games.errors import Refusal


class Door(ApiView):
    """A call by cookie. Refusals are for people, who count seats from 1."""

    authentication_classes = [CookieAuthentication]
    schema = None

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, Refusal | EngineError):
            exc.message = for_people(exc.message)
        return super().handle_exception(exc)


class PageActions(Door, Actions): ...


class PageDeals(Door, Deals):
    http_method_names: Any = ["post"]


class PageJoin(Door, Join): ...
