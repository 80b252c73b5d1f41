"""Logging in and out, and the language of the pages."""

from typing import Any

from django.contrib.auth.views import LoginView as DjangosLoginView
from django.contrib.auth.views import LogoutView as DjangosLogoutView
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from games.admin_site import LoginForm

# Whoever makes somebody read Serbian does no harm; so pages need no token, and set no cookie, for those who only read.
language = csrf_exempt(set_language)


class LoginView(DjangosLoginView):
    """The same form as the admin's, with the same patience for those who guess (429)."""

    template_name = "pages/login.html"
    authentication_form = LoginForm
    redirect_authenticated_user = True

    def get_redirect_url(self, request: HttpRequest | None = None) -> str:
        """Where the link that led here asked to come back to; not here again."""
        wanted = super().get_redirect_url()
        return "" if wanted.partition("?")[0] == self.request.path else wanted

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        answer = super().dispatch(request, *args, **kwargs)
        if wait := getattr(request, "login_wait", 0):
            answer.status_code, answer["Retry-After"] = 429, str(wait)
        return answer


class LogoutView(DjangosLogoutView):
    """Logging out; who only looks at the address, coming back to it, is led to the front page."""

    http_method_names = ["get", "head", "post"]
    next_page = "front"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return redirect("front")
