"""Fields that choose somebody or something of the competition."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelectMultiple
from django.db.models import QuerySet

from competitions.admin.desk import Desk
from games.admin.scope import is_id
from games.models import Occupancy, Player


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
            raise forms.ValidationError("Choose players of the list.")
        return super().clean(value)


def names_of(desk: Desk, players: Iterable[int]) -> list[tuple[str, str]]:
    """Public ids and names, by name; two of one name are told apart by their ids."""
    known = [(desk.people.public_id(player), desk.name(player)) for player in players if player in desk.people]
    counts = Counter(name for _, name in known)
    found = [(value, name if counts[name] == 1 else f"{name} ({value})") for value, name in known]
    return sorted(found, key=lambda item: item[1].casefold())


def entrant_field(desk: Desk, players: Iterable[int], **options: Any) -> forms.ChoiceField:
    """One of the entrants; a value is a public id."""
    return forms.ChoiceField(choices=[("", "Choose a player"), *names_of(desk, players)], **options)


def round_field(desk: Desk, numbers: Iterable[int], **options: Any) -> forms.TypedChoiceField:
    """One of the rounds."""
    choices = [(number, desk.state.round(number).name) for number in numbers]
    return forms.TypedChoiceField(coerce=int, choices=choices, **options)
