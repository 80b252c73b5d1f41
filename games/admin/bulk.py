"""What is done to several sessions at once: closing them, taking their records away."""

from collections.abc import Iterator

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from games.admin.desk import Desk
from games.admin.forms.corrections import CloseForm
from games.admin.pages import attempt
from games.admin.scope import ModelAdmin, caller_of
from games.exporting import record_lines
from games.models import Session
from games.wording import said
from scoring.wording import listed


def export_many(sessions: QuerySet[Session], *, only: int | None = None) -> StreamingHttpResponse:
    """The deals of the sessions that are over, one record a line, oldest session first (docs/record-format.md).

    `only` picks one deal number."""
    chosen = list(sessions.order_by("pk"))
    answer = StreamingHttpResponse(_lines(chosen, only), content_type="application/x-ndjson")
    name = chosen[0].public_id if len(chosen) == 1 else "sessions"
    if only is not None:
        name += f"-{only}"
    answer["Content-Disposition"] = f'attachment; filename="{name}.ndjson"'
    return answer


def _lines(sessions: list[Session], only: int | None) -> Iterator[str]:
    for session in sessions:
        for line in record_lines(session, only=only):
            yield line + "\n"


def close_many(model_admin: ModelAdmin, request: HttpRequest, sessions: QuerySet[Session]) -> HttpResponse | None:
    """Ask once, then close each session by itself, and say which could not be closed and why."""
    chosen = list(sessions.select_related("club").order_by("pk"))
    if "confirmed" not in request.POST:
        context = {
            **model_admin.admin_site.each_context(request),
            "title": _("Close sessions"),
            "opts": model_admin.opts,
            "sessions": chosen,
            "action": request.POST["action"],
            "checkbox": ACTION_CHECKBOX_NAME,
            "hidden_now": any(session.live_deal is not None for session in chosen),
            "back": reverse("admin:games_session_changelist"),
        }
        return TemplateResponse(request, "admin/games/close_sessions.html", context)
    closed = []
    for session in chosen:
        form = CloseForm({"reason": request.POST.get("reason", "")}, desk=Desk(caller_of(request), session))
        done = attempt(form, form.run) if form.is_valid() else None
        if done is not None:
            closed.append(session.label)
            model_admin.log_change(request, session, done)
        else:
            why = " ".join(" ".join(map(str, errors)) for errors in form.errors.values())
            messages.error(request, _("{session} was not closed: {reason}").format(session=session.label, reason=why))
    if closed:
        messages.success(request, _("Closed: {sessions}.").format(sessions=said(listed(closed))))
    return None
