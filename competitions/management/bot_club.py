"""A club of bots for demos and measurements, and deals that bots play in memory."""

import random
from datetime import datetime

from django.db import transaction

from games import bots
from games.access import Caller
from games.engine.deal import Deal
from games.engine.seat_view import seat_view
from games.engine.session_events import Kind
from games.models import Club, Membership, Player, Role, Session, User
from games.services import players, writing
from games.services.dealing import frozen_data

ORGANISER = "organiser"
NAMES = ["Ada", "Boris", "Coco", "Dora", "Emil", "Fina", "Gus", "Hana", "Igor", "Jana", "Karl", "Lena", "Milo", "Nora"]
NAMES += ["Otto", "Pia", "Quin", "Rosa", "Sven", "Tara", "Ugo", "Vera", "Wim", "Xena", "Yuri", "Zoe"]


def bot_club(slug: str, name: str) -> tuple[Club, Caller]:
    """The club with that slug and its organiser, made on first use. The account is the demo's; it has no password
    until somebody sets one."""
    club, _ = Club.objects.get_or_create(slug=slug, defaults={"name": name})
    user = User.objects.filter(username=ORGANISER).first()
    if user is None:
        user = User(username=ORGANISER, is_staff=True)
        user.set_unusable_password()
        user.save()
    Membership.objects.get_or_create(user=user, club=club, defaults={"role": Role.ORGANISER})
    return club, Caller.of(user)


def bot_players(caller: Caller, club: Club, count: int) -> list[Player]:
    """So many bots of the club, of every strategy in turn; those that are missing are made."""
    have = list(Player.objects.filter(club=club, active=True).exclude(strategy="").order_by("pk")[:count])
    strategies = sorted(bots.available())
    names = set(Player.objects.filter(club=club).values_list("name", flat=True))
    number = 0
    while len(have) < count:
        name = NAMES[number % len(NAMES)] + ("" if number < len(NAMES) else f" {number // len(NAMES) + 1}")
        number += 1
        if name in names:
            continue
        strategy = strategies[len(have) % len(strategies)]
        made = players.create_player(caller=caller, club=club.slug, name=name, strategy=strategy)
        have.append(Player.objects.get(public_id=made))
    return have


def record_session(
    caller: Caller, session: Session, strategies: dict[int, str], *, deals: int, rng: random.Random, now: datetime
) -> int:
    """Let bots play so many deals at an open table in memory, and record them at once; returns how many actions.

    `strategies`: by player. What is stored is what a scorer who wrote down every card would have entered."""
    with transaction.atomic():
        row = Session.objects.select_for_update(no_key=True).get(pk=session.pk)
        draft = writing.load(row, caller=caller, now=now)
        state = draft.state
        seats = state.check_startable()
        sitting = [bots.available()[strategies[state.seated[seat]]] for seat in range(seats)]
        rules = state.rules.with_wrongful_pass(None)
        draft.add(Kind.FROZEN, data=frozen_data(state.rules, state.scheme, seats))
        dealer = rng.randrange(seats)
        draft.add(Kind.DEALER_DRAWN, seat=dealer)
        actions = 0
        for number in range(1, deals + 1):
            deck = list(rules.tables.deck)
            rng.shuffle(deck)
            playing = Deal.from_deck(rules, dealer, deck, seats)
            while playing.to_act is not None:
                playing.apply(sitting[playing.to_act].choose(seat_view(playing, playing.to_act), rng))
            actions += len(playing.log)
            draft.add_deal(
                Kind.RECORDED,
                deal=Deal.from_deck(rules, dealer, deck, seats),
                deck=bytes(deck),
                data={"number": number, "take": 1},
                actions=bytes(playing.log),
            )
            dealer = (dealer + 1) % seats
        writing.finish(draft, door="demo", key=None)
    return actions
