"""People of a club for tests: added, seated with results, merged, unmerged, anonymised through the services."""

from games.models import Membership, Player, Role
from games.services import people, players, recording, sessions
from games.services.recording import PaperResult
from tests.games.builders import NOW, Table, a_user


def add(table: Table, name: str, *, strategy: str = "", account: str = "") -> Player:
    """A player of the table's club; `account` makes a member of that username, who plays for it."""
    if account:
        Membership.objects.create(user=a_user(account), club=table.club, role=Role.MEMBER)
    made = players.create_player(
        caller=table.caller, club=table.club.slug, name=name, strategy=strategy, username=account
    )
    return Player.objects.get(public_id=made)


def session_of(table: Table, *sitting: Player, label: str = "") -> str:
    """A session in which these have seats, not started."""
    seats = {seat: player.public_id for seat, player in enumerate(sitting)}
    opened = sessions.open_session(
        caller=table.caller, club=table.club.slug, label=label, players=seats, now=NOW, door="test"
    )
    return opened.session


def played(table: Table, *sitting: Player, label: str = "") -> str:
    """A session with one deal, entered from paper: the first one wins it."""
    session = session_of(table, *sitting, label=label)
    left = PaperResult(list(range(len(sitting))))
    recording.record_deal(caller=table.caller, session=session, number=1, dealer=0, result=left, now=NOW, door="test")
    return session


def merge(table: Table, player: Player, into: Player, **more):
    options = {"caller": table.caller, "reason": "The same person.", "now": NOW, "door": "test", **more}
    return people.merge(player=player.public_id, into=into.public_id, **options)


def unmerge(table: Table, player: Player, **more):
    options = {"caller": table.caller, "reason": "Not the same.", "now": NOW, "door": "test", **more}
    return people.unmerge(player=player.public_id, **options)


def anonymise(table: Table, player: Player, **more):
    options = {"caller": table.caller, "reason": "Asked for it.", "now": NOW, "door": "test", **more}
    return people.anonymise(player=player.public_id, **options)
