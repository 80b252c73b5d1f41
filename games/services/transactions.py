"""The transaction of a write, and rehearsals: the same write, taken back."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import transaction

_rehearsing: ContextVar[bool] = ContextVar("rehearsing", default=False)


def durable() -> AbstractContextManager[Any]:
    """The one transaction of a service: committed when it is left, and never part of another, but in a rehearsal."""
    return transaction.atomic(durable=not _rehearsing.get())


@contextmanager
def rehearsal() -> Iterator[None]:
    """Whatever services write inside is taken back at the end, with what they left to do after the commit.

    A preview is the real write in here, between two looks: it cannot differ from the real thing. Locks are held
    meanwhile, so a rehearsal is short.
    """
    token = _rehearsing.set(True)
    try:
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
    finally:
        _rehearsing.reset(token)
