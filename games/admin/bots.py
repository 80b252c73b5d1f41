"""Bots that somebody's program plays over the API: made among the players, with tokens of their own."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.access import Caller
from games.admin.forms.base import now
from games.admin.pages import Page, PageForm, attempt, sent, show
from games.admin.scope import ModelAdmin, caller_of
from games.admin.tokens import day_field, end_of, secret_page
from games.bots import OUTSIDE
from games.models import Player
from games.services.bots import renew_bot
from games.wording import Text
from scoring.wording import say

KIND: tuple[str, Text] = (OUTSIDE, gettext_lazy("A bot that somebody's program plays over the API"))


class BotTokenForm(PageForm):
    """Another token for a bot; those it has go on."""

    button = gettext_lazy("Make the token")
    at_field = {"bad_text": "label", "bad_expiry": "last_day"}

    def __init__(self, *args: Any, caller: Caller, player: Player, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller, self.player = caller, player
        self.heading = _("Make a token for {name}").format(name=player.name)
        self.intro = _(
            "The program that plays for the bot sends it. The tokens that the bot has go on until they are revoked, "
            "among the API tokens."
        )
        self.fields["label"] = forms.CharField(max_length=60, label=_("What uses it"), initial=player.name[:60])
        self.fields["last_day"] = day_field(_("Empty: until revoked."))

    def run(self) -> str:
        self.token, self.secret = renew_bot(
            caller=self.caller,
            club=self.player.club.slug,
            player=self.player.public_id,
            label=self.cleaned_data["label"],
            expires_at=end_of(self.cleaned_data["last_day"]),
            now=now(),
        )
        return say("A token for {name} is made.", name=self.player.name)


def token_page(model_admin: ModelAdmin, request: HttpRequest, player: Player) -> HttpResponse:
    """The page that makes one, and then shows its secret."""
    form = BotTokenForm(sent(request), caller=caller_of(request), player=player)
    if form.is_bound and form.is_valid() and attempt(form, form.run) is not None:
        model_admin.log_change(request, player, f"Made the token {form.token}.")
        return secret_page(model_admin, request, form.token, form.secret)
    home, here = reverse("admin:games_player_changelist"), reverse("admin:games_player_change", args=[player.pk])
    return show(request, form, Page(model_admin, here, obj=player, trail=[(home, _("Players")), (here, player.name)]))


def button(player: Player) -> list[Mapping[str, str]]:
    """What leads to that page, on the page of a bot."""
    if player.strategy != OUTSIDE:
        return []
    address = reverse("admin:games_player_do", args=[player.pk, "token"])
    return [{"address": address, "label": _("Make a token"), "about": _("For the program that plays for this bot.")}]
