"""Files come apart into numbered lines, one in memory at a time (docs/record-format.md)."""

import io
import tracemalloc

import pytest

from games.engine.record import MAX_LINE, numbered_lines

MARK = b"\xef\xbb\xbf"


def lines(content: bytes) -> list[bytes]:
    numbered = list(numbered_lines(io.BytesIO(content)))
    assert [number for number, _ in numbered] == list(range(1, len(numbered) + 1))
    return [line for _, line in numbered]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", []),
        (MARK, []),
        (b"a\nb\n", [b"a", b"b"]),
        (b"a\nb", [b"a", b"b"]),
        (b"a\r\nb\r\n", [b"a", b"b"]),
        (b"a\r\r\nb\r", [b"a\r", b"b"]),
        (b"a\n\nb\n\n", [b"a", b"", b"b", b""]),
        (b"\n", [b""]),
        (b"\r\n", [b""]),
        (b" \n", [b" "]),
        (MARK + b"a\n" + MARK + b"b\n", [b"a", MARK + b"b"]),
        (MARK + MARK + b"a", [MARK + b"a"]),
        (MARK + b"\n", [b""]),
        (b"a\x0b\x0c\x1c\xc2\x85\xe2\x80\xa8b\rc\n", [b"a\x0b\x0c\x1c\xc2\x85\xe2\x80\xa8b\rc"]),
    ],
)
def test_lines_end_at_newlines_only(content: bytes, expected: list[bytes]) -> None:
    assert lines(content) == expected


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_a_line_as_long_as_allowed_comes_whole_and_a_longer_one_too_long(end: bytes) -> None:
    for length in (MAX_LINE - 1, MAX_LINE, MAX_LINE + 1, MAX_LINE + 2, 3 * MAX_LINE, 3 * MAX_LINE + 2):
        first, *rest = lines(b"x" * length + end + b"\nnext\n")
        assert (first == b"x" * length) if length <= MAX_LINE else (len(first) > MAX_LINE)
        assert rest[-1] == b"next"
        assert len(rest) == (1 if not end else 2)


class Endless:
    """A line of a hundred megabytes."""

    def __init__(self) -> None:
        self.left = 100 * 1024 * 1024

    def readline(self, limit: int) -> bytes:
        size = min(limit, self.left)
        self.left -= size
        return b"x" * size


def test_a_line_of_any_length_takes_no_more_memory_than_a_long_one() -> None:
    tracemalloc.start()
    try:
        assert [len(line) > MAX_LINE for _, line in numbered_lines(Endless())] == [True]
        assert tracemalloc.get_traced_memory()[1] < 8 * MAX_LINE
    finally:
        tracemalloc.stop()
