"""The reads: what a caller may see of competitions. Every door asks here, and nothing leaves but through here.

Whoever may see a competition sees what of it is published and out; scorers and organisers see everything. There is one
gate for what is published (`publications`), and one for the rest (`check_whole`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from competitions import eventlog, folding
from competitions.access import may_see_unpublished
from competitions.comparing import compare
from competitions.draw_json import content_of
from competitions.effects import draw_differences
from competitions.models import Competition, Entry, Event, Publication, Round, Table
from competitions.receipts import public_events
from competitions.results import standing_of
from competitions.state import CompetitionState, plan_from_json
from games.access import Caller
from games.errors import Forbidden, Invalid, NotFound, Refusal
from games.models import Player, Role, Session, User
from scoring.standings import Standings
from scoring.wording import mark, say


class NotPublished(Refusal):
    """There is nothing of this kind that the caller may see, or not yet."""

    status = 404

    def __init__(self, what: str, number: int | None = None, *, earlier: bool = False) -> None:
        """`what`: a draw (of round `number`) or standings; `earlier`: than another that the caller sees."""
        if number is None:
            sentence = say(_NOT_PUBLISHED[what, earlier])
        else:
            sentence = say("No draw of round {number} of this competition is published, or not yet.", number=number)
        super().__init__("not_published", sentence)


_NOT_PUBLISHED = {
    ("draw", False): mark("No draw of this competition is published, or not yet."),
    ("draw", True): mark("No earlier draw of this competition is published, or not yet."),
    ("standings", False): mark("No standings of this competition is published, or not yet."),
    ("standings", True): mark("No earlier standings of this competition is published, or not yet."),
}


# -- which competitions


def visible_competitions(caller: Caller) -> QuerySet[Competition]:
    """The competitions of the caller's clubs, and all public ones; as `access.may_see` says of one."""
    clubs = caller.clubs()
    seen = Q() if clubs is None or caller.system else Q(club__in=clubs) | Q(public=True)
    return Competition.objects.select_related("club").filter(seen)


def visible_competition(caller: Caller, public_id: str) -> Competition:
    """One of `visible_competitions`; raises NotFound."""
    row = visible_competitions(caller).filter(public_id=public_id).first()
    if row is None:
        raise NotFound("competition")
    return row


def with_player(caller: Caller, rows: QuerySet[Competition], person: Sequence[Player]) -> QuerySet[Competition]:
    """Those of `rows` in which one of these (who are one person) is entered or sits at a table; where the caller is
    not of the club, sits at a table that everybody may see."""
    table = Table.objects.filter(competition=OuterRef("pk"), session__occupancies__player__in=person)
    entry = Entry.objects.filter(competition=OuterRef("pk"), player__in=person)
    clubs = caller.clubs()
    own = Q() if clubs is None else Q(club__in=clubs)
    seen = Exists(table.filter(session__public=True)) | (own & (Exists(entry) | Exists(table)))
    return rows.filter(seen)


def changed_since(rows: QuerySet[Competition], since: datetime) -> QuerySet[Competition]:
    """Those of `rows` whose log has an event since then."""
    last = Event.objects.filter(competition=OuterRef("pk"), seq=OuterRef("seq"), at__gte=since)
    return rows.filter(Exists(last))


def sees_whole(caller: Caller, competition: Competition) -> bool:
    """Whether the caller sees what is not published."""
    return may_see_unpublished(caller, competition)


def check_whole(caller: Caller, competition: Competition) -> None:
    """Raises Forbidden where the caller sees only what is published."""
    if not sees_whole(caller, competition):
        raise Forbidden("forbidden", say("Only scorers and organisers of this club see what is not published."))


# -- what is published


@dataclass(frozen=True, slots=True)
class Published:
    """A publication that the caller may see. `content` is a draw's (see draw_json.content_of), `standings` the others'.

    `out`: whether everybody who may see the competition sees it."""

    row: Publication
    out: bool
    content: dict[str, Any]
    standings: Standings | None


def publications(caller: Caller, competition: Competition, *, now: datetime) -> QuerySet[Publication]:
    """The publications that the caller may see, by number: those that are out; for scorers and organisers all."""
    rows = Publication.objects.filter(competition=competition).order_by("number")
    return rows if sees_whole(caller, competition) else rows.filter(_out(now))


def publication(caller: Caller, competition: Competition, number: int, *, now: datetime) -> Published:
    """One of `publications` with what it says; raises NotFound."""
    return opened(competition, publication_row(caller, competition, number, now=now), now=now)


def publication_row(caller: Caller, competition: Competition, number: int, *, now: datetime) -> Publication:
    """One of `publications`; raises NotFound."""
    row = publications(caller, competition, now=now).filter(number=number).first()
    if row is None:
        raise NotFound("publication")
    return row


def latest(competition: Competition, what: str, *, now: datetime, number: int | None = None) -> Published:
    """`latest_row` with what it says."""
    return opened(competition, latest_row(competition, what, now=now, number=number), now=now)


def latest_row(competition: Competition, what: str, *, now: datetime, number: int | None = None) -> Publication:
    """The latest that is out of the draws of round `number`, or of the standings: the same for all who may see the
    competition. Raises NotPublished."""
    rows = Publication.objects.filter(_out(now), competition=competition, what=what)
    if number is not None:
        rows = rows.filter(round=number)
    row = rows.order_by("-number").first()
    if row is None:
        raise NotPublished(what, number)
    return row


def latest_numbers(competition: Competition, *, now: datetime) -> dict[str, int]:
    """The number of the latest that is out, of standings and of draws; of what is not published there is none."""
    rows = Publication.objects.filter(_out(now), competition=competition).order_by()
    return dict(rows.values_list("what").annotate(Max("number")))


def current_draw(competition: Competition, *, now: datetime) -> Published | None:
    """What is out of the draw of the round that is on: the last round of which one is out, unless standings after that
    round are out too. The same for all who may see the competition."""
    rows = Publication.objects.filter(_out(now), competition=competition)
    drawn = rows.filter(what=Publication.What.DRAW).order_by("-round", "-number").first()
    if drawn is None or rows.filter(what=Publication.What.STANDINGS, round__gte=drawn.round).exists():
        return None
    return opened(competition, drawn, now=now)


def before(caller: Caller, competition: Competition, number: int, *, now: datetime) -> int:
    """The number of the publication of the same kind before `number`, a draw's of the same round, that the caller may
    see. Raises NotFound, NotPublished."""
    rows = publications(caller, competition, now=now)
    row = rows.filter(number=number).first()
    if row is None:
        raise NotFound("publication")
    earlier = rows.filter(what=row.what, number__lt=number)
    if row.what == Publication.What.DRAW:
        earlier = earlier.filter(round=row.round)
    found = earlier.order_by("-number").values_list("number", flat=True).first()
    if found is None:
        raise NotPublished(row.what, earlier=True)
    return found


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs from one publication to a later one: the form of competitions.effects."""

    before: Published
    after: Published
    found: dict[str, Any]


def difference(caller: Caller, competition: Competition, number: int, other: int, *, now: datetime) -> Difference:
    """What differs between two publications that the caller may see, in the order of their numbers.

    Raises NotFound, `not_comparable`."""
    one, two = (publication(caller, competition, at, now=now) for at in sorted((number, other)))
    if one.row.what != two.row.what or (one.row.what == "draw" and one.row.round != two.row.round):
        raise Invalid("not_comparable", say("Draws of one round can be compared, and standings with standings."))
    found: dict[str, Any] = {"standings": [], "draws": [], "outdated": []}
    if two.standings is not None:
        found["standings"] = [change.to_json() for change in compare(one.standings, two.standings)]
    else:
        assert one.row.round is not None
        plans = [plan_from_json(each.content["plan"]) for each in (one, two)]
        found["draws"] = draw_differences(one.row.round, *plans)
    return Difference(one, two, found)


def _out(now: datetime) -> Q:
    """Of publications: out for whoever may see the competition (state.Publication.is_out, for many)."""
    return Q(unpublished_by=None) & (Q(not_before=None) | Q(not_before__lte=now))


def is_out(row: Publication, now: datetime) -> bool:
    """The same of one."""
    return row.unpublished_by is None and (row.not_before is None or row.not_before <= now)


def opened(competition: Competition, row: Publication, *, now: datetime) -> Published:
    """A publication that the caller may see, with what it says: one statement, two where points were given."""
    out = is_out(row, now)
    if row.what == Publication.What.STANDINGS:
        return Published(row, out, {}, folding.published(competition, row.seq))
    return Published(row, out, eventlog.content(competition.pk, row.seq), None)


# -- rounds


@dataclass(frozen=True, slots=True)
class TableSeen:
    """A table of an opened round. `session` is None where the caller may not see it."""

    number: int
    session: Session | None


@dataclass(frozen=True, slots=True)
class RoundSeen:
    """A round as its reader sees it. `draw` (see draw_json.content_of) is what is published of it, to scorers and
    organisers as it stands; `publication` the number under which a draw is out, if one is; `draw_is_out` whether that
    is this one, and not one made since.

    - `overrides`: the settings that the round has otherwise.
    - `absent`, `substitutes`: who will not sit, and who sits for whom, as row ids; None for whoever sees only what is
      published.
    """

    number: int
    title: str
    day: date | None
    status: str
    tables: tuple[TableSeen, ...]
    publication: int | None
    overrides: dict[str, Any]
    draw: dict[str, Any] | None = None
    draw_is_out: bool = False
    absent: tuple[int, ...] | None = None
    substitutes: dict[int, int] | None = None


def rounds(caller: Caller, competition: Competition, *, now: datetime) -> list[RoundSeen]:
    """All rounds by number, without their draws: four statements."""
    return _rounds(caller, competition, Round.objects.filter(competition=competition), now)


def bare_rounds(caller: Caller, competition: Competition, *, now: datetime) -> list[RoundSeen]:
    """The same without their tables, of which there may be very many: three statements."""
    return _rounds(caller, competition, Round.objects.filter(competition=competition), now, tables=False)


def round_of(caller: Caller, competition: Competition, number: int, *, now: datetime) -> RoundSeen:
    """A round with its draw. Raises NotFound."""
    rows = Round.objects.filter(competition=competition, number=number)
    found = next(iter(_rounds(caller, competition, rows, now)), None)
    if found is None:
        raise NotFound("round")
    if sees_whole(caller, competition):
        state = folding.state_of(competition)
        at, out = state.round(number), state.publications.get(found.publication or 0)
        return replace(
            found,
            draw=None if at.plan is None else content_of(state, number),
            draw_is_out=out is not None and out.draw == at.drawn_seq,
            absent=tuple(sorted(state.absent(number))),
            substitutes=state.sits_for(number),
        )
    if found.publication is None:
        return found
    return replace(found, draw=latest(competition, "draw", now=now, number=number).content, draw_is_out=True)


def _rounds(
    caller: Caller, competition: Competition, rows: QuerySet[Round], now: datetime, *, tables: bool = True
) -> list[RoundSeen]:
    whole = sees_whole(caller, competition)
    found = list(rows.order_by("number"))
    numbers = [row.number for row in found]
    out = Publication.objects.filter(_out(now), competition=competition, what="draw", round__in=numbers)
    published: dict[int | None, int] = dict(out.order_by("number").values_list("round", "number"))
    seen: dict[int, list[TableSeen]] = {number: [] for number in numbers}
    opened = Table.objects.filter(competition=competition, round__in=numbers).select_related("session")
    for table in opened.order_by("round", "number") if tables else ():
        session = table.session if caller.sees(table.session) else None
        seen[table.round].append(TableSeen(table.number, session))
    setup = folding.setup_of(competition)
    return [
        RoundSeen(
            number=row.number,
            title=row.title,
            day=row.day,
            # That a draw is made and kept back is nobody else's business.
            status="planned" if row.status == "drawn" and not whole and row.number not in published else row.status,
            tables=tuple(seen[row.number]),
            publication=published.get(row.number),
            overrides=dict(setup.round(row.number).overrides),
        )
        for row in found
    ]


# -- people


def entries(caller: Caller, competition: Competition) -> QuerySet[Entry]:
    """Who competes, in the order of entering: for the competition's club. Raises Forbidden to others."""
    if not (caller.system or caller.has(Role.MEMBER, competition.club_id)):
        raise Forbidden("forbidden", say("Only members of the club see who is entered."))
    return Entry.objects.filter(competition=competition).select_related("player__merged_into").order_by("pk")


# -- scorers' and organisers'


@dataclass(frozen=True, slots=True)
class Live:
    """The standings as they are now, and the version of the competition's numbers that they are of."""

    version: int
    standings: Standings


def setup(competition: Competition) -> CompetitionState:
    """Facts, settings and rounds' own settings, which whoever sees the competition sees; nothing else is in it."""
    return folding.setup_of(competition)


def version(caller: Caller, competition: Competition) -> int | None:
    """The version of the competition's numbers; None for whoever sees only what is published."""
    return folding.version_of(competition) if sees_whole(caller, competition) else None


def state(caller: Caller, competition: Competition) -> CompetitionState:
    """The whole competition. Raises Forbidden."""
    check_whole(caller, competition)
    return folding.state_of(competition)


def live(
    caller: Caller, competition: Competition, *, provisional: bool = False, after_round: int | None = None
) -> Live:
    """The standings as they are, published or not. Raises Forbidden, NotFound for a round that there is not.

    - `provisional`: tables still being played count as they stand. `after_round`: only rounds up to that one.
    """
    check_whole(caller, competition)
    if not provisional and after_round is None:
        return Live(*folding.standings_now(competition))
    version = folding.version_of(competition)
    found = folding.state_of(competition)
    if after_round is not None and after_round not in found.numbers:
        raise NotFound("round")
    table = standing_of(found, folding.scores_of(competition), upto=after_round, provisional=provisional)
    return Live(version, table)


@dataclass(frozen=True, slots=True)
class StandingsFound:
    """The standings that a reader gets; `published`: what they were read from, None for those of now."""

    standings: Standings
    published: Published | None


def standings_for(
    caller: Caller, competition: Competition, *, number: int | None, after_round: int | None, now: datetime
) -> StandingsFound:
    """Publication `number`; else the latest that is out, for scorers and organisers those of now, as they were
    `after_round` where it is asked for. Raises NotFound, NotPublished, Forbidden."""
    if number is None and (after_round is not None or sees_whole(caller, competition)):
        return StandingsFound(live(caller, competition, after_round=after_round).standings, None)
    if number is None:
        found = latest(competition, "standings", now=now)
    else:
        found = publication(caller, competition, number, now=now)
    if found.standings is None:
        raise NotFound("publication")
    return StandingsFound(found.standings, found)


@dataclass(frozen=True, slots=True)
class Happened:
    """An event ready to be shown, and what followed from it (competitions.effects) where the log keeps that."""

    event: dict[str, Any]
    effects: dict[str, Any] | None


def happened(caller: Caller, competition: Competition, seq: int) -> Happened:
    """One event of `history`. Raises Forbidden, NotFound."""
    found = history(caller, competition, after=seq - 1, limit=1)
    if not found or found[0]["seq"] != seq:
        raise NotFound("event")
    return Happened(found[0], eventlog.effects(competition.pk, seq))


def history(caller: Caller, competition: Competition, *, after: int, limit: int) -> list[dict[str, Any]]:
    """The `limit` events after seq `after`, each ready to be shown, with `who`, `reason` and `door`. Raises
    Forbidden."""
    check_whole(caller, competition)
    events = eventlog.page(competition.pk, after=after, limit=limit)
    doors = eventlog.doors(competition.pk, [event.seq for event in events])
    names = dict(User.objects.filter(pk__in={event.actor for event in events}).values_list("pk", "username"))
    return [
        {
            **shown,
            # A username may be somebody's mail address, which is nobody's business here.
            "who": names.get(event.actor or 0, "").partition("@")[0],
            "reason": event.reason,
            "door": doors[event.seq],
        }
        for event, shown in zip(events, public_events(competition, events), strict=True)
    ]
