"""Accounts: a superuser's business. Organisers search them, within their clubs, to link players."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from games.admin.scope import ClubScoped, caller_of
from games.models import Membership, Role, User
from games.services.members import check_username, settle_staff


class NewAccountForm(AdminUserCreationForm):
    def clean_username(self) -> str:
        name = str(super().clean_username())
        check_username(name)
        return name


class AccountForm(UserChangeForm):
    def clean_username(self) -> str:
        name = str(self.cleaned_data["username"])
        check_username(name)
        return name


@admin.register(User)
class UserAdmin(ClubScoped, DjangoUserAdmin):
    """Who may enter, and who is staff, follows from the memberships; a superuser sees all clubs."""

    view_role = add_role = change_role = None
    columns = {"is_bot": gettext_lazy("bot")}
    form = AccountForm
    add_form = NewAccountForm
    list_display = ("username", "full_name", "is_active", "is_staff", "is_superuser", "is_bot")
    list_filter = ("is_active", "is_staff", "is_superuser", "is_bot")
    search_fields = ("username", "first_name", "last_name")
    ordering = ("username",)
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (gettext_lazy("Person"), {"fields": ("first_name", "last_name", "email")}),
        (gettext_lazy("Rights"), {"fields": ("is_active", "is_superuser", "is_staff")}),
        (gettext_lazy("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    readonly_fields = ("is_staff", "last_login", "date_joined")
    actions = None

    def club_id(self, obj: Any) -> int:
        return 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """All for a superuser. An organiser finds the members of the own clubs when linking a player, nothing more."""
        rows = admin.ModelAdmin.get_queryset(self, request)
        clubs = caller_of(request).clubs(Role.ORGANISER)
        if clubs is None:
            return rows
        return rows.filter(pk__in=Membership.objects.filter(club__in=clubs).values("user"))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Accounts of bots are only looked at: with a password, somebody could play and see their hands."""
        return super().has_change_permission(request, obj) and not (obj is not None and obj.is_bot)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        settle_staff(obj)

    @admin.display(description=gettext_lazy("name"))
    def full_name(self, user: User) -> str:
        return user.get_full_name() or "–"
