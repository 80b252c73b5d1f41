"""Clubs, the people with an account, what each may do in which club, and the tokens of programs."""

import hashlib
import secrets
import zoneinfo
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import ClassVar

import pgtrigger
from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models.fields import check_text, public_id


class User(AbstractUser):
    """An account. Bots have accounts too (`is_bot`), without a password; they act through the same services.

    Another username shows in every club's answers, so it counts up the version of all clubs' people."""

    id = models.BigAutoField(primary_key=True)
    is_bot = models.BooleanField(default=False, editable=False)

    class Meta(AbstractUser.Meta):
        triggers: ClassVar = [
            pgtrigger.Trigger(
                name="people_version_username",
                when=pgtrigger.After,
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__username__df=pgtrigger.F("new__username")),
                func="UPDATE games_club SET people_version = people_version + 1; RETURN NULL;",
            )
        ]


@cache
def zones() -> tuple[str, ...]:
    """Time zones of the IANA database that a club can be in, by name: `Europe/Warsaw`, and `UTC`."""
    return tuple(sorted(name for name in zoneinfo.available_timezones() if "/" in name or name == "UTC"))


def check_zone(name: str) -> None:
    """`name` is a time zone of the IANA database, in its spelling; raises ValidationError `bad_timezone`."""
    if name not in zones():
        raise ValidationError(
            _("There is no such time zone. Zones are named as in Europe/Warsaw or America/New_York; UTC is one too."),
            code="bad_timezone",
        )


class Club(models.Model):
    """The owner of players and sessions; rights are given per club.

    `people_version` grows with every change of a player that there is: of a name, a merge, an account. The database
    counts it up (see Player), so that whatever names people can say which version of them it shows. Whoever changes a
    player holds this row already.
    """

    id = models.BigAutoField(primary_key=True)
    name = models.CharField(max_length=100, validators=[check_text])
    slug = models.SlugField(
        max_length=50, unique=True, help_text=gettext_lazy("The club's name in addresses, such as `riverside`.")
    )
    timezone = models.CharField(
        max_length=64,
        default="UTC",
        validators=[check_zone],
        help_text=gettext_lazy(
            "Where the club plays, such as Europe/Warsaw: its times and dates are shown in this zone."
        ),
    )
    people_version = models.PositiveBigIntegerField(default=0, editable=False)

    class Meta:
        ordering = ("name", "id")
        triggers: ClassVar = [
            # A club saved as it was read a moment ago must not turn the version back.
            pgtrigger.Trigger(
                name="people_version_grows",
                when=pgtrigger.Before,
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(new__people_version__lt=pgtrigger.F("old__people_version")),
                func="NEW.people_version = OLD.people_version; RETURN NEW;",
            )
        ]

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    """What a member may do: each role includes the one before it."""

    MEMBER = "member", gettext_lazy("Member")
    SCORER = "scorer", gettext_lazy("Scorer")
    ORGANISER = "organiser", gettext_lazy("Organiser")


class Membership(models.Model):
    """One user's role in one club."""

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="memberships")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.MEMBER)

    class Meta:
        ordering = ("club", "user")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "club"], name="membership_once"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.club}: {self.role}"


class Token(models.Model):
    """A program's key to the API. Only the SHA-256 of the secret is stored; the secret is shown once, when made.

    `scopes` are what it is for (games.scopes). `made_with` is the token that it was asked for with, over the API."""

    class Kind(models.TextChoices):
        """Whose it is: shown by how the secret begins, so that a lost one is recognised."""

        PERSONAL = "personal", gettext_lazy("Personal")
        BOT = "bot", gettext_lazy("A bot's")

    id = models.BigAutoField(primary_key=True)
    public_id = models.CharField(max_length=12, unique=True, default=public_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="tokens")
    label = models.CharField(max_length=60, validators=[check_text], help_text="What uses this token.")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.PERSONAL, editable=False)
    scopes = ArrayField(models.CharField(max_length=40))
    prefix = models.CharField(max_length=20, editable=False)
    digest = models.BinaryField(max_length=32, unique=True, editable=False)
    made_with = models.ForeignKey("self", on_delete=models.PROTECT, null=True, editable=False, related_name="made")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("-created_at", "-id")
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(kind__in=["personal", "bot"]), name="token_kind"),
            models.CheckConstraint(condition=~Q(scopes=[]), name="token_for_something"),
        ]

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.label})"

    @staticmethod
    def digest_of(secret: str) -> bytes:
        return hashlib.sha256(secret.encode()).digest()

    @classmethod
    def issue(
        cls,
        *,
        user: User,
        label: str,
        scopes: Sequence[str] = ("admin",),
        kind: str = Kind.PERSONAL,
        expires_at: datetime | None = None,
        made_with: "Token | None" = None,
        chosen: Callable[[str], str] | None = None,
    ) -> tuple["Token", str]:
        """Make a token; returns it with its secret, `fantan_` (`fantanbot_` for a bot's) and 43 characters, which is
        never shown again. They are random, or `chosen` for the token's public id."""
        fresh, begin = public_id(), BEGINS[cls.Kind(kind)]
        secret = begin + (secrets.token_urlsafe(32) if chosen is None else chosen(fresh))
        token = cls.objects.create(
            public_id=fresh,
            user=user,
            label=label,
            kind=kind,
            scopes=list(scopes),
            prefix=secret[: len(begin) + 5],
            digest=cls.digest_of(secret),
            made_with=made_with,
            expires_at=expires_at,
        )
        return token, secret


BEGINS = {Token.Kind.PERSONAL: "fantan_", Token.Kind.BOT: "fantanbot_"}
"""How the secret of a token begins, by its kind."""
