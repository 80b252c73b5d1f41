"""What views of competitions have in common: a competition that the caller may see, and changes with their preview."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from competitions import receipts, selectors, showing
from competitions.api.versions import own_of_log
from competitions.models import Competition
from competitions.services.writing import Receipt, rehearse
from games.api import rendering
from games.api.base import DOOR, ApiView, PublicReadView, edited
from games.api.fields import Body, read_body

CHANGING = ("preview", "version")
LARGEST_VERSION = 999_999_999


class ClubsView(ApiView):
    """A view of a competition for those who are logged in."""

    def competition(self, public_id: str) -> Competition:
        """Raises NotFound."""
        return selectors.visible_competition(self.caller, public_id)


class CompetitionView(ClubsView, PublicReadView):
    """One that is read without a token too, where the competition is public."""


class ChangingView(ClubsView):
    """A view with calls that change a competition, each with `?preview=true` and `?version=`; edits with If-Match.

    `body` is the shape of the request."""

    body: ClassVar[type[Body]]

    def change(
        self,
        request: Request,
        competition: str,
        service: Callable[..., Receipt],
        *,
        status: int = 201,
        body: type[Body] | None = None,
        read: Callable[[dict[str, Any]], dict[str, Any]] = dict,
        **about: Any,
    ) -> Response:
        """Call `service` with the request's body (as `read` hands it on) and what it is `about`, and answer with what
        was written; or, for a preview, with what would be."""
        values = read(read_body(request, body or self.body))
        expected = self.query.whole("version", least=0, most=LARGEST_VERSION)
        edits = request.method != "POST"
        if edits:
            about["check"] = self.meant(lambda row: own_of_log(row.public_id, row.seq))
        previewed = "preview" in self.query.values and self.query.flag("preview")
        key = self.key(request.data)

        def call() -> Receipt:
            return service(
                caller=self.caller,
                competition=competition,
                now=timezone.now(),
                door=DOOR,
                key=None if previewed else key,
                expected_version=expected,
                **about,
                **values,
            )

        if previewed:
            seq, answer = self.preview(competition, call)
        else:
            receipt = call()
            seq, answer = receipt.seq, Response(written(receipt), status=status)
        return edited(answer, own_of_log(competition, seq)) if edits else answer

    def preview(self, competition: str, call: Callable[[], Receipt]) -> tuple[int, Response]:
        """What the call would do, and where the log stands without it; nothing is stored."""
        found = rehearse(caller=self.caller, competition=competition, operation=call)
        shown = showing.effects_shown(found.effects)
        answer = Response(
            {
                "preview": True,
                "competition": competition,
                "version": found.version,
                "events": [event_shape(event) for event in found.events],
                "effects": shown.changes,
                "sentences": shown.sentences,
            }
        )
        return found.seq, answer


def written(receipt: Receipt) -> dict[str, Any]:
    """The answer to a write, rebuilt from the log, so that a retry gets the same."""
    answer = receipts.of_write(receipt.competition, receipt.seq)
    return {**answer, "events": [event_shape(event) for event in answer["events"]]}


def event_shape(event: dict[str, Any]) -> dict[str, Any]:
    return {**event, "at": rendering.time(event["at"])}
