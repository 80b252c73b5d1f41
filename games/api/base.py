"""What all views of the API have in common."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from django.utils.cache import patch_vary_headers
from rest_framework.exceptions import Throttled
from rest_framework.permissions import AllowAny, IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.access import Caller
from games.api.auth import TokenAuthentication, caller_of
from games.api.parsing import Query, StrictJSONParser, check_length, key_text, read_query
from games.api.rendering import JSONRenderer
from games.api.scopes import Needs, check_scope
from games.api.versions import Own, Version, edited_tag, matches, wants_another
from games.errors import MeantAnother, NotFound, VersionNeeded
from games.limits import Count, client_address, take
from games.services.keys import Key

Row = TypeVar("Row")
DOOR = "api"
FRESH = 5
"""Seconds for which published things may be kept before asking again: so long a correction may not show."""

PUBLISHED_VERSION = "fantan.published_version"
"""Where a request is told of what version its published answer is, for whoever keeps it (fantan_site/hot.py)."""


class ApiView(APIView):
    """A view that knows its caller and takes no parameter but those it names.

    `scopes` names, by method, what a token must be for (games.scopes): a scope, or any one of several.
    `rates` names, by method, the policy that limits how often it is asked for (games.limits), where that is not the
    usual one. `parameters` lists the query parameters of each method, `repeated` those that may be given several times.

    A method that reads says first what its answer is a version of (`unchanged`): then clients keep it, and ask before
    they use it again. Nothing else may be kept, unless `cacheable` says for how many seconds: an answer that is the
    same for everybody. What is `secret` is kept by nobody.
    """

    authentication_classes = [TokenAuthentication]
    permission_classes: ClassVar[list[Any]] = [IsAuthenticated]
    parser_classes: ClassVar[list[Any]] = [StrictJSONParser]
    renderer_classes: ClassVar[list[Any]] = [JSONRenderer]
    metadata_class = None
    http_method_names = ["get", "post", "put", "patch", "delete", "head"]

    scopes: ClassVar[Mapping[str, Needs]] = {}
    rates: ClassVar[Mapping[str, str]] = {}
    parameters: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    repeated: ClassVar[tuple[str, ...]] = ()
    cacheable: ClassVar[int] = 0
    secret: ClassVar[bool] = False

    caller: Caller
    query: Query
    count: Count | None = None
    etag: str | None = None
    fresh: bool = False

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.caller = caller_of(request)
        method = "GET" if request.method == "HEAD" else request.method or ""
        if hasattr(self, method.lower()):
            check_scope(self.caller, self.scopes, method)
        check_length(request)
        once = frozenset(self.parameters.get(method, ()))
        repeated = frozenset(self.repeated if method == "POST" else ())
        self.query = read_query(request.META.get("QUERY_STRING", ""), once=once, repeated=repeated)

    def perform_authentication(self, request: Request) -> None:
        """Who is calling, and how often: before anything is looked at, and whatever comes of it."""
        super().perform_authentication(request)
        caller = caller_of(request)
        who = caller.counted_as or client_address(request)
        usual = ("reads" if request.method in ("GET", "HEAD") else "writes") if caller.user else "anonymous"
        self.count = take(self.rates.get("GET" if request.method == "HEAD" else request.method or "", usual), who)
        if self.count is not None and self.count.over:
            raise Throttled(self.count.reset)

    def key(self, body: Any, *, required: bool = False) -> Key | None:
        """The request's Idempotency-Key, tied to its address and `body`."""
        text = key_text(self.request, required=required)
        return None if text is None else Key.of(text, f"{self.request.method} {self.request.path}", body)

    def unchanged(self, version: Version, *, published: bool = False) -> Response | None:
        """304 where the client has this version of the answer already; else None, and the answer will carry its ETag.

        `published`: the answer is the same for everybody who may see it at all, and everybody may; without a token it
        can then be kept by any cache for a moment."""
        form = (self.request.accepted_renderer.format, sorted(self.kwargs.items()), sorted(self.query.values.items()))
        self.etag = version.tag(type(self).__name__, *form)
        self.fresh = published and "Authorization" not in self.request.headers
        if self.fresh:
            self.request.META[PUBLISHED_VERSION] = version
        return Response(status=304) if wants_another(self.request, self.etag) else None

    def meant(self, own: Callable[[Row], Own]) -> Callable[[Row], None]:
        """What a service asks under its lock: whether the thing is still what the request's If-Match names. `own` says
        by what of it that is seen.

        Raises VersionNeeded at once where there is no If-Match, MeantAnother when asked."""
        header = self.request.headers.get("If-Match")
        if header is None:
            raise VersionNeeded

        def check(row: Row) -> None:
            if not matches(header, found := own(row)):
                raise MeantAnother(edited_tag(found))

        return check

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        answer = super().finalize_response(request, response, *args, **kwargs)
        read = answer.status_code in (200, 304)
        if self.etag is not None and read:
            answer["ETag"] = self.etag
        if read:
            del answer["Allow"]  # which nobody asks for in reading
        answer["Cache-Control"] = self._cache_control() if read else "no-store"
        patch_vary_headers(answer, ["Authorization"])
        for name, value in {} if self.count is None else self.count.headers.items():
            answer[name] = value
        return answer

    def _cache_control(self) -> str:
        if self.cacheable:
            return f"public, max-age={self.cacheable}"
        if self.etag is None or self.secret:
            return "no-store"
        return f"public, max-age={FRESH}" if self.fresh else "private, no-cache"


class PublicReadView(ApiView):
    """Readable without a token: what is public is seen by everybody."""

    permission_classes = [IsAuthenticatedOrReadOnly]


class NoSuchAddress(ApiView):
    """Every other address under the API: a 404 in the same form as all errors."""

    permission_classes = [AllowAny]
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound("address")


def edited(answer: Response, own: Own) -> Response:
    """The answer to an edit, with the tag by which to edit further."""
    answer["ETag"] = edited_tag(own)
    return answer


def created(data: Mapping[str, Any], location: str) -> Response:
    return Response(data, status=201, headers={"Location": location})
