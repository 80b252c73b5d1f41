"""Tables of competitions: columns and constraints, no rules. What is projected from the log says so."""

from competitions.models.competition import Competition, Entry, Publication, Round, Table
from competitions.models.event import Event
from competitions.models.standing import Folded, MergedPlayer, TableScored, Version

__all__ = [
    "Competition",
    "Entry",
    "Event",
    "Folded",
    "MergedPlayer",
    "Publication",
    "Round",
    "Table",
    "TableScored",
    "Version",
]
