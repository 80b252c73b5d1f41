"""The Django app of many tables: it watches corrections of its sessions (games/hooks.py), has its logs told to
webhooks, and says what the database's refusals mean."""

from django.apps import AppConfig


class CompetitionsConfig(AppConfig):
    name = "competitions"
    label = "competitions"
    verbose_name = "Competitions"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from competitions.audit import audits
        from competitions.errors import UNIQUE as OWN
        from competitions.telling import CompetitionSource
        from competitions.watching import CompetitionWatcher
        from games import hooks
        from games.audit import others
        from games.errors import UNIQUE
        from games.webhooks import sources

        UNIQUE.update(OWN)
        hooks.watchers.append(CompetitionWatcher())
        others.append(audits)
        sources.register(CompetitionSource())
