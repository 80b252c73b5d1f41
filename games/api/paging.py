"""Lists in pages by cursor: rows added meanwhile make no row come twice or be left out."""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from django.db.models import Model, QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.parsing import Query, bad_parameter
from scoring.wording import mark

USUAL = 50
MOST = 200
PARAMETERS = ("limit", "after")


def limit_of(query: Query) -> int:
    limit = query.whole("limit", least=1, most=MOST, default=USUAL)
    assert limit is not None
    return limit


def page_by_id(
    request: Request,
    query: Query,
    rows: QuerySet[Any],
    *,
    model: type[Model],
    cursor: str,
    render: Callable[[Any], Any],
    newest_first: bool = False,
    unchanged: Callable[[Sequence[Any]], Response | None] = lambda found: None,
) -> Response:
    """A page of `rows` in order of id. The cursor is the last row's `cursor`, a unique column, so that no id shows.

    `unchanged` is told the page's rows, with one more where there is one, and says whether the client has that page."""
    after = query.values.get("after")
    if after is not None:
        at = model._default_manager.filter(**{cursor: after}).values_list("pk", flat=True).first()
        if at is None:
            raise bad_parameter("after", mark("{parameter} is not a cursor that this list gave out."))
        rows = rows.filter(pk__lt=at) if newest_first else rows.filter(pk__gt=at)
    limit = limit_of(query)
    found = list(rows.order_by("-pk" if newest_first else "pk")[: limit + 1])
    if answer := unchanged(found):
        return answer
    last = getattr(found[limit - 1], cursor) if len(found) > limit else None
    return envelope(request, query, [render(row) for row in found[:limit]], after=last)


def page_by_number(
    request: Request, query: Query, items: Sequence[Any], *, number: Callable[[Any], int], render: Callable[[Any], Any]
) -> Response:
    """A page of `items`, which are in ascending order of a unique `number`, the cursor."""
    after = query.whole("after", least=0, most=999_999_999, default=0) or 0
    limit = limit_of(query)
    found = [item for item in items if number(item) > after]
    last = number(found[limit - 1]) if len(found) > limit else None
    return envelope(request, query, [render(item) for item in found[:limit]], after=last)


def envelope(request: Request, query: Query, results: list[Any], *, after: Any = None) -> Response:
    """The one form of every list. `next`, and the header Link, keep the filters of this page; null on the last one."""
    if after is None:
        return Response({"results": results, "next": None})
    following = request.build_absolute_uri(f"{request.path}?{urlencode({**query.values, 'after': after})}")
    return Response({"results": results, "next": following}, headers={"Link": f'<{following}>; rel="next"'})
