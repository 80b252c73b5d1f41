"""What several tables share: random public ids and the check of free text."""

import secrets
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_JOINERS = "\u200c\u200d"
"""Invisible, but part of how some scripts are written."""


def public_id() -> str:
    """Twelve characters that are easy to read out (59 bits); ids in addresses are never counted up."""
    return "".join(secrets.choice(ALPHABET) for _ in range(12))


def check_text(text: str) -> None:
    """Free text in any script is welcome; control, bidirectional, invisible, unassigned and half characters are not."""
    for char in text:
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp") and char not in _JOINERS:
            message = _("The character U+{number} is not allowed here.").format(number=f"{ord(char):04X}")
            raise ValidationError(message, code="bad_text")
    if text != text.strip():
        raise ValidationError(_("Leave out spaces at the beginning and the end."), code="bad_text")


def name_key(name: str) -> str:
    """The form in which two spellings of one name are equal: NFC, case folded, single spaces."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold()).split())


LONGEST_KEY = 400
"""Characters of a search key: one letter may come apart into many."""

# Letters that are no base letter with an accent, but are looked for without theirs.
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"})


def search_key(text: str) -> str:
    """What a name is found by: at most LONGEST_KEY characters of its `bare` form."""
    return bare(text)[:LONGEST_KEY]


def bare(text: str) -> str:
    """A text as it is searched: like `name_key`, and without accents, so that "Je" finds "Jérôme"."""
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    letters = "".join(char for char in parts if unicodedata.category(char) != "Mn")
    return " ".join(letters.translate(_PLAIN).split())
