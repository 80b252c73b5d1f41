"""What was played on a real table: a result from the score slip, or a whole deal card by card (rules.md 4.2, 5.6)."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.admin.desk import Desk
from games.admin.forms.base import reason_field, seat_field
from games.admin.forms.correcting import CorrectingForm
from games.admin.forms.opening import startable
from games.admin.pages import at_action
from games.admin.waiting import for_a_second
from games.engine.actions import parse_action
from games.engine.cards import UnreadableCard, mask_of, parse_card
from games.engine.errors import RecordError
from games.engine.record import Record, parse, replay_record
from games.models import Role
from games.models.fields import name_key
from games.selectors import deal_of
from games.services import recording
from games.services.recording import PaperResult
from games.services.writing import Receipt
from games.wording import said
from scoring.wording import listed, say

PAIRS = range(8)
"""Payments for withheld sevens that fit on the page: four sevens, two neighbours each."""


class PaperForm(CorrectingForm):
    """A deal of a real table: its number, who sat where, and who dealt."""

    number = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    anyway = forms.BooleanField(required=False, label=gettext_lazy("I have checked it: save it as it is"))
    at_field = {"dealer_needed": "dealer", "reason_required": "reason"}

    def set_up(self) -> None:
        state = self.desk.state
        self.number_shown = self.asked_number("number") or state.next_number
        sent = self.data.get("number", "") if self.is_bound else ""
        if sent.isascii() and sent.isdigit() and len(sent) < 10:
            # Deals are counted from 1; the field says so where another number was sent.
            self.number_shown = int(sent) or state.next_number
        self.fact = next((deal for deal in state.current if deal.number == self.number_shown), None)
        self.second = self.fact is not None and self.fact in for_a_second(self.desk)
        dealer = self.fact.dealer if self.fact else state.next_dealer
        self.fields["dealer"] = seat_field(
            self.seat_choices(self.number_shown), label=_("Dealer"), initial=dealer, help_text=self._dealer_help()
        )
        self.again_for_a_reason = self.previews = state.next_take(self.number_shown) > 1
        if self.again_for_a_reason:
            self.fields["reason"] = reason_field(required=False)
        self.initial.setdefault("number", self.number_shown)
        self.names = self.desk.names_in(self.number_shown)
        self.seats = range(len(self.names))
        self.button = _("Save deal {number}").format(number=self.number_shown)

    def _dealer_help(self) -> str:
        if self.fact is not None:
            return _("As it was entered before.")
        return _("The seat after the last dealer; change it if another dealt.") if self.desk.state.frozen else ""

    @classmethod
    def role(cls, desk: Desk) -> Role:
        return Role.SCORER

    @classmethod
    def fits(cls, desk: Desk) -> bool:
        return desk.session.status in ("open", "waiting", "finished") and startable(desk)

    def person(self, seat: int) -> str | None:
        return self.names[seat] if seat < len(self.names) else None

    @property
    def notice(self) -> str:
        if self.fact is None:
            return ""
        if self.second:
            second = _(
                "You are the second person for deal {number}: enter it from the sheet, without a look at what stands "
                "there. Just the same confirms it; anything else is kept beside it."
            )
            return second.format(number=self.number_shown)
        again = _("Deal {number} is entered again: this takes the place of what was entered before.")
        return again.format(number=self.number_shown)

    def doubt(self, message: str) -> None:
        """Something that is probably wrong, and that the scorer may insist on."""
        if not self.cleaned_data.get("anyway"):
            self.doubted = True
            insist = _("Look again; or tick the box below and save it as it is.")
            self.add_error(None, f"{message} {insist}")

    doubted = False

    def refuse(self, code: str, message: str) -> None:
        if code == "doubtful_result":
            self.doubt(self.in_words(message))
        else:
            super().refuse(code, message)

    def played(self) -> dict[str, Any]:
        """What was played, as the service takes it."""
        raise NotImplementedError

    def operate(self) -> Receipt:
        data = self.cleaned_data
        about = {"number": data["number"], "dealer": data["dealer"], "reason": data.get("reason", "")}
        return recording.record_deal(**about, **self.played(), **self.call)

    def outcome(self) -> Sequence[str]:
        """A first result changes nothing that stood there: one sentence has said it, and the next table waits."""
        return super().outcome() if self.fact is not None else ()

    def said(self) -> str:
        number = self.cleaned_data["number"]
        after = self.again()
        row = deal_of(after.session, number)
        if not row.finished or row.result is None:
            return say("Deal {number} is entered in part. Enter it again to complete it.", number=number)
        if row.awaits:
            return say("Deal {number} is saved. It counts once a second person has confirmed it.", number=number)
        if self.fact is not None and self.desk.state.unconfirmed(self.fact) and row.take == self.fact.take:
            return say("Deal {number} is confirmed: you entered just what stood there.", number=number)
        winner = self.person(row.result["winner"])
        if after.session.status == "finished":
            return say("Deal {number} is saved: {winner} won. The session is finished.", number=number, winner=winner)
        return say("Deal {number} is saved: {winner} won.", number=number, winner=winner)


class ResultForm(PaperForm):
    """A score slip: cards left of each seat, passes where they are known or cost something."""

    slug, label, main = "result", gettext_lazy("Enter a result"), True
    about = gettext_lazy("From the score slip of a real table: cards left, and passes if they count.")
    template = "admin/games/result_form.html"

    def set_up(self) -> None:
        super().set_up()
        self.heading = _("Result of deal {number}").format(number=self.number_shown)
        forced, wrongful, self.asks_withheld = self.desk.state.scheme.needs()
        self.needs_passes = forced or wrongful
        for seat in self.seats:
            self.fields[f"left_{seat}"] = self._count(_("cards left"), seat, required=True)
            self.fields[f"forced_{seat}"] = self._count(_("passes without a card that fits"), seat, required=forced)
            self.fields[f"wrongful_{seat}"] = self._count(_("passes with a card that fits"), seat, required=wrongful)
        if self.asks_withheld:
            choices = self.seat_choices(self.number_shown)
            for pair in PAIRS:
                self.fields[f"payer_{pair}"] = seat_field(choices, label=pgettext("payer", "From"), required=False)
                self.fields[f"payee_{pair}"] = seat_field(choices, label=pgettext("payee", "to"), required=False)
            self.fields["none_withheld"] = forms.BooleanField(required=False, label=_("No seven was withheld"))
        if self.fact is not None and not self.is_bound and not self.second:
            self._fill_in()

    def _count(self, what: str, seat: int, *, required: bool) -> forms.IntegerField:
        spoken = _("{name}: {what}").format(name=self.names[seat], what=what)
        attrs = {"class": "count", "inputmode": "numeric", "aria-label": spoken}
        widget = forms.NumberInput(attrs=attrs)
        return forms.IntegerField(min_value=0, max_value=60, required=required, label=what, widget=widget)

    def _fill_in(self) -> None:
        """What was entered before, to be corrected."""
        stored = deal_of(self.desk.session, self.number_shown).result or {}
        for column, name in (("left", "cards_left"), ("forced", "forced_passes"), ("wrongful", "wrongful_passes")):
            self.initial.update({f"{column}_{seat}": value for seat, value in enumerate(stored.get(name) or [])})
        if self.asks_withheld:
            for pair, (payer, payee) in enumerate((stored.get("withheld") or [])[: len(PAIRS)]):
                self.initial.update({f"payer_{pair}": payer, f"payee_{pair}": payee})

    # -- for the template

    @property
    def last_entry(self) -> str:
        """What was entered last, to be read once more."""
        row = self.desk.session.deals.filter(current=True, finished=True, voided_by=None).order_by("-ordinal").first()
        if row is None or row.number == self.number_shown or not row.result:
            return ""
        won = _("won")
        lines = [
            f"{name} {count or won}"
            for name, count in zip(self.desk.names_in(row.number), row.result["cards_left"], strict=True)
        ]
        entered = _("Entered last: Deal {number}: {results}.")
        return entered.format(number=row.number, results=", ".join(lines))

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "seat": seat,
                "name": self.names[seat],
                "cells": [self[f"{column}_{seat}"] for column in ("left", "forced", "wrongful")],
            }
            for seat in self.seats
        ]

    @property
    def pairs(self) -> list[tuple[BoundField, BoundField]]:
        return [(self[f"payer_{pair}"], self[f"payee_{pair}"]) for pair in PAIRS] if self.asks_withheld else []

    # -- checks

    def _column(self, name: str) -> tuple[int, ...] | None:
        """A column of numbers by seat; None where nothing was filled in."""
        values = [self.cleaned_data.get(f"{name}_{seat}") for seat in self.seats]
        if all(value is None for value in values):
            return None
        for seat, value in zip(self.seats, values, strict=True):
            if value is None and f"{name}_{seat}" not in self.errors:
                self.add_error(
                    f"{name}_{seat}", _("Fill in all seats of the column, with 0 for none; or leave all empty.")
                )
        return tuple(value or 0 for value in values)

    def _withheld(self, wrongful: tuple[int, ...] | None) -> tuple[tuple[int, int], ...] | None:
        if not self.asks_withheld:
            return None
        pairs = []
        for pair in PAIRS:
            payer, payee = (self.cleaned_data.get(f"{side}_{pair}") for side in ("payer", "payee"))
            if (payer in (None, "")) != (payee in (None, "")):
                self.add_error(f"payee_{pair}", _("Say both, who pays and who is paid."))
            elif payer not in (None, "") and payee not in (None, ""):
                pairs.append((int(payer), int(payee)))
        if wrongful and any(wrongful) and not pairs and not self.cleaned_data.get("none_withheld"):
            self.add_error("none_withheld", _("Somebody passed wrongly: say which sevens were withheld, or tick this."))
        if pairs and self.cleaned_data.get("none_withheld"):
            self.add_error("none_withheld", _("Payments are named above, so a seven was withheld."))
        return tuple(pairs) if wrongful is not None else (tuple(pairs) or None)

    def clean(self) -> dict[str, Any]:
        left, forced, wrongful = (self._column(name) for name in ("left", "forced", "wrongful"))
        withheld = self._withheld(wrongful)
        if self.errors or left is None:
            return self.cleaned_data
        self.result = PaperResult(left, forced, wrongful, withheld)
        return self.cleaned_data

    def played(self) -> dict[str, Any]:
        return {"result": self.result, "anyway": self.cleaned_data["anyway"]}


class RecordForm(PaperForm):
    """A whole deal: hands as dealt and actions, as text (docs/record-format.md)."""

    slug, label = "record", gettext_lazy("Enter a whole deal")
    about = gettext_lazy("Hands and every card played, as text; or a line of a record file.")

    def set_up(self) -> None:
        super().set_up()
        self.heading = _("Deal {number}, card by card").format(number=self.number_shown)
        self.fields["line"] = forms.CharField(
            required=False,
            label=_("Record line"),
            widget=forms.Textarea(attrs={"rows": 4, "cols": 80, "spellcheck": "false"}),
            help_text=_("The whole line, from { to }. Its dealer, hands and actions are taken."),
        )
        for seat in self.seats:
            self.fields[f"hand_{seat}"] = forms.CharField(
                required=False,
                label=_("Hand of {name}").format(name=self.names[seat]),
                help_text="" if seat else _("Such as 7D 8D TH AS"),
            )
        self.fields["actions"] = forms.CharField(
            required=False,
            label=_("Actions"),
            widget=forms.Textarea(attrs={"rows": 4, "cols": 80, "spellcheck": "false"}),
            help_text=_("In turn: a card such as 7D, - for a pass, ^7D for a wrongful pass taken back by playing 7D."),
        )
        self.fields["dealer"].required = False
        hands = [f"hand_{seat}" for seat in self.seats]
        self.layout = [
            (_("Paste a line of a record file"), ["line"], "", False),
            (_("Or type it in"), ["dealer", *hands, "actions"], "", False),
            ("", ["reason"], "", False),
        ]

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("line"):
            try:
                self._take_line(self.cleaned_data["line"].encode())
            except RecordError as error:
                at, fault = error.action, error.message
                self.add_error("line", self.in_words(fault if at is None else at_action(at, fault)))
        else:
            self.hands = [self._hand(f"hand_{seat}") for seat in self.seats]
            self.actions = self._actions()
            if self.cleaned_data.get("dealer") in (None, ""):
                self.add_error("dealer", _("Say who dealt."))
        return self.cleaned_data

    def _take_line(self, line: bytes) -> None:
        record = parse(line)
        replay_record(record)
        if record.hands is None or record.voided is not None:
            self.add_error("line", _("This line has no hands. A result alone is entered under “Enter a result”."))
            return
        if len(record.players) != len(self.seats):
            self.add_error(
                "line",
                _("The line has {line} players, the session {session}.").format(
                    line=len(record.players), session=len(self.seats)
                ),
            )
            return
        if _options(record) != _options(Record(self.desk.state.rules, (), 0)):
            self.add_error("line", _("The line was played by other rules than this session."))
            return
        if [name_key(name) for name in record.players] != [name_key(name) for name in self.names]:
            differs = _("The line names {names}; here sit {sitting}.")
            self.doubt(differs.format(names=said(listed(record.players)), sitting=said(listed(self.names))))
        self.hands, self.actions = list(record.hands), record.actions or b""
        self.cleaned_data["dealer"] = record.dealer

    def _hand(self, name: str) -> int:
        text = self.cleaned_data.get(name, "")
        try:
            cards = [parse_card(token) for token in text.replace(",", " ").split()]
        except UnreadableCard as error:
            self.add_error(name, said(error.args[0]))
            return 0
        if not cards:
            self.add_error(name, _("Say which cards were dealt."))
        elif len(set(cards)) < len(cards):
            self.add_error(name, _("A card stands here twice."))
        return mask_of(cards)

    def _actions(self) -> bytes:
        try:
            return bytes(parse_action(token) for token in self.cleaned_data.get("actions", "").split())
        except UnreadableCard as error:
            self.add_error("actions", said(error.args[0]))
            return b""

    @property
    def notice(self) -> str:
        return super().notice or _(
            "A deal may stop before its end: it is then entered in part, and completed by entering it again."
        )

    def played(self) -> dict[str, Any]:
        return {"hands": self.hands, "actions": self.actions}


def _options(record: Record) -> dict[str, object]:
    """The options of a record's rules, but for how passes are taken: what is entered is recorded play."""
    return record.rules.with_wrongful_pass(None).options()
