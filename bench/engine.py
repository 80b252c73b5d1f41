"""The rules engine against the naive model of the tests, and against open_spiel's card games from Python.

All ten rules profiles in turn, four seats, hosted play. A playout is shuffled, dealt and played with random legal
actions; a replay checks the cards and every action of a recorded deal. Actions a second of CPU time, passes included.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from functools import partial

from bench.figures import Figure, Work, in_turn, rate, ratios
from games.engine.actions import PASS, action_text
from games.engine.cards import card_text, cards_of
from games.engine.deal import Deal, replay
from games.engine.rules import PROFILES, Rules
from tests.engine.naive import NaiveDeal, Refused, deal_round, deck_cards

SEATS = 4
RECORDED = 200
SECONDS, SLICES = 0.05, 6
"""Of each side at a time; how often in a round."""

RULES = [Rules.from_json(name).with_wrongful_pass("refused") for name in PROFILES]
PEERS = ("hearts", "crazy_eights(players=4)")
chance = random.Random(1)


class WithoutHistory(NaiveDeal):
    """The naive model without the copies it keeps for scoring: the fairer yardstick of the two."""

    def do(self, action: str) -> None:
        code = self.why_not(action)
        if code:
            raise Refused(code)
        if action != "-":
            hand = self.hands[self.turn]
            hand.remove(action)
            self.laid.add(action)
            if not hand:
                self.winner = self.turn
        self.turn = (self.turn + 1) % self.seats


def measure(rounds: int) -> Iterator[Figure]:
    records = [_recorded(rules) for rules in itertools.islice(itertools.cycle(RULES), RECORDED)]
    starts = [Deal.from_hands(rules, dealer, hands) for rules, dealer, hands, _ in records]
    works: dict[str, Work] = {
        "playout": partial(_playout, itertools.cycle(RULES)),
        "dealt": partial(_playout_of, itertools.cycle(starts)),
        "replay": partial(_replay, itertools.cycle(records)),
        "naive playout": partial(_naive_playout, NaiveDeal, itertools.cycle(RULES)),
        "lean playout": partial(_naive_playout, WithoutHistory, itertools.cycle(RULES)),
        "naive replay": partial(_naive_replay, NaiveDeal, itertools.cycle(map(_as_naive, records))),
        "lean replay": partial(_naive_replay, WithoutHistory, itertools.cycle(map(_as_naive, records))),
    }
    for game in PEERS:
        works |= _peer(game)
    rates = in_turn(rounds, {name: partial(rate, work, SECONDS) for name, work in works.items()}, slices=SLICES)

    def over(one: str, other: str, what: str, gate: float | None = None) -> Figure:
        own, peer = (sorted(rates[name])[rounds // 2] for name in (one, other))
        note = f"{own / 1000:,.0f} k and {peer / 1000:,.0f} k actions/s"
        return Figure(what, ratios(rates, one, other), at_least=gate, note=note)

    yield over("playout", "naive playout", "playout over the naive model", 2.5)
    yield over("playout", "lean playout", "playout over the naive model without history", 2.5)
    yield over("replay", "naive replay", "replay over the naive model")
    yield over("replay", "lean replay", "replay over the naive model without history")
    for game in PEERS:
        yield over("playout", f"{game} playout", f"playout over open_spiel {game}", 1.5)
        yield over("dealt", f"{game} dealt", "  the same from dealt positions")
        yield over("replay", f"{game} replay", f"replay over open_spiel {game}, checked", 1.2)


# -- the engine


def _playout(rules: Iterator[Rules]) -> int:
    ours = next(rules)
    deck = list(ours.tables.deck)
    deck.sort(key=lambda _: chance.random())
    return _play_out(Deal.from_deck(ours, chance.randrange(SEATS), deck, SEATS))


def _playout_of(starts: Iterator[Deal]) -> int:
    return _play_out(next(starts).copy())


def _play_out(deal: Deal) -> int:
    draw = chance.random
    while deal.to_act is not None:
        legal = deal.legal()
        deal.apply(legal[int(draw() * len(legal))] if legal else PASS)
    return len(deal.log)


Recorded = tuple[Rules, int, tuple[int, ...], bytes]


def _recorded(rules: Rules) -> Recorded:
    deck = list(rules.tables.deck)
    chance.shuffle(deck)
    deal = Deal.from_deck(rules, chance.randrange(SEATS), deck, SEATS)
    hands = tuple(deal.hands)
    _play_out(deal)
    return rules, deal.dealer, hands, bytes(deal.log)


def _replay(records: Iterator[Recorded]) -> int:
    return len(replay(*next(records)).log)


# -- the naive model


Naive = tuple[dict[str, object], list[str]]


def _options(rules: Rules) -> dict[str, object]:
    return {"ace": rules.ace, "start": rules.start, "wrongful_pass": rules.wrongful_pass}


def _naive_playout(model: type[NaiveDeal], rules: Iterator[Rules]) -> int:
    ours = next(rules)
    deck = deck_cards(ours.deck, ours.ace)
    deck.sort(key=lambda _: chance.random())
    dealer = chance.randrange(SEATS)
    deal = model(**_options(ours), dealer=dealer, hands=deal_round(deck, SEATS, dealer))
    done = 0
    while deal.winner is None:
        legal = list(deal.legal())
        deal.do(legal[int(chance.random() * len(legal))] if legal else "-")
        done += 1
    return done


def _as_naive(record: Recorded) -> Naive:
    rules, dealer, hands, actions = record
    texts = [{card_text(card) for card in cards_of(hand)} for hand in hands]
    return {**_options(rules), "dealer": dealer, "hands": texts}, [action_text(action) for action in actions]


def _naive_replay(model: type[NaiveDeal], records: Iterator[Naive]) -> int:
    options, actions = next(records)
    deal = model(**options)
    for action in actions:
        deal.do(action)
    return len(actions)


# -- open_spiel


def _peer(name: str) -> dict[str, Work]:
    """Its playout and checked replay, dealing by its own chance nodes included, and its playout once dealt."""
    import pyspiel

    game = pyspiel.load_game(name)

    def step(state) -> tuple[int, bool]:
        dealing = state.is_chance_node()
        choices = [choice for choice, _ in state.chance_outcomes()] if dealing else state.legal_actions()
        action = choices[int(chance.random() * len(choices))]
        state.apply_action(action)
        return action, dealing

    def play_out(state) -> int:
        done = 0
        draw = chance.random
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(draw() * len(outcomes))][0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
                done += 1
        return done

    def dealt():
        state = game.new_initial_state()
        while state.is_chance_node():
            step(state)
        return state

    def record() -> list[tuple[int, bool]]:
        state = game.new_initial_state()
        steps = []
        while not state.is_terminal():
            steps.append(step(state))
        return steps

    def replay_checked(records: Iterator[list[tuple[int, bool]]]) -> int:
        state = game.new_initial_state()
        done = 0
        for action, dealing in next(records):
            if dealing:
                state.apply_action(action)
            else:
                state.apply_action_with_legality_check(action)
                done += 1
        return done

    starts = itertools.cycle([dealt() for _ in range(RECORDED)])
    records = itertools.cycle([record() for _ in range(RECORDED)])
    playout: Callable[[], int] = lambda: play_out(game.new_initial_state())  # noqa: E731
    return {
        f"{name} playout": playout,
        f"{name} dealt": lambda: play_out(next(starts).clone()),
        f"{name} replay": partial(replay_checked, records),
    }
