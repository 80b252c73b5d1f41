"""The second person of a two-person check."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.desk import Desk
from games.admin.forms.base import DeskForm
from games.admin.waiting import Waiting, for_a_second, waiting
from games.models import Role
from games.services import recording
from games.wording import Text
from scoring.wording import say


class ConfirmForm(DeskForm):
    slug, label = "confirm", gettext_lazy("Confirm a deal")
    about = gettext_lazy("What another scorer entered is right, and counts.")
    heading: Text = gettext_lazy("Confirm a deal")
    button, main = gettext_lazy("Confirm it"), True
    template = "admin/games/confirm.html"
    at_field = {}
    number = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    take = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    item: Waiting | None = None

    def set_up(self) -> None:
        found = {item.number: item for item in waiting(self.desk)}
        mine = [deal.number for deal in for_a_second(self.desk)]
        number = self._sent_number() if self.is_bound else self.asked_number("number") or next(iter(mine), None)
        self.item = found.get(number or 0)
        if self.item is not None:
            self.heading = _("Confirm deal {number}").format(number=self.item.number)
            self.initial.update(number=self.item.number, take=self.item.take)

    def _sent_number(self) -> int | None:
        sent: Any = self.data.get("number", "")
        return int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 10 else None

    @classmethod
    def role(cls, desk: Desk) -> Role:
        return Role.SCORER

    @classmethod
    def fits(cls, desk: Desk) -> bool:
        return (desk.open or desk.may(Role.ORGANISER)) and bool(for_a_second(desk))

    @property
    def notice(self) -> str:
        if self.item is None:
            return _("No deal waits for you here.")
        return _("Compare it with the sheet. From now on it counts, with your name beside that of who entered it.")

    def run(self) -> str:
        number = self.cleaned_data["number"]
        recording.confirm(number=number, take=self.cleaned_data["take"], **self.call)
        return say("Deal {number} is confirmed.", number=number)
