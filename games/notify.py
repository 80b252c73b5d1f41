"""What happens after a commit: a nudge to the workers, a word to open streams. Both may be lost, late or doubled; what
is due stands in rows, and the sweep finds it."""

import logging
import time
from functools import partial

from celery import current_app
from django.db import transaction
from django.utils import timezone

from games.access import Caller
from games.lossy import publish
from games.models import Session

log = logging.getLogger(__name__)

ADVANCE = "games.advance"
IMPORT = "games.import_slice"
PAUSE = 2.0
"""Seconds without another try after the broker could not be reached: people play on at full speed meanwhile."""

TOKENS = "fantan:tokens"
"""The channel on which open streams hear that their token's rights have changed."""

CHANGES = "fantan:changes"
"""The channel on which streams hear that a session or a competition has moved on."""

_quiet_until = 0.0


def after_commit(session: Session, caller: Caller) -> None:
    """Once this transaction is committed, tell those who watch the session, and nudge a worker if something of it is
    due at once. The worker's own steps need no nudge: it goes on until nothing is due."""
    changed("session", session.public_id, session.seq)
    if not caller.system and session.due_at is not None and session.due_at <= timezone.now():
        transaction.on_commit(partial(nudge, session.pk), robust=True)


def nudge(session_id: int) -> bool:
    """Ask a worker to play on. Returns whether the broker took it; never raises, never waits over a second or two."""
    return _send(ADVANCE, session_id)


def nudge_import(job_id: int) -> bool:
    """Ask a worker to go on with an import; as above."""
    return _send(IMPORT, job_id)


def _send(task: str, about: int) -> bool:
    global _quiet_until
    if time.monotonic() < _quiet_until:
        return False
    try:
        current_app.send_task(task, args=[about], expires=10, retry=False)
    except Exception as error:  # whatever the broker's client raises, people play on
        _quiet_until = time.monotonic() + PAUSE
        log.warning("The broker did not take a nudge, %s of %s: %s", task, about, error)
        return False
    return True


def changed(kind: str, public_id: str, seq: int) -> None:
    """Tell streams, once this transaction is committed, how far the log of a session or a competition goes now.

    A hint: lost where Redis does not answer, and then found by looking (games/live/hub.py)."""
    text = f"{kind} {public_id} {seq}"
    transaction.on_commit(partial(publish, CHANGES, text), robust=True)


def token_revoked(token_id: int) -> None:
    """Tell open streams, once this transaction is committed, that a token is revoked or ends earlier."""
    transaction.on_commit(partial(publish, TOKENS, str(token_id)), robust=True)
