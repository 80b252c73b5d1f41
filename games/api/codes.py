"""The catalogue of error codes: what each means, the status it comes with, and what an answer with it looks like.

From it are made the error answers of the schema and the list in docs/errors.md. Codes never change their meaning. Each
package writes its own sections: `games/api/refusals.py`, `competitions/api/refusals.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any


@dataclass(frozen=True, slots=True)
class Code:
    """One code. `statuses`: the usual one first; `detail` and `members` are those of an example."""

    name: str
    statuses: tuple[int, ...]
    meaning: str
    detail: str
    members: Mapping[str, Any]

    def example(self, status: int) -> dict[str, Any]:
        """The body of an answer with this code."""
        return {
            "type": "about:blank",
            "title": HTTPStatus(status).phrase,
            "status": status,
            "code": self.name,
            "detail": self.detail,
            **self.members,
        }


@dataclass(frozen=True, slots=True)
class Section:
    """Codes that belong together. `inner` ones stand in `errors` of an answer, never as the code of one."""

    title: str
    codes: tuple[Code, ...]
    inner: bool = False


SECTIONS: list[Section] = []
CATALOGUE: dict[str, Code] = {}
"""Every code that an answer can have, by name."""


def code(name: str, status: int | tuple[int, ...], meaning: str, detail: str = "", **members: Any) -> Code:
    """A code; `detail` and `members` as an answer shows them, such as `current_seq=63`."""
    return Code(name, status if isinstance(status, tuple) else (status,), meaning, detail, members)


def section(title: str, *codes: Code, inner: bool = False) -> None:
    """Put codes into the catalogue. Each stands there once."""
    for item in codes:
        if item.name in CATALOGUE or any(item.name == there.name for part in SECTIONS for there in part.codes):
            raise ValueError(f"The code {item.name} is in the catalogue already.")
    SECTIONS.append(Section(title, codes, inner))
    if not inner:
        CATALOGUE.update({item.name: item for item in codes})


def named(text: str) -> tuple[Code, int]:
    """The code and status that an operation names: `stale`, or `already_seated/422` for another than the usual status.

    Raises ValueError for what the catalogue does not have."""
    name, _, status = text.partition("/")
    found = CATALOGUE.get(name)
    if found is None:
        raise ValueError(f"There is no code {name!r}: put it into the catalogue (games/api/refusals.py) first.")
    wanted = int(status) if status else found.statuses[0]
    if wanted not in found.statuses:
        raise ValueError(f"The code {name!r} does not come with status {wanted}.")
    return found, wanted
