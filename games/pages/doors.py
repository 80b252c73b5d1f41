"""What the script of a table asks for: the API's calls for a player, made by the login's cookie. Not for programs."""

from games.api.cookies import CookieAuthentication
from games.api.deals import Deals
from games.api.play import Actions
from games.api.seating import Join


class PageActions(Actions):
    authentication_classes = [CookieAuthentication]
    schema = None


class PageDeals(Deals):
    authentication_classes = [CookieAuthentication]
    schema = None
    http_method_names = ["post"]


class PageJoin(Join):
    authentication_classes = [CookieAuthentication]
    schema = None
