"""What becomes of a player: merged into another, taken apart again, anonymised; and what a player's page tells."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse

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

EVENTS_SHOWN = 20


class PersonForm(PageForm):
    """A form about one player. `label` and `about` are of the button that leads to it."""

    label: str
    about: str
    at_field = {"reason_required": "reason", "name_in_reason": "reason", "bad_text": "reason"}
    dangerous = True

    def __init__(self, *args: Any, caller: Caller, player: Player, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller, self.player = caller, player
        self.heading = f"{self.label}: {player.name}"
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

    label, button = "Merge into another", "Look at both"
    about = "The same person was entered twice: this one goes, the other stays."
    template = "admin/games/merge.html"
    at_field = {**PersonForm.at_field, "same_player": "into", "bad_player": "into"}

    def set_up(self) -> None:
        self.both: list[dict[str, Any]] = []
        self.fields["into"] = PlayerField(
            self.player.club_id, label="Player that stays", help_text="Search by name: active players of the club."
        )
        self.fields["seen"] = forms.CharField(required=False, widget=forms.HiddenInput)

    @property
    def notice(self) -> str:
        return (
            f"{self.player.name} becomes inactive and is shown as the player that stays, wherever they played. Nothing "
            "played is changed, and the merge can be taken back on this page."
        )

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
        self.button = f"Merge {self.player.name} into {into.name}"
        # The browser sends back whom it was shown.
        told = cast(QueryDict, self.data).copy()
        told["seen"] = str(into.pk)
        self.data = told
        return ""

    def run(self) -> str:
        into = self.cleaned_data["into"]
        services.merge(into=into.public_id, **self.call)
        return f"{self.player.name} is merged into {into.name}."


class UnmergeForm(PersonForm):
    label = button = "Take the merge back"
    about = "They are two people after all."
    dangerous = False

    @classmethod
    def fits(cls, player: Player) -> bool:
        return player.merged_into is not None

    @property
    def notice(self) -> str:
        return f"{self.player.name} was merged into {self.player.person.name}, and will be a player of its own again."

    def run(self) -> str:
        services.unmerge(**self.call)
        return f"{self.player.name} is a player of its own again."


class AnonymiseForm(PersonForm):
    label, button = "Anonymise", "Anonymise for good"
    about = "Somebody asks to be forgotten: name and account are taken away, results stay."

    @classmethod
    def fits(cls, player: Player) -> bool:
        return super().fits(player) and not player.strategy

    @property
    def notice(self) -> str:
        others = [player.name for player in people.group_of(self.player)[1:]]
        merged = f" The same goes for {', '.join(others)}, merged into {self.player.name}." if others else ""
        return (
            "This cannot be undone. The name becomes a random one, the account is unlinked, and reasons that hold the "
            f"name are blanked. Results, tables and places stay. Names of sessions are left as they are.{merged}"
        )

    def run(self) -> str:
        services.anonymise(**self.call)
        self.player.refresh_from_db()  # the admin's own note of this is not to hold the name
        return f"{self.player.name} is anonymised."


FORMS: Mapping[str, type[PersonForm]] = {"merge": MergeForm, "unmerge": UnmergeForm, "anonymise": AnonymiseForm}


def person_page(model_admin: ModelAdmin, request: HttpRequest, player: Player, kind: type[PersonForm]) -> HttpResponse:
    """The page of one of FORMS. A merge is looked at before it is done."""
    here = reverse("admin:games_player_change", args=[player.pk])
    home = reverse("admin:games_player_changelist")
    page = Page(model_admin, here, obj=player, trail=[(home, "Players"), (here, player.name)])
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
        "trail": [(home, "Players")],
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
            return f"{name} was merged into {names[event['data']['into']]}."
        case "unmerged":
            return f"The merge of {name} was taken back."
        case _:
            return f"{name} was anonymised."
