"""Who is calling, and what that gives the right to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.errors import Forbidden, NotFound
from games.models import Club, Membership, Role, Session, User
from games.scopes import Needs, highest_role
from scoring.wording import Listed, mark, say

GUEST = "guest-"
SLIP = "slip-"
"""How the names of those accounts begin that enter results from a score slip."""

_RANK = {Role.MEMBER.value: 1, Role.SCORER.value: 2, Role.ORGANISER.value: 3}


@dataclass(frozen=True, slots=True)
class Login:
    """A login by cookie: the key of its session, and the digest of the account's password that the session keeps."""

    key: str
    digest: str


@dataclass(frozen=True, slots=True)
class Caller:
    """A user as services see one: an id and a role per club. A superuser is an organiser everywhere; nobody's rights
    open a live hand. `system` is the sweep and the bots acting for a session's own settings.

    `table`: the id of a session whose score slip somebody holds: at that table a scorer, and nothing anywhere else.

    Who comes with a token (its id) acts within the token's `scopes`, with all that these include, and in no higher
    role than they are for; `scopes` None is somebody without a token, whom none narrows. `login` is that of somebody
    on a page, where what is open must end with it."""

    user: int
    superuser: bool = False
    roles: Mapping[int, str] = field(default_factory=dict)
    system: bool = False
    token: int = 0
    scopes: frozenset[str] | None = None
    login: Login | None = None
    table: int = 0

    @property
    def counted_as(self) -> str:
        """Whose requests and streams are counted together: those of a token, else of an account; empty for nobody."""
        return f"token:{self.token}" if self.token else f"user:{self.user}" if self.user else ""

    @classmethod
    def of(cls, user: User) -> "Caller":
        """The caller of a logged-in user; one statement for the memberships."""
        roles = dict(Membership.objects.filter(user=user).values_list("club_id", "role"))
        return cls(user.pk, user.is_superuser, roles)

    def has(self, role: Role, club_id: int) -> bool:
        """Whether the caller has `role` in the club, or one that includes it."""
        if self.scopes is not None and _RANK[highest_role(self.scopes).value] < _RANK[role.value]:
            return False
        return self.superuser or _RANK.get(self.roles.get(club_id, ""), 0) >= _RANK[role.value]

    def require(self, needs: Needs) -> None:
        """Raises Forbidden `scope_needed` where the caller's token is for something else."""
        wanted = needs if isinstance(needs, tuple) else (needs,)
        if self.scopes is not None and self.scopes.isdisjoint(wanted):
            names = Listed(map(str, wanted), mark(" or "))
            message = say(
                "This token is not for that: it needs the scope {names}. Make a token that has it.", names=names
            )
            raise Forbidden("scope_needed", message, scope=wanted[0].value)

    def serves(self, role: Role, session: Session) -> bool:
        """Whether the caller may do in the session what `role` may."""
        at_table = self.table == session.pk and role is not Role.ORGANISER
        return at_table or self.system or self.has(role, session.club_id)

    def sees(self, session: Session) -> bool:
        """A session is seen by its club; by everybody where it is public."""
        return session.public or self.serves(Role.MEMBER, session)

    def clubs(self, role: Role = Role.MEMBER) -> list[int] | None:
        """Ids of the clubs where the caller has `role`; None means all of them."""
        if self.superuser and self.has(role, 0):
            return None
        return [club for club in self.roles if self.has(role, club)]


ANONYMOUS = Caller(0)


def system_caller() -> Caller:
    """The account in whose name the sweep deals; made on first use."""
    user, _ = User.objects.get_or_create(username="system", defaults={"is_bot": True, "password": "!"})
    return Caller(user.pk, system=True)


def bot_account(strategy: str) -> User:
    """The account that every bot of a strategy plays by; made on first use, without a password."""
    user, _ = User.objects.get_or_create(username=f"bot-{strategy}", defaults={"is_bot": True, "password": "!"})
    return user


def slip_account(seat: int) -> User:
    """The account in whose name a seat (from 0) of any table enters results from its score slip; made on first use,
    without a password. One a seat, so that another seat is another person."""
    user, _ = User.objects.get_or_create(username=f"{SLIP}{seat + 1}", defaults={"is_bot": True, "password": "!"})
    return user


def seat_of(username: str) -> int | None:
    """The seat (from 0) whose `slip_account` has that name; None for any other account, also one that somebody made
    before these names were the server's."""
    number = username.removeprefix(SLIP)
    return int(number) - 1 if number != username and number.isdecimal() else None


def club_for(caller: Caller, slug: str, role: Role) -> Club:
    """The club with that slug; raises NotFound to those outside it, Forbidden to members without the role."""
    club = Club.objects.filter(slug=slug).first()
    if club is None or not caller.has(Role.MEMBER, club.pk):
        raise NotFound("club")
    if not caller.has(role, club.pk):
        raise role_needed(role, club.name)
    return club


ONLY = {
    Role.MEMBER: mark("Only a member of {club} may do this."),
    Role.SCORER: mark("Only a scorer of {club} may do this."),
    Role.ORGANISER: mark("Only an organiser of {club} may do this."),
}
ONLY_HERE = {
    Role.MEMBER: mark("Only a member of this club may do this."),
    Role.SCORER: mark("Only a scorer of this club may do this."),
    Role.ORGANISER: mark("Only an organiser of this club may do this."),
}


def role_needed(role: Role, club: str = "") -> Forbidden:
    """The refusal to a member without the role, with the name of the club where it is not plain which."""
    return Forbidden("forbidden", say(ONLY[role], club=club) if club else say(ONLY_HERE[role]))
