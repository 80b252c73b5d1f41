"""Deals, to be looked at: result, points, and, once a deal is over, every action of it."""

from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games import selectors
from games.admin import words
from games.admin.desk import Desk, winner_name
from games.admin.scope import ClubFilter, ClubScoped, caller_of, show_times_of
from games.admin.session_page import deal_state, event_lines
from games.engine.actions import CARD_BITS, CORRECTION, PASS
from games.engine.cards import CARD_OF_TEXT, SUITS, card_text
from games.engine.deal import Deal as PlayedDeal
from games.engine.errors import EngineError
from games.errors import Refusal
from games.models import Deal, Occupancy, Role
from games.wording import Text, card_name, corner

SYMBOLS = dict(zip(SUITS, "♣♦♥♠", strict=True))


@dataclass(frozen=True, slots=True)
class ActionLine:
    """One action as read: who did what, how many cards were then left."""

    step: int
    who: str
    what: str
    passed: bool
    left: int
    at: Any


class StateFilter(admin.SimpleListFilter):
    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Text]]:
        return [
            ("counts", pgettext_lazy("state of a deal", "Counts")),
            ("awaited", pgettext_lazy("state of a deal", "To be confirmed")),
            ("running", pgettext_lazy("state of a deal", "Not finished")),
            ("void", pgettext_lazy("state of a deal", "Void")),
            ("replaced", pgettext_lazy("state of a deal", "Replaced")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        match self.value():
            case "counts":
                return queryset.filter(counted=True)
            case "awaited":
                return queryset.filter(awaits=True)
            case "running":
                return queryset.filter(finished=False, current=True, voided_by=None)
            case "void":
                return queryset.exclude(voided_by=None)
            case "replaced":
                return queryset.filter(current=False)
        return queryset


class ModeFilter(admin.SimpleListFilter):
    title = gettext_lazy("how")
    parameter_name = "mode"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Text]]:
        return list(words.MODES.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(mode=self.value()) if self.value() in words.MODES else queryset


@admin.register(Deal)
class DealAdmin(ClubScoped):
    club_path = "session__club"
    add_role = None
    called = (gettext_lazy("deal"), gettext_lazy("deals"))
    columns = {"session": gettext_lazy("session"), "ended_at": gettext_lazy("ended at")}
    list_display = ("name", "session", "how", "state", "winner", "ended_at")
    list_display_links = ("name",)
    list_filter = (StateFilter, ModeFilter, ClubFilter)
    lookups = ("session__exact",)
    list_select_related = ("session",)
    search_fields = ("session__label", "session__public_id")
    search_help_text = gettext_lazy("Search by name of the session.")
    ordering = ("-id",)
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        seating = Occupancy.objects.select_related("player__merged_into").order_by("seat", "from_number")
        rows = super().get_queryset(request).select_related("session__club")
        return rows.prefetch_related(Prefetch("session__occupancies", seating, to_attr="seating"))

    @admin.display(description=gettext_lazy("deal"), ordering="number")
    def name(self, deal: Deal) -> str:
        if deal.take > 1:
            return _("Deal {number}, take {take}").format(number=deal.number, take=deal.take)
        return _("Deal {number}").format(number=deal.number)

    @admin.display(description=gettext_lazy("how"))
    def how(self, deal: Deal) -> Text:
        return words.MODES[deal.mode]

    @admin.display(description=gettext_lazy("state"))
    def state(self, deal: Deal) -> str:
        return format_html('<span class="badge {}">{}</span>', *deal_state(deal))

    @admin.display(description=gettext_lazy("winner"))
    def winner(self, deal: Any) -> str:
        return winner_name(deal, deal.session.seating) or "–"

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """One deal. While a hosted one is played, nothing of its cards or actions is read, whoever asks."""
        deal = self.get_object(request, object_id)
        if deal is None:
            return self.not_here(request, object_id)
        show_times_of(deal.session.club)
        desk = Desk(caller_of(request), deal.session)
        over = selectors.is_over(deal.session, deal)
        correcting = desk.open and deal.current and deal.voided_by is None
        context = {
            **self.admin_site.each_context(request),
            "title": _title(deal),
            "opts": self.opts,
            "deal": deal,
            "session": deal.session,
            "state": deal_state(deal),
            "how": words.MODES[deal.mode],
            "over": over,
            "dealer": desk.names_in(deal.number)[deal.dealer],
            "lines": _result_lines(desk, deal),
            "withheld": _withheld(desk, deal),
            "hands": [],
            "actions": [],
            "kept": "",
            "events": event_lines(desk, [event for event in desk.state.events if event.deal == deal.ordinal]),
            "may_void": correcting and desk.may(Role.ORGANISER),
            "may_amend": correcting and deal.mode != "hosted" and desk.may(Role.SCORER),
            "here": reverse("admin:games_session_change", args=[deal.session_id]),
        }
        if over:
            context |= _opened(desk, deal)
        return TemplateResponse(request, "admin/games/deal.html", context)


def _title(deal: Deal) -> str:
    session = deal.session.label
    if deal.take > 1:
        return _("Deal {number}, take {take}, of {session}").format(number=deal.number, take=deal.take, session=session)
    return _("Deal {number} of {session}").format(number=deal.number, session=session)


def _result_lines(desk: Desk, deal: Deal) -> list[dict[str, Any]]:
    """One line a seat: what is left, passes, points. Only finished deals have them."""
    result = deal.result
    if result is None:
        return []
    left = result["left_cards"]
    columns = ("cards_left", "forced_passes", "wrongful_passes")
    return [
        {
            "name": name,
            "seat": seat,
            "won": result["winner"] == seat,
            "cells": ["–" if result[column] is None else result[column][seat] for column in columns],
            "left_cards": [_card(CARD_OF_TEXT[text]) for text in left[seat].split()] if left else [],
            "points": words.points(deal.points[seat]) if deal.points else "–",
        }
        for seat, name in enumerate(desk.names_in(deal.number))
    ]


def _withheld(desk: Desk, deal: Deal) -> list[str]:
    names = desk.names_in(deal.number)
    pairs = (deal.result or {}).get("withheld") or []
    return [_("{payer} pays {payee}").format(payer=names[payer], payee=names[payee]) for payer, payee in pairs]


def _opened(desk: Desk, deal: Deal) -> dict[str, Any]:
    """Hands and actions of a deal that is over, by replaying it; the text of a voided record that is no deal."""
    fact = desk.state.deals[deal.ordinal]
    if "kept" in fact.data:
        return {"kept": fact.data["kept"]}
    try:
        found = selectors.replay_row(desk.session, deal)
    except (Refusal, EngineError):
        return {}
    names = desk.names_in(deal.number)
    fresh = PlayedDeal(found.deal.rules, found.deal.dealer, _dealt(found))
    hands = [
        {"name": name, "cards": [_card(card) for card in fresh.rules.tables.in_order(hand)]}
        for name, hand in zip(names, fresh.hands, strict=True)
    ]
    lines = []
    for step, item in enumerate(found.logged, start=1):
        fresh.apply(item.action)
        left, passed = fresh.cards_left()[item.seat], item.action == PASS
        lines.append(ActionLine(step, names[item.seat], _action(item.action), passed, left, item.at))
    return {"hands": hands, "actions": lines}


def _dealt(found: selectors.Position) -> list[int]:
    """The hands as dealt: what is left, and what each seat has laid."""
    hands = list(found.deal.hands)
    for item in found.logged:
        if item.action != PASS:
            hands[item.seat] |= 1 << (item.action & CARD_BITS)
    return hands


def _card(card: int) -> SafeString:
    """A card as shown (10♦) and, for those who hear the page, by its name."""
    suit = card_text(card)[1]
    colour = " red" if suit in "DH" else ""
    face = f"{corner(card)}{SYMBOLS[suit]}"
    return format_html('<span class="card{}" role="img" aria-label="{}">{}</span>', colour, card_name(card), face)


def _action(action: int) -> str:
    if action == PASS:
        return _("passes")
    card = _card(action & CARD_BITS)
    if action & CORRECTION:
        return format_html(_("takes the pass back and plays {card}"), card=card)
    return card
