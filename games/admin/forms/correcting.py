"""Forms that correct what is past: each shows what would change before it does it, and what did afterwards."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import hooks, people, previewing
from games.admin import words
from games.admin.forms.base import DeskForm
from games.admin.pages import Shown
from games.previewing import Changes
from games.projection import Row
from games.services.writing import Receipt
from games.wording import Text, said

HEADERS: tuple[Text, ...] = (
    gettext_lazy("Seat"),
    gettext_lazy("Players"),
    gettext_lazy("Total"),
    gettext_lazy("Place"),
    gettext_lazy("Deals counted"),
)


class CorrectingForm(DeskForm):
    """A form with one service call on the session (`operate`), and the words for what it has done (`said`)."""

    previews = True
    made: Receipt | None = None

    def operate(self) -> Receipt:
        raise NotImplementedError

    def said(self) -> str:
        raise NotImplementedError

    def run(self) -> str:
        self.made = self.operate()
        return self.said()

    def preview(self) -> Sequence[Shown]:
        return shown(previewing.preview(self.desk.caller, self.desk.session.public_id, self.operate))

    def seen(self) -> str:
        """What a table is made of: the session's own events, and how many deals are finished."""
        own = self.desk.state.events
        finished = self.desk.session.deals.filter(finished=True).count()
        return f"event {own[-1].seq if own else 0}, {finished} deals"

    def outcome(self) -> Sequence[str]:
        if self.made is None or self.made.since is None:
            return ()
        done = previewing.changes(self.desk.session, since=self.made.since, until=self.made.seq)
        return [sentence for part in shown(done) for sentence in (*part.sentences, *map(_sentence, part.rows))]


def shown(changes: Changes) -> list[Shown]:
    """What a write changes, for people: the session's table, then whatever counts on it. Empty: it stores nothing."""
    if changes.since == changes.until:
        return []
    rows = [row for change in changes.table for row in (change.before, change.after) if row]
    names = people.names_of(share["player"] for row in rows for share in row["players"])
    lines = [
        [
            str(change.seat + 1),
            _both(_players(change.before, names), _players(change.after, names)),
            *(_both(_value(change.before, key), _value(change.after, key)) for key in ("total", "place", "deals")),
        ]
        for change in changes.table
    ]
    table = Shown(_("The table of this session"), () if lines else (_("Nothing changes in it."),), HEADERS, lines)
    beyond = [
        Shown(said(heading), [said(sentence) for sentence in sentences] or (_("Nothing changes."),))
        for heading, sentences in hooks.words(changes.beyond)
    ]
    return [table, *beyond]


def _players(row: Row | None, names: dict[int, str]) -> str:
    if row is None:
        return ""
    several = len(row["players"]) > 1
    return ", ".join(
        f"{names[share['player']]} {words.points(share['points'])}" if several else names[share["player"]]
        for share in row["players"]
    )


def _value(row: Row | None, key: str) -> str:
    return "" if row is None else words.points(row[key])


def _both(before: str, after: str) -> str:
    return after if before == after else f"{before or '–'} → {after or '–'}"


def _sentence(row: Sequence[str]) -> str:
    seat, players, total, place, deals = row
    text = _("Seat {seat} ({players}): total {total}, place {place}, deals counted {deals}.")
    return text.format(seat=seat, players=players, total=total, place=place, deals=deals)
