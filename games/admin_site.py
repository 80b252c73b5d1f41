"""The admin site: who may enter, the first page, and the search behind the player fields.

Every member may enter, to look after the own account; more is shown to scorers and organisers (games/admin/scope.py).

It stands outside the package `games.admin`, whose import registers pages with it: what it needs from there it imports
when it is asked.
"""

import hashlib
import math
from datetime import UTC, tzinfo
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import limits, logins
from games.access import Caller
from games.models import Player, Role, User
from games.selectors import visible_clubs

ORDER = ("Session", "Player", "Deal", "Membership", "Token", "Webhook", "ImportJob", "Club", "User")
"""The order of the menu: what is needed on the night first, and before it what apps built upon this one have."""


class LoginForm(AdminAuthenticationForm):
    """Says what is missing to those whose password is right, but who are member of no club. Who guesses has to wait:
    then `wait` is for how many seconds."""

    error_messages = AuthenticationForm.error_messages

    def clean(self) -> dict[str, Any]:
        assert self.request is not None
        name, address = self.cleaned_data.get("username", ""), limits.client_address(self.request)
        wait = logins.attempt(name, address) if name else 0
        if wait:
            self.request.login_wait = wait  # type: ignore[attr-defined]
            minutes = math.ceil(wait / 60)
            message = ngettext(
                "Too many attempts to log in. Wait for {n} minute.",
                "Too many attempts to log in. Wait for {n} minutes.",
                minutes,
            )
            raise ValidationError(message.format(n=minutes), code="throttled")
        data: dict[str, Any] = super().clean()
        if name:
            logins.succeeded(name, address)
        return data

    def confirm_login_allowed(self, user: Any) -> None:
        AuthenticationForm.confirm_login_allowed(self, user)
        if not may_enter(Caller.of(user)):
            raise ValidationError(
                _("Your account is in no club. Ask an organiser of your club to add you as a member."), code="no_club"
            )


def may_enter(caller: Caller) -> bool:
    """Members of a club, whatever their role, and superusers."""
    return caller.superuser or bool(caller.roles)


class PeopleSearch(AutocompleteJsonView):
    """What a search field finds: active players of one's own clubs, or, where an account is asked for, its members.

    `?club=` keeps to one club. Without it the club is named beside the player.
    """

    def has_perm(self, request: HttpRequest, obj: Any = None) -> bool:
        from games.admin.scope import has_role

        if self.model_admin.model is User:
            return has_role(request, Role.ORGANISER)
        return bool(self.model_admin.has_view_permission(request, obj=obj))

    def get_queryset(self) -> QuerySet[Any]:
        rows = super().get_queryset()
        from games.admin.scope import is_id

        club = self.request.GET.get("club", "")
        club_id = int(club) if is_id(club) else None
        if self.model_admin.model is Player:
            rows = rows.filter(active=True).select_related("club")
            return rows if club_id is None else rows.filter(club=club_id)
        if self.model_admin.model is User:
            rows = rows.filter(is_active=True, is_bot=False)
            return rows if club_id is None else rows.filter(memberships__club=club_id)
        return rows

    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, str]:
        found: dict[str, str] = super().serialize_result(obj, to_field_name)
        if isinstance(obj, Player):
            name = _("{name} (bot, {strategy})").format(name=obj.name, strategy=obj.strategy)
            club = "" if self.request.GET.get("club") else f" · {obj.club.name}"
            found["text"] = f"{name if obj.strategy else obj.name}{club}"
        return found


def zone_of(request: HttpRequest) -> tzinfo:
    """The time zone of the caller's club; UTC for those in several, or none."""
    from games.admin.scope import caller_of

    clubs = visible_clubs(caller_of(request)).order_by("pk")
    zones = list(clubs.values_list("timezone", flat=True)[:2]) if request.user.is_authenticated else []
    return ZoneInfo(zones[0]) if len(zones) == 1 else UTC


class ClubAdminSite(admin.AdminSite):
    """Django's admin with a first page that says what needs doing now."""

    site_header = "Fan Tan"
    site_title = "Fan Tan"
    index_title = gettext_lazy("What needs you now")
    login_form = LoginForm
    index_template = "admin/games/index.html"
    empty_value_display = "–"
    final_catch_all_view = True
    search: ClassVar[Any] = PeopleSearch

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        answer = super().login(request, extra_context)
        if wait := getattr(request, "login_wait", 0):
            answer.status_code, answer["Retry-After"] = 429, str(wait)
        return answer

    def has_permission(self, request: HttpRequest) -> bool:
        from games.admin.scope import caller_of

        user = request.user
        # Without a password there is nothing to look after: guests play, and enter nothing else.
        return (
            isinstance(user, User) and user.is_active and user.has_usable_password() and may_enter(caller_of(request))
        )

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """No text of a database holds a NUL: an address with one is refused before anything is asked.

        Times are shown in the zone of the caller's club. A page about one club may activate that one's instead."""
        inner = super().admin_view(view, cacheable)

        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if "\x00" in request.path or any("\x00" in value for _, values in request.GET.lists() for value in values):
                return HttpResponseBadRequest(_("That is no address of a page."))
            with timezone.override(zone_of(request)):
                answer = inner(request, *args, **kwargs)
                # Pages are made late, when the zone would be forgotten again.
                return answer.render() if isinstance(answer, TemplateResponse) else answer

        guarded.csrf_exempt = getattr(inner, "csrf_exempt", False)  # type: ignore[attr-defined]
        return guarded

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """One menu, in the order of use, in the words of a club."""
        apps = super().get_app_list(request, app_label)
        models = [model for app in apps for model in app["models"]]
        models.sort(key=lambda model: ORDER.index(model["object_name"]) if model["object_name"] in ORDER else -1)
        return [{**apps[-1], "name": _("Club"), "models": models}] if apps else []

    def get_urls(self) -> list[Any]:
        return [path("now/", self.admin_view(self.now), name="now"), *super().get_urls()]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        from games.admin.scope import has_role

        more: dict[str, Any] = {"at_desk": has_role(request, Role.SCORER)}
        if more["at_desk"]:
            text, tag = self._now(request)
            more |= {"now": text, "tag": tag, "may_open": has_role(request, Role.ORGANISER)}
        return super().index(request, {**more, **(extra_context or {})})

    def now(self, request: HttpRequest) -> HttpResponse:
        """That part of the first page which changes by itself, for a script that asks whether it has."""
        from games.admin.scope import has_role

        if not has_role(request, Role.SCORER):
            raise PermissionDenied
        text, tag = self._now(request)
        answer = get_conditional_response(request, etag=tag, response=HttpResponse(text, headers={"ETag": tag}))
        assert answer is not None
        return answer

    def _now(self, request: HttpRequest) -> tuple[str, str]:
        """What needs somebody now, and an entity tag of it."""
        from games.admin.home import home

        text = render_to_string("admin/games/now.html", home(request), request)
        return text, f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        return self.search.as_view(admin_site=self)(request)
