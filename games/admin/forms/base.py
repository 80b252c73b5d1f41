"""What the forms about one session share."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.desk import Desk
from games.admin.pages import PageForm
from games.models import Role, Session
from games.wording import Text

DOOR = "admin"


def reason_field(*, required: bool = True) -> forms.CharField:
    """Why: kept with the correction for good."""
    about = gettext_lazy("Kept in the log with your name, for all to see.")
    return forms.CharField(max_length=500, required=required, help_text=about, label=gettext_lazy("Reason"))


class DeskForm(PageForm):
    """A form about the session on the desk. `slug` is its address, `asked` what a link to it filled in."""

    slug: ClassVar[str]
    label: ClassVar[Text]
    about: ClassVar[Text] = ""
    main: ClassVar[bool] = False
    """Whether its button is one of the big ones."""

    at_field = {"reason_required": "reason", "bad_seat": "seat", "bad_player": "player", "no_such_deal": "number"}

    def __init__(self, *args: Any, desk: Desk, asked: Mapping[str, str] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.desk = desk
        self.asked = asked or {}
        self.set_up()

    def set_up(self) -> None:
        """Add the fields that depend on the session."""

    @classmethod
    def role(cls, desk: Desk) -> Role:
        return Role.ORGANISER

    @classmethod
    def fits(cls, desk: Desk) -> bool:
        """Whether the session is where this makes sense. The service has the last word."""
        return desk.open

    @classmethod
    def offered(cls, desk: Desk) -> bool:
        return desk.may(cls.role(desk)) and cls.fits(desk)

    @classmethod
    def caption(cls, desk: Desk) -> Text:
        """What its button on the session's page says."""
        return cls.label

    @property
    def call(self) -> dict[str, Any]:
        """What every service about a session takes."""
        return {"caller": self.desk.caller, "session": self.desk.session.public_id, "now": now(), "door": DOOR}

    def person(self, seat: int) -> str | None:
        return self.desk.seat_names.get(seat)

    def asked_number(self, name: str) -> int | None:
        text = self.asked.get(name, "")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None

    def seat_choices(self, number: int | None = None) -> list[tuple[int, str]]:
        names = self.desk.seat_names.values() if number is None else self.desk.names_in(number)
        return [
            (seat, _("Seat {number}: {name}").format(number=seat + 1, name=name)) for seat, name in enumerate(names)
        ]

    def again(self) -> Desk:
        """The session as it stands after the service's write."""
        return Desk(self.desk.caller, Session.objects.select_related("club").get(pk=self.desk.session.pk))


def now() -> datetime:
    return timezone.now()


def seat_field(choices: list[tuple[int, str]], **options: Any) -> forms.TypedChoiceField:
    """A seat, chosen by who sits there."""
    return forms.TypedChoiceField(coerce=int, choices=[("", _("Choose a seat")), *choices], **options)
