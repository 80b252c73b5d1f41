"""Who sits where, against a naive model that asks every entry for every deal."""

from hypothesis import given
from hypothesis import strategies as st

from games.engine.occupancy import CREDITS, Entry, SeatHistory

DEALS = 8
PLAYERS = st.integers(1, 5)
SUBSTITUTED = st.tuples(st.just("taken"), PLAYERS, st.integers(1, DEALS), st.sampled_from(CREDITS))
RESEATED = st.tuples(
    st.just("reseated"), PLAYERS, st.integers(1, DEALS), st.one_of(st.none(), st.integers(0, DEALS - 1))
)


def entries(said):
    """The seat is player 1's at first; then what was said of it, in order."""
    found = [Entry(1, 0, 1, 1)]
    for seq, (what, player, number, more) in enumerate(said, start=2):
        if what == "taken":
            found.append(Entry(seq, 0, player, number, credit=more))
        else:
            last = None if more is None else number + more
            found.append(Entry(seq, 0, player, number, reseat=True, to_number=last))
    return found


def naive(said, number):
    """Whoever took the seat last before the deal, unless a re-seat that was said later speaks of that deal."""
    owner = None
    for entry in said:
        newer = owner is None or entry.from_number >= owner.from_number
        if not entry.reseat and entry.from_number <= number and newer:
            owner = entry
    sitting = owner
    for entry in said:
        if entry.reseat and entry.seq > owner.seq and entry.from_number <= number <= (entry.to_number or 10**9):
            sitting = entry
    return sitting


@given(st.lists(st.one_of(SUBSTITUTED, RESEATED), max_size=8))
def test_the_stretches_of_a_seat_say_of_every_deal_what_the_entries_say(said):
    said = entries(said)
    stretches = SeatHistory.of(said).occupants()

    numbers = [stretch.from_number for stretch in stretches]
    assert numbers == sorted(set(numbers))
    assert numbers[0] == 1
    for number in range(1, 2 * DEALS + 2):
        sitting = [stretch for stretch in stretches if stretch.from_number <= number][-1]
        wanted = naive(said, number)
        assert (sitting.player, sitting.reseated) == (wanted.player, wanted.reseat)


@given(st.lists(SUBSTITUTED, max_size=8))
def test_the_last_substitution_says_who_gets_the_points(said):
    said = entries(said)
    history = SeatHistory.of(said)
    standing = {entry.from_number: entry for entry in said}
    assert history.credit == max(standing.values(), key=lambda entry: entry.seq).credit
    assert history.occupants()[-1].credit == history.credit


@given(st.lists(RESEATED, min_size=1, max_size=5))
def test_reseats_alone_leave_everybody_the_points_of_their_own_deals(said):
    assert SeatHistory.of(entries(said)).credit == "deals"
