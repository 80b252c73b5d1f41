"""What people read of competitions on pages: states, formats and rounds in the language of the page."""

from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext as _

from competitions.formats import available

STATUS: dict[str, Any] = {
    "open": pgettext_lazy("competition", "Not begun"),
    "running": pgettext_lazy("competition", "Running"),
    "finished": pgettext_lazy("competition", "Finished"),
}
ROUND_STATUS: dict[str, Any] = {
    "planned": pgettext_lazy("round", "Planned"),
    "drawn": pgettext_lazy("round", "Drawn"),
    "open": pgettext_lazy("round", "Being played"),
    "closed": pgettext_lazy("round", "Closed"),
}


def days_in_words(first: date | None, last: date | None) -> str:
    """On which days a competition is played; empty where that is not said."""
    one, other = (day and date_format(day, "DATE_FORMAT") for day in (first, last))
    if one and other and first != last:
        return _("{first} to {last}").format(first=one, last=other)
    return one or other or ""


def format_title(key: str) -> str:
    """A format's name; of one that is not installed any more its key."""
    found = available().get(key)
    return key if found is None else gettext(found.title)


def round_name(number: int, title: str = "") -> str:
    """What a round is called: its own title, or its number."""
    return title or _("Round {number}").format(number=number)
