"""The form of one deal on the page of a score slip: a big field a seat, and the checks of rules.md 5.6 beside them."""

import secrets
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from competitions.pages.slip_table import DealShown, Sheet, Version, lines_of
from games.engine.errors import for_people
from games.services.recording import PaperResult
from games.wording import said

PAIRS = range(8)
"""Payments for withheld sevens that fit on the page: four sevens, two neighbours each."""

FILL_IN = gettext_lazy("Fill this in, with 0 for none.")
WHOLE = gettext_lazy("A whole number, such as 4.")
NOBODY = gettext_lazy("Nobody has 0 cards left. Who won?")
ONLY_ONE = gettext_lazy("Only one player can have 0 cards left.")
DEALER = gettext_lazy("Say who dealt.")
BOTH = gettext_lazy("Say both, who pays and who is paid.")
WHICH = gettext_lazy("Somebody passed wrongly: say which sevens were withheld, or tick that none was.")
OTHER = gettext_lazy("Nobody pays themselves.")
NONE = gettext_lazy("Payments are named, so a seven was withheld.")


def dealt(size: int) -> str:
    """The message beside a seat that cannot have so many cards left."""
    return ngettext("At most {n}: that many was dealt.", "At most {n}: that many were dealt.", size).format(n=size)


DOUBT = gettext_lazy(
    "Turns go round the table, so one of these numbers must be miscounted. Look again; or tick the box below and save "
    "it as it is."
)


def texts(sheet: Sheet) -> dict[str, Any]:
    """What the page's script says."""
    return {
        "fill": FILL_IN,
        "whole": WHOLE,
        "nobody": NOBODY,
        "onlyOne": ONLY_ONE,
        "dealer": DEALER,
        "both": BOTH,
        "other": OTHER,
        "which": WHICH,
        "none": NONE,
        "dealt": {size: dealt(size) for sizes in sheet.sizes for size in sizes},
        "doubt": DOUBT,
        "after": _("Enter deal {number} first."),
        "sending": _("Deal {number} is being sent …"),
        "kept": _("Deal {number} is kept on this phone. It is sent as soon as there is a connection."),
        "forget": _("Delete it here"),
    }


class Sent(forms.Form):
    """Which deal a form is about, and the key that stores it once."""

    number = forms.IntegerField(min_value=1, max_value=32_000, widget=forms.HiddenInput)
    key = forms.CharField(
        max_length=64, validators=[RegexValidator("^[A-Za-z0-9_-]+$")], widget=forms.HiddenInput, label="key"
    )


class Confirmation(Sent):
    """That the take which is on record is right."""

    take = forms.IntegerField(min_value=1, max_value=32_000, widget=forms.HiddenInput)


class DealEntry(Sent):
    """What a slip says of one deal. `seen` is the take that the sender saw on record, 0 for none."""

    seen = forms.IntegerField(min_value=0, max_value=32_000, widget=forms.HiddenInput)

    result: PaperResult

    def __init__(
        self, sheet: Sheet, deal: DealShown, data: Any = None, *, reason: bool = False, prefix: str | None = None
    ) -> None:
        super().__init__(data, auto_id=f"deal{deal.number}_%s", label_suffix="", prefix=prefix)
        self.sheet, self.deal = sheet, deal
        self.initial = {"number": deal.number, "seen": deal.take, "key": secrets.token_urlsafe(16)}
        self.names = sheet.names_in(deal.number)
        self.seats = range(len(self.names))
        forced, wrongful, self.asks_withheld = sheet.state.scheme.needs()
        self.columns = ["left", *["forced"] * forced, *["wrongful"] * wrongful]
        dealer = forms.TypedChoiceField(
            coerce=int,
            choices=[("", ""), *enumerate(self.names)],
            initial="" if deal.dealer is None else deal.dealer,
            label=_("Dealer"),
            widget=forms.Select(attrs={"class": "dealer"}),
            error_messages={"required": DEALER, "invalid_choice": DEALER},
        )
        self.fields["dealer"] = dealer
        for seat in self.seats:
            for column in self.columns:
                self.fields[f"{column}_{seat}"] = self._count(column, seat)
        if self.asks_withheld:
            self._ask_withheld()
        if reason:
            self.fields["reason"] = forms.CharField(
                required=False, max_length=500, label=_("Why it is entered again"), help_text=_("Kept in the log.")
            )
        self.fields["anyway"] = forms.BooleanField(required=False, label=_("I have looked again: save it as it is"))

    def _count(self, column: str, seat: int) -> forms.IntegerField:
        attrs = {"inputmode": "numeric", "autocomplete": "off", "maxlength": 2, "class": column, "data-seat": seat}
        labels = {"left": _("Cards left"), "forced": _("Passes"), "wrongful": _("Wrong passes")}
        return forms.IntegerField(
            min_value=0,
            max_value=60,
            label=labels[column],
            widget=forms.TextInput(attrs=attrs),
            error_messages={"required": FILL_IN, "invalid": WHOLE, "min_value": WHOLE, "max_value": WHOLE},
        )

    def _ask_withheld(self) -> None:
        choices = [("", ""), *enumerate(self.names)]
        for pair in PAIRS:
            for side, label in (("payer", _("pays")), ("payee", _("is paid"))):
                field = forms.TypedChoiceField(coerce=int, choices=choices, required=False, label=label)
                self.fields[f"{side}_{pair}"] = field
        self.fields["none_withheld"] = forms.BooleanField(required=False, label=_("No seven was withheld"))

    # -- for the template

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [
            {"name": self.names[seat], "cells": [self[f"{column}_{seat}"] for column in self.columns]}
            for seat in self.seats
        ]

    @property
    def pairs(self) -> list[Any]:
        return [(self[f"payer_{pair}"], self[f"payee_{pair}"]) for pair in PAIRS] if self.asks_withheld else []

    @property
    def blank(self) -> bool:
        """Nothing was filled in for any seat."""
        cells = [f"{column}_{seat}" for column in self.columns for seat in self.seats]
        return not any(self.data.get(self.add_prefix(cell), "").strip() for cell in cells)

    @property
    def withheld_wrong(self) -> bool:
        return any("withheld" in name or name.startswith("pay") for name in self.errors)

    doubted = False

    # -- checks

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        columns: dict[str, Any] = {name: [data.get(f"{name}_{seat}") for seat in self.seats] for name in self.columns}
        dealer = data.get("dealer")
        if isinstance(dealer, int):
            for seat, left in enumerate(columns["left"]):
                if left is not None and left > self.sheet.sizes[dealer][seat]:
                    self.add_error(f"left_{seat}", dealt(self.sheet.sizes[dealer][seat]))
        winners = [seat for seat, left in enumerate(columns["left"]) if left == 0]
        if not winners and None not in columns["left"]:
            self.add_error(None, NOBODY)
        for seat in winners if len(winners) > 1 else ():
            self.add_error(f"left_{seat}", ONLY_ONE)
        withheld = self._withheld(columns.get("wrongful"))
        if not self.errors:
            self.result = PaperResult(columns["left"], columns.get("forced"), columns.get("wrongful"), withheld)
        return data

    def _withheld(self, wrongful: list[Any] | None) -> list[tuple[int, int]] | None:
        if not self.asks_withheld:
            return None
        pairs = []
        for pair in PAIRS:
            payer, payee = (self.cleaned_data.get(f"{side}_{pair}") for side in ("payer", "payee"))
            if (payer in (None, "")) != (payee in (None, "")):
                self.add_error(f"payee_{pair}", BOTH)
            elif payer == payee and isinstance(payer, int):
                self.add_error(f"payee_{pair}", OTHER)
            elif isinstance(payer, int) and isinstance(payee, int):
                pairs.append((payer, payee))
        none = self.cleaned_data.get("none_withheld")
        if any(wrongful or ()) and not pairs and not none:
            self.add_error("none_withheld", WHICH)
        if pairs and none:
            self.add_error("none_withheld", NONE)
        return pairs

    @property
    def version(self) -> Version:
        """What was entered, to be shown beside what stands on record."""
        result, dealer = self.result, self.names[self.cleaned_data["dealer"]]
        lines = lines_of(self.names, result.cards_left, result.forced_passes, result.wrongful_passes)
        withheld = [(self.names[payer], self.names[payee]) for payer, payee in result.withheld or ()]
        return Version(0, 0, None, "", dealer, lines, withheld)

    def refuse(self, code: str, message: str) -> None:
        """Show why the service refused, where it belongs."""
        self.doubted = code == "doubtful_result"
        field = {"dealer_needed": "dealer", "reason_required": "reason"}.get(code)
        self.add_error(field if field in self.fields else None, said(for_people(message, self._person)))

    def _person(self, seat: int) -> str | None:
        return self.names[seat] if seat < len(self.names) else None
