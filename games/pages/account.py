"""Logging in and out, and the language of the pages."""

from typing import Any

from django.contrib.auth.views import LoginView as DjangosLoginView
from django.http import HttpRequest
from django.http.response import HttpResponseBase
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

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        answer = super().dispatch(request, *args, **kwargs)
        if wait := getattr(request, "login_wait", 0):
            answer.status_code, answer["Retry-After"] = 429, str(wait)
        return answer
