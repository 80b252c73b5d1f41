"""Setting a competition up: creating it, its settings, its rounds' own, a copy for the next season, its finish."""

import secrets
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

from django.db.models.functions import Coalesce

from competitions import days, folding
from competitions.access import may_see
from competitions.eventlog import NewEvent
from competitions.facts import FACTS, Kind
from competitions.models import Competition
from competitions.results import has_points
from competitions.services.checking import checked_facts, checked_overrides, checked_settings, why
from competitions.services.rounds import lock_tables, session_write
from competitions.services.writing import Draft, Receipt, create, write
from games.access import Caller, club_for, role_needed
from games.engine.session_events import Kind as SessionKind
from games.errors import Invalid, NotFound, Refusal
from games.models import Player, Role
from games.services.keys import Key
from games.services.sessions import checked_text
from games.services.writing import Draft as Table
from scoring.wording import say, say_n


def create_competition(
    *,
    caller: Caller,
    club: str,
    name: str,
    season: str = "",
    kind: str = "tournament",
    starts_on: date | None = None,
    ends_on: date | None = None,
    settings: Mapping[str, Any] | None = None,
    seed: str = "",
    now: datetime,
    door: str,
    key: Key | None = None,
) -> Receipt:
    """Make a competition of the club with that slug. Days are the club's own, the last one included. `seed` makes its
    draws repeatable; left out, it is drawn. Organisers.

    Raises `bad_text`, `bad_days`, `name_taken`, and the codes of settings (docs/api.md)."""
    owner = club_for(caller, club, Role.ORGANISER)
    given = {"name": name, "season": season, "kind": kind, "starts_on": starts_on, "ends_on": ends_on}
    facts = checked_facts(given, {})
    data = {
        **facts,
        "settings": checked_settings(settings or {}),
        "seed": checked_text(seed, "seed", 60) or secrets.token_hex(6),
    }
    return create(
        caller=caller,
        club=owner,
        now=now,
        door=door,
        key=key,
        check=lambda: _check_name(owner.pk, name, season),
        events=[NewEvent(Kind.CREATED, data=data)],
    )


def configure(
    *,
    caller: Caller,
    competition: str,
    changes: Mapping[str, Any],
    reason: str = "",
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
    check: Callable[[Competition], None] | None = None,
) -> Receipt:
    """Change some of name, season, kind, days and settings; everything is counted anew by them.

    Rules, scheme and clocks concern tables opened from now on; who may see them changes for all. The format is fixed by
    the first draw. Once a round is closed a change of the settings needs a reason. Raises `format_fixed`, `bad_points`
    where a table that was played would have none, and as `create_competition`."""

    def decide(draft: Draft) -> None:
        state = draft.state
        state.check_running()
        before = {fact: getattr(state, fact) for fact in FACTS}
        data = checked_facts(changes, before)
        if {"name", "season"} & data.keys():
            after = {**before, **data}
            _check_name(draft.competition.club_id, after["name"], after["season"], competition=draft.competition.pk)
        asked = {name: value for name, value in changes.items() if name not in FACTS}
        if asked:
            settings = checked_settings({**state.settings_json, **asked})
            if settings["format"] != state.settings_json["format"] and any(at.plan for at in state.rounds.values()):
                raise Refusal("format_fixed", say("The format is fixed: a round is drawn by it already."))
            changed = {name: value for name, value in settings.items() if value != state.settings_json[name]}
            for number, at in state.rounds.items():
                _check_round(draft, number, {**state.settings_json, **changed}, at.overrides)
            if changed:
                data["settings"] = changed
        if any(data[name] != _json(before.get(name)) for name in data if name != "settings") or data.get("settings"):
            needed = bool(state.closed_rounds) and "settings" in data
            draft.add(Kind.CONFIGURED, data=data, reason=why(Kind.CONFIGURED, reason, required=needed))
            _check_played(draft)
        if "public" in data.get("settings", {}):
            _show_tables(draft, door)

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        expected_version=expected_version,
        check=check,
        first=lock_tables(None) if "public" in changes else None,
    )


def set_round(
    *,
    caller: Caller,
    competition: str,
    number: int,
    title: str | None = None,
    day: date | None = None,
    overrides: Mapping[str, Any] | None = None,
    reason: str = "",
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
    check: Callable[[Competition], None] | None = None,
) -> Receipt:
    """Give a round a title, its day in the club's zone, or settings of its own (`rules`, `scheme`, `points`,
    `tie_breaks`, `deals`); only what is given changes. Raises `no_such_round`, `outside_days`, and settings' codes."""

    def decide(draft: Draft) -> None:
        state = draft.state
        state.check_running()
        at = state.check_round(number)
        data: dict[str, Any] = {}
        if title is not None and title != at.title:
            data["title"] = checked_text(title, "title", 60)
        if day is not None and day != at.day:
            if (state.starts_on and day < state.starts_on) or (state.ends_on and day > state.ends_on):
                raise Invalid(
                    "outside_days",
                    say(
                        "{day} is not a day of this competition: {days}.",
                        day=day,
                        days=days.span(state.starts_on, state.ends_on),
                    ),
                )
            data["day"] = day.isoformat()
        if overrides is not None and dict(overrides) != dict(at.overrides):
            data["overrides"] = checked_overrides(state.settings_json, overrides)
        if data:
            needed = at.closed_by is not None and "overrides" in data
            draft.add(Kind.ROUND_SET, round=number, data=data, reason=why(Kind.ROUND_SET, reason, required=needed))
            _check_played(draft)

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        expected_version=expected_version,
        check=check,
    )


def copy(
    *,
    caller: Caller,
    competition: str,
    name: str,
    season: str,
    starts_on: date | None = None,
    ends_on: date | None = None,
    entries: bool = False,
    now: datetime,
    door: str,
    key: Key | None = None,
) -> Receipt:
    """Make a new competition with the same set-up: settings, rounds' titles and their own settings, pairs kept apart;
    with `entries` also who competes, but for the withdrawn and whoever is no longer active. Nothing that was played."""
    source = Competition.objects.select_related("club").filter(public_id=competition).first()
    if source is None or not may_see(caller, source):
        raise NotFound("competition")
    if not caller.has(Role.ORGANISER, source.club_id):
        raise role_needed(Role.ORGANISER)
    state = folding.state_of(source)
    given = {"name": name, "season": season, "kind": state.kind, "starts_on": starts_on, "ends_on": ends_on}
    facts = checked_facts(given, {})
    data = {**facts, "settings": dict(state.settings_json), "seed": secrets.token_hex(6), "copied_from": competition}
    events = [NewEvent(Kind.CREATED, data=data)]
    for number, at in sorted(state.rounds.items()):
        kept = {"title": at.title, "overrides": dict(at.overrides)}
        if any(kept.values()):
            events.append(NewEvent(Kind.ROUND_SET, round=number, data=kept))
    if entries:
        people = dict(source.entries.values_list("player", Coalesce("player__merged_into", "player")))
        active = set(Player.objects.filter(pk__in=people.values(), active=True).values_list("pk", flat=True))
        seeds: dict[int, int | None] = {}
        for player, entry in state.entries.items():
            if entry.withdrawn is None and people[player] in active:
                seeds[people[player]] = seeds.get(people[player]) or entry.seed
        events += [
            NewEvent(Kind.ENTERED, player=player, data={"from_round": 1, "seed": seed})
            for player, seed in seeds.items()
        ]
    events += [NewEvent(Kind.KEPT_APART, data={"pair": list(pair)}) for pair in state.apart]
    return create(
        caller=caller,
        club=source.club,
        now=now,
        door=door,
        key=key,
        check=lambda: _check_name(source.club_id, name, season),
        events=events,
    )


def finish(
    *,
    caller: Caller,
    competition: str,
    now: datetime,
    door: str,
    key: Key | None = None,
    expected_version: int | None = None,
) -> Receipt:
    """Finish a competition: nothing more is entered, drawn or played in it. Raises `rounds_open`."""

    def decide(draft: Draft) -> None:
        state = draft.state
        state.check_running()
        state.check_none_open()
        draft.add(Kind.FINISHED)

    return write(
        caller=caller,
        competition=competition,
        now=now,
        door=door,
        key=key,
        decide=decide,
        expected_version=expected_version,
        tell="nothing",
    )


def _check_round(draft: Draft, number: int, settings: Mapping[str, Any], overrides: Mapping[str, Any]) -> None:
    try:
        checked_overrides(settings, overrides)
    except Invalid as refusal:
        name = draft.state.round(number).name
        message = say("{round} has settings of its own: {why}", round=name, why=refusal.message)
        raise Invalid(refusal.code, message) from refusal


def _check_played(draft: Draft) -> None:
    """Raises `bad_points` where a table that is open or played would be of a size without points."""
    for number, at in sorted(draft.state.rounds.items()):
        settings = draft.state.settings_of(number)
        for table in at.tables:
            score = draft.scores.tables.get(table.session)
            if score is not None and not has_points(settings, score):
                raise Invalid(
                    "bad_points",
                    say_n(
                        "Table {table} of {round} has {n} player, and these points have none for a table of that size.",
                        "Table {table} of {round} has {n} players, and these points have none for a table of that "
                        "size.",
                        len(score.seats),
                        table=table.number,
                        round=at.name,
                    ),
                )


def _show_tables(draft: Draft, door: str) -> None:
    """Let the sessions of all tables be seen by whom the competition says."""
    public = draft.state.settings.public

    def show(one: Table) -> None:
        one.add(SessionKind.CONFIGURED, data={"settings": {"public": public}})

    for at in draft.state.rounds.values():
        for table in at.tables:
            session_write(draft, table.session, door, show)


def _check_name(club: int, name: str, season: str, *, competition: int | None = None) -> None:
    taken = Competition.objects.filter(club=club, name=name, season=season).exclude(pk=competition or 0)
    if taken.exists():
        whole = f"{name} {season}".rstrip()
        raise Invalid("name_taken", say("This club already has a competition “{name}”.", name=whole))


def _json(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value
