"""Opening, seating, setting up and closing a session."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError

from games import bots
from games.access import Caller, club_for
from games.engine.rules import MAX_SEATS, Rules, usual_scheme
from games.engine.session_events import Kind
from games.errors import Invalid, Refusal
from games.lookups import own_players, played_by
from games.models import Player, Role, Session
from games.models.fields import check_text
from games.services.keys import Key, known, wait_for_twin
from games.services.transactions import durable
from games.services.writing import Draft, Receipt, create, receipt_of, write
from scoring.schemes import BadScheme, scheme_from_json
from scoring.wording import say

DEFAULT_SETTINGS: dict[str, Any] = {
    "public": False,
    "deals_planned": None,
    "confirm": False,
    "self_seating": False,
    "spectator_delay": 0,
    "deal_after": None,
    "turn_seconds": None,
    "stand_in": "",
}
LONGEST_WAIT = 7 * 24 * 3600
LONGEST_DELAY = 24 * 3600
MOST_PLANNED = 1000


def open_session(
    *,
    caller: Caller,
    club: str,
    rules: Any = "pagat",
    scheme: Any = None,
    label: str = "",
    settings: Mapping[str, Any] | None = None,
    players: Mapping[int, str] | None = None,
    now: datetime,
    door: str,
    key: Key | None = None,
) -> Receipt:
    """Open a session in the club with that slug. Rules and scheme take the forms of docs/record-format.md. `players`
    (public ids by seat) may be seated at once.

    Raises `bad_rules`, `bad_settings`, `label_taken`, and as `arrange`; Forbidden to all but organisers."""
    owner = club_for(caller, club, Role.ORGANISER)
    chosen = Rules.from_json(rules).hosted()
    counted = checked_scheme(usual_scheme(chosen.profile) if scheme is None else scheme)
    wanted = checked_settings({**DEFAULT_SETTINGS, **(settings or {})})

    def draft(fresh: Draft) -> None:
        name = checked_label(label or fresh.session.public_id, club=owner.pk, session=fresh.session.pk)
        fresh.add(Kind.OPENED, data={"label": name, "rules": chosen.to_json(), "scheme": counted, "settings": wanted})
        _arrange(fresh, players or {})

    with durable():
        wait_for_twin(caller, key)
        if (before := known(caller, key)) is not None:
            return receipt_of(before)
        return create(caller=caller, club=owner, now=now, door=door, key=key, draft=draft)


def configure(
    *,
    caller: Caller,
    session: str,
    changes: Mapping[str, Any],
    now: datetime,
    door: str,
    key: Key | None = None,
    check: Callable[[Session], None] | None = None,
) -> Receipt:
    """Change a session's settings, and, before its first deal, its rules and scheme. Only `changes` are changed.

    `check`: as in `write`."""

    def decide(draft: Draft) -> None:
        draft.require(Role.ORGANISER)
        draft.state.check_configurable(dict(changes))
        data: dict[str, Any] = {}
        if "rules" in changes:
            data["rules"] = Rules.from_json(changes["rules"]).hosted().to_json()
        if "scheme" in changes:
            data["scheme"] = checked_scheme(changes["scheme"])
        if "label" in changes:
            data["label"] = checked_label(changes["label"], club=draft.session.club_id, session=draft.session.pk)
        settings = {name: changes[name] for name in DEFAULT_SETTINGS if name in changes}
        if settings:
            checked_settings({**DEFAULT_SETTINGS, **draft.state.settings, **settings})
            data["settings"] = settings
        if data:
            draft.add(Kind.CONFIGURED, data=data)

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide, check=check)


def seat(
    *,
    caller: Caller,
    session: str,
    seat: int,
    player: str | None,
    now: datetime,
    door: str,
    key: Key | None = None,
    check: Callable[[Session], None] | None = None,
) -> Receipt:
    """Seat a player (public id) before the first deal; `player=None` empties the seat. Organisers; whoever sits in the
    seat may leave it where players seat themselves. `check`: as in `write`."""

    def decide(draft: Draft) -> None:
        leaving = player is None and draft.state.settings.get("self_seating", False)
        if not (leaving and _sits(caller, draft.state.seated.get(seat))):
            draft.require(Role.ORGANISER)
        if player is None:
            draft.state.check_seat(seat)
            if seat in draft.state.seated:
                draft.add(Kind.UNSEATED, seat=seat)
            return
        found = draft.player(player)
        draft.state.check_seat(seat, found.pk)
        if draft.state.seated.get(seat) != found.pk:
            draft.add(Kind.SEATED, seat=seat, data={"player": found.pk})

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide, check=check)


def join(*, caller: Caller, session: str, now: datetime, door: str, key: Key | None = None) -> Receipt:
    """The caller's own player takes the lowest free seat, where the session lets players seat themselves. Joining again
    changes nothing. Members. Raises `not_joinable`, `bad_account`, `bad_seats` for a full table, and as `seat`."""

    def decide(draft: Draft) -> None:
        draft.require(Role.MEMBER)
        state = draft.state
        if not state.settings.get("self_seating", False):
            raise Refusal("not_joinable", say("An organiser seats the players of this session."))
        public_id = own_players(caller).get(draft.session.club_id)
        if public_id is None:
            raise Invalid("bad_account", say("Your account has no player in this club: ask an organiser for one."))
        own = draft.player(public_id)
        if own.pk in state.seated.values():
            return
        free = next((seat for seat in range(MAX_SEATS) if seat not in state.seated), None)
        if free is None:
            raise Refusal("bad_seats", say("The table is full."))
        state.check_seat(free, own.pk)
        draft.add(Kind.SEATED, seat=free, data={"player": own.pk})

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide)


def _sits(caller: Caller, player: int | None) -> bool:
    return player is not None and Player.objects.filter(played_by(caller.user), pk=player).exists()


def arrange(
    *,
    caller: Caller,
    session: str,
    players: Mapping[int, str],
    now: datetime,
    door: str,
    key: Key | None = None,
) -> Receipt:
    """Seat exactly these players (public ids by seat) before the first deal: all of them, or nothing is changed.

    Raises `bad_player`, `already_seated`, and as `seat`."""

    def decide(draft: Draft) -> None:
        draft.require(Role.ORGANISER)
        _arrange(draft, players)

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide)


def _arrange(draft: Draft, players: Mapping[int, str]) -> None:
    wanted = {seat: draft.player(players[seat]) for seat in sorted(players)}
    for seat, player in wanted.items():
        if any(player.pk == wanted[other].pk for other in wanted if other < seat):
            raise Invalid("already_seated", say("A player has one seat: {player} was given two.", player=player.name))
    for seat in range(MAX_SEATS):
        if seat in draft.state.seated and seat not in wanted:
            draft.state.check_seat(seat)
            draft.add(Kind.UNSEATED, seat=seat)
    for seat, player in wanted.items():
        if draft.state.seated.get(seat) != player.pk:
            draft.state.check_seat(seat)
            draft.add(Kind.SEATED, seat=seat, data={"player": player.pk})


def close(
    *, caller: Caller, session: str, reason: str = "", now: datetime, door: str, key: Key | None = None
) -> Receipt:
    """Close a session: nothing more is played or entered in it. A running hosted deal is opened by that, for good."""

    def decide(draft: Draft) -> None:
        draft.require(Role.ORGANISER)
        draft.state.check_open()
        live = draft.live
        data = {"final": True} if live is not None and live.mode == "hosted" else {}
        draft.add(Kind.CLOSED, reason=checked_reason(reason, required=False), data=data)

    return write(caller=caller, session=session, now=now, door=door, key=key, decide=decide)


def checked_scheme(scheme: Any) -> Any:
    """The canonical form of a scheme; raises `bad_rules`."""
    try:
        return scheme_from_json(scheme).to_json()
    except BadScheme as error:
        raise Invalid("bad_rules", str(error)) from error


def checked_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """`settings`, if each has a value it can have; raises `bad_settings`."""
    for name in ("deal_after", "turn_seconds"):
        value = settings[name]
        least = 1 if name == "turn_seconds" else 0
        if value is not None and (type(value) is not int or not least <= value <= LONGEST_WAIT):
            raise Invalid(
                "bad_settings",
                say(
                    "{name} is a number of seconds from {least} to {most}, or null.",
                    name=name,
                    least=least,
                    most=LONGEST_WAIT,
                ),
            )
    delay = settings["spectator_delay"]
    if type(delay) is not int or not 0 <= delay <= LONGEST_DELAY:
        raise Invalid(
            "bad_settings",
            say("spectator_delay is a number of seconds from 0 to {most}.", most=LONGEST_DELAY),
        )
    planned = settings["deals_planned"]
    if planned is not None and (type(planned) is not int or not 1 <= planned <= MOST_PLANNED):
        raise Invalid(
            "bad_settings",
            say("deals_planned is a number of deals from 1 to {most}, or null.", most=MOST_PLANNED),
        )
    for name in ("public", "confirm", "self_seating"):
        if type(settings[name]) is not bool:
            raise Invalid("bad_settings", say("{name} is true or false.", name=name))
    if settings["stand_in"] and settings["stand_in"] not in bots.available():
        raise Invalid(
            "bad_settings",
            say("stand_in is empty or one of the bots {names}.", names=", ".join(bots.available())),
        )
    return dict(settings)


def checked_label(label: str, *, club: int, session: int | None = None) -> str:
    """`label`, if it may name a session of the club; raises `bad_text`, `label_taken`."""
    checked_text(label, "label", 100)
    if Session.objects.filter(club=club, label=label).exclude(pk=session or 0).exists():
        raise Invalid("label_taken", say("This club already has a session “{label}”.", label=label))
    return label


def checked_reason(reason: str, *, required: bool = True) -> str:
    """`reason`, trimmed; raises `reason_required` or `bad_text`."""
    reason = reason.strip()
    if required and not reason:
        raise Invalid("reason_required", say("Say why: corrections are kept with their reason."))
    return checked_text(reason, "reason", 500)


def checked_text(text: str, what: str, longest: int) -> str:
    try:
        check_text(text)
    except ValidationError as error:
        raise Invalid("bad_text", say("{field}: {fault}", field=what, fault=error.message)) from error
    if len(text) > longest:
        raise Invalid("bad_text", say("{field}: at most {longest} characters.", field=what, longest=longest))
    return text
