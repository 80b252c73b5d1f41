"""A page with one form that calls one service: the refusal of the service becomes an error of the form.

A form that `previews` is asked twice: first it shows what would change, then it does it, if that still holds.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.db import IntegrityError, OperationalError
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.admin.scope import ModelAdmin
from games.engine.errors import EngineError, for_people
from games.errors import Refusal, refusal_of
from games.wording import Text, said
from scoring.wording import say

Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class Section:
    """Fields of a form under one heading; `folded` ones are shown on demand."""

    heading: Text
    fields: list[BoundField]
    help: Text = ""
    folded: bool = False

    @property
    def open(self) -> bool:
        return not self.folded or any(item.errors for item in self.fields)


@dataclass(frozen=True, slots=True)
class Shown:
    """A part of a preview: sentences, and a table where it has rows."""

    heading: Text
    sentences: Sequence[str] = ()
    headers: Sequence[Text] = ()
    rows: Sequence[Sequence[str]] = ()


class PageForm(forms.Form):
    """A form that stores nothing itself: `run` makes one service call and says what happened.

    One with `previews` shows first what would change (`preview`), and runs when it is sent again as it was while `seen`
    says the same: then nothing has moved on meanwhile. What did change stands in `outcome`.

    `layout` names sections: heading, field names, help, folded. `at_field` says at which field the refusal with a code
    is shown; others stand above the form.
    """

    heading: Text = ""
    button: Text = gettext_lazy("Save")
    dangerous: bool = False
    intro: Text = ""
    layout: Sequence[tuple[Text, list[str], Text, bool]] = ()
    at_field: Mapping[str, str] = {}
    template: str = "admin/games/form_page.html"

    previews: bool = False
    shown: Sequence[Shown] | None = None
    """What would change, where that is being shown."""
    confirms: str = ""
    """What the page sends along to confirm what it has shown."""

    required_css_class = "required"
    lands: str | None = None
    """Where a page made by `run` stands, if not where the form came from."""

    def run(self) -> str:
        """Do it, and `say` (scoring.wording) what was done: the log keeps that in English."""
        raise NotImplementedError

    def preview(self) -> Sequence[Shown]:
        """What `run` would change: the same service call, rehearsed. Raises what `run` would be refused with. Empty
        where it would store nothing: it is not asked about then."""
        raise NotImplementedError

    def seen(self) -> str:
        """The state that a preview holds for: another text once that has moved on."""
        raise NotImplementedError

    def outcome(self) -> Sequence[str]:
        """After `run`: what else it changed, in sentences."""
        return ()

    @property
    def submit(self) -> Text:
        """What the button below the form says."""
        return _("Show what would change") if self.previews and self.shown is None else self.button

    def person(self, seat: int) -> str | None:
        """Who sits in a seat, where the form knows: refusals then name them."""
        return None

    @property
    def notice(self) -> Text:
        """What to know before pressing the button, above the fields."""
        return self.intro

    @property
    def sections(self) -> list[Section]:
        usual: list[tuple[Text, list[str], Text, bool]] = [
            ("", [item.name for item in self.visible_fields()], "", False)
        ]
        layout = self.layout or usual
        return [
            Section(heading, [self[name] for name in names if name in self.fields], about, folded)
            for heading, names, about, folded in layout
            if any(name in self.fields for name in names)
        ]

    def refuse(self, code: str, message: str) -> None:
        """Show a refusal where it belongs, in the words of people."""
        place = self.at_field.get(code)
        self.add_error(place if place in self.fields else None, self.in_words(message))

    def in_words(self, message: str) -> str:
        """A sentence as people read it: in their language, seats counted from 1, with who sits there."""
        return said(for_people(message, self.person))


@dataclass(frozen=True, slots=True)
class Page:
    """Where a form stands: whose page it is, the object it is about, where it leads back to."""

    model_admin: ModelAdmin
    back: str
    obj: Any = None
    title: Text = ""
    trail: Iterable[tuple[str, Text]] = ()
    context: Mapping[str, Any] = field(default_factory=dict)


def sent(request: HttpRequest) -> QueryDict | None:
    """What was sent to a form; None where the page is only looked at."""
    return request.POST if request.method == "POST" else None


def next_page(request: HttpRequest) -> str | None:
    """The page of this admin that a link asked to come back to (`?next=`); None for any other address."""
    wanted = request.GET.get("next", "")
    inside = wanted.startswith(reverse("admin:index")) and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    return wanted if inside else None


def attempt(form: PageForm, run: Callable[[], Done]) -> Done | None:
    """What `run` returns; None, with the reason on the form, where it was refused."""
    try:
        return run()
    except Refusal as refusal:
        form.refuse(refusal.code, refusal.message)
    except EngineError as error:
        at = getattr(error, "action", None)
        form.refuse(error.code, error.message if at is None else at_action(at, error.message))
    except (IntegrityError, OperationalError) as error:
        found = refusal_of(error)
        if found is None:
            raise
        form.refuse(found.code, found.message)
    return None


def at_action(action: int, fault: str) -> str:
    """A fault of an action of a deal; actions are counted from 0 in the log, and from 1 by people."""
    return say("Action {number}: {fault}", number=action + 1, fault=fault)


TOLD = 5
"""Sentences of what was changed that a page begins with."""


def form_page(request: HttpRequest, form: PageForm, page: Page) -> HttpResponse:
    """Show the form, or run it and lead back with a message of what happened; before that, what would, and ask."""
    if request.method == "POST" and form.is_valid():
        if form.previews and not _confirmed(request, form):
            return show(request, form, page)
        done = attempt(form, form.run)
        if done is not None:
            if page.obj is not None:
                page.model_admin.log_change(request, page.obj, done)
            messages.success(request, said(done))
            told = form.outcome()
            for sentence in told[:TOLD]:
                messages.info(request, said(sentence))
            if more := len(told[TOLD:]):
                text = ngettext(
                    "And {n} more line changed, as the preview said.",
                    "And {n} more lines changed, as the preview said.",
                    more,
                )
                messages.info(request, text.format(n=more))
            return HttpResponseRedirect(form.lands or page.back)
    return show(request, form, page)


def _confirmed(request: HttpRequest, form: PageForm) -> bool:
    """Whether what is sent is just what a preview was shown of, and nothing has moved on since; or whether there is
    nothing to show. Else the form gets a preview, or the reason why it is refused."""
    asked = [item for item in sorted(request.POST.lists()) if item[0] not in ("csrfmiddlewaretoken", "confirmed")]
    state = json.dumps([form.seen(), asked])
    form.confirms = hashlib.sha256(state.encode()).hexdigest()
    if request.POST.get("confirmed") == form.confirms:
        return True
    form.shown = attempt(form, form.preview)
    return form.shown is not None and not form.shown


def show(request: HttpRequest, form: PageForm, page: Page) -> HttpResponse:
    """The page with its form as it stands. A refused form is answered with 422."""
    opts = page.model_admin.model._meta
    context = {
        **page.model_admin.admin_site.each_context(request),
        "title": page.title or form.heading,
        "opts": opts,
        "form": form,
        "media": page.model_admin.media + form.media,
        "back": page.back,
        "trail": list(page.trail),
        **page.context,
    }
    status = 422 if form.is_bound and form.errors else 200
    return TemplateResponse(request, form.template, context, status=status)
