"""While a hosted deal is played no answer depends on a card that its reader cannot see (rules.md 7.9).

Two ways to look: no hidden card is named in any answer; and every answer stays the same to the byte when two cards that
the reader cannot see change places.
"""

import re
import secrets

import pytest

from games import eventlog, selectors
from games.engine.cards import CARD_TEXT
from games.engine.errors import EngineError
from games.models import DealCards
from tests.api import clients
from tests.api.clients import Api, World
from tests.api.routes import all_routes, path_of

pytestmark = pytest.mark.django_db

CARD = re.compile(r"\b[2-9TJQKA][CDHS]\b")
PREFIX = re.compile(r'"prefix":"[^"]*"')  # of a token: random letters, which may look like a card
CATALOGUE = ("rules", "schemes", "bots")  # they name cards, and are the same for everybody


def answers(world: World, client: Api) -> dict[str, tuple[int, bytes]]:
    """Every GET route for one reader."""
    paths = []
    for name, method in all_routes():
        if method == "GET" and name not in CATALOGUE:
            paths += [path_of(name, world, seat=seat) for seat in (range(4) if name.startswith("seat-") else [0])]
    paths += [f"{path_of('deal-replay', world)}?step={step}" for step in (0, 3)]
    # Every message there has been, for whoever comes back.
    streams = [path_of("session-stream", world), *(path_of("seat-stream", world, seat=seat) for seat in range(4))]
    paths += [f"{path}?last_event_id=0" for path in streams]
    return {path: (answer.status_code, answer.getvalue()) for path in paths if (answer := client.get(path))}


OTHERS = ["anonymous", "outsider", "member", "scorer", "organiser", "superuser", "bot"]


def readers(world: World, roles: list[str] = OTHERS, *, seats: int = 4) -> dict[str, tuple[Api, set[int]]]:
    """Those in the roles and in the first seats, with the seats whose hands they may see."""
    found: dict[str, tuple[Api, set[int]]] = {name: (world.roles[name], set()) for name in roles}
    return found | {f"seat {seat}": (world.seats[seat], {seat}) for seat in range(seats)}


def played_so_far(world: World, actions: int) -> None:
    for _ in range(actions):
        assert world.step().status_code == 201


@pytest.mark.parametrize(("public", "actions"), [(False, 0), (True, 14)])
def test_no_answer_names_a_hidden_card(public, actions):
    world = World(settings={"public": public})
    world.start()
    played_so_far(world, actions)
    deal = world.table.position().deal
    played = {CARD_TEXT[action] for action in deal.log if action < 52}
    for name, (client, own) in readers(world).items():
        allowed = played | {CARD_TEXT[c] for seat in own for c in range(52) if deal.hands[seat] >> c & 1}
        for path, (_, content) in answers(world, client).items():
            assert set(CARD.findall(PREFIX.sub("", content.decode()))) <= allowed, (name, path)


FINED = {"profile": "pagat", "wrongful_pass": "fined"}


@pytest.mark.parametrize(("rules", "positions"), [("pagat", [2, 12]), (FINED, [9]), ("diamond-start", [1])])
def test_no_answer_changes_when_hidden_cards_change_places(rules, positions):
    world = World(settings={"public": True}, rules=rules)
    world.start()
    for actions in positions:
        played_so_far(world, actions)
        for name, (client, own) in readers(world, ["anonymous", "organiser", "superuser"], seats=2).items():
            before = answers(world, client)
            assert b'"hand"' in b"".join(content for _, content in before.values()) or not own
            deck = swap_hidden(world, own)
            assert answers(world, client) == before, name
            put_back(world, deck)


def test_the_check_itself_sees_a_hand_that_leaks(monkeypatch):
    """With its guard removed the test above must fail: a spectator who is shown a hand is found out."""
    world = World(settings={"public": True})
    world.start()
    played_so_far(world, 5)

    def leaky(session):
        found = world.table.position()
        view = selectors.seat_view(found.deal, (found.deal.to_act + 1) % 4)
        return selectors.TableView(session, found.row, found.seq, view)

    monkeypatch.setattr(selectors, "spectate", leaky)
    monkeypatch.setattr(clients, "check", lambda method, answer: None)  # the schema would notice it too
    before = answers(world, world.member)
    for _ in range(20):
        deck = swap_hidden(world, set())
        if answers(world, world.member) != before:
            return
        put_back(world, deck)
    pytest.fail("a hand was shown, and nothing came of it")


def swap_hidden(world: World, own: set[int]) -> bytes:
    """Swap two cards held by two seats not in `own`, so that all that was played stays right; returns the deck."""
    position = world.table.position()
    row, hands, start = position.row, position.deal.hands, position.deal.rules.tables.start
    seats = [seat for seat in range(4) if seat not in own]
    stored = DealCards.objects.get(deal=row)
    deck = bytes(stored.deck)
    rng = secrets.SystemRandom()
    for _ in range(500):
        one, two = rng.sample(seats, 2)
        a, b = (rng.choice([card for card in range(52) if hands[seat] >> card & 1]) for seat in (one, two))
        if start in (a, b):
            continue
        stored.deck = deck.translate(bytes.maketrans(bytes([a, b]), bytes([b, a])))
        stored.save()
        fresh = selectors.deals_of(world.table.row).select_related("cards").get(pk=row.pk)
        try:
            twin = eventlog.replay_row(world.table.row, fresh, position.logged)
        except EngineError:
            continue  # somebody would have had to play instead of passing
        if (twin.forced, twin.wrongful) == (position.deal.forced, position.deal.wrongful):
            return deck
    raise AssertionError("no two hidden cards can change places")


def put_back(world: World, deck: bytes) -> None:
    DealCards.objects.filter(deal__session__public_id=world.session).update(deck=deck)
