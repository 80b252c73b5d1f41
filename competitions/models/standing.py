"""The version of a competition's numbers, and its standings as folded at one.

Whatever changes what a session scored, through whichever door, bumps the version of its competition in the same
transaction: the database does, by triggers. Reading folds once per version.
"""

from typing import ClassVar

import pgtrigger
from django.db import models

from competitions.models.competition import Competition
from games.models import Player, TableRow


class Version(models.Model):
    """How often the numbers of a competition have changed. A row of its own: results of different tables wait for each
    other here and not for a draw that holds the competition."""

    competition = models.OneToOneField(Competition, on_delete=models.PROTECT, primary_key=True, related_name="version")
    number = models.PositiveBigIntegerField(default=0)


class Folded(models.Model):
    """The standings at one version; rebuilt by whoever reads them at a later one."""

    competition = models.OneToOneField(Competition, on_delete=models.PROTECT, primary_key=True, related_name="folded")
    version = models.PositiveBigIntegerField()
    standings = models.JSONField()


def _bump(name: str, operation: pgtrigger.Operation) -> pgtrigger.Trigger:
    return pgtrigger.Trigger(
        name=name,
        level=pgtrigger.Statement,
        when=pgtrigger.After,
        operation=operation,
        referencing=pgtrigger.Referencing(new="scored"),
        func="""
            UPDATE competitions_version SET number = number + 1 WHERE competition_id IN (
                SELECT competition_id FROM competitions_table WHERE session_id IN (SELECT session_id FROM scored)
            );
            RETURN NULL;
        """,
    )


class TableScored(TableRow):
    """The rows of a session's table, watched: the last that every result writes."""

    class Meta:
        proxy = True
        triggers: ClassVar = [
            _bump("competition_version_insert", pgtrigger.Insert),
            _bump("competition_version_update", pgtrigger.Update),
        ]


class MergedPlayer(Player):
    """The players of a club, watched: two who turn out to be one may change every competition of it."""

    class Meta:
        proxy = True
        triggers: ClassVar = [
            pgtrigger.Trigger(
                name="competition_version_merge",
                when=pgtrigger.After,
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition("OLD.merged_into_id IS DISTINCT FROM NEW.merged_into_id"),
                func="""
                    UPDATE competitions_version SET number = number + 1 WHERE competition_id IN (
                        SELECT id FROM competitions_competition WHERE club_id = NEW.club_id
                    );
                    RETURN NULL;
                """,
            )
        ]
