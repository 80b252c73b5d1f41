"""Sessions: the list, opening one, a session's own page, and the pages of its actions."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.admin import words
from games.admin.bulk import close_many, export_many
from games.admin.desk import Desk, leaders, listed
from games.admin.forms.base import DeskForm
from games.admin.forms.confirming import ConfirmForm
from games.admin.forms.corrections import (
    AdjustForm,
    CloseForm,
    ReseatForm,
    SubstituteForm,
    UndoForm,
    VoidForm,
    closing_to_undo,
)
from games.admin.forms.opening import DealForm, OpenForm, SeatsForm, SettingsForm
from games.admin.forms.paper import RecordForm, ResultForm
from games.admin.importing import import_page
from games.admin.pages import Page, form_page, next_page, sent
from games.admin.scope import ClubFilter, ClubScoped, caller_of, clubs_of, has_role, show_times_of
from games.admin.session_page import sections
from games.engine.rules import PROFILES
from games.models import Deal, Role, Session

ACTIONS: list[type[DeskForm]] = [
    DealForm,
    ResultForm,
    RecordForm,
    ConfirmForm,
    SeatsForm,
    SubstituteForm,
    ReseatForm,
    VoidForm,
    AdjustForm,
    SettingsForm,
    CloseForm,
    UndoForm,
]
"""The pages of a session's actions, in the order of their buttons."""

_BY_SLUG = {form.slug: form for form in ACTIONS}


class RulesFilter(admin.SimpleListFilter):
    """By rules profile, whether the session's rules stand as a name or with all their values."""

    title = gettext_lazy("rules")
    parameter_name = "rules"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, name) for name in PROFILES]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        profile = self.value()
        if profile not in PROFILES:
            return queryset
        return queryset.filter(Q(rules=profile) | Q(rules__profile=profile))


class SessionList(ChangeList):
    """The rows of the list with what it shows of them: two more statements, however many rows."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        rows = super().get_queryset(request, exclude_parameters)
        played = Deal.objects.filter(session=OuterRef("pk"), current=True, finished=True, voided_by=None).order_by()
        count = Subquery(played.values("session").annotate(n=Count("pk")).values("n"), output_field=IntegerField())
        return listed(rows).annotate(played=Coalesce(count, 0))


@admin.register(Session)
class SessionAdmin(ClubScoped):
    called = (gettext_lazy("session"), gettext_lazy("sessions"))
    columns = {
        "label": pgettext_lazy("of a session", "name"),
        "status": gettext_lazy("status"),
        "club": gettext_lazy("club"),
    }
    list_display = ("label", "state", "players", "deals_played", "leader", "rules_used", "club", "opened")
    list_filter = ("status", RulesFilter, ClubFilter)
    lookups = ("status__in",)
    search_fields = (
        "label",
        "public_id",
        "occupancies__player__name",
        "occupancies__player__search_key",
        "occupancies__player__merged_into__search_key",
    )
    search_help_text = gettext_lazy("Search by name of the session or of a player.")
    ordering = ("-id",)
    actions = ["close_sessions", "export_records"]
    change_list_template = "admin/games/session_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("club")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return SessionList

    def get_list_display(self, request: HttpRequest) -> Any:
        clubs = caller_of(request).clubs(Role.SCORER)
        several = clubs is None or len(clubs) > 1
        return [name for name in self.list_display if several or name != "club"]

    @property
    def home(self) -> str:
        return reverse("admin:games_session_changelist")

    # -- columns

    @admin.display(description=gettext_lazy("status"), ordering="status")
    def state(self, session: Session) -> str:
        return format_html('<span class="badge {}">{}</span>', session.status, session.get_status_display())

    @admin.display(description=gettext_lazy("players"))
    def players(self, session: Any) -> str:
        latest = {item.seat: item.player.person.name for item in session.seating}
        return ", ".join(latest.values()) or "–"

    @admin.display(description=gettext_lazy("deals"))
    def deals_played(self, session: Any) -> int:
        return int(session.played)

    @admin.display(description=gettext_lazy("leader"))
    def leader(self, session: Any) -> str:
        return leaders(session) or "–"

    @admin.display(description=gettext_lazy("rules and scoring"))
    def rules_used(self, session: Session) -> str:
        return f"{words.rules_in_words(session.rules)}; {words.scheme_in_words(session.scheme)}"

    @admin.display(description=gettext_lazy("opened"), ordering="id")
    def opened(self, session: Session) -> Any:
        return session.created_at

    # -- bulk actions

    @admin.action(description=gettext_lazy("Close the selected sessions"), permissions=["organise"])
    def close_sessions(self, request: HttpRequest, queryset: QuerySet[Session]) -> HttpResponse | None:
        return close_many(self, request, queryset)

    @admin.action(description=gettext_lazy("Download the deals of the selected sessions (records)"))
    def export_records(self, request: HttpRequest, queryset: QuerySet[Session]) -> HttpResponseBase:
        return export_many(queryset)

    def has_organise_permission(self, request: HttpRequest) -> bool:
        return has_role(request, Role.ORGANISER)

    # -- addresses

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("import/", wrap(self.import_view), name="games_session_import"),
            path("<path:object_id>/do/<slug:action>/", wrap(self.action_view), name="games_session_do"),
            path("<path:object_id>/records/", wrap(self.records_view), name="games_session_records"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        context = {"may_open": has_role(request, Role.ORGANISER), **(extra_context or {})}
        return super().changelist_view(request, context)

    def import_view(self, request: HttpRequest) -> HttpResponse:
        if not has_role(request, Role.SCORER):
            raise PermissionDenied
        return import_page(self, request)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Open a session; the club first, where there are several."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        clubs = clubs_of(request, Role.ORGANISER)
        back = self.home
        wanted = request.GET.get("club", "")
        some = list((clubs.filter(slug=wanted) if wanted else clubs)[:200])
        if len(some) != 1:
            context = {
                **self.admin_site.each_context(request),
                "title": _("Open a session"),
                "clubs": some,
                "back": back,
            }
            return TemplateResponse(request, "admin/games/choose_club.html", context)
        form = OpenForm(sent(request), caller=caller_of(request), club=some[0])
        title = _("Open a session of {club}").format(club=some[0].name)
        answer = form_page(request, form, Page(self, back, title=title, trail=[(back, _("Sessions"))]))
        made = getattr(form, "made", None)
        if made is None:
            return answer
        session = Session.objects.get(public_id=made)
        self.log_addition(request, session, "Opened.")
        return HttpResponseRedirect(reverse("admin:games_session_change", args=[session.pk]))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The session's page: nothing on it can be edited, its buttons lead to the actions."""
        session = self.get_object(request, object_id)
        if session is None:
            return self.not_here(request, object_id)
        show_times_of(session.club)
        desk = Desk(caller_of(request), session)
        context = {
            **self.admin_site.each_context(request),
            **sections(request, desk),
            "title": session.label,
            "opts": self.opts,
            "buttons": [
                {"slug": form.slug, "label": form.caption(desk), "about": form.about, "main": form.main}
                for form in ACTIONS
                if form.offered(desk)
            ],
            "reopen": closing_to_undo(desk),
            "media": self.media,
        }
        return TemplateResponse(request, "admin/games/session.html", context)

    def action_view(self, request: HttpRequest, object_id: str, action: str) -> HttpResponse:
        """One action on one session."""
        session = self.get_object(request, object_id)
        if session is None:
            return self.not_here(request, object_id)
        kind = _BY_SLUG.get(action)
        if kind is None:
            raise Http404
        show_times_of(session.club)
        desk = Desk(caller_of(request), session)
        if not desk.may(kind.role(desk)):
            raise PermissionDenied
        form = kind(sent(request), desk=desk, asked=request.GET.dict())
        here = reverse("admin:games_session_change", args=[session.pk])
        back = next_page(request) or here
        return form_page(
            request, form, Page(self, back, obj=session, trail=[(self.home, _("Sessions")), (here, session.label)])
        )

    def records_view(self, request: HttpRequest, object_id: str) -> HttpResponseBase:
        """The session's deals as a record file; `?deal=` picks one."""
        session = self.get_object(request, object_id)
        if session is None:
            return self.not_here(request, object_id)
        deal = request.GET.get("deal", "")
        number = int(deal) if deal.isascii() and deal.isdigit() and len(deal) < 10 else None
        return export_many(Session.objects.filter(pk=session.pk), only=number)
