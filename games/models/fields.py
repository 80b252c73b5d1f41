"""What several tables share: random public ids and the check of free text."""

import secrets
import unicodedata

from django.core.exceptions import ValidationError

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_JOINERS = "\u200c\u200d"
"""Invisible, but part of how some scripts are written."""


def public_id() -> str:
    """Twelve characters that are easy to read out (59 bits); ids in addresses are never counted up."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(12))


def check_text(text: str) -> None:
    """Free text in any script is welcome; control, bidirectional, invisible, unassigned and half characters are not."""
    for char in text:
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp") and char not in _JOINERS:
            raise ValidationError(f"The character U+{ord(char):04X} is not allowed here.", code="bad_text")
    if text != text.strip():
        raise ValidationError("Leave out spaces at the beginning and the end.", code="bad_text")


def name_key(name: str) -> str:
    """The form in which two spellings of one name are equal: NFC, case folded, single spaces."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold()).split())
