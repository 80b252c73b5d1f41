"""Django's own middleware where it has to be otherwise."""

import logging
from collections.abc import Callable
from typing import Any

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.common import CommonMiddleware as DjangosCommonMiddleware
from django.middleware.gzip import GZipMiddleware
from django.middleware.locale import LocaleMiddleware
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header

log = logging.getLogger(__name__)


class CommonMiddleware(DjangosCommonMiddleware):
    """A 304 does not say that what it is about has no bytes (RFC 9110 8.6)."""

    def process_response(self, request: HttpRequest, response: Any) -> HttpResponseBase:
        answer = super().process_response(request, response)
        if answer.status_code == 304:
            del answer["Content-Length"]
        return answer


class PageCompression(GZipMiddleware):
    """Compresses pages, to about a fifth of their bytes. Everything else stays as it was made: answers of the API are
    named by their bytes, streams go on."""

    def process_response(self, request: HttpRequest, response: Any) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith("text/html"):
            return response
        return super().process_response(request, response)


class ComeAgain:
    """A page that could not be made because the database does not answer, or somebody held a row for too long, says so
    (503): it may be asked for again. The API's views tell it themselves."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, (OperationalError, InterfaceError)):
            return None
        log.warning("%s %s: %s", request.method, request.path, exception)
        return HttpResponse(render_to_string("500.html"), status=503, headers={"Retry-After": "1"})


class LanguageMiddleware(LocaleMiddleware):
    """Pages speak the language that was chosen (a cookie), else the browser's.

    Of the API only the sentences of errors do, by Accept-Language alone, which a program seldom sends: data and the
    schema are the same for everybody, and say nothing of languages."""

    def process_request(self, request: HttpRequest) -> None:
        if not request.path.startswith("/api/"):
            super().process_request(request)
            return
        translation.activate("en")
        if request.path.startswith("/api/v1/"):
            translation.activate(asked(request.headers.get("Accept-Language", "")))

    def process_response(self, request: HttpRequest, response: Any) -> HttpResponseBase:
        if not request.path.startswith("/api/"):
            return super().process_response(request, response)
        if response.status_code >= 400 and "Accept-Language" in request.headers:
            patch_vary_headers(response, ["Accept-Language"])
            response["Content-Language"] = translation.get_language()
        return response


def asked(header: str) -> str:
    """The first language of an Accept-Language header that is spoken here; English where there is none."""
    for code, _ in parse_accept_lang_header(header):
        try:
            return translation.get_supported_language_variant(code)
        except LookupError:
            continue
    return "en"
