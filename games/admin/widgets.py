"""Fields that search for a player or an account instead of listing them all."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.db.models import Q, QuerySet

from games.admin.scope import is_id
from games.models import Occupancy, Player, User


class ClubSearch(AutocompleteSelect):
    """A search field that keeps to one club."""

    def __init__(self, field: Any, club_id: int) -> None:
        super().__init__(field, admin.site)
        self.club_id = club_id

    def optgroups(self, name: str, value: Sequence[Any], attrs: Any = None) -> Any:
        """What was sent is shown again where it names a row; what can be no row's id is not looked up."""
        return super().optgroups(name, [item for item in value if is_id(str(item))], attrs)

    def get_url(self) -> str:
        return f"{super().get_url()}?club={self.club_id}"


if TYPE_CHECKING:
    PlayerChoice = forms.ModelChoiceField[Player]
    AccountChoice = forms.ModelChoiceField[User]
else:
    PlayerChoice = AccountChoice = forms.ModelChoiceField


class PlayerField(PlayerChoice):
    """An active player of one club, or one of those `also` named by row id."""

    def __init__(self, club_id: int, *, also: Sequence[int] = (), **options: Any) -> None:
        rows: QuerySet[Player] = Player.objects.filter(Q(active=True) | Q(pk__in=also), club=club_id)
        widget = ClubSearch(Occupancy._meta.get_field("player"), club_id)
        super().__init__(rows, widget=widget, **options)


class AccountField(AccountChoice):
    """The account of a member of one club."""

    def __init__(self, club_id: int, **options: Any) -> None:
        rows: QuerySet[User] = User.objects.filter(memberships__club=club_id, is_active=True, is_bot=False)
        super().__init__(rows, widget=ClubSearch(Player._meta.get_field("user"), club_id), **options)
