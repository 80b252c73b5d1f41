#!/usr/bin/env python3
"""Django's command line. `python3 dev.py manage …` calls it with the servers up; commands that need none run bare."""

import os
import sys

# These never ask a database: without any environment they get settings of their own (see fantan_site/settings.py).
OFFLINE_COMMANDS = {
    "bots",
    "check",
    "collectstatic",
    "help",
    "makemessages",
    "makemigrations",
    "replay",
    "score",
    "spectacular",
    "version",
    "--help",
    "--version",
    "-h",
}


def is_offline(arguments: list[str]) -> bool:
    """Whether `manage.py ARGUMENTS` can do without servers: named above, or asked only for its help."""
    command = arguments[0] if arguments else "help"
    if command == "check" and any(a.startswith("--database") for a in arguments):
        return False
    return command in OFFLINE_COMMANDS or "--help" in arguments or "-h" in arguments


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fantan_site.settings")
    if is_offline(sys.argv[1:]) and not os.environ.get("SECRET_KEY"):
        os.environ["FANTAN_OFFLINE"] = "1"
    # A long command (audit, migrate) may take the time it needs.
    os.environ.setdefault("DATABASE_STATEMENT_TIMEOUT_MS", "0")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
