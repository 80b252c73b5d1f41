"""The sheet of results: one row a seat, the rows of one deal checked together (rules.md 5.5, 5.6).

Seats are counted from 1 in a file, as on the slip and at the table, and from 0 in here, as everywhere in the programs.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from competitions.files.columns import Cells, Columns, Sheet, cells_of, person_key
from competitions.files.errors import Fault
from competitions.files.reading import Form, read_table, write_table
from scoring.wording import say, say_n

COLUMNS = Columns(
    names=(
        "round",
        "table",
        "deal",
        "dealer",
        "seat",
        "name",
        "player_id",
        "cards_left",
        "forced_passes",
        "wrongful_passes",
        "withheld",
    ),
    needed=("round", "table", "deal", "seat", "cards_left"),
)
SEATS = range(2, 9)
MOST_CARDS = 26
"""The largest hand there is: 52 cards for two."""
MOST_PASSES = 999


@dataclass(frozen=True, slots=True)
class SeatLine:
    """What a deal came to for one seat. Name and id may be empty: whoever sits there. Passes are None where the slip
    says nothing of them. `withheld`: the indexes of the seats that this one paid for a withheld seven, one entry a
    payment (rules.md 5.3)."""

    name: str
    player_id: str
    cards_left: int
    forced_passes: int | None = None
    wrongful_passes: int | None = None
    withheld: tuple[int, ...] | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class DealLine:
    """The result of one deal: `seats` in their order. `dealer`: the index of one of them; None: whose turn it was."""

    round: int
    table: int
    deal: int
    dealer: int | None
    seats: tuple[SeatLine, ...]

    @property
    def line(self) -> int:
        return min(seat.line for seat in self.seats)


@dataclass(frozen=True, slots=True)
class _Row:
    at: tuple[int, int, int]
    dealer: int | None
    seat: int
    line: SeatLine


def read_results(data: bytes, name: str) -> Sheet[DealLine]:
    """The deals in a CSV or XLSX file, by round, table and number. Raise FileError where it is none.

    A deal comes only if all its rows are good, and go together."""
    deals: dict[tuple[int, int, int], list[_Row]] = {}
    spoilt: set[tuple[int, int, int]] = set()
    faults: list[Fault] = []
    for cells in cells_of(read_table(data, name), COLUMNS):
        at = _deal_of(cells)
        row = None if at is None else _row_of(cells, at)
        faults += cells.faults
        if row is not None and not cells.faults:
            deals.setdefault(row.at, []).append(row)
        elif at is not None:
            spoilt.add(at)
    good = []
    for at, rows in deals.items():
        if at in spoilt:
            continue
        found = _deal(at, rows)
        if isinstance(found, Fault):
            faults.append(found)
        else:
            good.append(found)
    good.sort(key=lambda deal: (deal.round, deal.table, deal.deal))
    return Sheet(tuple(good), tuple(sorted(faults, key=lambda fault: fault.line or 0)))


def _deal_of(cells: Cells) -> tuple[int, int, int] | None:
    at = tuple(cells.whole(name, least=1, most=32_000, needed=True) for name in ("round", "table", "deal"))
    number, table, deal = at
    return None if number is None or table is None or deal is None else (number, table, deal)


def _row_of(cells: Cells, at: tuple[int, int, int]) -> _Row | None:
    seat = cells.whole("seat", least=1, most=SEATS[-1], needed=True)
    left = cells.whole("cards_left", least=0, most=MOST_CARDS, needed=True)
    line = SeatLine(
        name=cells.text("name", longest=80),
        player_id=cells.text("player_id", longest=12),
        cards_left=left or 0,
        forced_passes=cells.whole("forced_passes", least=0, most=MOST_PASSES),
        wrongful_passes=cells.whole("wrongful_passes", least=0, most=MOST_PASSES),
        withheld=_withheld(cells),
        line=cells.line,
    )
    dealer = cells.whole("dealer", least=1, most=SEATS[-1])
    if seat is None or left is None:
        return None
    return _Row(at, None if dealer is None else dealer - 1, seat - 1, line)


def _withheld(cells: Cells) -> tuple[int, ...] | None:
    """`none`, or the seats paid, with spaces between: `1 3`."""
    text = cells.text("withheld", longest=60)
    if not text:
        return None
    if text.casefold() == "none":
        return ()
    words = text.replace(",", " ").split()
    if not all(word in {str(seat) for seat in range(1, SEATS[-1] + 1)} for word in words):
        cells.note(
            "withheld", say("lists the seats that were paid for a withheld seven, such as “1 3”, or says “none”.")
        )
        return None
    return tuple(int(word) - 1 for word in words)


def _deal(at: tuple[int, int, int], rows: Sequence[_Row]) -> DealLine | Fault:
    """The deal of these rows, or why they make none."""
    number, table, deal = at
    last = rows[-1].line.line

    def fault(message: str, line: int = last) -> Fault:
        sentence = say(
            "Round {round}, table {table}, deal {deal}: {message}",
            round=number,
            table=table,
            deal=deal,
            message=message,
        )
        return Fault("bad_row", sentence, line)

    seats: dict[int, _Row] = {}
    people: dict[tuple[str, str], int] = {}
    for row in rows:
        line = row.line
        if row.seat in seats:
            where = seats[row.seat].line.line
            return fault(say("seat {seat} stands in line {line} already.", seat=row.seat + 1, line=where), line.line)
        key = person_key(line.name, line.player_id)
        if key[1] and key in people:
            sentence = say(
                "{name} sits in seat {seat} already: a person has one seat.",
                name=line.name or line.player_id,
                seat=people[key] + 1,
            )
            return fault(sentence, line.line)
        seats[row.seat], people[key] = row, row.seat
    count = len(seats)
    if sorted(seats) != list(range(count)) or count not in SEATS:
        found = ", ".join(str(seat + 1) for seat in sorted(seats))
        return fault(
            say(
                "a deal has a row for each seat, from 1 on, and 2 to 8 of them; here are {seats}. Perhaps a row names "
                "another table or deal than it should.",
                seats=found,
            )
        )
    dealers = {row.dealer for row in rows} - {None}
    if len(dealers) > 1:
        return fault(say("the rows name different dealers."))
    dealer = next(iter(dealers), None)
    if dealer is not None and dealer >= count:
        return fault(say("the dealer is seat {seat}, and the seats are 1 to {last}.", seat=dealer + 1, last=count))
    lines = [seats[seat].line for seat in range(count)]
    winners = Counter(line.cards_left for line in lines)[0]
    if not winners:
        return fault(say("exactly one seat has no card left; here none has."))
    if winners > 1:
        return fault(
            say_n(
                "exactly one seat has no card left; here {n} has.",
                "exactly one seat has no card left; here {n} have.",
                winners,
            )
        )
    for name in ("forced_passes", "wrongful_passes"):
        values = [getattr(line, name) for line in lines]
        if None in values and set(values) != {None}:
            seat = values.index(None) + 1
            return fault(
                say("{column} is given for every seat or for none; seat {seat} has none.", column=name, seat=seat)
            )
    if any(line.withheld is not None for line in lines):
        lines = [_with_withheld(line) for line in lines]
        for seat, line in enumerate(lines):
            if any(payee == seat or payee >= count for payee in line.withheld or ()):
                return fault(
                    say(
                        "seat {seat} paid for a withheld seven to a seat that is not another of the table.",
                        seat=seat + 1,
                    )
                )
    return DealLine(number, table, deal, dealer, tuple(lines))


def _with_withheld(line: SeatLine) -> SeatLine:
    """A seat of a deal of which payments are known: it paid none where it names none."""
    return SeatLine(
        line.name,
        line.player_id,
        line.cards_left,
        line.forced_passes,
        line.wrongful_passes,
        line.withheld or (),
        line.line,
    )


def write_results(deals: Iterable[DealLine], form: Form) -> bytes:
    """The sheet of these deals, which `read_results` reads as equal ones."""
    lines = (
        (
            deal.round,
            deal.table,
            deal.deal,
            None if deal.dealer is None else deal.dealer + 1,
            seat,
            line.name,
            line.player_id,
            line.cards_left,
            line.forced_passes,
            line.wrongful_passes,
            None if line.withheld is None else " ".join(str(payee + 1) for payee in line.withheld) or "none",
        )
        for deal in deals
        for seat, line in enumerate(deal.seats, 1)
    )
    return write_table(form, COLUMNS.names, lines)
