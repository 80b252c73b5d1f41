"""What becomes of a player: merged into another, taken apart again, anonymised; and what a player's page tells."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import clublog, people
from games.access import Caller
from games.admin import words
from games.admin.forms.base import DOOR, now, reason_field
from games.admin.pages import Page, PageForm, attempt, form_page, sent, show
from games.admin.scope import ModelAdmin, caller_of
from games.admin.widgets import PlayerField
from games.models import Player
from games.people import Record
from games.services import people as services
from games.services.transactions import rehearsal
from games.wording import Text, said
from scoring.wording import listed, say

EVENTS_SHOWN = 20


class PersonForm(PageForm):
    """A form about one player. `label` and `about` are of the button that leads to it."""

    label: Text
    about: Text
    at_field = {"reason_required": "reason", "name_in_reason": "reason", "bad_text": "reason"}
    dangerous = True

    def __init__(self, *args: Any, caller: Caller, player: Player, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller, self.player = caller, player
        self.heading = _("{action}: {name}").format(action=self.label, name=player.name)
        self.set_up()
        self.fields["reason"] = reason_field()

    def set_up(self) -> None:
        """Add the fields before the reason."""

    @classmethod
    def fits(cls, player: Player) -> bool:
        """Whether this makes sense for the player. The service has the last word."""
        return player.merged_into is None and not player.anonymised

    @property
    def call(self) -> dict[str, Any]:
        """What every service about a person takes."""
        return {
            "caller": self.caller,
            "player": self.player.public_id,
            "reason": self.cleaned_data["reason"],
            "now": now(),
            "door": DOOR,
        }


class MergeForm(PersonForm):
    """First the two are shown side by side, after a rehearsal; the second time the same is sent it is done."""

    label = gettext_lazy("Merge into another")
    button: Text = gettext_lazy("Look at both")
    about = gettext_lazy("The same person was entered twice: this one goes, the other stays.")
    template = "admin/games/merge.html"
    at_field = {**PersonForm.at_field, "same_player": "into", "bad_player": "into"}

    def set_up(self) -> None:
        self.both: list[dict[str, Any]] = []
        self.fields["into"] = PlayerField(
            self.player.club_id,
            label=_("Player that stays"),
            help_text=_("Search by name: active players of the club."),
        )
        self.fields["seen"] = forms.CharField(required=False, widget=forms.HiddenInput)

    @property
    def notice(self) -> str:
        return _(
            "{name} becomes inactive and is shown as the player that stays, wherever they played. Nothing played is "
            "changed, and the merge can be taken back on this page."
        ).format(name=self.player.name)

    @property
    def looked_at(self) -> bool:
        """Whether both were before one's eyes when this was sent."""
        return bool(self.cleaned_data["seen"] == str(self.cleaned_data["into"].pk))

    def look(self) -> str:
        """Rehearse the merge, which refuses what cannot be, and gather what both have played."""
        into = self.cleaned_data["into"]
        with rehearsal():
            services.merge(into=into.public_id, **self.call)
        self.both = [shown(people.record_of(self.player)), shown(people.record_of(into))]
        self.button = _("Merge {name} into {other}").format(name=self.player.name, other=into.name)
        # The browser sends back whom it was shown.
        told = cast(QueryDict, self.data).copy()
        told["seen"] = str(into.pk)
        self.data = told
        return ""

    def run(self) -> str:
        into = self.cleaned_data["into"]
        services.merge(into=into.public_id, **self.call)
        return say("{name} is merged into {other}.", name=self.player.name, other=into.name)


class UnmergeForm(PersonForm):
    label = button = gettext_lazy("Take the merge back")
    about = gettext_lazy("They are two people after all.")
    dangerous = False

    @classmethod
    def fits(cls, player: Player) -> bool:
        return player.merged_into is not None

    @property
    def notice(self) -> str:
        return _("{name} was merged into {other}, and will be a player of its own again.").format(
            name=self.player.name, other=self.player.person.name
        )

    def run(self) -> str:
        services.unmerge(**self.call)
        return say("{name} is a player of its own again.", name=self.player.name)


class AnonymiseForm(PersonForm):
    label, button = gettext_lazy("Anonymise"), gettext_lazy("Anonymise for good")
    about = gettext_lazy("Somebody asks to be forgotten: name and account are taken away, results stay.")

    @classmethod
    def fits(cls, player: Player) -> bool:
        return super().fits(player) and not player.strategy

    @property
    def notice(self) -> str:
        what = _(
            "This cannot be undone. The name becomes a random one, the account is unlinked, and reasons that hold the "
            "name are blanked. Results, tables and places stay. Names of sessions are left as they are."
        )
        others = [player.name for player in people.group_of(self.player)[1:]]
        if not others:
            return what
        too = _("The same goes for {others}, merged into {name}.")
        return f"{what} {too.format(others=said(listed(others)), name=self.player.name)}"

    def run(self) -> str:
        services.anonymise(**self.call)
        self.player.refresh_from_db()  # the admin's own note of this is not to hold the name
        return say("{name} is anonymised.", name=self.player.name)


FORMS: Mapping[str, type[PersonForm]] = {"merge": MergeForm, "unmerge": UnmergeForm, "anonymise": AnonymiseForm}


def person_page(model_admin: ModelAdmin, request: HttpRequest, player: Player, kind: type[PersonForm]) -> HttpResponse:
    """The page of one of FORMS. A merge is looked at before it is done."""
    here = reverse("admin:games_player_change", args=[player.pk])
    home = reverse("admin:games_player_changelist")
    page = Page(model_admin, here, obj=player, trail=[(home, _("Players")), (here, player.name)])
    form = kind(sent(request), caller=caller_of(request), player=player)
    if isinstance(form, MergeForm) and form.is_bound and form.is_valid() and not form.looked_at:
        attempt(form, form.look)
        return show(request, form, page)
    return form_page(request, form, page)


def gone_page(model_admin: ModelAdmin, request: HttpRequest, player: Player) -> HttpResponse:
    """The page of a player who can be changed no more: merged, or anonymised."""
    home = reverse("admin:games_player_changelist")
    context = {
        **model_admin.admin_site.each_context(request),
        **told(player),
        "title": player.name,
        "opts": model_admin.opts,
        "media": model_admin.media,
        "trail": [(home, _("Players"))],
        "person": player.person if player.merged_into else None,
    }
    return TemplateResponse(request, "admin/games/player_gone.html", context)


def told(player: Player) -> dict[str, Any]:
    """What a player's page tells beside its form: buttons, results, and what became of the player."""
    buttons = [
        {"address": reverse("admin:games_player_do", args=[player.pk, slug]), "label": form.label, "about": form.about}
        for slug, form in FORMS.items()
        if form.fits(player)
    ]
    events = clublog.about(player, limit=EVENTS_SHOWN)
    ids = {event["player"] for event in events} | {event["data"]["into"] for event in events if event["data"]}
    names = dict(Player.objects.filter(public_id__in=ids).values_list("public_id", "name"))
    return {
        "buttons": buttons,
        "record": shown(people.record_of(player)),
        "events": [{**event, "what": _in_words(event, names)} for event in events],
    }


def shown(record: Record) -> dict[str, Any]:
    """What a player has played, as `record.html` takes it."""
    lines = [
        {"session": item.session, "place": item.place, "points": words.points(item.total)} for item in record.latest
    ]
    return {"player": record.player, "sessions": record.sessions, "first": record.first, "latest": lines}


def _in_words(event: Mapping[str, Any], names: Mapping[str, str]) -> str:
    name = names[event["player"]]
    match event["kind"]:
        case "merged":
            return _("{name} was merged into {other}.").format(name=name, other=names[event["data"]["into"]])
        case "unmerged":
            return _("The merge of {name} was taken back.").format(name=name)
        case other:
            assert other == "anonymised"
            return _("{name} was anonymised.").format(name=name)
