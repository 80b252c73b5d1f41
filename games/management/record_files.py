"""What `replay` and `score` share: files of recorded deals in, JSON lines out (docs/record-format.md)."""

import errno
import io
import os
import stat
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

import orjson
from django.core.management.base import CommandError, OutputWrapper

from games.engine.record import RecordError, numbered_lines
from scoring.result import Points
from scoring.schemes import BadScheme, Scheme, scheme_from_text

STANDARD_INPUT = "-"
UNUSABLE = 2
"""Exit status for arguments that cannot be used; 1 is for records that are not all right."""


class RecordFiles:
    """The files named on the command line, read one line at a time.

    Raises CommandError (exit status 2) at once when one of them cannot be read.
    """

    def __init__(self, names: list[str]) -> None:
        self.names = names
        for name in names:
            _check_readable(name)

    def lines(self) -> Iterator[tuple[dict[str, object], bytes]]:
        """Each line with where it stands: `line` from 1 in its file, preceded by `file` when there are several."""
        for name in self.names:
            several: dict[str, object] = {"file": _shown(name)} if len(self.names) > 1 else {}
            with _opened(name) as stream:
                for number, line in numbered_lines(stream):
                    yield {**several, "line": number}, line


def add_files(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file of recorded deals; - is standard input")


def scheme_asked(text: str) -> Scheme:
    """The scheme of an argument. Raises CommandError (exit status 2)."""
    try:
        return scheme_from_text(text)
    except BadScheme as error:
        raise CommandError(str(error), returncode=UNUSABLE) from None


def fault(where: dict[str, object], error: RecordError) -> dict[str, object]:
    """The output for a bad line."""
    at = {} if error.action is None else {"action": error.action}
    return {**where, "ok": False, "code": error.code, **at, "message": error.message}


def json_line(value: dict[str, object]) -> str:
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE).decode()


def points_json(points: Iterable[Points]) -> list[int | float]:
    """Points as JSON numbers: exact where they are whole, else rounded half even to two places."""
    return [float(round(value, 2)) if isinstance(value, Fraction) and value % 1 else int(value) for value in points]


@contextmanager
def output(wrapper: OutputWrapper) -> Iterator[OutputWrapper]:
    """Standard output in UTF-8 whatever the locale says. When the reader has gone (`| head`), the command just ends."""
    stream = getattr(wrapper, "_out", None)
    if isinstance(stream, io.TextIOWrapper) and stream is sys.stdout:
        stream.reconfigure(encoding="utf-8")
    try:
        yield wrapper
        wrapper.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the flush at exit fails again
        sys.exit(1)


def _check_readable(name: str) -> None:
    if name == STANDARD_INPUT:
        return
    try:
        if stat.S_ISDIR(os.stat(name).st_mode):  # noqa: PTH116
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not os.access(name, os.R_OK):  # a pipe must not be opened twice, so nothing is opened to find out
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise CommandError(f"The file {_shown(name)} cannot be read: {reason}.", returncode=UNUSABLE) from None


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    if name == STANDARD_INPUT:
        return nullcontext(sys.stdin.buffer)
    return Path(name).open("rb")


def _shown(name: str) -> str:
    """The name as text, also where the system's name is no text."""
    return os.fsencode(name).decode(errors="replace")
