"""A deal played by a second, slow set of rules: lists of card texts, ranks compared one by one. And what the page of a
replay shows, read from its bytes."""

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser

PROFILES = {"diamond-start": {"start": "holder:7D"}, "heart-start": {"start": "holder:7H"}, "ace-low": {"ace": "low"},
            "short-32": {"deck": 32}, "bicycle": {"ace": "low"}}  # fmt: skip


class NaiveDeal:
    """A record line, played card by card."""

    def __init__(self, line: bytes | str) -> None:
        record = json.loads(line)
        rules = record["rules"]
        given = {"profile": rules} if isinstance(rules, str) else rules
        options = {"start": "left_of_dealer", "ace": "high", **PROFILES.get(given["profile"], {}), **given}
        self.order = "A23456789TJQK" if options["ace"] == "low" else "23456789TJQKA"
        seats, dealer = len(record["players"]), record["dealer"]
        self.players, self.dealer = record["players"], dealer
        if "hands" in record:
            self.hands = [hand.split() for hand in record["hands"]]
        else:
            self.hands = [[] for _ in range(seats)]
            for place, card in enumerate(record["deck"].split()):
                self.hands[(dealer + 1 + place) % seats].append(card)
        self.laid: list[str] = []
        self.done: list[str] = []
        self.start = options["start"].removeprefix("holder:") if options["start"] != "left_of_dealer" else ""
        self.to_act = (dealer + 1) % seats
        if self.start:
            self.to_act = next(seat for seat, hand in enumerate(self.hands) if self.start in hand)
        self.over = False
        self.actions = record.get("actions", "").split()

    def fits(self, card: str) -> bool:
        if self.start and not self.laid:
            return card == self.start
        rank, suit = card
        if rank == "7":
            return True
        at = self.order.index(rank)
        return self.order[at + (1 if at < self.order.index("7") else -1)] + suit in self.laid

    @property
    def legal(self) -> set[str]:
        return set() if self.over else {card for card in self.hands[self.to_act] if self.fits(card)}

    def act(self, action: str) -> str:
        """Do it; whether a pass was forced or wrongful."""
        mark, seat = "", self.to_act
        self.done.append(action)
        if action == "-":
            mark = "wrongful" if self.legal else "forced"
        else:
            if action.startswith("^"):
                seat = (seat - 1) % len(self.hands)
            self.hands[seat].remove(action[-2:])
            self.laid.append(action[-2:])
            self.over = not self.hands[seat]
        if not action.startswith("^"):
            self.to_act = (seat + 1) % len(self.hands)
        return mark


@dataclass
class Shown(HTMLParser):
    """What a page shows of a deal: cards by where they are and how they are marked."""

    steps: list[dict[str, str]] = field(default_factory=list)
    layout: dict[str, str] = field(default_factory=dict)
    hands: dict[int, dict[str, str]] = field(default_factory=dict)
    acting: list[int] = field(default_factory=list)
    marks: dict[int, str] = field(default_factory=dict)
    current: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    @classmethod
    def of(cls, page: bytes) -> "Shown":
        shown = cls()
        shown.feed(page.decode())
        return shown

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        classes = has.get("class", "").split()
        if "data-step" in has:
            self.steps.append(has)
        elif tag == "g" and "place" in classes:
            self.layout[has["data-card"]] = " ".join(classes[1:])
        elif tag == "section" and "seat" in classes:
            self.hands[int(has["data-seat"])] = {}
            if "acting" in classes:
                self.acting.append(int(has["data-seat"]))
        elif tag == "li" and "data-card" in has:
            self.hands[max(self.hands)][has["data-card"]] = has.get("class", "")
        elif "mark" in classes and "good" not in classes:
            kinds = {"": "forced", "bad": "wrongful", "warn": "corrected"}
            self.marks[len(self.steps) - 1] = kinds[" ".join(classes[1:])]
        elif has.get("aria-current") == "step":
            self.current.append(len(self.steps) - 1)

    def laid(self) -> set[str]:
        return {card for card, classes in self.layout.items() if "laid" in classes}
