"""Importing recorded deals: whole sessions, all or none, after a dry run that says what would happen."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from games.access import Caller, club_for
from games.errors import Invalid
from games.models import Role
from games.services.import_plans import Faults, Report, checked, faults_found, grouped, player_ids, store
from games.services.keys import Key, answer_of, known, remember, wait_for_twin
from games.services.sessions import checked_scheme
from games.services.transactions import durable


def import_records(
    *,
    caller: Caller,
    club: str,
    lines: Iterable[tuple[int, bytes]],
    players: Mapping[str, str] | None = None,
    scheme: Any = None,
    dry_run: bool,
    now: datetime,
    door: str,
    key: Key | None = None,
) -> dict[str, Any]:
    """Import the deals of numbered `lines` (docs/record-format.md) as new sessions of the club with that slug.

    A record's `session` is the label of the session; deals without one form one session. Names match the club's active
    players, else players are made; `players` (name to public id) settles names that match several. `scheme` is for
    sessions whose records name none. Returns a Report as a dictionary. Scorers and organisers.

    Raises `import_faults` with a list of faults in `errors` when any line cannot be taken; then nothing is stored. A
    dry run does all of it and takes it back.
    """
    owner = club_for(caller, club, Role.SCORER)
    chosen = None if scheme is None else checked_scheme(scheme)
    faults = Faults()
    sessions = grouped(lines, faults)
    with durable():
        wait_for_twin(caller, key)
        if (before := known(caller, key)) is not None:
            return dict(answer_of(before))
        report = Report(dry_run)
        ids = player_ids(owner, sessions, players or {}, report, faults)
        plans = [checked(owner, label, deals, chosen, faults) for label, deals in sessions.items()]
        if faults.count:
            raise Invalid(
                "import_faults",
                faults_found(faults.count),
                errors=faults.items,
            )
        for plan in plans:
            store(plan, caller=caller, club=owner, ids=ids, now=now, door=door, report=report)
        answer = {name: getattr(report, name) for name in Report.__slots__}
        if dry_run:
            transaction.set_rollback(True)
        else:
            remember(caller, key, answer=answer)
        return answer
