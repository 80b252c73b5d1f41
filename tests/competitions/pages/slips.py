"""Phones at a table, for tests: each is a browser of its own that has opened the code of the table's score slip."""

import re
import secrets
from typing import Any

from django.test import Client
from django.urls import reverse

from competitions.slips import code_of
from games.models import Deal, Session


def text_of(answer) -> str:
    words = re.sub(r"</?(?:b|strong)>", "", answer.content.decode())
    return " ".join(re.sub(r"<script.*?</script>|<[^>]*>", " ", words, flags=re.DOTALL).split())


class Phone:
    """Somebody's phone, or a scorer's with a `client` that is logged in. `answer`: the last page."""

    def __init__(self, session: Session, seat: int | None = None, client: Client | None = None) -> None:
        self.session, self.client = session, client or Client()
        self.address = reverse("slip", args=[code_of(session.public_id)])
        if seat is not None:
            self.sit(seat)

    def look(self) -> str:
        self.answer = self.client.get(self.address)
        return text_of(self.answer)

    def send(self, **fields: Any) -> int:
        """Send a form and follow where it leads; returns the status of what comes."""
        self.answer = self.client.post(self.address, fields, follow=True)
        return self.answer.status_code

    def sit(self, seat: int | str) -> int:
        return self.send(do="sit", seat=seat)

    def enter(self, number: int, left: list[int], dealer: int = 0, **more: Any) -> int:
        cells = {f"left_{seat}": count for seat, count in enumerate(left)}
        return self.send(
            **{"do": "enter", "number": number, "dealer": dealer, "seen": 0, "key": a_key(), **cells, **more}
        )

    def confirm(self, number: int, take: int = 1) -> int:
        return self.send(do="confirm", number=number, take=take, key=a_key())

    @property
    def said(self) -> str:
        return text_of(self.answer)

    def on_record(self, number: int = 1) -> Deal:
        return Deal.objects.get(session=self.session, number=number, current=True)


def a_key() -> str:
    return secrets.token_hex(16)
