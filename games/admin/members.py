"""Members of a club and their roles."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from games.access import Caller
from games.admin.pages import Page, PageForm, form_page, sent
from games.admin.scope import ClubFilter, ClubScoped, caller_of, clubs_of
from games.models import Club, Membership, Role
from games.services import members

ROLES = [
    (Role.MEMBER.value, "Member: plays, and sees the club's sessions"),
    (Role.SCORER.value, "Scorer: also enters results and imports deals"),
    (Role.ORGANISER.value, "Organiser: everything in the club"),
]


class AddMemberForm(PageForm):
    heading, button = "Add a member", "Add the member"
    intro = "Somebody who has an account already: give the username alone. Somebody new: give a first password too."
    at_field = {"bad_account": "username", "already_member": "username", "bad_password": "password"}

    def __init__(self, *args: Any, caller: Caller, clubs: QuerySet[Club], **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller = caller
        self.fields["club"] = forms.ModelChoiceField(clubs, label="Club", empty_label=None)
        if len(clubs) == 1:
            self.fields["club"].widget = forms.HiddenInput()
            self.initial["club"] = clubs[0].pk
        self.fields["username"] = forms.CharField(max_length=150, label="Username", help_text="Exactly as they log in.")
        self.fields["password"] = forms.CharField(
            required=False,
            strip=False,
            label="First password",
            widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
            help_text="Only for a new account: at least ten characters, and not a common one. They should change it "
            "when they log in here for the first time; every member can.",
        )
        self.fields["role"] = forms.ChoiceField(
            choices=ROLES, widget=forms.RadioSelect, initial=Role.MEMBER.value, label="Role"
        )

    def run(self) -> str:
        data = self.cleaned_data
        self.made = members.add_member(
            caller=self.caller,
            club=data["club"].slug,
            username=data["username"],
            role=data["role"],
            password=data["password"],
        )
        made = "A new account is made, and " if data["password"] else ""
        return f"{made}{data['username']} is {Role(data['role']).label.lower()} of {data['club'].name}."


class RoleForm(PageForm):
    button = "Save the role"
    role = forms.ChoiceField(choices=ROLES, widget=forms.RadioSelect, label="Role")

    def __init__(self, *args: Any, caller: Caller, membership: Membership, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller, self.membership = caller, membership
        self.heading = f"{membership.user} in {membership.club}"
        self.initial["role"] = membership.role

    def run(self) -> str:
        role = self.cleaned_data["role"]
        members.change_role(caller=self.caller, membership=self.membership.pk, role=role)
        return f"{self.membership.user} is now {Role(role).label.lower()}."


class RemoveForm(PageForm):
    button, dangerous = "Remove from the club", True

    def __init__(self, *args: Any, caller: Caller, membership: Membership, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller, self.membership = caller, membership
        self.heading = f"Remove {membership.user} from {membership.club}"
        self.intro = "The account stays, and so do the player and everything played."

    def run(self) -> str:
        members.remove_member(caller=self.caller, membership=self.membership.pk)
        return f"{self.membership.user} is no longer a member."


@admin.register(Membership)
class MembershipAdmin(ClubScoped):
    view_role = Role.ORGANISER
    list_display = ("username", "role_given", "club")
    list_filter = ("role", ClubFilter)
    list_select_related = ("club", "user")
    search_fields = ("user__username", "user__first_name", "user__last_name")
    search_help_text = "Search by username or name."
    heading = "Members"
    ordering = ("user__username", "id")
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("club", "user")

    @admin.display(description="username", ordering="user__username")
    def username(self, membership: Membership) -> str:
        full = membership.user.get_full_name()
        return f"{membership.user.username} ({full})" if full else membership.user.username

    @admin.display(description="role", ordering="role")
    def role_given(self, membership: Membership) -> str:
        return membership.get_role_display()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_change_permission(request, obj)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = AddMemberForm(sent(request), caller=caller_of(request), clubs=clubs_of(request, Role.ORGANISER))
        answer = form_page(request, form, self._page())
        if made := getattr(form, "made", None):
            self.log_addition(request, Membership.objects.get(pk=made), "Added.")
        return answer

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        membership = self.get_object(request, object_id)
        if membership is None:
            return self.not_here(request, object_id)
        form = RoleForm(sent(request), caller=caller_of(request), membership=membership)
        remove = reverse("admin:games_membership_delete", args=[membership.pk])
        return form_page(request, form, self._page(obj=membership, context={"also": (remove, "Remove from the club")}))

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        membership = self.get_object(request, object_id)
        if membership is None:
            return self.not_here(request, object_id)
        form = RemoveForm(sent(request), caller=caller_of(request), membership=membership)
        return form_page(request, form, self._page(obj=membership))

    def _page(self, **more: Any) -> Page:
        back = reverse("admin:games_membership_changelist")
        return Page(self, back, trail=[(back, "Members")], **more)
