"""Webhooks: whom the club tells what happens, and the log of what was sent. Organisers."""

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.admin import home
from games.admin.forms.base import now
from games.admin.forms.webhooks import FORMS, AddWebhookForm, RotateForm, groups, kinds
from games.admin.pages import Page, attempt, form_page, sent, show
from games.admin.scope import ClubFilter, ClubScoped, caller_of, clubs_of, show_times_of
from games.models import Role, Webhook, WebhookDelivery
from games.wording import Text

A_PAGE = 50
RECENT = timedelta(days=7)
"""For how long the first page speaks of what was given up."""

STATUSES: dict[str, Text] = {"": gettext_lazy("All"), **dict(WebhookDelivery.Status.choices)}


def counted(rows: QuerySet[Webhook], since: Any = None) -> QuerySet[Webhook]:
    """Webhooks with `waiting` and `dead`: how many deliveries wait, how many were given up."""

    def of(status: str, **more: Any) -> Any:
        found = WebhookDelivery.objects.filter(webhook=OuterRef("pk"), status=status, **more).order_by()
        number = found.values("webhook").annotate(n=Count("pk")).values("n")
        return Coalesce(Subquery(number, output_field=IntegerField()), 0)

    recent = {} if since is None else {"tried_at__gte": since}
    return rows.annotate(waiting=of("waiting"), dead=of("dead", **recent))


def standing(webhook: Any) -> tuple[str, Text]:
    """How a webhook stands, as a badge: its class, its words."""
    if webhook.off_because == "gone":
        return "void", pgettext_lazy("state of a webhook", "off: gone")
    if webhook.off_because:
        return "void", pgettext_lazy("state of a webhook", "off: failing")
    if not webhook.active:
        return "closed", pgettext_lazy("state of a webhook", "off")
    if webhook.failing_since is not None:
        return "waiting", pgettext_lazy("state of a webhook", "failing")
    return "finished", pgettext_lazy("state of a webhook", "on")


@admin.register(Webhook)
class WebhookAdmin(ClubScoped):
    view_role = Role.ORGANISER
    called = (gettext_lazy("webhook"), gettext_lazy("webhooks"))
    columns = {
        "url": gettext_lazy("address"),
        "description": gettext_lazy("what it is"),
        "active": gettext_lazy("active"),
        "club": gettext_lazy("club"),
    }
    list_display = ("url", "description", "state", "waits", "given_up", "club")
    list_filter = ("active", ClubFilter)
    list_select_related = ("club",)
    search_fields = ("url", "description")
    ordering = ("club__name", "id")
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        # Nothing here can tell a secret, not even the parts that one is made of.
        return counted(super().get_queryset(request).select_related("club").defer("salt", "digest"))

    @admin.display(description=gettext_lazy("state"), ordering="active")
    def state(self, webhook: Any) -> str:
        return format_html('<span class="badge {}">{}</span>', *standing(webhook))

    @admin.display(description=gettext_lazy("waiting"))
    def waits(self, webhook: Any) -> int:
        return int(webhook.waiting)

    @admin.display(description=gettext_lazy("given up"))
    def given_up(self, webhook: Any) -> int:
        return int(webhook.dead)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = AddWebhookForm(sent(request), caller=caller_of(request), clubs=clubs_of(request, Role.ORGANISER))
        if request.method == "POST" and form.is_valid() and attempt(form, form.run) is not None:
            made = Webhook.objects.get(public_id=form.made)
            self.log_addition(request, made, "Added.")
            return self._secret_page(request, made, form.secret)
        return show(request, form, Page(self, self._list, trail=[(self._list, _("Webhooks"))]))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The webhook, and what it was told."""
        webhook = self.get_object(request, object_id)
        if webhook is None:
            return self.not_here(request, object_id)
        show_times_of(webhook.club)
        status = request.GET.get("status", "")
        rows = WebhookDelivery.objects.filter(webhook=webhook).defer("payload").order_by("-id")
        if status in WebhookDelivery.Status.values:
            rows = rows.filter(status=status)
        page = Paginator(rows, A_PAGE).get_page(request.GET.get("log"))
        mark, words = standing(webhook)
        context = {
            **self.admin_site.each_context(request),
            "title": webhook.url,
            "opts": self.opts,
            "webhook": webhook,
            "mark": mark,
            "state": words,
            "why_off": webhook.get_off_because_display(),
            "told": _in_words(webhook),
            "buttons": [(name, FORMS[name].heading) for name in _offered(webhook)],
            "log": page,
            "statuses": STATUSES.items(),
            "chosen": status,
            "may_send": webhook.active,
        }
        return TemplateResponse(request, "admin/games/webhook.html", context)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return self.act_view(request, object_id, "delete")

    def get_urls(self) -> list[URLPattern]:
        act = self.admin_site.admin_view(self.act_view)
        return [path("<path:object_id>/do/<slug:action>/", act, name="games_webhook_do"), *super().get_urls()]

    def act_view(self, request: HttpRequest, object_id: str, action: str) -> HttpResponse:
        """One thing done with a webhook: a page each."""
        webhook = self.get_object(request, object_id)
        if webhook is None:
            return self.not_here(request, object_id)
        if action not in FORMS:
            raise Http404
        more: dict[str, Any] = {}
        if action == "replay":
            more["delivery"] = WebhookDelivery.objects.filter(
                webhook=webhook, public_id=request.GET.get("delivery", "")[:12]
            ).first()
            if more["delivery"] is None:
                raise Http404
        here = reverse("admin:games_webhook_change", args=[webhook.pk])
        form = FORMS[action](sent(request), caller=caller_of(request), webhook=webhook, **more)
        gone = action == "delete"
        trail = [(self._list, _("Webhooks")), (here, webhook.url)]
        page = Page(self, self._list if gone else here, obj=None if gone else webhook, trail=trail)
        if isinstance(form, RotateForm):
            if request.method == "POST" and form.is_valid() and attempt(form, form.run) is not None:
                self.log_change(request, webhook, "A new secret is made.")
                return self._secret_page(request, webhook, form.secret)
            return show(request, form, page)
        return form_page(request, form, page)

    @property
    def _list(self) -> str:
        return reverse("admin:games_webhook_changelist")

    def _secret_page(self, request: HttpRequest, webhook: Webhook, secret: str) -> HttpResponse:
        """Shown in the answer itself, not after a redirect: nothing keeps the secret in between."""
        context = {**self.admin_site.each_context(request), "title": _("The secret of the webhook"), "webhook": webhook}
        return TemplateResponse(request, "admin/games/webhook_made.html", {**context, "secret": secret})


def _offered(webhook: Webhook) -> list[str]:
    return ["test", "change", "rotate", "off", "delete"] if webhook.active else ["on", "change", "rotate", "delete"]


def _in_words(webhook: Webhook) -> list[Text]:
    """What a webhook is told, a line each."""
    words = {**groups(), **kinds()}
    return [words.get(item, item) for item in webhook.types]


def troubles(request: HttpRequest) -> dict[str, Any]:
    """The first page: webhooks that fail, were switched off for it, or gave something up these days. One statement."""
    clubs = caller_of(request).clubs(Role.ORGANISER)
    rows = Webhook.objects.all() if clubs is None else Webhook.objects.filter(club__in=clubs)
    found = counted(rows.select_related("club"), now() - RECENT).filter(
        Q(off_because__gt="") | Q(failing_since__isnull=False) | Q(dead__gt=0)
    )
    cards = [{"webhook": webhook, "badge": standing(webhook)} for webhook in found.order_by("pk")[:10]]
    return {"template": "admin/games/webhook_troubles.html", "cards": cards}


home.for_organisers.append(troubles)
