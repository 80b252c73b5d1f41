"""What a club sets for itself."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError

from games.access import Caller, club_for
from games.errors import Forbidden, Invalid
from games.models import Club, Role
from games.models.club import check_zone
from games.services.keys import Key, answer_of, known, remember, wait_for_twin
from games.services.sessions import checked_text
from games.services.transactions import durable
from scoring.wording import say


def change_club(
    *,
    caller: Caller,
    club: str,
    name: str | None = None,
    timezone: str | None = None,
    key: Key | None = None,
    check: Callable[[Club], None] | None = None,
) -> Any:
    """Change what is given of the club with that slug: its time zone is the organisers' to set, its name a superuser's.

    Returns the club's name and time zone as they then are. `check` raises where the locked row is not what the caller
    means to change. Raises `bad_timezone`, `bad_text`.
    """
    owner = club_for(caller, club, Role.ORGANISER)
    if name is not None and not caller.superuser:
        raise Forbidden("forbidden", say("Only those who run the server rename a club."))
    if timezone is not None:
        try:
            check_zone(timezone)
        except ValidationError as error:
            raise Invalid("bad_timezone", " ".join(error.messages)) from error
    if name is not None and not checked_text(name, "name", 100):
        raise Invalid("bad_text", say("name: a club needs a name."))
    with durable():
        wait_for_twin(caller, key)
        if (before := known(caller, key)) is not None:
            return answer_of(before)
        row = Club.objects.select_for_update(no_key=True).get(pk=owner.pk)
        if check is not None:
            check(row)
        row.name = row.name if name is None else name
        row.timezone = row.timezone if timezone is None else timezone
        row.save(update_fields=["name", "timezone"])
        answer = {"name": row.name, "timezone": row.timezone}
        remember(caller, key, answer=answer)
        return answer
