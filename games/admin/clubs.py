"""Clubs: a superuser's business. They are never deleted."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import Group
from django.http import HttpRequest

from games.admin.scope import ClubScoped
from games.models import Club

admin.site.unregister(Group)  # rights follow from memberships alone


@admin.register(Club)
class ClubAdmin(ClubScoped):
    view_role = add_role = change_role = None
    list_display = ("name", "slug")
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    actions = None

    def club_id(self, obj: Any) -> int:
        return int(obj.pk)

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        return {} if obj else self.prepopulated_fields

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The slug stands in addresses: it stays what it was."""
        return ("slug",) if obj else ()
