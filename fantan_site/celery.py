"""The Celery app: `celery -A fantan_site worker` and `… beat`. All its options stand in settings (CELERY_*).

Both refuse to start where `manage.py check` would complain.
"""

import os
import sys

from celery import Celery
from celery.signals import beat_init, celeryd_init
from django.core.exceptions import ImproperlyConfigured

from fantan_site import broker
from fantan_site.checks import refuse_to_start

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fantan_site.settings")

broker.install()
app = Celery("fantan")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect
@beat_init.connect
def refuse(**kwargs: object) -> None:
    """End the worker or beat, status 1. Celery only logs what a receiver raises, unless it is SystemExit."""
    try:
        refuse_to_start()
    except ImproperlyConfigured as error:
        # beat has turned sys.stderr into a log by now, whose level may hide this.
        print(f"fantan_site does not start: {error}", file=sys.__stderr__)
        raise SystemExit(1) from error
