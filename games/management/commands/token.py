"""Make an API token for an account."""

from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games.access import Caller
from games.errors import Refusal
from games.models import User
from games.scopes import BOTS, Scope
from games.services import tokens


class Command(BaseCommand):
    help = "Make an API token for an account and print its secret, which is not shown again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--label", default="command line", help="what uses the token")
        parser.add_argument(
            "--scope",
            action="append",
            metavar="SCOPE",
            choices=list(Scope),
            help="what it is for, may be given several times: %(choices)s; without it everything",
        )
        parser.add_argument(
            "--expires", metavar="TIME", help="when it ends, as in 2027-01-31 or 2027-01-31T18:00+01:00"
        )

    def handle(
        self, *, username: str, label: str, scope: list[str] | None, expires: str | None, **options: Any
    ) -> None:
        user = User.objects.filter(username=username, is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active account {username}.")
        usual = list(BOTS) if user.is_bot else [Scope.ADMIN]
        try:
            _, secret = tokens.make(
                Caller(user.pk),
                user,
                label=label,
                scopes=scope or usual,
                expires_at=_moment(expires),
                now=timezone.now(),
            )
        except Refusal as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(secret)


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"{text} is no time such as 2027-01-31 or 2027-01-31T18:00+01:00.") from error
    return found if found.tzinfo else timezone.make_aware(found)
