"""Splitting a file into lines, one in memory at a time."""

from collections.abc import Iterator
from typing import Protocol

MAX_LINE = 1024 * 1024
"""Bytes of the longest line that is read; a deal takes about 700."""

_MARK = b"\xef\xbb\xbf"


class Readable(Protocol):
    """A binary file, as far as it is needed here."""

    def readline(self, limit: int, /) -> bytes: ...


def numbered_lines(stream: Readable, *, after: int = 0) -> Iterator[tuple[int, bytes]]:
    """Each line of the binary stream with its number, from 1, without its `\\n` or `\\r\\n`. `after`: so many lines
    of the file came before.

    A mark (BOM) at the start of the file is dropped. A line longer than MAX_LINE comes shortened to just above it, so
    that `parse` refuses it, whatever its length.
    """
    number = after
    readline = stream.readline
    while chunk := readline(MAX_LINE + 2):
        number += 1
        if number == 1 and chunk.startswith(_MARK):
            chunk = chunk.removeprefix(_MARK)
            if not chunk:
                return
        if chunk.endswith(b"\n"):
            chunk = chunk[:-2] if chunk.endswith(b"\r\n") else chunk[:-1]
        elif len(chunk) > MAX_LINE:
            _skip_rest(stream, chunk)
            chunk = chunk[: MAX_LINE + 1]
        elif chunk.endswith(b"\r"):
            chunk = chunk[:-1]
        yield number, chunk


def _skip_rest(stream: Readable, chunk: bytes) -> None:
    while chunk and not chunk.endswith(b"\n"):
        chunk = stream.readline(MAX_LINE)
