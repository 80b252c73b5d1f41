"""Who sees what in the admin. Rights follow from the club memberships; nothing is set by hand.

Every ModelAdmin here names the `club_path` from its model to the club and the roles that view, add and change. List,
direct address, autocomplete, actions and forms all start from `get_queryset`, so another club's objects do not exist.
"""

from typing import TYPE_CHECKING, Any, ClassVar, cast
from zoneinfo import ZoneInfo

from django.contrib import admin
from django.db import IntegrityError
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.access import Caller
from games.models import Club, Role
from games.wording import Text

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


def caller_of(request: HttpRequest) -> Caller:
    """Who is asking; one statement a request."""
    caller = getattr(request, "_caller", None)
    if caller is None:
        caller = Caller.of(request.user) if request.user.is_authenticated else Caller(0)
        request._caller = caller  # type: ignore[attr-defined]
    return cast(Caller, caller)


def clubs_of(request: HttpRequest, role: Role) -> QuerySet[Club]:
    """The clubs in which whoever is asking has that role."""
    clubs = caller_of(request).clubs(role)
    return Club.objects.all() if clubs is None else Club.objects.filter(pk__in=clubs)


def is_id(text: str) -> bool:
    """Whether a text can be the id of a row: digits, and not more than the column holds."""
    return text.isascii() and text.isdigit() and len(text) < 19


def has_role(request: HttpRequest, role: Role, club_id: int | None = None) -> bool:
    """Whether whoever is asking has the role in that club, or anywhere where none is named."""
    caller = caller_of(request)
    if club_id is not None:
        return caller.has(role, club_id)
    return caller.superuser or bool(caller.clubs(role))


def show_times_of(club: Club) -> None:
    """Show times in the club's zone for the rest of the request."""
    timezone.activate(ZoneInfo(club.timezone))


class ClubScoped(ModelAdmin):
    """Base of all pages: objects of one's own clubs, rights by role, nothing deleted, lists of constant cost.

    A role of None means: superusers alone.
    """

    club_path: ClassVar[str] = "club"
    view_role: ClassVar[Role | None] = Role.SCORER
    add_role: ClassVar[Role | None] = Role.ORGANISER
    change_role: ClassVar[Role | None] = Role.ORGANISER
    called: ClassVar[tuple[Text, Text] | None] = None
    """What one of them and several are called."""

    columns: ClassVar[dict[str, Text]] = {}
    """What columns of the model are called where these pages show them."""

    heading: ClassVar[Text] = ""
    """What the list is called, if not as the model."""

    lookups: ClassVar[tuple[str, ...]] = ()
    """Lookups that links of ours put into a list's address, besides the filters."""

    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    list_max_show_all = 0

    def __init__(self, model: type[Model], admin_site: admin.AdminSite) -> None:
        """Names for people are given here: in the models each of them would be a migration."""
        super().__init__(model, admin_site)
        if self.called is not None:
            self.opts.verbose_name, self.opts.verbose_name_plural = self.called
        for name, label in self.columns.items():
            self.opts.get_field(name).verbose_name = label  # type: ignore[union-attr]

    def club_id(self, obj: Any) -> int:
        """The club that an object belongs to."""
        for name in self.club_path.split("__")[:-1]:
            obj = getattr(obj, name)
        return cast(int, obj.club_id)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        if self.view_role is None:
            return rows if caller_of(request).superuser else rows.none()
        clubs = caller_of(request).clubs(self.view_role)
        return rows if clubs is None else rows.filter(**{f"{self.club_path}__in": clubs})

    def _allowed(self, request: HttpRequest, role: Role | None, obj: Model | None) -> bool:
        if role is None:
            return caller_of(request).superuser
        return has_role(request, role, None if obj is None else self.club_id(obj))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._allowed(request, self.view_role, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self._allowed(request, self.add_role, None)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._allowed(request, self.change_role, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def not_here(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Lead to the first page with a word: there is no such object, or it is another club's."""
        answer = self._get_obj_does_not_exist_redirect(request, self.opts, object_id)  # type: ignore[attr-defined]
        return cast(HttpResponse, answer)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Only what the filters and our own links ask for: an address cannot probe other columns."""
        if lookup in self.lookups:
            return True
        allowed: set[str] = set()
        for item in self.get_list_filter(cast(HttpRequest, request)):
            if isinstance(item, str):
                allowed |= {f"{item}__exact", f"{item}__isnull"}
            elif isinstance(item, type) and issubclass(item, admin.SimpleListFilter):
                allowed.add(cast(str, item.parameter_name))
        return lookup in allowed

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Of twins at once the database lets one through; the other's form is checked once more, and says why."""
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except IntegrityError:
            return super().changeform_view(request, object_id, form_url, extra_context)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        chosen = request.POST.getlist("_selected_action")
        if not all(map(is_id, chosen)):
            return HttpResponseBadRequest(_("Choose rows of the list."))
        title = self.heading or capfirst(str(self.opts.verbose_name_plural))
        return super().changelist_view(request, {"title": title, **(extra_context or {})})


class ClubFilter(admin.SimpleListFilter):
    """By club; offered only to those who see several."""

    title = gettext_lazy("club")
    parameter_name = "club"

    def __init__(self, request: HttpRequest, params: Any, model: type[Model], model_admin: ClubScoped) -> None:
        self.path = model_admin.club_path
        super().__init__(request, params, model, model_admin)

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        clubs = clubs_of(request, model_admin.view_role or Role.MEMBER)
        return [(str(pk), name) for pk, name in clubs.values_list("pk", "name")[:100]]

    def has_output(self) -> bool:
        return len(self.lookup_choices) > 1

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        known = {pk for pk, _ in self.lookup_choices}
        return queryset.filter(**{self.path: value}) if value in known else queryset
