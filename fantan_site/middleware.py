"""Django's own middleware where it has to be otherwise."""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.common import CommonMiddleware as DjangosCommonMiddleware
from django.middleware.gzip import GZipMiddleware
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header


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
