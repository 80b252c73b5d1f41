"""Clubs: made and renamed by superusers, their time zone set by organisers. They are never deleted."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from games.access import Caller
from games.admin.pages import Page, PageForm, form_page, sent
from games.admin.scope import ClubScoped, caller_of
from games.models import Club, Role
from games.models.club import zones
from games.services import clubs
from scoring.wording import say

admin.site.unregister(Group)  # rights follow from memberships alone


def zone_choices() -> list[tuple[str, str]]:
    return [(name, name.replace("_", " ")) for name in zones()]


class ClubForm(PageForm):
    at_field = {"bad_text": "name", "bad_timezone": "timezone"}

    def __init__(self, *args: Any, caller: Caller, club: Club, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller, self.club = caller, club
        self.heading = club.name
        if caller.superuser:
            self.fields["name"] = forms.CharField(
                max_length=100, label=pgettext("of a club or competition", "Name"), initial=club.name
            )
        self.fields["timezone"] = forms.ChoiceField(
            choices=zone_choices(),
            initial=club.timezone,
            label=_("Time zone"),
            help_text=_("Where the club plays: times are shown, and days counted, in this zone."),
        )

    def run(self) -> str:
        clubs.change_club(caller=self.caller, club=self.club.slug, **self.cleaned_data)
        return say("{name} is saved.", name=self.club.name)


@admin.register(Club)
class ClubAdmin(ClubScoped):
    club_path = "pk"
    view_role = Role.ORGANISER
    add_role = None
    called = (gettext_lazy("club"), gettext_lazy("clubs"))
    columns = {
        "name": pgettext_lazy("of a club or competition", "name"),
        "slug": gettext_lazy("name in addresses"),
        "timezone": gettext_lazy("time zone"),
    }
    list_display = ("name", "slug", "timezone")
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    actions = None

    def club_id(self, obj: Any) -> int:
        return int(obj.pk)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "timezone":
            return forms.ChoiceField(choices=zone_choices(), initial="UTC", required=False, label=_("Time zone"))
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The slug stands in addresses: it stays what it was."""
        club = self.get_object(request, object_id)
        if club is None:
            return self.not_here(request, object_id)
        if not self.has_change_permission(request, club):
            raise PermissionDenied
        back = reverse("admin:games_club_changelist")
        form = ClubForm(sent(request), caller=caller_of(request), club=club)
        return form_page(request, form, Page(self, back, obj=club, trail=[(back, _("Clubs"))]))
