"""Results entered at the table, on a phone, by the code of its score slip (docs/decisions/0016-slips.md)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.db import IntegrityError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from competitions.models import Table
from competitions.pages.slip_form import Confirmation, DealEntry, texts
from competitions.pages.slip_items import all_entries, items_of
from competitions.pages.slip_table import DealShown, Sheet
from competitions.pages.slip_visitor import Visitor, remember, visitor_of
from competitions.slips import session_of
from games.engine.errors import EngineError, for_people
from games.errors import Forbidden, Refusal, refusal_of
from games.limits import client_address, take
from games.models import Deal, Session
from games.pages.gate import caller_of, refused
from games.services import recording
from games.services.keys import Key
from games.wording import said

DOOR = "slip"
VERSION = "Slip-Version"
"""The header that says how far a table is, without its page: the `data-version` of that."""
WORKER = Path(__file__).parent.parent / "static" / "competitions" / "slip-worker.js"


@dataclass(frozen=True, slots=True)
class Slip:
    """The slip that a page is of, and what is shown of its table."""

    code: str
    table: Table
    sheet: Sheet


@require_http_methods(["GET", "HEAD", "POST"])
def slip(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a slip, kept in no cache but that of the phone itself (slip-worker.js)."""
    public_id = session_of(code)
    # Only guesses are counted: all phones of a club may come from one address.
    count = take("slips", client_address(request)) if public_id is None else None
    if count is not None and count.over:
        context = {"title": _("Too many requests"), "message": _("Wait for a minute, then try again.")}
        answer = render(request, "pages/refused.html", context, status=429)
        answer["Retry-After"] = str(count.reset)
    else:
        answer = _answer(request, code, public_id)
    answer["Cache-Control"] = "no-store"
    return answer


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The script that keeps these pages on the phone; it stands here, since it may keep what lies beside it."""
    answer = HttpResponse(WORKER.read_bytes(), content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    return answer


def _answer(request: HttpRequest, code: str, public_id: str | None) -> HttpResponse:
    rows = Table.objects.select_related("session", "competition__club")
    table = None if public_id is None else rows.filter(session__public_id=public_id).first()
    if table is None:
        raise Http404
    caller = caller_of(request)
    try:
        visitor = visitor_of(request, table, caller)
    except Forbidden as error:
        return refused(request, caller, error)
    if request.method == "HEAD":
        return HttpResponse(headers={VERSION: table.session.seq})
    at = Slip(code, table, Sheet(table.session))
    if visitor.seat is not None and visitor.seat >= at.sheet.seats:
        visitor = replace(visitor, seat=None)
    if request.method != "POST":
        return _page(request, at, visitor)
    return DOES.get(request.POST.get("do", ""), _page)(request, at, visitor)


# -- what the page's forms do


def _sit(request: HttpRequest, at: Slip, visitor: Visitor) -> HttpResponse:
    """Say who holds this phone; an empty seat: somebody else does."""
    sent = request.POST.get("seat", "")
    seat = int(sent) if sent.isascii() and sent.isdigit() and len(sent) == 1 else None
    if visitor.fixed and seat != visitor.seat:
        error = _("Results were entered with this phone already. Take another phone, or ask a scorer.")
        return _page(request, at, visitor, error=error, status=409)
    answer = HttpResponseRedirect(request.path)
    if not visitor.scorer and (seat is None or seat < at.sheet.seats):
        remember(answer, at.table, replace(visitor, seat=seat))
    return answer


def _enter(request: HttpRequest, at: Slip, visitor: Visitor) -> HttpResponse:
    deal = _deal_sent(request, at)
    if deal is None:
        return _page(request, at, visitor, error=_("There is no such deal."), status=422)
    form = DealEntry(at.sheet, deal, request.POST, reason=visitor.scorer and deal.take > 0)
    if not form.is_valid():
        return _page(request, at, visitor, form=form, status=422)
    if (error := _record(at, visitor, form)) is not None:
        if error.code == "wrong_take":
            return _page(request, at, visitor, form=form, meanwhile=True, status=409)
        form.refuse(error.code, error.message)
        return _page(request, at, visitor, form=form, status=getattr(error, "status", 422))
    messages.success(request, _outcome(at, deal.number))
    return _back(request, at, visitor)


def _enter_all(request: HttpRequest, at: Slip, visitor: Visitor) -> HttpResponse:
    """All deals of a slip at once, for scorers: stored one after the other up to the first that is refused, which comes
    back with those after it."""
    if not visitor.scorer:
        return _page(request, at, visitor, error=_("Only a scorer enters all deals at once."), status=403)
    forms = all_entries(at.sheet, request.POST)
    for place, form in enumerate(forms):
        if form.blank:
            continue
        error = _record(at, visitor, form) if form.is_valid() else None
        if error is not None:
            form.refuse(error.code, error.message)
        if form.errors:
            context = {"at": at, "visitor": visitor, "entries": forms[place:], "texts": texts(at.sheet)}
            return render(request, "competitions/slip_all.html", context, status=422)
        messages.success(request, _outcome(at, form.deal.number))
    return _back(request, at, visitor)


def _record(at: Slip, visitor: Visitor, form: DealEntry) -> Refusal | EngineError | None:
    """Store what a valid form says; returns why that was refused."""
    data, result, take = form.cleaned_data, form.result, form.deal.take
    reason = data.get("reason", "")
    if take and visitor.seat is not None:
        reason = f"Entered again at the table, by seat {visitor.seat + 1}."
    return _refusal(
        lambda: recording.record_deal(
            caller=visitor.writes(at.table.session),
            session=at.table.session.public_id,
            number=data["number"],
            dealer=data["dealer"],
            result=result,
            anyway=data["anyway"],
            reason=reason,
            seen=data["seen"],
            now=timezone.now(),
            door=DOOR,
            key=_key(at, data),
        )
    )


def _key(at: Slip, data: Mapping[str, Any]) -> Key:
    """The key of a form, which holds for just what was sent with it."""
    body = {name: value for name, value in data.items() if name != "key"}
    return Key.of(data["key"], f"slip {at.table.session.public_id}", body)


def _confirm(request: HttpRequest, at: Slip, visitor: Visitor) -> HttpResponse:
    form = Confirmation(request.POST)
    if not form.is_valid():
        return _page(request, at, visitor, error=_("There is no such deal."), status=422)
    data = form.cleaned_data

    error = _refusal(
        lambda: recording.confirm(
            caller=visitor.writes(at.table.session),
            session=at.table.session.public_id,
            number=data["number"],
            take=data["take"],
            now=timezone.now(),
            door=DOOR,
            key=_key(at, data),
        )
    )
    if error is not None:
        words = said(for_people(error.message))
        return _page(request, at, visitor, error=words, status=getattr(error, "status", 409))
    messages.success(request, _outcome(at, data["number"]))
    return _back(request, at, visitor)


DOES: dict[str, Callable[[HttpRequest, Slip, Visitor], HttpResponse]] = {
    "sit": _sit,
    "enter": _enter,
    "enter-all": _enter_all,
    "confirm": _confirm,
}


def _refusal(run: Callable[[], object]) -> Refusal | EngineError | None:
    """What a service refused with; None where it did as asked."""
    try:
        run()
    except (Refusal, EngineError) as error:
        return error
    except (IntegrityError, OperationalError) as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        return refusal
    return None


def _deal_sent(request: HttpRequest, at: Slip) -> DealShown | None:
    """The deal that a form is about: on record, or still to be entered, also where that is over by now."""
    sent = request.POST.get("number", "")
    if not (sent.isascii() and sent.isdigit() and 0 < len(sent) < 6 and int(sent) > 0):
        return None
    return at.sheet.deal(int(sent)) or DealShown(int(sent), "missing", None)


def _outcome(at: Slip, number: int) -> str:
    """What became of a deal that was entered or confirmed."""
    row = Deal.objects.get(session=at.table.session, number=number, current=True)
    if row.awaits:
        words = _("Deal {number} is saved. It counts once a second person has confirmed it, on another phone.")
    elif row.confirmed_by is not None:
        words = _("Deal {number} is confirmed.")
    else:
        words = _("Deal {number} is saved.")
    return words.format(number=number)


def _back(request: HttpRequest, at: Slip, visitor: Visitor) -> HttpResponse:
    """To the page, after something was stored: the phone is nobody else's from now on."""
    answer = HttpResponseRedirect(request.path)
    if not visitor.scorer:
        remember(answer, at.table, replace(visitor, fixed=True))
    return answer


# -- the page


def _page(
    request: HttpRequest,
    at: Slip,
    visitor: Visitor,
    form: DealEntry | None = None,
    *,
    error: str = "",
    meanwhile: bool = False,
    status: int = 200,
) -> HttpResponse:
    """The page as it stands; with a `form` that was refused, and why. `meanwhile`: another result of its deal has been
    entered, so that both are shown."""
    if status != 200:
        # What this request has been decided by may not be so any more.
        at = replace(at, sheet=Sheet(Session.objects.get(pk=at.table.session_id)))
    if visitor.scorer and status == 200 and "all" in request.GET:
        context = {"at": at, "visitor": visitor, "entries": all_entries(at.sheet), "texts": texts(at.sheet)}
        return render(request, "competitions/slip_all.html", context)
    context = {
        "at": at,
        "sheet": at.sheet,
        "visitor": visitor,
        "me": at.sheet.names[visitor.seat] if visitor.seat is not None and not visitor.scorer else "",
        "closed": not at.sheet.open,
        "error": error,
        "limits": at.sheet.limits(),
        "texts": texts(at.sheet),
    }
    if visitor.scorer or visitor.seat is not None or not at.sheet.open:
        context |= items_of(at.sheet, visitor, form, meanwhile)
    template = "competitions/slip.html" if "deals" in context else "competitions/slip_who.html"
    return render(request, template, context, status=status)
