"""Players: people and bots of one's club. Added and changed through the services, never deleted."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import NoReverseMatch, URLPattern, path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import bots
from games.access import Caller
from games.admin.bots import KIND, button, token_page
from games.admin.forms.base import now
from games.admin.pages import Page, PageForm, form_page, sent
from games.admin.people import FORMS, gone_page, person_page, told
from games.admin.scope import ClubFilter, ClubScoped, caller_of, clubs_of
from games.admin.tokens import secret_page
from games.admin.widgets import AccountField
from games.errors import Invalid
from games.models import Club, Player, Role
from games.models.fields import search_key
from games.services import players
from games.services.bots import make_bot
from games.wording import Text
from scoring.wording import say


class AddPlayerForm(PageForm):
    heading, button = gettext_lazy("Add a player"), gettext_lazy("Add the player")
    at_field = {"bad_text": "name", "bad_strategy": "strategy", "bad_account": "username"}

    def __init__(self, *args: Any, caller: Caller, clubs: QuerySet[Club], **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller = caller
        self.fields["club"] = forms.ModelChoiceField(clubs, label=_("Club"), empty_label=None)
        if len(clubs) == 1:
            self.fields["club"].widget = forms.HiddenInput()
            self.initial["club"] = clubs[0].pk
        self.fields["name"] = forms.CharField(max_length=80, label=_("Name"))
        self.fields["strategy"] = forms.ChoiceField(
            choices=[("", _("A person")), *((name, _bot(name)) for name in bots.available()), KIND],
            required=False,
            label=_("Who plays"),
            help_text=_("Fixed once the player is added."),
        )
        self.fields["username"] = forms.CharField(
            max_length=150,
            required=False,
            label=_("Account"),
            help_text=_(
                "Username of the member who plays as this person on their own device. Empty where deals are only "
                "entered from paper."
            ),
        )
        self.order_fields(["club", "name", "strategy", "username"])

    def run(self) -> str:
        data = self.cleaned_data
        if data["strategy"] == bots.OUTSIDE:
            if data["username"]:
                raise Invalid("bad_account", say("A bot plays by its own account; leave this empty."))
            made = make_bot(caller=self.caller, club=data["club"].slug, name=data["name"], now=now())
            self.made, self.secret = made[0].public_id, made[1:]
            return say("{name} is added.", name=data["name"])
        self.made = players.create_player(
            caller=self.caller,
            club=data["club"].slug,
            name=data["name"],
            strategy=data["strategy"],
            username=data["username"],
        )
        return say("{name} is added.", name=data["name"])


class ChangePlayerForm(PageForm):
    at_field = {"bad_text": "name", "bad_account": "account", "deal_running": "account"}
    template = "admin/games/player.html"

    def __init__(self, *args: Any, caller: Caller, player: Player, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller, self.player = caller, player
        self.heading = player.name
        self.fields["name"] = forms.CharField(max_length=80, label=_("Name"), initial=player.name)
        self.fields["active"] = forms.BooleanField(
            required=False,
            initial=player.active,
            label=_("Active"),
            help_text=_("Who no longer plays is set inactive: not offered for seats, and kept with all past deals."),
        )
        if not player.strategy:
            self.fields["account"] = AccountField(
                player.club_id,
                required=False,
                initial=player.user_id,
                label=_("Account"),
                help_text=_("The member who plays as this person on their own device."),
            )

    @property
    def notice(self) -> str:
        player = self.player
        since = date_format(timezone.localtime(player.created_at), "DATE_FORMAT")
        if not player.strategy:
            text = _("A person, player of {club} since {date}")
        elif player.strategy == bots.OUTSIDE:
            text = _("A bot that somebody's program plays over the API, player of {club} since {date}")
        else:
            text = _("A bot that plays “{strategy}”, player of {club} since {date}")
        return text.format(strategy=player.strategy, club=player.club.name, date=since)

    def run(self) -> str:
        data = self.cleaned_data
        account = data.get("account")
        unchanged = self.player.strategy or "account" not in self.changed_data
        players.change_player(
            caller=self.caller,
            player=self.player.public_id,
            name=data["name"],
            active=data["active"],
            username=None if unchanged else (account.username if account else ""),
        )
        return say("{name} is saved.", name=data["name"])


def _bot(strategy: str) -> str:
    return _("A bot that plays “{strategy}”").format(strategy=strategy)


class BotFilter(admin.SimpleListFilter):
    title = gettext_lazy("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Text]]:
        return [("people", _("People")), ("bots", _("Bots"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        match self.value():
            case "people":
                return queryset.filter(strategy="")
            case "bots":
                return queryset.exclude(strategy="")
        return queryset


class PlayerList(ChangeList):
    """A player's name leads to its page only for those who may change it."""

    def __init__(self, request: HttpRequest, *args: Any, **options: Any) -> None:
        self.caller = caller_of(request)
        super().__init__(request, *args, **options)

    def url_for_result(self, result: Any) -> str:
        if not self.caller.has(Role.ORGANISER, result.club_id):
            raise NoReverseMatch  # what the list then shows is the name alone
        return str(super().url_for_result(result))


@admin.register(Player)
class PlayerAdmin(ClubScoped):
    called = (gettext_lazy("player"), gettext_lazy("players"))
    columns = {"name": gettext_lazy("name"), "active": gettext_lazy("active"), "club": gettext_lazy("club")}
    list_display = ("name", "kind", "account", "active", "club")
    list_filter = ("active", BotFilter, ClubFilter)
    list_select_related = ("club", "user")
    search_fields = ("search_key", "user__username")
    search_help_text = gettext_lazy("Search by name, with or without accents, or by account.")
    ordering = ("name", "id")
    actions = None

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return PlayerList

    def get_list_display(self, request: HttpRequest) -> Any:
        clubs = caller_of(request).clubs(Role.SCORER)
        several = clubs is None or len(clubs) > 1
        return [name for name in self.list_display if several or name != "club"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("club", "user", "merged_into")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Each word stands in the name, whatever its case and accents, or in the account's name."""
        for word in search_term.split():
            queryset = queryset.filter(Q(search_key__contains=search_key(word)) | Q(user__username__icontains=word))
        return queryset, False

    @admin.display(description=gettext_lazy("kind"), ordering="strategy")
    def kind(self, player: Player) -> str:
        if player.merged_into is not None:
            return _("merged into {name}").format(name=player.merged_into.name)
        if player.anonymised:
            return _("anonymised")
        return _("bot ({strategy})").format(strategy=player.strategy) if player.strategy else _("person")

    @admin.display(description=gettext_lazy("account"), ordering="user__username")
    def account(self, player: Player) -> str:
        return player.user.username if player.user and not player.strategy else "–"

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        back = reverse("admin:games_player_changelist")
        form = AddPlayerForm(sent(request), caller=caller_of(request), clubs=clubs_of(request, Role.ORGANISER))
        answer = form_page(request, form, Page(self, back, trail=[(back, _("Players"))]))
        if made := getattr(form, "made", None):
            self.log_addition(request, Player.objects.get(public_id=made), "Added.")
            if secret := getattr(form, "secret", None):
                return secret_page(self, request, *secret)
            if "another" in request.POST:
                return HttpResponseRedirect(request.path)
        return answer

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        player = self.get_object(request, object_id)
        if player is None:
            return self.not_here(request, object_id)
        if not self.has_change_permission(request, player):
            raise PermissionDenied
        if player.merged_into is not None or player.anonymised:
            return gone_page(self, request, player)
        back = reverse("admin:games_player_changelist")
        form = ChangePlayerForm(sent(request), caller=caller_of(request), player=player)
        context = told(player)
        context["buttons"] += button(player)
        page = Page(self, back, obj=player, trail=[(back, _("Players"))], context=context)
        return form_page(request, form, page)

    def get_urls(self) -> list[URLPattern]:
        act = self.admin_site.admin_view(self.act_view)
        return [path("<path:object_id>/do/<slug:action>/", act, name="games_player_do"), *super().get_urls()]

    def act_view(self, request: HttpRequest, object_id: str, action: str) -> HttpResponse:
        """Merging, taking that back, anonymising: a page each."""
        player = self.get_object(request, object_id)
        if player is None:
            return self.not_here(request, object_id)
        if action not in FORMS and not (action == "token" and player.strategy == bots.OUTSIDE):
            raise Http404
        if not self.has_change_permission(request, player):
            raise PermissionDenied
        if action == "token":
            return token_page(self, request, player)
        return person_page(self, request, player, FORMS[action])
