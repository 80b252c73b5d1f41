"""A demo club: people and bots, an imported evening, and a table that bots are playing."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from games.access import Caller
from games.models import Club, Membership, Player, Role, Session, Token, User
from games.services import dealing, guests, importing, players, sessions

CLUB = "demo"
ORGANISER = "organiser"
EVENING = Path(settings.BASE_DIR) / "docs" / "samples" / "evening.jsonl"


@dataclass(frozen=True, slots=True)
class Login:
    """How to get in: a password for the admin, a token for the API."""

    password: str
    token: str


class Command(BaseCommand):
    help = "Make the demo club if it is not there, let bots play in it, and say where to look and how to log in."

    def handle(self, **options: Any) -> None:
        club, _ = Club.objects.get_or_create(slug=CLUB, defaults={"name": "Demo club"})
        user, login = _organiser(club)
        caller = Caller.of(user)
        _people_and_bots(caller)
        _evening(caller)
        table, free = _bots_table(caller), _free_seat(caller)
        url = os.environ.get("FANTAN_URL", "http://127.0.0.1:8000")
        self.stdout.write(
            f"  Play now    {url}/           a game against three bots, without logging in\n"
            f"  Admin       {url}/admin/     log in as {ORGANISER} with the password {login.password}\n"
            f"  API         {url}/api/docs/  token {login.token}\n"
            f"  Bots play   {url}/sessions/{table}/\n"
            f"  The same    {url}/api/v1/sessions/{table}/view\n"
            f"  A free seat at session {free}:\n"
            f"    API={url}/api/v1 TOKEN={login.token} .venv/bin/python docs/samples/bot.py {free}"
        )


def _organiser(club: Club) -> tuple[User, Login]:
    """The organiser's account. Password and token are made once and kept beside the demo's data, mode 0600."""
    kept = Path(settings.BASE_DIR) / "var" / "demo-login"
    user = User.objects.filter(username=ORGANISER).first()
    if user is not None and kept.exists():
        return user, Login(*kept.read_text().split())
    if user is None:
        user = User(username=ORGANISER, is_staff=True)
    password = secrets.token_urlsafe(9)
    user.set_password(password)
    user.save()
    Membership.objects.get_or_create(user=user, club=club, defaults={"role": Role.ORGANISER})
    _, token = Token.issue(user=user, label="demo")
    kept.parent.mkdir(exist_ok=True)
    kept.touch(mode=0o600)
    kept.write_text(f"{password}\n{token}\n")
    return user, Login(password, token)


def _people_and_bots(caller: Caller) -> None:
    have = set(Player.objects.filter(club__slug=CLUB).values_list("name", flat=True))
    if "You" not in have:
        players.create_player(caller=caller, club=CLUB, name="You", username=ORGANISER)
    guests.house_bots(caller, CLUB)


def _evening(caller: Caller) -> None:
    """An evening played on a real table, imported once."""
    if EVENING.exists() and not Session.objects.filter(club__slug=CLUB, label="evening").exists():
        lines = enumerate(EVENING.read_bytes().splitlines(), start=1)
        importing.import_records(
            caller=caller, club=CLUB, lines=lines, dry_run=False, now=timezone.now(), door="import"
        )


def _bots_table(caller: Caller) -> str:
    """A public session that bots are playing; a new one when the last is over. Returns its id."""
    playing = Session.objects.filter(club__slug=CLUB, label__startswith="bots ", status__in=["playing", "waiting"])
    if (running := playing.first()) is not None:
        return running.public_id
    now = timezone.now()
    session = sessions.open_session(
        caller=caller,
        club=CLUB,
        label=f"bots {now:%Y-%m-%d %H:%M:%S}",
        rules="yellowclub",
        settings={"public": True, "deal_after": 5},
        players=guests.house_bots(caller, CLUB),
        now=now,
        door="demo",
    ).session
    dealing.deal(caller=caller, session=session, number=1, rng=secrets.SystemRandom(), now=now, door="demo")
    return session


def _free_seat(caller: Caller) -> str:
    """A session in which three bots wait for somebody to take the free seat; a new one when it is taken. Its id."""
    waiting = Session.objects.filter(club__slug=CLUB, self_seating=True, status="open")
    if (free := waiting.first()) is not None:
        return free.public_id
    now = timezone.now()
    return sessions.open_session(
        caller=caller,
        club=CLUB,
        label=f"free seat {now:%Y-%m-%d %H:%M:%S}",
        settings={"self_seating": True, "public": True},
        players=dict(list(guests.house_bots(caller, CLUB).items())[:3]),
        now=now,
        door="demo",
    ).session
