"""Competitions: the list, making one, a competition's own pages, and the pages of its actions."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from competitions.admin.base import CompetitionForm, action_of, page_of
from competitions.admin.desk import Desk
from competitions.admin.entries_page import entries_sections
from competitions.admin.files_page import files_page
from competitions.admin.forms import drawing, entries, rounds, setup, standing
from competitions.admin.forms.setup import CreateForm
from competitions.admin.page import event_sections, round_sections, sections
from competitions.admin.publications_page import publication_sections, publications_sections
from competitions.admin.standings_page import standings_sections
from competitions.models import Competition, Entry
from competitions.wording import days_in_words, format_title
from games.admin.pages import Page, form_page, sent
from games.admin.scope import ClubFilter, ClubScoped, caller_of, clubs_of, has_role, show_times_of
from games.models import Role
from games.wording import said

FORMS: list[type[CompetitionForm]] = [
    setup.SettingsForm,
    setup.CopyForm,
    setup.FinishForm,
    *entries.FORMS,
    *drawing.FORMS,
    *rounds.FORMS,
    *standing.FORMS,
]
"""The pages of a competition's actions."""

_BY_SLUG = {form.slug: form for form in FORMS}


class SeasonFilter(admin.SimpleListFilter):
    title = gettext_lazy("season")
    parameter_name = "season"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        rows = model_admin.get_queryset(request).exclude(season="").order_by("-season")
        return [(season, season) for season in rows.values_list("season", flat=True).distinct()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset if self.value() is None else queryset.filter(season=self.value())


@admin.register(Competition)
class CompetitionAdmin(ClubScoped):
    called = (gettext_lazy("competition"), gettext_lazy("competitions"))
    columns: ClassVar = {"status": gettext_lazy("status"), "kind": gettext_lazy("kind")}
    list_display = ("title", "state", "kind_shown", "format_shown", "days", "entered", "club")
    list_display_links = ("title",)
    list_filter = ("status", "kind", SeasonFilter, ClubFilter)
    search_fields = ("name", "season", "public_id")
    search_help_text = gettext_lazy("Search by name or season.")
    ordering = ("-id",)
    actions = None
    change_list_template = "admin/competitions/competition_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        count = Entry.objects.filter(competition=OuterRef("pk")).order_by().values("competition")
        entered = Subquery(count.annotate(n=Count("pk")).values("n"), output_field=IntegerField())
        return super().get_queryset(request).select_related("club").annotate(entered=Coalesce(entered, 0))

    def get_list_display(self, request: HttpRequest) -> Any:
        clubs = caller_of(request).clubs(Role.SCORER)
        several = clubs is None or len(clubs) > 1
        return [name for name in self.list_display if several or name != "club"]

    @property
    def home(self) -> str:
        return reverse("admin:competitions_competition_changelist")

    # -- columns

    @admin.display(description=gettext_lazy("name"), ordering="name")
    def title(self, row: Competition) -> str:
        return str(row)

    @admin.display(description=gettext_lazy("status"), ordering="status")
    def state(self, row: Competition) -> str:
        return format_html('<span class="badge {}">{}</span>', row.status, row.get_status_display())

    @admin.display(description=gettext_lazy("kind"), ordering="kind")
    def kind_shown(self, row: Competition) -> str:
        return row.get_kind_display()

    @admin.display(description=gettext_lazy("format"), ordering="format")
    def format_shown(self, row: Competition) -> str:
        return format_title(row.format)

    @admin.display(description=gettext_lazy("days"), ordering="starts_on")
    def days(self, row: Competition) -> str:
        return days_in_words(row.starts_on, row.ends_on) or "–"

    @admin.display(description=gettext_lazy("players"))
    def entered(self, row: Any) -> int:
        return int(row.entered)

    # -- addresses

    def get_urls(self) -> list[URLPattern]:
        def page(route: str, view: Callable[..., HttpResponse], name: str) -> URLPattern:
            return path(route, self.admin_site.admin_view(view), name=f"competitions_competition_{name}")

        return [
            page("<path:object_id>/do/<slug:action>/", self.action_view, "do"),
            page("<path:object_id>/round/<int:number>/", self.round_view, "round"),
            page("<path:object_id>/entries/", self.entries_view, "entries"),
            page("<path:object_id>/standings/", self.standings_view, "standings"),
            page("<path:object_id>/files/", self.files_view, "files"),
            page("<path:object_id>/event/<int:seq>/", self.event_view, "event"),
            page("<path:object_id>/publications/", self.publications_view, "publications"),
            page("<path:object_id>/publications/<int:number>/", self.publication_view, "publication"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        context = {"may_make": has_role(request, Role.ORGANISER), **(extra_context or {})}
        return super().changelist_view(request, context)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Make a competition; the club first, where there are several."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        clubs = clubs_of(request, Role.ORGANISER)
        wanted = request.GET.get("club", "")
        some = list((clubs.filter(slug=wanted) if wanted else clubs)[:200])
        if len(some) != 1:
            context = {
                **self.admin_site.each_context(request),
                "title": _("New competition"),
                "clubs": some,
                "back": self.home,
            }
            return TemplateResponse(request, "admin/games/choose_club.html", context)
        form = CreateForm(sent(request), caller=caller_of(request), club=some[0])
        title = _("New competition of {club}").format(club=some[0].name)
        answer = form_page(request, form, Page(self, self.home, title=title, trail=[(self.home, _("Competitions"))]))
        made = getattr(form, "made", None)
        if made is None:
            return answer
        row = Competition.objects.select_related("club").get(public_id=made)
        self.log_addition(request, row, "Made.")
        return HttpResponseRedirect(page_of(Desk(caller_of(request), row)))

    def desk_of(self, request: HttpRequest, object_id: str) -> Desk | None:
        """The competition, if whoever is asking may know of it; times are shown in its club's zone from then on."""
        row = self.get_object(request, object_id)
        if row is None:
            return None
        show_times_of(row.club)
        return Desk(caller_of(request), row)

    def shown(
        self, request: HttpRequest, desk: Desk, template: str, title: str, context: dict[str, Any]
    ) -> TemplateResponse:
        """One of the competition's pages."""
        whole = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": title,
            "competition": desk.row,
            "here": page_of(desk),
            "home": self.home,
            "organises": desk.organises,
            "zone": desk.row.club.timezone,
            "media": self.media,
            **context,
        }
        return TemplateResponse(request, f"admin/competitions/{template}.html", whole)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The competition's page: nothing on it can be edited, its buttons lead to the actions."""
        desk = self.desk_of(request, object_id)
        if desk is None:
            return self.not_here(request, object_id)
        buttons = []
        if desk.organises:
            offered = [setup.CopyForm] if desk.finished else [setup.SettingsForm, setup.CopyForm, setup.FinishForm]
            buttons = [(action_of(desk, form.slug), form.label, form.about) for form in offered]
        context = {**sections(request, desk), "tools": buttons}
        return self.shown(request, desk, "competition", str(desk.row), context)

    def round_view(self, request: HttpRequest, object_id: str, number: int) -> HttpResponse:
        desk = self.desk_of(request, object_id)
        if desk is None:
            return self.not_here(request, object_id)
        if number not in desk.state.numbers and number != desk.state.next_round:
            raise Http404
        name = said(desk.state.round(number).name)
        return self.shown(request, desk, "round", f"{name} – {desk.row}", round_sections(desk, number))

    def entries_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        desk = self.desk_of(request, object_id)
        if desk is None:
            return self.not_here(request, object_id)
        return self.shown(
            request,
            desk,
            "entries",
            _("Players – {competition}").format(competition=desk.row),
            entries_sections(request, desk),
        )

    def standings_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        desk = self.desk_of(request, object_id)
        if desk is None:
            return self.not_here(request, object_id)
        return self.shown(
            request,
            desk,
            "standings",
            _("Standings – {competition}").format(competition=desk.row),
            standings_sections(request, desk),
        )

    def publications_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        desk = self.desk_of(request, object_id)
        if desk is None:
            return self.not_here(request, object_id)
        context = publications_sections(request, desk)
        return self.shown(
            request, desk, "publications", _("Publications – {competition}").format(competition=desk.row), context
        )

    def publication_view(self, request: HttpRequest, object_id: str, number: int) -> HttpResponse:
        desk = self.desk_of(request, object_id)
        if desk is None:
            return self.not_here(request, object_id)
        if number not in desk.state.publications:
            raise Http404
        context = publication_sections(request, desk, number)
        return self.shown(
            request,
            desk,
            "publication",
            _("Publication {number} – {competition}").format(number=number, competition=desk.row),
            context,
        )

    def files_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        desk = self.desk_of(request, object_id)
        if desk is None:
            return self.not_here(request, object_id)
        return files_page(self, request, desk, [(self.home, _("Competitions")), (page_of(desk), str(desk.row))])

    def event_view(self, request: HttpRequest, object_id: str, seq: int) -> HttpResponse:
        """One event of the log, and what it changed."""
        desk = self.desk_of(request, object_id)
        if desk is None:
            return self.not_here(request, object_id)
        event = next((event for event in desk.state.events if event.seq == seq), None)
        if event is None:
            raise Http404
        return self.shown(
            request,
            desk,
            "event",
            _("Event {number} – {competition}").format(number=seq, competition=desk.row),
            event_sections(desk, event),
        )

    def action_view(self, request: HttpRequest, object_id: str, action: str) -> HttpResponse:
        """One action on one competition."""
        desk = self.desk_of(request, object_id)
        if desk is None:
            return self.not_here(request, object_id)
        kind = _BY_SLUG.get(action)
        if kind is None:
            raise Http404
        if not desk.may(kind.role):
            raise PermissionDenied
        form = kind(sent(request), desk=desk, asked=request.GET.dict())
        trail = [(self.home, _("Competitions")), (page_of(desk), str(desk.row))]
        return form_page(request, form, Page(self, form.home, obj=desk.row, trail=trail))
