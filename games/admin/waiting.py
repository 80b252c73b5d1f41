"""Deals that wait for a second person: who entered what, the versions side by side."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.admin import words
from games.admin.desk import Desk
from games.engine.session_events import DealFact
from games.models import Deal, Role, User


@dataclass(frozen=True, slots=True)
class Version:
    """One take of a deal as it was entered. `standing`: it is the one that would count."""

    take: int
    who: str
    standing: bool
    row: Deal


@dataclass(frozen=True, slots=True)
class VersionLine:
    """What the versions say of one thing, such as a player's cards left."""

    name: str
    cells: list[str]

    @property
    def differs(self) -> bool:
        return len(set(self.cells)) > 1


@dataclass(frozen=True, slots=True)
class Waiting:
    """A deal that counts once a second person has confirmed it; versions in order, the last one stands."""

    number: int
    take: int
    versions: list[Version]
    lines: list[VersionLine]
    may_confirm: bool
    why_not: str


def for_a_second(desk: Desk) -> list[DealFact]:
    """The deals that the caller may be the second person for, as far as the session's own events tell."""
    state = desk.state
    return [
        deal
        for deal in state.current
        if state.unconfirmed(deal) and deal.entered_by != desk.caller.user and deal.ordinal != desk.session.live_deal
    ]


def waiting(desk: Desk) -> list[Waiting]:
    """The deals of a session that wait, by number; no statement where it has no two-person check, else two."""
    session, state = desk.session, desk.state
    if not session.confirm:
        return []
    awaited = Deal.objects.filter(session=session, awaits=True).values("number")
    takes = [
        row
        for row in Deal.objects.filter(session=session, number__in=awaited, finished=True, voided_by=None)
        if not state.deals[row.ordinal].undone
    ]
    entered_by = {row.ordinal: state.deals[row.ordinal].entered_by for row in takes}
    may_confirm = desk.may(Role.SCORER if desk.open else Role.ORGANISER)
    names = dict(User.objects.filter(pk__in=set(entered_by.values())).values_list("pk", "username"))
    found = []
    for last in (row for row in takes if row.awaits):
        rows = [row for row in takes if row.number == last.number]
        sitting = desk.names_in(last.number)
        versions = [
            Version(row.take, words.account(names.get(entered_by[row.ordinal] or 0, ""), sitting), row.awaits, row)
            for row in sorted(rows, key=lambda row: row.take)
        ]
        own = entered_by[last.ordinal] == desk.caller.user
        found.append(
            Waiting(
                number=last.number,
                take=last.take,
                versions=versions,
                lines=_lines(desk, last.number, versions),
                may_confirm=may_confirm and not own,
                why_not=_("You entered it: another scorer or organiser confirms it.") if own else "",
            )
        )
    return sorted(found, key=lambda item: item.number)


def _lines(desk: Desk, number: int, versions: list[Version]) -> list[VersionLine]:
    names = desk.names_in(number)
    results = [version.row.result or {} for version in versions]
    lines = [VersionLine(name, [_slip(result, seat) for result in results]) for seat, name in enumerate(names)]
    lines.append(VersionLine(_("Dealer"), [names[version.row.dealer] for version in versions]))
    if any(result["withheld"] for result in results):
        lines.append(VersionLine(_("Withheld sevens"), [_withheld(result, names) for result in results]))
    return lines


def _slip(result: dict[str, Any], seat: int) -> str:
    """What a version says of a seat: cards left, and passes where they were given."""
    left, forced, wrongful = (result[name] for name in ("cards_left", "forced_passes", "wrongful_passes"))
    parts = [ngettext("{n} left", "{n} left", left[seat]).format(n=left[seat])]
    if forced is not None:
        parts.append(ngettext("{n} pass", "{n} passes", forced[seat]).format(n=forced[seat]))
    if wrongful is not None:
        parts.append(ngettext("{n} wrong pass", "{n} wrong passes", wrongful[seat]).format(n=wrongful[seat]))
    return ", ".join(parts)


def _withheld(result: dict[str, Any], names: list[str]) -> str:
    pairs = result["withheld"]
    if pairs is None:
        return _("not said")
    said = [_("{payer} pays {payee}").format(payer=names[payer], payee=names[payee]) for payer, payee in pairs]
    return "; ".join(said) or _("none")
