"""What the tables of competitions must say, computed from the log. Pure: services store it, `audit` compares."""

from dataclasses import dataclass
from typing import Any

from competitions.state import CompetitionState

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Projection:
    """The rows of one competition by table: its own columns, and rows by player, number, session, number."""

    competition: Row
    entries: dict[int, Row]
    rounds: dict[int, Row]
    tables: dict[int, Row]
    publications: dict[int, Row]


def project(state: CompetitionState) -> Projection:
    """All rows of a competition."""
    settings = state.settings
    return Projection(
        competition={
            "name": state.name,
            "season": state.season,
            "kind": state.kind,
            "format": settings.format.key,
            "public": settings.public,
            "starts_on": state.starts_on,
            "ends_on": state.ends_on,
            "status": state.status,
        },
        entries={
            player: {"from_round": entry.from_round, "seed": entry.seed, "withdrawn": entry.withdrawn}
            for player, entry in state.entries.items()
        },
        rounds={
            number: {"title": at.title, "day": at.day, "status": at.status}
            for number in state.numbers
            for at in [state.round(number)]
        },
        tables={
            table.session: {"round": number, "number": table.number}
            for number, at in state.rounds.items()
            for table in at.tables
        },
        publications={
            item.number: {
                "seq": item.seq,
                "what": item.what,
                "round": item.round,
                "at": item.at,
                "not_before": item.not_before,
                "unpublished_by": item.unpublished_by,
            }
            for item in state.publications.values()
        },
    )
