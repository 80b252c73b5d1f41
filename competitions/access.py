"""Who sees which competitions, and what of them."""

from competitions.models import Competition
from games.access import Caller
from games.models import Role


def may_see(caller: Caller, competition: Competition) -> bool:
    """A competition is seen by its club; by everybody where it is public. That is what is published, nothing more."""
    return competition.public or caller.system or caller.has(Role.MEMBER, competition.club_id)


def may_see_unpublished(caller: Caller, competition: Competition) -> bool:
    """Standings as they are, draws that are not out: for scorers and organisers."""
    return caller.system or caller.has(Role.SCORER, competition.club_id)
