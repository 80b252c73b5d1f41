"""A page with one form that calls one service: the refusal of the service becomes an error of the form."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.contrib import messages
from django.db import IntegrityError, OperationalError
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse

from games.admin.scope import ModelAdmin
from games.engine.errors import EngineError
from games.errors import Refusal, refusal_of


@dataclass(frozen=True, slots=True)
class Section:
    """Fields of a form under one heading; `folded` ones are shown on demand."""

    heading: str
    fields: list[BoundField]
    help: str = ""
    folded: bool = False

    @property
    def open(self) -> bool:
        return not self.folded or any(item.errors for item in self.fields)


class PageForm(forms.Form):
    """A form that stores nothing itself: `run` makes one service call and says what happened.

    `layout` names sections: heading, field names, help, folded. `at_field` says at which field the refusal with a code
    is shown; others stand above the form.
    """

    heading: str = ""
    button: str = "Save"
    dangerous: bool = False
    intro: str = ""
    layout: Sequence[tuple[str, list[str], str, bool]] = ()
    at_field: Mapping[str, str] = {}
    template: str = "admin/games/form_page.html"

    required_css_class = "required"
    lands: str | None = None
    """Where a page made by `run` stands, if not where the form came from."""

    def run(self) -> str:
        raise NotImplementedError

    def person(self, seat: int) -> str | None:
        """Who sits in a seat, where the form knows: refusals then name them."""
        return None

    @property
    def notice(self) -> str:
        """What to know before pressing the button, above the fields."""
        return self.intro

    @property
    def sections(self) -> list[Section]:
        layout = self.layout or [("", [item.name for item in self.visible_fields()], "", False)]
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
        def named(found: re.Match[str]) -> str:
            person = self.person(int(found[2]))
            return f"{found[0]} ({person})" if person else found[0]

        return re.sub(r"\b([Ss]eat|seats) (\d)\b", named, message)


@dataclass(frozen=True, slots=True)
class Page:
    """Where a form stands: whose page it is, the object it is about, where it leads back to."""

    model_admin: ModelAdmin
    back: str
    obj: Any = None
    title: str = ""
    trail: Iterable[tuple[str, str]] = ()
    context: Mapping[str, Any] = field(default_factory=dict)


def sent(request: HttpRequest) -> QueryDict | None:
    """What was sent to a form; None where the page is only looked at."""
    return request.POST if request.method == "POST" else None


def attempt(form: PageForm, run: Callable[[], str]) -> str | None:
    """What `run` says it has done; None, with the reason on the form, where it was refused."""
    try:
        return run()
    except Refusal as refusal:
        form.refuse(refusal.code, refusal.message)
    except EngineError as error:
        at = getattr(error, "action", None)
        form.refuse(error.code, error.message if at is None else f"Action {at + 1}: {error.message}")
    except (IntegrityError, OperationalError) as error:
        said = refusal_of(error)
        if said is None:
            raise
        form.refuse(said.code, said.message)
    return None


def form_page(request: HttpRequest, form: PageForm, page: Page) -> HttpResponse:
    """Show the form, or run it and lead back with a message of what happened."""
    if request.method == "POST" and form.is_valid():
        said = attempt(form, form.run)
        if said is not None:
            if page.obj is not None:
                page.model_admin.log_change(request, page.obj, said)
            messages.success(request, said)
            return HttpResponseRedirect(form.lands or page.back)
    return show(request, form, page)


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
