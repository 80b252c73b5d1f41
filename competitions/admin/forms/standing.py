"""Standings: points given or taken, publishing and taking back, and undoing anything."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from competitions.admin.base import CompetitionForm, page_of, part_of
from competitions.admin.forms.fields import entrant_field
from competitions.admin.forms.settings import exact_of
from competitions.admin.telling import event_sentence
from competitions.facts import Kind
from competitions.services import corrections, publishing
from competitions.services.writing import Receipt
from games.admin.forms.base import reason_field
from games.wording import Text, said
from scoring.wording import say


def embargo_field(zone: str) -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    return forms.DateTimeField(
        required=False,
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"],
        label=_("Not before"),
        widget=widget,
        help_text=_(
            "In the club’s own time ({zone}). Until then organisers and scorers see it alone. Empty: at once."
        ).format(zone=zone),
    )


def moment_of(form: forms.Form, zone: str) -> datetime | None:
    """The moment that was typed as the club's own wall clock shows it."""
    typed = form.cleaned_data.get("not_before")
    return None if typed is None else typed.replace(tzinfo=ZoneInfo(zone))


class AdjustForm(CompetitionForm):
    slug, label = "adjust", gettext_lazy("Adjust points")
    about = gettext_lazy("A penalty or a bonus.")
    heading: Text = gettext_lazy("Adjust points")
    button: Text = gettext_lazy("Adjust")
    previews = always = True

    def set_up(self) -> None:
        self.fields["player"] = entrant_field(
            self.desk, list(self.desk.state.entries), label=_("Whose points"), initial=self.asked.get("player")
        )
        self.fields["points"] = forms.CharField(
            max_length=30,
            label=_("Points"),
            help_text=_("Added to the total: −5 takes five points away; 1.5 and 3/2 are possible too."),
            widget=forms.TextInput(attrs={"class": "count", "inputmode": "text"}),
        )
        self.fields["reason"] = reason_field()

    @property
    def notice(self) -> str:
        return (
            _("In this competition fewer points are better.")
            if self.desk.state.settings.counting.lower_is_better
            else ""
        )

    @property
    def home(self) -> str:
        return part_of(self.desk, "standings")

    def act(self, **more: Any) -> Receipt:
        data = self.cleaned_data
        return corrections.adjust(
            player=data["player"], points=exact_of(data["points"]), reason=data["reason"], **self.call, **more
        )

    def done(self, receipt: Receipt) -> str:
        return say("The points are adjusted.")


class PublishForm(CompetitionForm):
    slug, label = "publish", gettext_lazy("Publish the standings")
    about = gettext_lazy("A numbered snapshot that the club sees.")
    heading: Text = gettext_lazy("Publish the standings")
    button: Text = gettext_lazy("Publish them")
    intro = gettext_lazy(
        "They are kept as they are now, under a number. A later correction does not change what is published."
    )

    def set_up(self) -> None:
        closed = self.desk.state.closed_rounds
        self.fields["number"] = forms.TypedChoiceField(
            choices=[
                (n, _("After {round}").format(round=said(self.desk.state.round(n).name))) for n in reversed(closed)
            ],
            coerce=int,
            label=_("Which"),
            initial=closed[-1] if closed else None,
            error_messages={"required": _("No round is closed yet: there are no standings to publish.")},
        )
        self.fields["not_before"] = embargo_field(self.desk.row.club.timezone)

    def clean(self) -> dict[str, Any]:
        self.moment = moment_of(self, self.desk.row.club.timezone)
        return self.cleaned_data

    @property
    def home(self) -> str:
        return part_of(self.desk, "publications")

    def act(self, **more: Any) -> Receipt:
        return publishing.publish(
            what="standings", number=self.cleaned_data["number"], not_before=self.moment, **self.call, **more
        )

    def done(self, receipt: Receipt) -> str:
        return say("The standings are published.")


class UnpublishForm(CompetitionForm):
    slug, label = "unpublish", gettext_lazy("Take back")
    heading: Text = gettext_lazy("Take a publication back")
    button: Text = gettext_lazy("Take it back")
    dangerous = True
    at_field = {"reason_required": "reason"}
    number = forms.IntegerField(min_value=1, max_value=999_999, widget=forms.HiddenInput)
    reason = reason_field()

    def set_up(self) -> None:
        number = self.asked_number("number")
        self.initial.setdefault("number", number)
        self.heading = _("Take publication {number} back").format(number=number) if number else self.heading

    @property
    def notice(self) -> str:
        return _("Nobody but scorers and organisers sees it any more. Its number is never used again.")

    @property
    def home(self) -> str:
        return part_of(self.desk, "publications")

    def act(self, **more: Any) -> Receipt:
        return publishing.unpublish(
            number=self.cleaned_data["number"], reason=self.cleaned_data["reason"], **self.call, **more
        )

    def done(self, receipt: Receipt) -> str:
        return say("Publication {number} is taken back.", number=self.cleaned_data["number"])


class UndoForm(CompetitionForm):
    """Reached from the event itself, in the competition's log."""

    slug, label = "undo", gettext_lazy("Undo")
    heading: Text = gettext_lazy("Undo")
    button: Text = gettext_lazy("Undo this")
    previews = always = True
    at_field = {"reason_required": "reason"}
    seq = forms.IntegerField(min_value=1, max_value=2_000_000_000, widget=forms.HiddenInput)
    reason = reason_field()

    def set_up(self) -> None:
        self.initial.setdefault("seq", self.asked_number("seq"))
        event = self.event
        if event is not None and event.kind is Kind.CLOSED:
            self.heading = _("Reopen {round}").format(round=said(self.desk.state.round(event.round or 0).name))
            self.button = _("Reopen it")

    @property
    def event(self) -> Any:
        seq = str(self["seq"].value())
        return next((event for event in self.desk.state.events if str(event.seq) == seq), None)

    @property
    def notice(self) -> str:
        if self.event is None:
            return ""
        what = event_sentence(self.event, self.desk.state, self.desk.name)
        return _("This will be as if it had not happened, and stays in the log: {what}").format(what=said(what))

    @property
    def home(self) -> str:
        event = self.event
        rounds = (Kind.DRAWN, Kind.OPENED, Kind.CLOSED, Kind.TABLE_ADDED, Kind.DECIDED)
        if event is not None and event.kind in rounds:
            return part_of(self.desk, "round", event.round)
        return page_of(self.desk)

    def act(self, **more: Any) -> Receipt:
        return corrections.undo(seq=self.cleaned_data["seq"], reason=self.cleaned_data["reason"], **self.call, **more)

    def done(self, receipt: Receipt) -> str:
        return say("Undone: {what}", what=event_sentence(self.event, self.desk.state, self.desk.name))


FORMS = [AdjustForm, PublishForm, UnpublishForm, UndoForm]
