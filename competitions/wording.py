"""What people read of competitions on pages: states, formats and rounds in the language of the page."""

from typing import Any

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


def format_title(key: str) -> str:
    """A format's name; of one that is not installed any more its key."""
    found = available().get(key)
    return key if found is None else gettext(found.title)


def round_name(number: int, title: str = "") -> str:
    """What a round is called: its own title, or its number."""
    return title or _("Round {number}").format(number=number)
