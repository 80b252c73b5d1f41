"""API tokens: made for oneself, the secret shown once; ended by their owner or a superuser, a bot's by its club."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.access import Caller
from games.admin.forms.base import now
from games.admin.pages import Page, PageForm, attempt, form_page, sent, show
from games.admin.scope import ClubScoped, ModelAdmin, caller_of, clubs_of
from games.bots import OUTSIDE
from games.models import Player, Role, Token
from games.scopes import WORDS, Scope
from games.services import tokens
from games.wording import Text
from scoring.wording import say


def day_field(help_text: Text) -> forms.DateField:
    """The last day of a token."""
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(required=False, label=gettext_lazy("Last day"), help_text=help_text, widget=widget)


def end_of(day: date | None) -> datetime | None:
    """The end of that day where the club plays."""
    return None if day is None else timezone.make_aware(datetime.combine(day, time.max))


def secret_page(model_admin: ModelAdmin, request: HttpRequest, token: Token, secret: str) -> HttpResponse:
    """Shown in the answer itself, not after a redirect: nothing keeps the secret in between."""
    context = {**model_admin.admin_site.each_context(request), "title": _("The new token"), "token": token}
    return TemplateResponse(request, "admin/games/token_made.html", {**context, "secret": secret})


class TokenForm(PageForm):
    heading, button = gettext_lazy("Make an API token"), gettext_lazy("Make the token")
    intro = gettext_lazy(
        "A program with this token may do over the API what you may do, as far as you choose here. Its secret is shown "
        "once, on the next page."
    )
    at_field = {"bad_text": "label", "bad_scope": "scopes", "bad_expiry": "last_day"}
    label = forms.CharField(
        max_length=60,
        label=gettext_lazy("What uses it"),
        help_text=gettext_lazy("Such as “scoreboard” or “my script”."),
    )
    scopes = forms.MultipleChoiceField(
        choices=lambda: [(scope.value, _(words)) for scope, words in WORDS.items()],
        widget=forms.CheckboxSelectMultiple,
        label=gettext_lazy("What it is for"),
        help_text=gettext_lazy("No more than it needs: who finds the token has just that."),
    )
    last_day = day_field(gettext_lazy("Empty: until revoked."))

    def __init__(self, *args: Any, caller: Caller, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller = caller

    def run(self) -> str:
        data = self.cleaned_data
        end = end_of(data["last_day"])
        self.token, self.secret = tokens.issue_token(
            caller=self.caller, label=data["label"], scopes=data["scopes"], expires_at=end, now=now()
        )
        return say("The token is made.")


class EndForm(PageForm):
    button, dangerous = gettext_lazy("End the token"), True
    at_field = {"bad_expiry": "last_day"}
    last_day = day_field(
        gettext_lazy("Empty: it is revoked now. A day that is no later than it would have ended anyway.")
    )

    def __init__(self, *args: Any, caller: Caller, token: Token, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller, self.token = caller, token
        self.heading = _("Token {token}").format(token=token)

    @property
    def notice(self) -> str:
        if self.token.revoked_at is not None:
            return _("This token is revoked already.")
        return _(
            "Made for {user}. It may: {uses}. Once ended it opens nothing any more, and that cannot be undone."
        ).format(user=self.token.user, uses="; ".join(_(WORDS[Scope(name)]) for name in self.token.scopes))

    def run(self) -> str:
        end = end_of(self.cleaned_data["last_day"])
        if end is None:
            tokens.revoke_token(caller=self.caller, token=self.token.public_id, now=now())
            return say("The token {token} is revoked.", token=str(self.token))
        tokens.shorten_token(caller=self.caller, token=self.token.public_id, expires_at=end, now=now())
        day = date_format(self.cleaned_data["last_day"], "DATE_FORMAT")
        return say("{day} is the last day of the token {token}.", token=str(self.token), day=day)


@admin.register(Token)
class TokenAdmin(ClubScoped):
    """Nothing of a token is shown but how its secret begins."""

    add_role = Role.MEMBER
    list_display = ("name", "label", "user", "uses", "created_at", "ends", "standing")
    list_select_related = ("user",)
    search_fields = ("label", "prefix")
    called = (gettext_lazy("API token"), gettext_lazy("API tokens"))
    columns = {
        "label": gettext_lazy("what uses it"),
        "user": gettext_lazy("account"),
        "created_at": gettext_lazy("made"),
    }
    heading = gettext_lazy("API tokens")
    ordering = ("-created_at", "-id")
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = admin.ModelAdmin.get_queryset(self, request).select_related("user").defer("digest")
        caller = caller_of(request)
        if caller.superuser:
            return rows
        bots = Player.objects.filter(strategy=OUTSIDE, club__in=clubs_of(request, Role.ORGANISER))
        return rows.filter(Q(user=caller.user) | Q(kind=Token.Kind.BOT, user__in=bots.values("user")))

    def _own(self, request: HttpRequest, obj: Any) -> bool:
        return self.has_add_permission(request) and (obj is None or tokens.may_end(caller_of(request), obj))

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._own(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._own(request, obj)

    @admin.display(description=gettext_lazy("token"), ordering="prefix")
    def name(self, token: Token) -> str:
        return f"{token.prefix}…"

    @admin.display(description=gettext_lazy("for"))
    def uses(self, token: Token) -> str:
        return ", ".join(token.scopes)

    @admin.display(description=gettext_lazy("ends"), ordering="expires_at")
    def ends(self, token: Token) -> Any:
        return token.expires_at or "–"

    @admin.display(description=gettext_lazy("state"))
    def standing(self, token: Token) -> str:
        if token.revoked_at is not None:
            return format_html('<span class="badge closed">{}</span>', pgettext("state of a token", "revoked"))
        if token.expires_at is not None and token.expires_at <= timezone.now():
            return format_html('<span class="badge closed">{}</span>', pgettext("state of a token", "expired"))
        return format_html('<span class="badge playing">{}</span>', pgettext("state of a token", "works"))

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = TokenForm(sent(request), caller=caller_of(request))
        if request.method == "POST" and form.is_valid() and attempt(form, form.run) is not None:
            self.log_addition(request, form.token, "Made.")
            return secret_page(self, request, form.token, form.secret)
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
        form = EndForm(sent(request), caller=caller_of(request), token=token)
        return form_page(request, form, self._page(obj=token))

    def _page(self, **more: Any) -> Page:
        back = reverse("admin:games_token_changelist")
        return Page(self, back, trail=[(back, _("API tokens"))], **more)
