"""Running the commands as a shell does, but in this process."""

import io
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

Run = Callable[..., tuple[int, list[dict[str, Any]]]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run(command, *arguments, stdin=b"")` gives the exit status and the lines written, each as JSON."""

    def run(command: str, *arguments: object, stdin: bytes = b"") -> tuple[int, list[dict[str, Any]]]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        written = io.StringIO()
        status = 0
        try:
            call_command(command, *map(str, arguments), stdout=written)
        except SystemExit as error:
            assert isinstance(error.code, int)
            status = error.code
        return status, [json.loads(line) for line in written.getvalue().splitlines()]

    return run
