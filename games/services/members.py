"""Who belongs to a club, and as what. Every member may log in to the admin; what it shows follows from the role."""

from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from games.access import GUEST, SLIP, Caller, club_for
from games.errors import Forbidden, Invalid, NotFound
from games.models import Membership, Role, User
from games.services.transactions import durable
from scoring.wording import say

DESK_ROLES = (Role.SCORER, Role.ORGANISER)
"""The roles with work in the admin (`is_staff`): plain members only look after their own account there."""


def add_member(*, caller: Caller, club: str, username: str, role: str, password: str = "") -> int:
    """Give an account a role in the club with that slug; returns the membership's id. Organisers.

    With `password` a new account is made, without it the account with exactly that username is taken. Raises
    `bad_account`, `bad_password`, `bad_role`, `already_member`.
    """
    owner = club_for(caller, club, Role.ORGANISER)
    _check_role(role)
    with durable():
        found = User.objects.filter(username=username, is_bot=False).first()
        if found is not None and password:
            message = say(
                "There is already an account {username}. To add it, leave the password empty.", username=username
            )
            raise Invalid("bad_account", message)
        if found is None and not password:
            message = say("There is no account {username}. To make one, give it a first password.", username=username)
            raise Invalid("bad_account", message)
        user = _locked(found.pk) if found is not None else new_account(username=username, password=password)
        if Membership.objects.filter(user=user, club=owner).exists():
            raise Invalid(
                "already_member", say("{username} is already a member of {club}.", username=username, club=owner.name)
            )
        membership = Membership.objects.create(user=user, club=owner, role=role)
        settle_staff(user)
        return membership.pk


def change_role(*, caller: Caller, membership: int, role: str) -> None:
    """Give a member another role. Organisers, but not for themselves: a club is never left without one by a slip."""
    _check_role(role)
    with durable():
        row = _membership(caller, membership)
        row.role = role
        row.save(update_fields=["role"])
        settle_staff(row.user)


def remove_member(*, caller: Caller, membership: int) -> None:
    """Take a member out of the club. The account, the player and everything played stay."""
    with durable():
        row = _membership(caller, membership)
        row.delete()
        settle_staff(row.user)


def new_account(*, username: str, password: str, **fields: Any) -> User:
    """A person's account; raises `bad_account`, `bad_password`."""
    user = User(username=User.normalize_username(username), **fields)
    try:
        check_username(user.username)
        user.full_clean(exclude=["password"])
    except ValidationError as error:
        raise Invalid("bad_account", " ".join(error.messages)) from error
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Invalid("bad_password", " ".join(error.messages)) from error
    user.set_password(password)
    user.save()
    return user


def check_username(username: str) -> None:
    """ValidationError for a name that one of the server's own accounts has, or may yet need (access.py)."""
    name = username.casefold()
    if name == "system" or name.startswith(("bot-", GUEST, SLIP)):
        message = _("The names “system”, “bot-…”, “guest-…” and “slip-…” belong to the server.")
        raise ValidationError(message, code="reserved")


def settle_staff(user: User) -> None:
    """Mark a user as staff exactly while they are a superuser, or organiser or scorer of some club."""
    entitled = user.is_superuser or Membership.objects.filter(user=user, role__in=DESK_ROLES).exists()
    if user.is_staff != entitled:
        user.is_staff = entitled
        user.save(update_fields=["is_staff"])


def _membership(caller: Caller, pk: int) -> Membership:
    """The membership with its user, whose row is locked: what follows from several roles is settled one at a time."""
    row = Membership.objects.filter(pk=pk).first()
    if row is None or not caller.has(Role.ORGANISER, row.club_id):
        raise NotFound("member")
    if row.user_id == caller.user and not caller.superuser:
        raise Forbidden("own_role", say("Nobody changes their own role: ask another organiser."))
    row.user = _locked(row.user_id)
    return row


def _locked(pk: int) -> User:
    return User.objects.select_for_update(no_key=True).get(pk=pk)


def _check_role(role: str) -> None:
    if role not in Role.values:
        raise Invalid("bad_role", say("A role is one of {roles}.", roles=", ".join(Role.values)))
