"""The code of a score slip: whoever has it may enter the results of that one table (docs/decisions/0016-slips.md).

Twenty characters that are easy to type: the session's public id, and eight that follow from it and the server's key.
There are 31 to the eighth power of those, of which one is right, and guesses have to be asked of us, who answer only so
many; a code is of use while its table is open.
"""

import re

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from games.models.fields import ALPHABET

_SIGNED = 8
_CODE = re.compile(rf"([{ALPHABET}]{{12}})([{ALPHABET}]{{{_SIGNED}}})")


def code_of(session: str) -> str:
    """The code of the table with this session (public id), in groups of four: `49q7-ddzz-uxwq-h2mp-4k7t`."""
    whole = session + _signature(session, settings.SECRET_KEY)
    return "-".join(re.findall("....", whole))


def session_of(code: str) -> str | None:
    """The public id in a code, however its letters and groups are written; None for what is no code of ours."""
    found = _CODE.fullmatch(code.lower().replace("-", ""))
    if found is None:
        return None
    session, signed = found.groups()
    right = [_signature(session, key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    return session if any(constant_time_compare(signed, one) for one in right) else None


def _signature(session: str, key: str) -> str:
    number = int.from_bytes(salted_hmac("competitions.slips", session, secret=key, algorithm="sha256").digest())
    letters = []
    for _ in range(_SIGNED):
        number, place = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[place])
    return "".join(letters)
