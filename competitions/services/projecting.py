"""Storing the projection of a competition: only what differs from the stored rows is written."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Model

from competitions.models import Competition, Entry, Publication, Round, Table
from competitions.projection import project


def store(competition: Competition, state: Any) -> None:
    """Write the rows of `competition` that follow from `state`, and its seq."""
    projection = project(state)
    for column, value in projection.competition.items():
        setattr(competition, column, value)
    competition.save(update_fields=[*projection.competition, "seq"])
    _sync(Entry, competition, ("player_id",), projection.entries)
    _sync(Round, competition, ("number",), projection.rounds)
    _sync(Table, competition, ("session_id",), projection.tables)
    _sync(Publication, competition, ("number",), projection.publications)


def _sync(
    model: type[Model], competition: Competition, key: tuple[str, ...], wanted: Mapping[Any, dict[str, Any]]
) -> None:
    """Make the competition's rows of one projection table what they should be."""
    (name,) = key
    stored = {getattr(row, name): row for row in model._default_manager.filter(competition=competition)}
    if gone := [row.pk for at, row in stored.items() if at not in wanted]:
        model._default_manager.filter(pk__in=gone).delete()
    changed, columns = [], set()
    for at, row in stored.items():
        differing = {column for column, value in wanted.get(at, {}).items() if getattr(row, column) != value}
        if differing:
            for column in differing:
                setattr(row, column, wanted[at][column])
            columns |= differing
            changed.append(row)
    if changed:
        model._default_manager.bulk_update(changed, sorted(columns), batch_size=1000)
    new = [model(competition=competition, **{name: at}, **row) for at, row in wanted.items() if at not in stored]
    if new:
        model._default_manager.bulk_create(new, batch_size=2000)
