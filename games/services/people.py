"""What becomes of a person: two players turn out to be one, or not after all; somebody asks to be forgotten.

Each is an event of the club's own log, with a reason. No session's log is touched: it goes on naming the players that
sat there, and whoever shows or looks for people follows `merged_into`, one step.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from games import clublog, hooks, people
from games.access import Caller
from games.clublog import ClubKind
from games.errors import Invalid, Refusal
from games.models import Player
from games.models.fields import name_key
from games.services.forgetting import forget, mentions
from games.services.keys import Key, answer_of, known, remember, wait_for_twin
from games.services.persons import lock_club, lock_people
from games.services.sessions import checked_reason
from games.services.transactions import durable
from scoring.wording import say


@dataclass(frozen=True, slots=True)
class ClubReceipt:
    """Where the event of a write stands: the club's slug, and the seq in its log."""

    club: str
    seq: int


def merge(
    *, caller: Caller, player: str, into: str, reason: str, now: datetime, door: str, key: Key | None = None
) -> ClubReceipt:
    """Merge the duplicate `player` into the one that stays (public ids of one club). Organisers. `unmerge` reverses it.

    The duplicate becomes inactive; its account, if it has one, plays on as the player that stays. Who keeps others is
    not merged itself: everybody is one step from their person.

    Raises `same_player`, `already_merged`, `keeps_others`, `anonymised`, `different_kinds` (a bot and a person, or bots
    that play differently), `two_accounts`, `met` with the `session` where both had seats, `deal_running`, `bad_player`,
    `reason_required`, and what competitions have against it.
    """

    def decide() -> ClubReceipt:
        club, pk = lock_club(caller, player)
        other = Player.objects.filter(public_id=into, club=club).first()
        if other is None:
            raise Invalid("bad_player", say("There is no such player in this club to merge into."))
        said = checked_reason(reason)
        rows = lock_people(club, {pk, other.pk})
        duplicate, keeper = rows[pk], rows[other.pk]
        check_merge(duplicate, keeper)
        for member in people.group_of(keeper):
            hooks.check_merge(duplicate, member)
        data: dict[str, Any] = {"into": keeper.pk, "active": duplicate.active}
        account = None if duplicate.strategy else duplicate.user
        if account is not None:
            data["account"] = account.pk
            duplicate.user = None
        duplicate.merged_into, duplicate.active = keeper, False
        duplicate.save(update_fields=["merged_into", "active", "user"])
        if account is not None:
            keeper.user = account
            keeper.save(update_fields=["user"])
        return _log(ClubKind.MERGED, duplicate, caller, now, door, said, data)

    return _once(caller, key, decide)


def check_merge(duplicate: Player, keeper: Player) -> None:
    """Whether the club itself has anything against the two being one; six statements, on rows as they stand."""
    if duplicate.pk == keeper.pk:
        raise Invalid("same_player", say("A player cannot be merged into itself."))
    if duplicate.merged_into is not None:
        message = say(
            "{duplicate} is merged into {merged_into} already.",
            duplicate=duplicate.name,
            merged_into=duplicate.merged_into.name,
        )
        raise Refusal("already_merged", message)
    if keeper.merged_into is not None:
        message = say(
            "{keeper} is itself merged into {merged_into}: merge into the latter.",
            keeper=keeper.name,
            merged_into=keeper.merged_into.name,
        )
        raise Refusal("already_merged", message)
    kept = list(duplicate.duplicates.order_by("pk"))
    if kept:
        names = ", ".join(item.name for item in kept)
        message = say(
            "{names} is merged into {duplicate}: merge the other way round, or unmerge that first.",
            names=names,
            duplicate=duplicate.name,
        )
        raise Refusal("keeps_others", message)
    for player in (duplicate, keeper):
        if player.anonymised:
            raise Refusal(
                "anonymised", say("{player} is anonymised: nobody can tell who that was.", player=player.name)
            )
    if duplicate.strategy != keeper.strategy:
        raise Refusal(
            "different_kinds", say("A bot and a person, or bots that play differently, are never one player.")
        )
    if not keeper.strategy and duplicate.user_id is not None and keeper.user_id is not None:
        message = say(
            "{duplicate} and {keeper} both have an account: unlink the one that is not used any more.",
            duplicate=duplicate.name,
            keeper=keeper.name,
        )
        raise Refusal("two_accounts", message)
    met = people.where_met([duplicate.pk], [member.pk for member in people.group_of(keeper)])
    if met is not None:
        message = say(
            "{duplicate} and {keeper} met at a table, in session “{session}”: they are two people.",
            duplicate=duplicate.name,
            keeper=keeper.name,
            session=met.label,
        )
        raise Refusal("met", message, session=met.public_id)
    _check_not_playing([duplicate], mode="hosted")


def unmerge(
    *, caller: Caller, player: str, reason: str, now: datetime, door: str, key: Key | None = None
) -> ClubReceipt:
    """Take the merge of a duplicate (public id) back: it is a player of its own again, active if it was, with its
    account if that was handed on and still is where it went. Organisers. Raises `not_merged`, `deal_running`,
    `reason_required`."""

    def decide() -> ClubReceipt:
        club, pk = lock_club(caller, player)
        said = checked_reason(reason)
        at = Player.objects.values_list("merged_into", flat=True).get(pk=pk)
        if at is None:
            raise Refusal("not_merged", say("This player is not merged into another."))
        rows = lock_people(club, {pk, at})
        duplicate, keeper = rows[pk], rows[at]
        # Whose account plays a seat changes with this.
        _check_not_playing([duplicate, keeper], mode="hosted")
        merged = clublog.last_merge(duplicate).data
        duplicate.merged_into, duplicate.active = None, merged["active"] and not duplicate.anonymised
        if merged.get("account") is not None and keeper.user_id == merged["account"]:
            duplicate.user, keeper.user = keeper.user, None
            keeper.save(update_fields=["user"])
        duplicate.save(update_fields=["merged_into", "active", "user"])
        return _log(ClubKind.UNMERGED, duplicate, caller, now, door, said, {})

    return _once(caller, key, decide)


def anonymise(
    *, caller: Caller, player: str, reason: str, now: datetime, door: str, key: Key | None = None
) -> ClubReceipt:
    """Forget who a player was, for good: no way leads back. Organisers.

    The player, and whoever is merged into it, is called "Player" with the first characters of its id, has no account
    and is inactive. Reasons of the club that hold a name are blanked, and so is what else the server noted with it.
    Everything played stays: results, standings, logs.

    Raises `not_a_person` (a bot), `anonymised`, `already_merged`, `deal_running`, `reason_required`, `name_in_reason`.
    """

    def decide() -> ClubReceipt:
        club, pk = lock_club(caller, player)
        said = checked_reason(reason)
        rows = lock_people(club, {pk, *Player.objects.filter(merged_into=pk).values_list("pk", flat=True)})
        group = [rows.pop(pk), *rows.values()]
        check_anonymise(group[0])
        _check_not_playing(group)
        names = [member.name for member in group if not member.anonymised]
        if mentions(names)(said):
            raise Invalid("name_in_reason", say("Leave the name out of the reason: it is to be forgotten."))
        forget(club, group, names)
        # The person last: the receipt names their event.
        for member in reversed(group):
            if not member.anonymised:
                member.name, member.user, member.active, member.anonymised = _nameless(member), None, False, True
                member.save()
                receipt = _log(ClubKind.ANONYMISED, member, caller, now, door, said, {"name": member.name})
        return receipt

    return _once(caller, key, decide)


def check_anonymise(player: Player) -> None:
    """Whether the player is somebody who can be forgotten, whatever is being played."""
    if player.strategy:
        raise Refusal("not_a_person", say("{player} is a bot: there is nobody to be forgotten.", player=player.name))
    if player.anonymised:
        raise Refusal("anonymised", say("{player} is anonymised already.", player=player.name))
    if player.merged_into is not None:
        message = say(
            "{player} is merged into {merged_into}: anonymise the latter, or unmerge first.",
            player=player.name,
            merged_into=player.merged_into.name,
        )
        raise Refusal("already_merged", message)


def _once(caller: Caller, key: Key | None, decide: Callable[[], ClubReceipt]) -> ClubReceipt:
    """Do it in one transaction; a key that was used before answers as it did then."""
    with durable():
        wait_for_twin(caller, key)
        if (before := known(caller, key)) is not None:
            return ClubReceipt(**answer_of(before))
        receipt = decide()
        remember(caller, key, answer=asdict(receipt))
        return receipt


def _check_not_playing(players: list[Player], **deal: str) -> None:
    found = people.running_with([player.pk for player in players], **deal)
    if found is not None:
        message = say(
            "{player} sits in a running deal (session {session}): wait until it is over.",
            player=found.player.name,
            session=found.session.label,
        )
        raise Refusal("deal_running", message)


def _nameless(player: Player) -> str:
    """The name of somebody forgotten, which nobody else of the club has."""
    for length in range(4, len(player.public_id) + 1):
        name = f"Player {player.public_id[:length]}"
        if not Player.objects.filter(club=player.club_id, name_key=name_key(name)).exclude(pk=player.pk).exists():
            return name
    return f"Player {player.public_id} {player.pk}"


def _log(
    kind: ClubKind,
    player: Player,
    caller: Caller,
    now: datetime,
    door: str,
    reason: str,
    data: dict[str, Any] | None = None,
) -> ClubReceipt:
    club = player.club
    event = clublog.append(club, kind, player, actor=caller.user, at=now, door=door, reason=reason, data=data or {})
    return ClubReceipt(club.slug, event.seq)
