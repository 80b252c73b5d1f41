"""The Django apps of one table: itself, and the admin with the site that club organisers work in."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.utils.translation import gettext_lazy


class GamesConfig(AppConfig):
    name = "games"
    label = "games"
    verbose_name = gettext_lazy("Games")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games.webhooks import logs  # noqa: F401 - its sources register


class ClubAdminConfig(AdminConfig):
    default_site = "games.admin_site.ClubAdminSite"
