"""Wires the packages together: settings, addresses, servers, the Celery app.

The Celery app is loaded with Django so that `shared_task` finds it in every process; the start-up refusals so that
every command runs them.
"""

from fantan_site import checks as checks
from fantan_site.celery import app as celery_app

__all__ = ["celery_app"]
