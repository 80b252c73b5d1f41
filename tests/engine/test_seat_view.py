"""What a seat and a spectator are shown (rules.md 4.5; 7.9 is among the properties)."""

from dataclasses import fields

from hypothesis import given

from games.engine.cards import CARD_TEXT, parse_card
from games.engine.deal import Deal, action_text
from games.engine.rules import Rules
from games.engine.seat_view import SeatView, SpectatorView, seat_view, spectator_view
from tests.engine.deals import Setup, hand, quick, setups
from tests.engine.test_deal import HANDS, play, start

FINED = Rules.from_json({"profile": "pagat", "wrongful_pass": "fined"})
REFUSED = Rules.from_json({"profile": "pagat", "wrongful_pass": "refused"})


def cards(numbers: tuple[int, ...]) -> str:
    return " ".join(map(action_text, numbers))


def test_a_spectator_sees_the_layout_the_counts_and_what_was_done() -> None:
    view = spectator_view(play(start(), "7C - 7H 7S".replace("7S", "-")))
    assert view.rows == ((parse_card("7C"),) * 2, None, (parse_card("7H"),) * 2, None)
    assert view.counts == (12, 13, 12, 13)
    assert view.passes == (0, 1, 0, 1)
    assert (view.seats, view.dealer, view.to_act, view.over, view.winner) == (4, 3, 0, False, None)
    assert [action_text(action) for action in view.log] == ["7C", "-", "7H", "-"]


def test_a_spectators_view_has_no_place_for_hands_or_for_what_was_wrongful() -> None:
    assert {f.name for f in fields(SpectatorView)} == {
        "rules", "seats", "dealer", "rows", "counts", "passes", "to_act", "log", "over", "winner",
    }  # fmt: skip


def test_a_seat_sees_its_own_hand_in_writing_order_and_what_it_may_do() -> None:
    view = seat_view(start(REFUSED), 0)
    assert cards(view.hand) == "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 6S"
    assert cards(view.legal) == "7C"
    assert (view.may_pass, view.correctable, view.corrections) == (False, False, ())


def test_a_low_ace_stands_first_in_its_suit() -> None:
    deal = start(Rules.from_json("ace-low"))
    assert cards(seat_view(deal, 3).hand).startswith("AC AD AH AS 2S 3S")


def test_only_the_seat_to_act_has_legal_cards() -> None:
    deal = start()
    assert [bool(seat_view(deal, seat).legal) for seat in range(4)] == [True, False, False, False]


def test_a_seat_without_a_legal_card_may_pass() -> None:
    view = seat_view(start(REFUSED, dealer=2), 3)
    assert (view.legal, view.may_pass) == ((), True)


def test_where_wrongful_passes_are_fined_any_seat_to_act_may_pass() -> None:
    view = seat_view(start(FINED), 0)
    assert view.legal
    assert view.may_pass


def test_only_the_seat_itself_learns_that_its_pass_was_wrongful() -> None:
    deal = play(start(FINED), "7C - 7H -")
    assert deal.withheld
    own = seat_view(deal, 1)
    assert (own.forced, own.wrongful) == (0, 1)
    assert seat_view(deal, 3).passes == own.passes == spectator_view(deal).passes == (0, 1, 0, 1)
    for seat in (0, 2, 3):
        assert seat_view(deal, seat).wrongful == 0
    assert "withheld" not in {f.name for f in fields(SeatView)}


def test_only_the_seat_itself_learns_that_it_may_correct_its_pass() -> None:
    deal = play(start(FINED), "7C -")
    view = seat_view(deal, 1)
    assert (view.correctable, cards(view.corrections), view.legal) == (True, "7D 7S", ())
    for seat in (0, 2, 3):
        assert (seat_view(deal, seat).correctable, seat_view(deal, seat).corrections) == (False, ())


@quick
@given(setups())
def test_what_a_seat_is_told_it_may_do_is_what_the_engine_accepts(setup: Setup) -> None:
    deal = setup.deal()
    for action in setup.actions():
        for seat in range(setup.seats):
            view = seat_view(deal, seat)
            assert set(view.hand) == {card for card in range(52) if deal.hands[seat] >> card & 1}
            if deal.to_act == seat:
                assert sorted(view.legal) == deal.legal()
                assert view.may_pass == accepts(deal, "-")
            if deal.correctable == seat:
                assert {c for c in view.hand if accepts(deal, "^" + CARD_TEXT[c])} == set(view.corrections) != set()
        deal.apply(action)
    assert all(seat_view(deal, seat).legal == () for seat in range(setup.seats))


def accepts(deal: Deal, token: str) -> bool:
    try:
        play(deal.copy(), token)
    except Exception:
        return False
    return True


def test_the_hands_of_these_tests_are_a_deal() -> None:
    assert sum(hand(held) for held in HANDS) == FINED.tables.deck_mask
