"""Django's own middleware where it has to be otherwise."""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.common import CommonMiddleware as DjangosCommonMiddleware


class CommonMiddleware(DjangosCommonMiddleware):
    """A 304 does not say that what it is about has no bytes (RFC 9110 8.6)."""

    def process_response(self, request: HttpRequest, response: Any) -> HttpResponseBase:
        answer = super().process_response(request, response)
        if answer.status_code == 304:
            del answer["Content-Length"]
        return answer
