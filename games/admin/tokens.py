"""API tokens: made for oneself, the secret shown once; revoked by their owner or a superuser."""

from datetime import datetime, time
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from games.access import Caller
from games.admin.forms.base import now
from games.admin.pages import Page, PageForm, attempt, form_page, sent, show
from games.admin.scope import ClubScoped, caller_of
from games.models import Role, Token
from games.services import tokens


class TokenForm(PageForm):
    heading, button = "Make an API token", "Make the token"
    intro = "A program with this token may do over the API what you may do. Its secret is shown once, on the next page."
    at_field = {"bad_text": "label", "bad_expiry": "last_day"}
    label = forms.CharField(max_length=60, label="What uses it", help_text="Such as “scoreboard” or “my script”.")
    last_day = forms.DateField(
        required=False,
        label="Last day",
        help_text="Empty: until revoked.",
        widget=forms.DateInput(attrs={"type": "date"}),
    )

    def __init__(self, *args: Any, caller: Caller, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller = caller

    def run(self) -> str:
        day = self.cleaned_data["last_day"]
        end = None if day is None else timezone.make_aware(datetime.combine(day, time.max))
        self.token, self.secret = tokens.issue_token(
            caller=self.caller, label=self.cleaned_data["label"], expires_at=end, now=now()
        )
        return "The token is made."


class RevokeForm(PageForm):
    button, dangerous = "Revoke the token", True

    def __init__(self, *args: Any, caller: Caller, token: Token, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller, self.token = caller, token
        self.heading = f"Token {token}"

    @property
    def notice(self) -> str:
        if self.token.revoked_at is not None:
            return "This token is revoked already."
        return f"Made for {self.token.user}. Once revoked it opens nothing any more, and that cannot be undone."

    def run(self) -> str:
        tokens.revoke_token(caller=self.caller, token=self.token.pk, now=now())
        return f"The token {self.token} is revoked."


@admin.register(Token)
class TokenAdmin(ClubScoped):
    """Nothing of a token is shown but how its secret begins."""

    add_role = Role.MEMBER
    list_display = ("name", "label", "user", "created_at", "ends", "standing")
    list_select_related = ("user",)
    search_fields = ("label", "prefix")
    heading = "API tokens"
    ordering = ("-created_at", "-id")
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = admin.ModelAdmin.get_queryset(self, request).select_related("user").defer("digest")
        caller = caller_of(request)
        return rows if caller.superuser else rows.filter(user=caller.user)

    def _own(self, request: HttpRequest, obj: Any) -> bool:
        caller = caller_of(request)
        return self.has_add_permission(request) and (
            obj is None or caller.superuser or bool(obj.user_id == caller.user)
        )

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._own(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._own(request, obj)

    @admin.display(description="token", ordering="prefix")
    def name(self, token: Token) -> str:
        return f"{token.prefix}…"

    @admin.display(description="ends", ordering="expires_at")
    def ends(self, token: Token) -> Any:
        return token.expires_at or "–"

    @admin.display(description="state")
    def standing(self, token: Token) -> str:
        if token.revoked_at is not None:
            return format_html('<span class="badge closed">{}</span>', "revoked")
        if token.expires_at is not None and token.expires_at <= timezone.now():
            return format_html('<span class="badge closed">{}</span>', "expired")
        return format_html('<span class="badge playing">{}</span>', "works")

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = TokenForm(sent(request), caller=caller_of(request))
        if request.method == "POST" and form.is_valid() and attempt(form, form.run) is not None:
            self.log_addition(request, form.token, "Made.")
            # Shown in the answer itself, not after a redirect: nothing keeps the secret in between.
            context = {**self.admin_site.each_context(request), "title": "Your new token", "secret": form.secret}
            return TemplateResponse(request, "admin/games/token_made.html", context)
        return show(request, form, self._page())

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        token = self.get_object(request, object_id)
        if token is None:
            return self.not_here(request, object_id)
        form = RevokeForm(sent(request), caller=caller_of(request), token=token)
        return form_page(request, form, self._page(obj=token))

    def _page(self, **more: Any) -> Page:
        back = reverse("admin:games_token_changelist")
        return Page(self, back, trail=[(back, "API tokens")], **more)
