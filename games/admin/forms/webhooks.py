"""Forms about webhooks: made, changed, tried out, given a new secret, switched off and on, deleted."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.access import Caller
from games.admin.forms.base import now
from games.admin.pages import PageForm
from games.models import Club, Webhook, WebhookDelivery
from games.services import webhooks
from games.webhooks.addresses import LONGEST
from games.webhooks.sources import sources, types
from games.wording import Text
from scoring.wording import say

GROUPS: dict[str, Text] = {
    "*": gettext_lazy("Everything"),
    "session.*": gettext_lazy("Everything about sessions"),
    "competition.*": gettext_lazy("Everything about competitions"),
    "club.*": gettext_lazy("Everything about the club’s players"),
}


def groups() -> dict[str, Text]:
    """What stands for many types at once, in words."""
    return {name: GROUPS.get(name, name) for name in ("*", *(f"{source}.*" for source in sources))}


def kinds() -> dict[str, str]:
    """Every type of event, with what it means in words."""
    return {name: f"{name}: {_(meaning)}" for name, meaning in types().items()}


class Fields(PageForm):
    """Where to, and what of. Groups hold what comes with later versions too; single types stand folded below."""

    at_field = {"bad_url": "url", "bad_text": "description", "bad_event_types": "groups", "too_many_webhooks": "url"}
    layout = [
        ("", ["url", "description", "groups"], "", False),
        (
            gettext_lazy("Only some events"),
            ["types"],
            gettext_lazy(
                "Untick “Everything” above first. What is sent has no names and no cards: only what happened, and "
                "where."
            ),
            True,
        ),
    ]

    def __init__(self, *args: Any, caller: Caller, webhook: Webhook | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller, self.webhook = caller, webhook
        chosen = webhook.types if webhook is not None else ["*"]
        self.fields["url"] = forms.CharField(
            max_length=LONGEST,
            label=_("Address"),
            initial=webhook and webhook.url,
            widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
            help_text=_("Of a program that takes the events: https, and to be reached from the internet."),
        )
        self.fields["description"] = forms.CharField(
            max_length=200,
            required=False,
            label=_("What it is"),
            initial=webhook and webhook.description,
            help_text=_("Such as “the club’s web site”."),
        )
        self.fields["groups"] = forms.MultipleChoiceField(
            choices=list(groups().items()),
            required=False,
            widget=forms.CheckboxSelectMultiple,
            label=_("What it is told"),
            initial=[item for item in chosen if item.endswith("*")],
        )
        self.fields["types"] = forms.MultipleChoiceField(
            choices=list(kinds().items()),
            required=False,
            widget=forms.CheckboxSelectMultiple,
            label=_("Events"),
            initial=[item for item in chosen if not item.endswith("*")],
        )

    @property
    def wanted(self) -> list[str]:
        return [*self.cleaned_data["groups"], *self.cleaned_data["types"]]


class AddWebhookForm(Fields):
    heading, button = gettext_lazy("Add a webhook"), gettext_lazy("Add the webhook")
    intro = gettext_lazy(
        "A program of yours or somebody else’s is told over the internet what happens in the club, as soon as it does. "
        "On the next page you get the secret by which it knows that it is us."
    )

    def __init__(self, *args: Any, clubs: QuerySet[Club], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["club"] = forms.ModelChoiceField(clubs, label=_("Club"), empty_label=None)
        if len(clubs) == 1:
            self.fields["club"].widget = forms.HiddenInput()
            self.initial["club"] = clubs[0].pk
        else:
            self.layout = [("", ["club"], "", False), *self.layout]

    def run(self) -> str:
        data = self.cleaned_data
        made = webhooks.create_webhook(
            caller=self.caller,
            club=data["club"].slug,
            url=data["url"],
            description=data["description"],
            types=self.wanted,
            now=now(),
        )
        self.made, self.secret = made["id"], made["secret"]
        return say("The webhook is added.")


class ChangeForm(Fields):
    heading, button = gettext_lazy("Change the webhook"), gettext_lazy("Save")

    def run(self) -> str:
        assert self.webhook is not None
        data = self.cleaned_data
        webhooks.change_webhook(
            caller=self.caller,
            webhook=self.webhook.public_id,
            url=data["url"],
            description=data["description"],
            types=self.wanted,
            now=now(),
        )
        return say("The webhook is saved.")


class ActForm(PageForm):
    """A page that asks before it does one thing with a webhook."""

    def __init__(
        self,
        *args: Any,
        caller: Caller,
        webhook: Webhook,
        delivery: WebhookDelivery | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.caller, self.webhook, self.delivery = caller, webhook, delivery

    @property
    def about(self) -> dict[str, Any]:
        return {"caller": self.caller, "webhook": self.webhook.public_id}


class TestForm(ActForm):
    heading = gettext_lazy("Send a test")
    button = gettext_lazy("Send it")
    intro = gettext_lazy(
        "An event of the type webhook.test, which says that nothing happened. Its row below says how it went."
    )

    def run(self) -> str:
        webhooks.send_test(**self.about, now=now())
        return say("A test is on its way: look at its row in a moment.")


class RotateForm(ActForm):
    heading = gettext_lazy("New secret")
    button = gettext_lazy("Make a new secret")
    intro = gettext_lazy(
        "The new secret is shown once, on the next page. For a day what is sent is signed with both, the new one and "
        "the one before: enough time to give the program the new one."
    )

    def run(self) -> str:
        self.secret = webhooks.rotate_secret(**self.about, now=now())["secret"]
        return say("The secret is a new one.")


class OffForm(ActForm):
    heading = gettext_lazy("Switch off")
    button = gettext_lazy("Switch it off")
    intro = gettext_lazy(
        "Nothing is sent any more, and what happens meanwhile is not told later. What waits is kept for 30 days."
    )

    def run(self) -> str:
        webhooks.change_webhook(**self.about, active=False, now=now())
        return say("The webhook is switched off.")


class OnForm(ActForm):
    heading = gettext_lazy("Switch on")
    button = gettext_lazy("Switch it on")
    intro = gettext_lazy("It is told what happens from now on. What was waiting is sent at once.")

    def run(self) -> str:
        webhooks.change_webhook(**self.about, active=True, now=now())
        return say("The webhook is switched on.")


class DeleteForm(ActForm):
    heading = gettext_lazy("Delete")
    button, dangerous = gettext_lazy("Delete the webhook"), True
    intro = gettext_lazy("Nothing more is sent, and the list of what was is deleted too. That cannot be undone.")

    def run(self) -> str:
        webhooks.delete_webhook(**self.about)
        return say("The webhook is deleted.")


class ReplayForm(ActForm):
    heading = gettext_lazy("Send again")
    button = gettext_lazy("Send it again")

    @property
    def notice(self) -> str:
        assert self.delivery is not None
        return _(
            "{event} of {when} is sent once more. The program knows by its id whether it has seen it already."
        ).format(
            event=self.delivery.type, when=date_format(timezone.localtime(self.delivery.created_at), "DATETIME_FORMAT")
        )

    def run(self) -> str:
        assert self.delivery is not None
        webhooks.replay(caller=self.caller, delivery=self.delivery.public_id, now=now())
        return say("{event} is on its way again.", event=self.delivery.type)


FORMS: dict[str, type[ChangeForm] | type[ActForm]] = {
    "change": ChangeForm,
    "test": TestForm,
    "rotate": RotateForm,
    "off": OffForm,
    "on": OnForm,
    "delete": DeleteForm,
    "replay": ReplayForm,
}
