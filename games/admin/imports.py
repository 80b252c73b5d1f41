"""Imports of big files: how far they are, what is wrong with them, and a way to stop them. Scorers and organisers."""

from typing import Any

from django.contrib import admin, messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.forms.base import now
from games.admin.scope import ClubFilter, ClubScoped, caller_of, show_times_of
from games.engine.errors import for_people
from games.models import ImportJob, ImportNote, ImportPart, Role
from games.services import import_jobs
from games.wording import said

A_PAGE = 100
BADGES = {"done": "finished", "checked": "finished", "refused": "void", "failed": "void", "cancelled": "closed"}


@admin.register(ImportJob)
class ImportJobAdmin(ClubScoped):
    view_role = Role.SCORER
    add_role = change_role = None
    called = (gettext_lazy("import"), gettext_lazy("imports"))
    columns = {
        "created_at": gettext_lazy("begun"),
        "deals": gettext_lazy("deals"),
        "sessions": gettext_lazy("sessions"),
        "faults": gettext_lazy("faults"),
        "club": gettext_lazy("club"),
        "status": gettext_lazy("state"),
    }
    heading = gettext_lazy("Imports of big files")
    list_display = ("created_at", "state", "deals", "sessions", "faults", "club")
    list_filter = ("status", ClubFilter)
    list_select_related = ("club",)
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("club")

    @admin.display(description=gettext_lazy("state"), ordering="status")
    def state(self, job: Any) -> str:
        return format_html(
            '<span class="badge {}">{}</span>', BADGES.get(job.status, "waiting"), job.get_status_display()
        )

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """How far the job is; until it is over the page comes again by itself."""
        job = self.get_object(request, object_id)
        if job is None:
            return self.not_here(request, object_id)
        show_times_of(job.club)
        notes = ImportNote.objects.filter(job=job).exclude(level=ImportNote.Level.INFO).order_by("line", "id")
        page = Paginator(notes, A_PAGE).get_page(request.GET.get("notes"))
        for note in page.object_list:
            note.message = said(for_people(note.message))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Import of {date}").format(date=date_format(timezone.localtime(job.created_at), "DATE_FORMAT")),
            "opts": self.opts,
            "job": job,
            "mark": BADGES.get(job.status, "waiting"),
            "percent": 100 * job.offset // max(job.size, 1),
            "notes": page,
            "parts": ImportPart.objects.filter(job=job, session__isnull=False).select_related("session")[:A_PAGE],
        }
        return TemplateResponse(request, "admin/games/import_job.html", context)

    def get_urls(self) -> list[URLPattern]:
        stop = self.admin_site.admin_view(self.stop_view)
        return [path("<path:object_id>/stop/", stop, name="games_importjob_stop"), *super().get_urls()]

    def stop_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """POST: stop the job. What it has stored stays."""
        job = self.get_object(request, object_id)
        if job is None:
            return self.not_here(request, object_id)
        if request.method == "POST":
            import_jobs.cancel(caller=caller_of(request), job=job.public_id, now=now())
            messages.success(request, _("The import is stopped."))
        return HttpResponseRedirect(reverse("admin:games_importjob_change", args=[job.pk]))
