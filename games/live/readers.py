"""The few threads that read for all streams of a process, each with a database connection of its own.

Nobody who waits holds a connection: what is kept open is these."""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from django.db import Error, InterfaceError, OperationalError, close_old_connections, connection

T = TypeVar("T")


class Readers:
    """A pool of threads that ask the database."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="reader")

    async def ask(self, question: Callable[[], T]) -> T:
        """What `question` returns; raises what it raises. A connection that broke is opened anew the next time."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, _asked, question)

    async def close(self) -> None:
        """Close all connections, once what is being read is read."""
        await asyncio.get_running_loop().run_in_executor(None, close_connections, self._pool)


KEPT = 30.0
"""Seconds for which a connection is taken to be good without being asked."""
_used = threading.local()


def _asked(question: Callable[[], T]) -> T:
    if time.monotonic() - getattr(_used, "at", 0) > KEPT:
        close_old_connections()
    try:
        answer = question()
    except (InterfaceError, OperationalError):
        connection.close()  # it broke: once more, with a new one
        answer = question()
    except Error:
        connection.close()
        raise
    _used.at = time.monotonic()
    return answer


def close_connections(pool: ThreadPoolExecutor, *, patience: float = 2) -> None:
    """End a pool's threads, each of which closes its own connection first. A thread that is busy for longer than
    `patience` (seconds) keeps its own until the process ends."""
    threads = len(pool._threads)
    if threads:
        together = threading.Barrier(threads)  # so that each thread takes one of the calls

        def last() -> None:
            connection.close()
            with suppress(threading.BrokenBarrierError):
                together.wait(patience)

        for _ in range(threads):
            pool.submit(last)
    pool.shutdown(wait=False)
