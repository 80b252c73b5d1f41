"""Make an API token for an account."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Token, User


class Command(BaseCommand):
    help = "Make an API token for an account and print its secret, which is not shown again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--label", default="command line", help="what uses the token")

    def handle(self, *, username: str, label: str, **options: Any) -> None:
        user = User.objects.filter(username=username, is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active account {username}.")
        _, secret = Token.issue(user=user, label=label)
        self.stdout.write(secret)
