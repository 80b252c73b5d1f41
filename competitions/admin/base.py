"""What the forms about one competition share: the service call, its preview, and where they lead back to."""

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from competitions import folding
from competitions.admin.desk import Desk
from competitions.facts import CompetitionError
from competitions.services.writing import Receipt
from competitions.services.writing import preview as rehearse
from competitions.showing import effects_shown
from games.admin.forms.base import DOOR, now
from games.admin.pages import PageForm, Shown
from games.errors import Refusal
from games.models import Role
from games.services.keys import Key
from games.wording import Text, said
from scoring.wording import say

SAID = 5
"""Sentences of what was changed that messages have after it."""

LISTED = 60
"""Sentences of a kind that a preview lists."""

HEADINGS = {
    "standings": gettext_lazy("What this changes in the standings"),
    "draws": gettext_lazy("Who would sit elsewhere"),
    "outdated": gettext_lazy("Draws that were made by older standings"),
}

_OUTSIDE = ("csrfmiddlewaretoken", "confirmed", "once")
"""Fields that are no part of what somebody asks for."""


class CompetitionForm(PageForm):
    """A form about the competition on the desk: `act` makes one service call.

    - `slug`: its address. `asked`: what a link to it filled in.
    - With `previews` it is shown first what would change; where nothing of what `concerns` it would, only a form that
      `always` asks does so.
    """

    slug: ClassVar[str] = ""
    label: ClassVar[Text] = ""
    about: ClassVar[Text] = ""
    role: ClassVar[Role] = Role.ORGANISER
    always: bool = False
    concerns: ClassVar[tuple[str, ...]] = ("standings", "draws", "outdated")
    """The parts of its effects (competitions.effects) that a preview is about."""

    nothing: Text = gettext_lazy("No place, no total and no seat.")
    """What the preview says of a form that always asks where nothing of that changes."""

    template = "admin/competitions/form_page.html"
    at_field = {"reason_required": "reason", "bad_player": "player", "not_entered": "player", "bad_points": "points"}

    once = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    def __init__(self, *args: Any, desk: Desk, asked: Mapping[str, str] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.desk = desk
        self.asked = asked or {}
        self.receipt: Receipt | None = None
        self.version: int | None = None
        self.initial.setdefault("once", secrets.token_urlsafe(12))
        self.set_up()

    def set_up(self) -> None:
        """Add the fields that depend on the competition."""

    # -- what is done

    def act(self, **more: Any) -> Receipt:
        """The service call; `more` goes into it."""
        raise NotImplementedError

    def done(self, receipt: Receipt) -> str:
        """What was done, in a sentence."""
        raise NotImplementedError

    def run(self) -> str:
        more: dict[str, Any] = {"key": self.key}
        if self.version is not None and self.data.get("confirmed"):
            more["expected_version"] = self.version
        try:
            self.receipt = self.act(**more)
        except CompetitionError as error:
            raise Refusal(error.code, error.message) from error
        return self.done(self.receipt)

    # -- what it changes

    def preview(self) -> Sequence[Shown]:
        """The same service call, rehearsed."""
        found: list[Shown] = []

        def rehearsed() -> Receipt:
            receipt = self.act()
            found.extend(self._changes(receipt))  # here, while who is only rehearsed has a name
            return receipt

        try:
            rehearse(rehearsed)
        except CompetitionError as error:
            raise Refusal(error.code, error.message) from error
        nothing = [Shown(_("What this changes"), [str(self.nothing)])] if self.always else []
        return found or nothing

    def seen(self) -> str:
        """The version of the competition's numbers: whatever changes one of them, or a seat, moves it on."""
        self.version = folding.version_of(self.desk.row)
        return f"version {self.version}"

    def outcome(self) -> Sequence[str]:
        if self.receipt is None or not self.previews:
            return ()
        lines = [line for part in self._changes(self.receipt) for line in part.sentences]
        left = len(lines) - SAID
        if left <= 0:
            return lines
        text = ngettext(
            "And {n} more change: see the log and the standings.",
            "And {n} more changes: see the log and the standings.",
            left,
        )
        return [*lines[:SAID], text.format(n=left)]

    def _changes(self, receipt: Receipt) -> list[Shown]:
        """What the receipt says that changed, under headings; empty where nothing did."""
        shown = effects_shown({part: receipt.effects.get(part, []) for part in self.concerns})
        found = [(HEADINGS[part], getattr(shown, part)) for part in self.concerns]
        return [Shown(heading, _first([said(line) for line in lines])) for heading, lines in found if lines]

    @property
    def submit(self) -> Text:
        return super().submit if self.always else self.button

    # -- once

    @property
    def fingerprint(self) -> str:
        """What was filled in, as a digest."""
        data = self.data
        lists = data.lists() if isinstance(data, QueryDict) else data.items()
        sent = sorted((name, value) for name, value in lists if name not in _OUTSIDE)
        return hashlib.sha256(json.dumps(sent, default=str).encode()).hexdigest()[:32]

    @property
    def key(self) -> Key | None:
        """A form that is sent twice is done once: the second one is answered as the first."""
        once = self.cleaned_data.get("once")
        return Key.of(f"admin {once}", f"competition {self.slug}", self.fingerprint) if once else None

    def refuse(self, code: str, message: str) -> None:
        if code == "key_reused":
            message = say("This page was sent before, with something else in it. Open it again.")
        super().refuse(code, message)

    # -- where it stands

    def asked_number(self, name: str) -> int | None:
        text = self.asked.get(name, "")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None

    @property
    def asked_round(self) -> int:
        """The round that the address names, else the next one that is not opened."""
        return self.asked_number("round") or self.desk.state.next_round

    @property
    def call(self) -> dict[str, Any]:
        """What every service about a competition takes."""
        return {"caller": self.desk.caller, "competition": self.desk.row.public_id, "now": now(), "door": DOOR}

    @property
    def home(self) -> str:
        """Where it leads back to."""
        return page_of(self.desk)


def _first(lines: list[str]) -> list[str]:
    """The first of the lines, and how many more there are."""
    left = len(lines) - LISTED
    return lines if left <= 0 else [*lines[:LISTED], ngettext("And {n} more.", "And {n} more.", left).format(n=left)]


def page_of(desk: Desk) -> str:
    return reverse("admin:competitions_competition_change", args=[desk.row.pk])


def part_of(desk: Desk, part: str, *more: Any) -> str:
    """The address of one of the competition's pages: "entries", "standings", "round", …"""
    return reverse(f"admin:competitions_competition_{part}", args=[desk.row.pk, *more])


def action_of(desk: Desk, action: str, **asked: Any) -> str:
    """The address of an action's form, with what it is about."""
    address = reverse("admin:competitions_competition_do", args=[desk.row.pk, action])
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    return f"{address}?{query}" if query else address
