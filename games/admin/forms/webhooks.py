"""Forms about webhooks: made, changed, tried out, given a new secret, switched off and on, deleted."""

from typing import Any

from django import forms
from django.db.models import QuerySet

from games.access import Caller
from games.admin.forms.base import now
from games.admin.pages import PageForm
from games.models import Club, Webhook, WebhookDelivery
from games.services import webhooks
from games.webhooks.addresses import LONGEST
from games.webhooks.sources import sources, types

OF = {"session": "sessions", "competition": "competitions", "club": "the club’s players"}


def groups() -> dict[str, str]:
    """What stands for many types at once, in words."""
    return {"*": "Everything", **{f"{name}.*": f"Everything about {OF.get(name, name)}" for name in sources}}


class Fields(PageForm):
    """Where to, and what of. Groups hold what comes with later versions too; single types stand folded below."""

    at_field = {"bad_url": "url", "bad_text": "description", "bad_event_types": "groups", "too_many_webhooks": "url"}
    layout = [
        ("", ["url", "description", "groups"], "", False),
        (
            "Only some events",
            ["types"],
            "Untick “Everything” above first. What is sent has no names and no cards: only what happened, and where.",
            True,
        ),
    ]

    def __init__(self, *args: Any, caller: Caller, webhook: Webhook | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.caller, self.webhook = caller, webhook
        chosen = webhook.types if webhook is not None else ["*"]
        self.fields["url"] = forms.CharField(
            max_length=LONGEST,
            label="Address",
            initial=webhook and webhook.url,
            widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
            help_text="Of a program that takes the events: https, and to be reached from the internet.",
        )
        self.fields["description"] = forms.CharField(
            max_length=200,
            required=False,
            label="What it is",
            initial=webhook and webhook.description,
            help_text="Such as “the club’s web site”.",
        )
        self.fields["groups"] = forms.MultipleChoiceField(
            choices=list(groups().items()),
            required=False,
            widget=forms.CheckboxSelectMultiple,
            label="What it is told",
            initial=[item for item in chosen if item.endswith("*")],
        )
        self.fields["types"] = forms.MultipleChoiceField(
            choices=[(name, f"{name}: {meaning}") for name, meaning in types().items()],
            required=False,
            widget=forms.CheckboxSelectMultiple,
            label="Events",
            initial=[item for item in chosen if not item.endswith("*")],
        )

    @property
    def wanted(self) -> list[str]:
        return [*self.cleaned_data["groups"], *self.cleaned_data["types"]]


class AddWebhookForm(Fields):
    heading, button = "Add a webhook", "Add the webhook"
    intro = (
        "A program of yours or somebody else’s is told over the internet what happens in the club, as soon as it does. "
        "On the next page you get the secret by which it knows that it is us."
    )

    def __init__(self, *args: Any, clubs: QuerySet[Club], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["club"] = forms.ModelChoiceField(clubs, label="Club", empty_label=None)
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
        return "The webhook is added."


class ChangeForm(Fields):
    heading, button = "Change the webhook", "Save"

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
        return "The webhook is saved."


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
    heading = "Send a test"
    button = "Send it"
    intro = "An event of the type webhook.test, which says that nothing happened. Its row below says how it went."

    def run(self) -> str:
        webhooks.send_test(**self.about, now=now())
        return "A test is on its way: look at its row in a moment."


class RotateForm(ActForm):
    heading = "New secret"
    button = "Make a new secret"
    intro = (
        "The new secret is shown once, on the next page. For a day what is sent is signed with both, the new one and "
        "the one before: enough time to give the program the new one."
    )

    def run(self) -> str:
        self.secret = webhooks.rotate_secret(**self.about, now=now())["secret"]
        return "The secret is a new one."


class OffForm(ActForm):
    heading = "Switch off"
    button = "Switch it off"
    intro = "Nothing is sent any more, and what happens meanwhile is not told later. What waits is kept for 30 days."

    def run(self) -> str:
        webhooks.change_webhook(**self.about, active=False, now=now())
        return "The webhook is switched off."


class OnForm(ActForm):
    heading = "Switch on"
    button = "Switch it on"
    intro = "It is told what happens from now on. What was waiting is sent at once."

    def run(self) -> str:
        webhooks.change_webhook(**self.about, active=True, now=now())
        return "The webhook is switched on."


class DeleteForm(ActForm):
    heading = "Delete"
    button, dangerous = "Delete the webhook", True
    intro = "Nothing more is sent, and the list of what was is deleted too. That cannot be undone."

    def run(self) -> str:
        webhooks.delete_webhook(**self.about)
        return "The webhook is deleted."


class ReplayForm(ActForm):
    heading = "Send again"
    button = "Send it again"

    @property
    def notice(self) -> str:
        assert self.delivery is not None
        return (
            f"{self.delivery.type} of {self.delivery.created_at:%d %B %Y, %H:%M} (UTC) is sent once more. The program "
            f"knows by its id whether it has seen it already."
        )

    def run(self) -> str:
        assert self.delivery is not None
        webhooks.replay(caller=self.caller, delivery=self.delivery.public_id, now=now())
        return f"{self.delivery.type} is on its way again."


FORMS: dict[str, type[ChangeForm] | type[ActForm]] = {
    "change": ChangeForm,
    "test": TestForm,
    "rotate": RotateForm,
    "off": OffForm,
    "on": OnForm,
    "delete": DeleteForm,
    "replay": ReplayForm,
}
