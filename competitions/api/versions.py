"""What answers about competitions are versions of (games/api/versions.py)."""

from collections.abc import Sequence
from datetime import datetime

from django.db import connection
from django.db.models import Count, Sum

from competitions import folding, selectors
from competitions.models import Competition, Publication
from games.access import Caller
from games.api.versions import Own, Version, of_club, standing
from games.models import Club, Session

_TABLES = """
    SELECT coalesce(sum(s.version), 0), (
        SELECT coalesce(max(p.number), 0) + count(*) FROM competitions_publication p
        WHERE p.competition_id = %(competition)s AND p.unpublished_by IS NULL AND p.not_before <= %(now)s
    )
    FROM competitions_table t JOIN games_session s ON s.id = t.session_id
    WHERE t.competition_id = %(competition)s AND (%(round)s::int IS NULL OR t.round = %(round)s)
"""

_PUBLISHED = """
    SELECT c.id, p.number, k.slug, k.people_version
    FROM competitions_competition c
    JOIN games_club k ON k.id = c.club_id
    JOIN competitions_publication p ON p.competition_id = c.id
    WHERE c.public_id = %(competition)s AND c.public AND p.what = 'standings' AND p.unpublished_by IS NULL
        AND (p.not_before IS NULL OR p.not_before <= %(now)s)
    ORDER BY p.number DESC LIMIT 1
"""


def of_log(caller: Caller, row: Competition) -> Version:
    """Whatever its own log says: settings, entries, draws, publications as far as no embargo is over."""
    return Version(own_of_log(row.public_id, row.seq), standing(caller, row.club))


def own_of_log(competition: str, seq: int) -> Own:
    """What edits of it and of its rounds go by: where its own log stands. A result that comes in refuses none."""
    return ("competition", competition, seq)


def of_competitions(rows: Sequence[Competition]) -> Version:
    """A page of competitions. Select their clubs along."""
    return Version(("competitions", [(row.pk, row.seq, row.club.slug) for row in rows]))


def of_club_sessions(caller: Caller, club: Club) -> Version:
    """All sessions of a club, and where they count; two statements."""
    sessions = Session.objects.filter(club=club).aggregate(count=Count("pk"), version=Sum("version"))
    competitions = Competition.objects.filter(club=club).aggregate(count=Count("pk"), seq=Sum("seq"))
    return of_club(caller, club).with_(*sessions.values(), *competitions.values())


def of_numbers(caller: Caller, row: Competition) -> Version:
    """The same, with the standings as they are now; one statement."""
    return of_log(caller, row).with_(folding.version_of(row))


def of_tables(caller: Caller, row: Competition, *, now: datetime, number: int | None = None) -> Version:
    """The same as of the log, with its tables, or those of round `number`, and embargoes that are over; one
    statement."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLES, {"competition": row.pk, "round": number, "now": now})
        played, out = cursor.fetchone()
    return of_log(caller, row).with_(int(played), out)


def of_published(row: Competition, found: Publication) -> Version:
    """What is published under a number and out, which never changes but for the names: the same for everybody."""
    return Version(("published", row.pk, found.number), (row.club.slug, row.club.people_version))


def published_now(public_id: str, *, now: datetime) -> Version | None:
    """The same of the latest standings of a public competition; None where there are none. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_PUBLISHED, {"competition": public_id, "now": now})
        row = cursor.fetchone()
    if row is None:
        return None
    pk, number, slug, people_version = row
    return Version(("published", pk, number), (slug, people_version))


def of_publications(caller: Caller, row: Competition, found: list[Publication], *, now: datetime) -> Version:
    """The publications that the caller may see."""
    seen = [(one.number, one.unpublished_by, selectors.is_out(one, now)) for one in found]
    return Version(("publications", row.pk, seen), standing(caller, row.club))
