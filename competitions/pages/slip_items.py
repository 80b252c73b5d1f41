"""The deals on the page of a score slip, each with what this visitor can do about it."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from competitions.pages.slip_form import DealEntry
from competitions.pages.slip_table import DealShown, Sheet, Version
from competitions.pages.slip_visitor import Visitor


@dataclass(frozen=True, slots=True)
class Item:
    """A deal with what this visitor can do about it: say that it is right, or fill in the form. `yours`: what they have
    entered while somebody else entered something else. `key`: of saying that it is right."""

    deal: DealShown
    may_confirm: bool
    form: DealEntry | None
    open: bool
    yours: Version | None
    key: str


def items_of(sheet: Sheet, visitor: Visitor, refused: DealEntry | None, meanwhile: bool) -> dict[str, Any]:
    items, first = [], True
    for deal in sheet.deals:
        sent = refused if refused is not None and refused.deal.number == deal.number else None
        form = _form(sheet, visitor, deal, sent, meanwhile)
        opened = form is not None and (sent is not None or (deal.state == "missing" and first))
        first = first and deal.state != "missing"
        yours = sent.version if sent is not None and meanwhile else None
        may_confirm = _may_confirm(sheet, visitor, deal)
        items.append(Item(deal, may_confirm, form, opened, yours, secrets.token_urlsafe(16)))
    done = [item for item in items if item.deal.state in ("done", "void") and not item.open]
    return {"deals": [item for item in items if item not in done], "done": done}


def all_entries(sheet: Sheet, data: Mapping[str, str] | None = None) -> list[DealEntry]:
    """A form for each deal that is missing, to be sent together; those that say nothing are not what was sent."""
    found = []
    for deal in sheet.deals:
        if deal.state == "missing":
            form = DealEntry(sheet, deal, data, prefix=f"deal{deal.number}")
            found.append(DealEntry(sheet, deal, prefix=f"deal{deal.number}") if form.blank else form)
    return found


def _form(sheet: Sheet, visitor: Visitor, deal: DealShown, sent: DealEntry | None, meanwhile: bool) -> DealEntry | None:
    """The form of a deal, as it was `sent` and refused, or empty; None for whom it is not."""
    if sent is not None and not meanwhile:
        return sent
    if not sheet.open or not _may_enter(visitor, deal):
        return None
    reason = visitor.scorer and deal.take > 0
    if sent is None:
        return DealEntry(sheet, deal, reason=reason)
    # Sent again, it is an answer to what stands on record now.
    data = {**{name: sent.data[name] for name in sent.data}, "seen": deal.take, "key": secrets.token_urlsafe(16)}
    return DealEntry(sheet, deal, data, reason=reason)


def _may_enter(visitor: Visitor, deal: DealShown) -> bool:
    """As services/slips.py says; the service has the last word."""
    if deal.state == "missing":
        return True
    if deal.version is None or deal.state not in ("waits", "done"):
        return False
    return visitor.scorer or (deal.version.by is not None and not deal.confirmed)


def _may_confirm(sheet: Sheet, visitor: Visitor, deal: DealShown) -> bool:
    if deal.state != "waits" or deal.version is None or not sheet.open:
        return False
    if visitor.scorer:
        return deal.version.account != visitor.caller.user
    return deal.version.by != visitor.seat
