"""Sentences with all that was said left out, by which texts are found that were never said, or glued together."""

import re
import string
from typing import Any

from scoring.wording import in_language


def _places(template: str) -> str:
    """The template with its places for values alone."""
    return "|".join(f"{{{name}}}" for _, name, _, _ in string.Formatter().parse(template) if name)


def left_over(text: Any) -> list[str]:
    """The words of a text that are in none of its templates: names, and whatever no catalogue could translate."""
    bare = in_language(text, _places, lambda one, many, n: _places(one if n == 1 else many))
    return re.findall(r"[^\W\d_]+", bare)
