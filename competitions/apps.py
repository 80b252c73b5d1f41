"""The Django app of many tables: it watches corrections of its sessions (games/hooks.py)."""

from django.apps import AppConfig


class CompetitionsConfig(AppConfig):
    name = "competitions"
    label = "competitions"
    verbose_name = "Competitions"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from competitions.watching import CompetitionWatcher
        from games import hooks

        hooks.watchers.append(CompetitionWatcher())
