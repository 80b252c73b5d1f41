"""Taking a name out of everything that was written in words. What follows from the logs holds no name anyway."""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import QuerySet

from games import hooks
from games.models import Club, ClubEvent, EventDetail, ImportJob, ImportNote, Occupancy, Player, RequestKey, Session
from games.models.fields import bare

BATCH = 500


def mentions(names: Collection[str]) -> Callable[[str], bool]:
    """Whether a text holds one of the names, whatever its case and accents.

    A name of one or two letters counts only as a word of its own, in scripts that have words of their own."""
    patterns = []
    for key in map(bare, names):
        short = len(key) < 3 and key.upper() != key
        patterns.append(rf"(?<!\w){re.escape(key)}(?!\w)" if short else re.escape(key))
    found = re.compile("|".join(patterns))
    return lambda text: bool(found.search(bare(text)))


def forget(club: Club, players: Sequence[Player], names: Collection[str]) -> None:
    """Blank what the server keeps in words about `players` of `club`, called `names` so far: reasons in the logs of the
    club and its sessions, the admin's own notes, what is kept of imports."""
    holds = mentions(names)
    _blank(EventDetail.objects.filter(session__club=club), holds)
    _blank(ClubEvent.objects.filter(club=club), holds)
    _forget_notes(club, players, holds)
    _forget_answers(club, players, holds)
    _forget_imports(club, holds)
    hooks.forget(club, holds)


def _blank(rows: QuerySet[Any], holds: Callable[[str], bool]) -> None:
    reasons = rows.exclude(reason="").values_list("pk", "reason")
    found = [pk for pk, reason in reasons.iterator(chunk_size=BATCH) if holds(reason)]
    for place in range(0, len(found), BATCH):
        rows.model._default_manager.filter(pk__in=found[place : place + BATCH]).update(reason="")


def _forget_notes(club: Club, players: Sequence[Player], holds: Callable[[str], bool]) -> None:
    """The admin notes who was changed, by name, and says in words what was done at their tables."""
    notes = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(Player))
    notes.filter(object_id__in=[str(player.pk) for player in players]).update(object_repr="", change_message="")
    others = Player.objects.filter(club=club).values_list("pk", flat=True)
    sat = Occupancy.objects.filter(player__in=players).values_list("session_id", flat=True).distinct()
    for model, about in ((Player, others), (Session, sat)):
        notes = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(model))
        notes = notes.filter(object_id__in=list(map(str, about))).exclude(change_message="")
        found = [pk for pk, message in notes.values_list("pk", "change_message") if holds(message)]
        LogEntry.objects.filter(pk__in=found).update(change_message="")


def _forget_answers(club: Club, players: Sequence[Player], holds: Callable[[str], bool]) -> None:
    """An import that named them is not answered as it was, should it be sent again: its sessions are there already."""
    ids = {player.public_id for player in players}
    for kept in RequestKey.objects.filter(answer__has_key="matched_players"):
        answer: dict[str, Any] = kept.answer or {}
        matched, new = answer["matched_players"], answer["new_players"]
        made = [session["session"] for session in answer["sessions"]]
        here = Session.objects.filter(club=club, public_id__in=made)
        if ids & set(matched.values()) or (any(map(holds, new)) and here.exists()):
            kept.delete()


def _forget_imports(club: Club, holds: Callable[[str], bool]) -> None:
    """What was said of the lines of a file that named them is not said any more, nor whom their name meant."""
    notes = ImportNote.objects.filter(job__club=club).values_list("pk", "message")
    found = [pk for pk, message in notes.iterator(chunk_size=BATCH) if holds(message)]
    for place in range(0, len(found), BATCH):
        ImportNote.objects.filter(pk__in=found[place : place + BATCH]).delete()
    for job in ImportJob.objects.filter(club=club).exclude(players={}, message=""):
        kept = {name: meant for name, meant in job.players.items() if not holds(name)}
        message = "" if holds(job.message) else job.message
        if (kept, message) != (job.players, job.message):
            ImportJob.objects.filter(pk=job.pk).update(players=kept, message=message)
