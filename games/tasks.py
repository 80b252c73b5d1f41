"""What Celery runs: playing on where the server is to move, the sweep that finds what was lost, webhooks, and deleting
what is kept for a time only.

All may run late, twice or at once: they act through the same services as everyone, and leave alone what has moved on.
"""

import logging
import secrets
import time
from datetime import timedelta

from celery import current_app, shared_task
from django.utils import timezone

from games import bots, notify, selectors
from games.access import Caller, bot_account, system_caller
from games.engine.errors import EngineError
from games.engine.session import SessionError
from games.errors import Refusal
from games.services import dealing, delivering, expiry, import_jobs, import_slices, play, telling

log = logging.getLogger(__name__)

GRACE = timedelta(seconds=1)
"""What has been due for less than this is left to its own nudge."""

MOST_STEPS = 60
MOST_SECONDS = 15
"""How long one task deletes; what is left then is found by the next."""


@shared_task(name=notify.ADVANCE)
def advance(session_id: int) -> int:
    """Play all consecutive turns that are the server's, and deal the next deal where that is due. Returns how many
    steps were taken; 0 when somebody else was faster. A table of bots alone makes way for others after a deal or so."""
    for steps in range(MOST_STEPS):
        if not _step(session_id):
            return steps
    notify.nudge(session_id)
    return MOST_STEPS


@shared_task(name="games.sweep")
def sweep() -> int:
    """Nudge every session where something is overdue: a lost task, a clock that ran out, a deal to be dealt."""
    due = selectors.due_sessions(timezone.now() - GRACE)
    return sum(notify.nudge(session_id) for session_id in due)


@shared_task(name=notify.IMPORT)
def import_slice(job_id: int) -> bool:
    """Go on with an import for a moment, then make way for others. Returns whether there is more to do."""
    more = import_slices.go_on(job_id)
    if more:
        notify.nudge_import(job_id)
    return more


@shared_task(name="games.imports")
def imports() -> int:
    """Nudge every import that nobody works on: a lost task, a worker that was killed, one that waited its turn."""
    return sum(notify.nudge_import(job_id) for job_id in import_slices.under_way())


@shared_task(name="games.expire")
def expire() -> int:
    """Delete what is kept for a time only, in batches. Returns how many rows went."""
    deadline, gone = time.monotonic() + MOST_SECONDS, 0
    while found := (
        expiry.drop_keys(now=timezone.now())
        or expiry.drop_deliveries(now=timezone.now())
        or import_jobs.forget(now=timezone.now())
    ):
        gone += found
        if time.monotonic() > deadline:
            break
    return gone


@shared_task(name="games.webhooks.sweep")
def sweep_webhooks() -> int:
    """Look what happened since the last look, and send somebody to each webhook that something is due for. Returns to
    how many."""
    deadline = time.monotonic() + MOST_SECONDS
    while telling.tell(now=timezone.now()) and time.monotonic() < deadline:
        pass
    due = delivering.due_webhooks(timezone.now())
    for webhook_id in due:
        current_app.send_task(deliver_webhook.name, args=[webhook_id], expires=4)
    return len(due)


@shared_task(name="games.webhooks.deliver")
def deliver_webhook(webhook_id: int) -> int:
    """Send what is due to one webhook, if nobody else does. Returns how many calls were made."""
    return delivering.deliver(webhook_id, until=timezone.now() + timedelta(seconds=MOST_SECONDS))


def _step(session_id: int) -> bool:
    now = timezone.now()
    rng = secrets.SystemRandom()
    try:
        if (turn := selectors.due_turn(session_id, now)) is not None:
            action = bots.available()[turn.strategy].choose(turn.view, rng)
            account = turn.account or bot_account(turn.strategy).pk
            play.act(
                caller=Caller(account, system=True),
                session=turn.session,
                action=action,
                expected_seq=turn.seq,
                now=now,
                stand_in=turn.account is None,
            )
            return True
        if (due := selectors.due_deal(session_id, now)) is not None:
            session, number = due
            dealing.deal(caller=system_caller(), session=session, number=number, rng=rng, now=now, door="sweep")
            return True
    except (Refusal, SessionError):
        return False  # somebody moved first, or the session cannot be dealt on as it is
    except EngineError:
        log.exception("A bot's action was refused in session %s", session_id)
        return False
    return False
