"""Fields that choose somebody or something of the competition."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelectMultiple
from django.db.models import QuerySet
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from competitions.admin.desk import Desk
from games.admin.scope import is_id
from games.admin.widgets import PlayerField
from games.models import Occupancy, Player
from games.wording import said


class ManyOfClub(AutocompleteSelectMultiple):
    """A search field for several players of one club."""

    def __init__(self, club_id: int) -> None:
        super().__init__(Occupancy._meta.get_field("player"), admin.site)
        self.club_id = club_id

    def optgroups(self, name: str, value: Sequence[Any], attrs: Any = None) -> Any:
        """What was sent is shown again where it names a row; what can be no row's id is not looked up."""
        return super().optgroups(name, [item for item in value if is_id(str(item))], attrs)

    def get_url(self) -> str:
        return f"{super().get_url()}?club={self.club_id}"


if TYPE_CHECKING:
    Several = forms.ModelMultipleChoiceField[Player]
else:
    Several = forms.ModelMultipleChoiceField


class PlayersField(Several):
    """Active players of one club, found by searching."""

    def __init__(self, club_id: int, **options: Any) -> None:
        rows: QuerySet[Player] = Player.objects.filter(club=club_id, active=True)
        super().__init__(rows, widget=ManyOfClub(club_id), **options)

    def clean(self, value: Any) -> Any:
        if value and not all(is_id(str(item)) for item in value):
            raise forms.ValidationError(_("Choose players of the list."))
        return super().clean(value)


def names_of(desk: Desk, players: Iterable[int]) -> list[tuple[str, str]]:
    """Public ids and names, by name; two of one name are told apart by their ids."""
    known = [(desk.people.public_id(player), desk.name(player)) for player in players if player in desk.people]
    counts = Counter(name for _, name in known)
    found = [(value, name if counts[name] == 1 else f"{name} ({value})") for value, name in known]
    return sorted(found, key=lambda item: item[1].casefold())


MOST_CHOICES = 200
"""Entrants that a list offers; among more one is searched for."""


class EntrantSearch(PlayerField):
    """One of many entrants, found by searching the club; gives a public id like the list it takes the place of."""

    def __init__(self, club_id: int, players: Collection[int], initial: str | None, **options: Any) -> None:
        super().__init__(club_id, **options)
        self.queryset = Player.objects.filter(pk__in=players)
        known = self.queryset.filter(public_id=initial).values_list("pk", flat=True).first() if initial else None
        self.initial = known

    def clean(self, value: Any) -> Any:
        found = super().clean(value)
        return found.public_id if isinstance(found, Player) else found


def entrant_field(
    desk: Desk, players: Collection[int], *, initial: str | None = None, **options: Any
) -> forms.ChoiceField | EntrantSearch:
    """One of the entrants, by public id."""
    if len(players) > MOST_CHOICES:
        return EntrantSearch(desk.row.club_id, players, initial, **options)
    return forms.ChoiceField(choices=[("", _("Choose a player")), *names_of(desk, players)], initial=initial, **options)


class Boxes(forms.CheckboxSelectMultiple):
    """Boxes to tick, as Django's own, without a template for each of some thousands."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        ticked = set(map(str, value or ()))
        boxes = format_html_join(
            "",
            '<div><label for="id_{0}_{1}"><input type="checkbox" name="{0}" value="{2}" id="id_{0}_{1}"{3}> {4}'
            "</label></div>",
            (
                (name, place, key, mark_safe(" checked") if str(key) in ticked else "", label)
                for place, (key, label) in enumerate(self.choices)
            ),
        )
        return format_html('<div id="id_{}">{}</div>', name, boxes)


def round_field(desk: Desk, numbers: Iterable[int], **options: Any) -> forms.TypedChoiceField:
    """One of the rounds."""
    choices = [(number, said(desk.state.round(number).name)) for number in numbers]
    return forms.TypedChoiceField(coerce=int, choices=choices, **options)
