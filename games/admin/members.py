"""Members of a club and their roles."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.access import Caller
from games.admin.pages import Page, PageForm, form_page, sent
from games.admin.scope import ClubFilter, ClubScoped, caller_of, clubs_of
from games.models import Club, Membership, Role
from games.services import members
from games.wording import Text
from scoring.wording import mark, say

ROLES: list[tuple[str, Text]] = [
    (Role.MEMBER.value, gettext_lazy("Member: plays, and sees the club's sessions")),
    (Role.SCORER.value, gettext_lazy("Scorer: also enters results and imports deals")),
    (Role.ORGANISER.value, gettext_lazy("Organiser: everything in the club")),
]
_ADDED = {
    Role.MEMBER: mark("{name} is member of {club}."),
    Role.SCORER: mark("{name} is scorer of {club}."),
    Role.ORGANISER: mark("{name} is organiser of {club}."),
}
_ADDED_NEW = {
    Role.MEMBER: mark("A new account is made, and {name} is member of {club}."),
    Role.SCORER: mark("A new account is made, and {name} is scorer of {club}."),
    Role.ORGANISER: mark("A new account is made, and {name} is organiser of {club}."),
}
_CHANGED = {
    Role.MEMBER: mark("{name} is now member."),
    Role.SCORER: mark("{name} is now scorer."),
    Role.ORGANISER: mark("{name} is now organiser."),
}


class AddMemberForm(PageForm):
    heading, button = gettext_lazy("Add a member"), gettext_lazy("Add the member")
    intro = gettext_lazy(
        "Somebody who has an account already: give the username alone. Somebody new: give a first password too."
    )
    at_field = {"bad_account": "username", "already_member": "username", "bad_password": "password"}

    def __init__(self, *args: Any, caller: Caller, clubs: QuerySet[Club], **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller = caller
        self.fields["club"] = forms.ModelChoiceField(clubs, label=_("Club"), empty_label=None)
        if len(clubs) == 1:
            self.fields["club"].widget = forms.HiddenInput()
            self.initial["club"] = clubs[0].pk
        self.fields["username"] = forms.CharField(
            max_length=150, label=_("Username"), help_text=_("Exactly as they log in.")
        )
        self.fields["password"] = forms.CharField(
            required=False,
            strip=False,
            label=_("First password"),
            widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
            help_text=_(
                "Only for a new account: at least ten characters, and not a common one. They should change it when "
                "they log in here for the first time; every member can."
            ),
        )
        self.fields["role"] = forms.ChoiceField(
            choices=ROLES, widget=forms.RadioSelect, initial=Role.MEMBER.value, label=_("Role")
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
        done = (_ADDED_NEW if data["password"] else _ADDED)[Role(data["role"])]
        return say(done, name=data["username"], club=data["club"].name)


class RoleForm(PageForm):
    button = gettext_lazy("Save the role")
    role = forms.ChoiceField(choices=ROLES, widget=forms.RadioSelect, label=gettext_lazy("Role"))

    def __init__(self, *args: Any, caller: Caller, membership: Membership, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller, self.membership = caller, membership
        self.heading = _("{name} in {club}").format(name=membership.user, club=membership.club)
        self.initial["role"] = membership.role

    def run(self) -> str:
        role = self.cleaned_data["role"]
        members.change_role(caller=self.caller, membership=self.membership.pk, role=role)
        return say(_CHANGED[Role(role)], name=str(self.membership.user))


class RemoveForm(PageForm):
    button, dangerous = gettext_lazy("Remove from the club"), True

    def __init__(self, *args: Any, caller: Caller, membership: Membership, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller, self.membership = caller, membership
        self.heading = _("Remove {name} from {club}").format(name=membership.user, club=membership.club)
        self.intro = _("The account stays, and so do the player and everything played.")

    def run(self) -> str:
        members.remove_member(caller=self.caller, membership=self.membership.pk)
        return say("{name} is no longer a member.", name=str(self.membership.user))


@admin.register(Membership)
class MembershipAdmin(ClubScoped):
    view_role = Role.ORGANISER
    called = (gettext_lazy("member"), gettext_lazy("members"))
    columns = {"role": gettext_lazy("role"), "club": gettext_lazy("club")}
    list_display = ("username", "role_given", "club")
    list_filter = ("role", ClubFilter)
    list_select_related = ("club", "user")
    search_fields = ("user__username", "user__first_name", "user__last_name")
    search_help_text = gettext_lazy("Search by username or name.")
    ordering = ("user__username", "id")
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("club", "user")

    @admin.display(description=gettext_lazy("username"), ordering="user__username")
    def username(self, membership: Membership) -> str:
        full = membership.user.get_full_name()
        return f"{membership.user.username} ({full})" if full else membership.user.username

    @admin.display(description=gettext_lazy("role"), ordering="role")
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
        return form_page(
            request, form, self._page(obj=membership, context={"also": (remove, _("Remove from the club"))})
        )

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
        return Page(self, back, trail=[(back, _("Members"))], **more)
