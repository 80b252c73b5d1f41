"""Publication: draws and standings as numbered snapshots that never change, and taking them back."""

from datetime import datetime
from typing import Any

from competitions import folding
from competitions.draw_json import content_of
from competitions.eventlog import CONTENT
from competitions.facts import Kind
from competitions.results import standing_of
from competitions.services.checking import why
from competitions.services.writing import Draft, Receipt, write
from competitions.standing_json import standings_json
from games.access import Caller
from games.errors import Invalid, NotFound, Refusal
from games.services.keys import Key
from scoring.wording import say

WHAT = ("draw", "standings")


def publish(
    *,
    caller: Caller,
    competition: str,
    what: str,
    number: int | None = None,
    not_before: datetime | None = None,
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """Publish the draw of round `number`, or the standings after it (None: as they are, all closed rounds).

    The snapshot gets the next number and keeps what it says, whatever is corrected later. Until `not_before` scorers
    and organisers see it alone. Raises `not_drawn`, `nothing_closed`, `round_not_closed`, `bad_time`."""

    def decide(draft: Draft) -> None:
        if what == "draw":
            if number is None:
                raise Invalid("bad_number", say("Say which round's draw."))
            publish_draw(draft, number, not_before)
        elif what == "standings":
            _publish_standings(draft, number, not_before)
        else:
            raise Invalid("bad_publication", say("What can be published: {what}.", what=", ".join(WHAT)))

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        tell="nothing",
        expected_version=expected_version,
    )


def unpublish(
    *,
    caller: Caller,
    competition: str,
    number: int,
    reason: str,
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """Take publication `number` back: nobody but scorers and organisers sees it any more. Its number is never used
    again. Raises NotFound, `already_unpublished`, `round_open` for the draw of a round being played."""

    def decide(draft: Draft) -> None:
        state = draft.state
        found = state.publications.get(number)
        if found is None:
            raise NotFound("publication")
        if found.unpublished_by is not None:
            raise Refusal("already_unpublished", say("Publication {number} is taken back already.", number=number))
        if found.what == "draw" and found.round is not None:
            at = state.round(found.round)
            if at.opened_seq is not None and at.opened_draw == found.draw:
                raise Refusal(
                    "round_open",
                    say("The tables of {round} are open by this draw. Undo the opening first.", round=at.name),
                )
        draft.add(Kind.UNPUBLISHED, round=found.round, data={"number": number}, reason=why(Kind.UNPUBLISHED, reason))

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        expected_version=expected_version,
        tell="nothing",
    )


def publish_draw(draft: Draft, number: int, not_before: datetime | None) -> None:
    """Add the publication of a round's draw to the draft."""
    state = draft.state
    at = state.check_round(number)
    if at.plan is None:
        raise Refusal("not_drawn", say("{round} is not drawn yet.", round=at.name))
    _publish(draft, "draw", number, not_before, content_of(state, number), {"draw": at.drawn_seq})


def _publish_standings(draft: Draft, number: int | None, not_before: datetime | None) -> None:
    state = draft.state
    if not state.closed_rounds:
        raise Refusal("nothing_closed", say("No round is closed yet: there are no standings to publish."))
    last = state.closed_rounds[-1] if number is None else number
    at = state.check_round(last)
    if at.closed_by is None:
        raise Refusal("round_not_closed", say("{round} is not closed yet.", round=at.name))
    upto = None if last == state.closed_rounds[-1] and last == max(state.rounds) else last
    table = standing_of(state, draft.scores, upto=upto)
    _publish(draft, "standings", last, not_before, {"standings": standings_json(folding.without_reasons(table))}, {})


def _publish(
    draft: Draft,
    what: str,
    number: int,
    not_before: datetime | None,
    content: dict[str, Any],
    more: dict[str, Any],
) -> None:
    if not_before is not None and not_before.tzinfo is None:
        raise Invalid("bad_time", say("not_before needs a time zone, as in 2026-11-29T19:00:00+01:00."))
    serial = max(draft.state.publications, default=0) + 1
    data = {
        "number": serial,
        "what": what,
        "not_before": None if not_before is None else not_before.isoformat(),
        **more,
        CONTENT: content,
    }
    draft.add(Kind.PUBLISHED, round=number, data=data)
