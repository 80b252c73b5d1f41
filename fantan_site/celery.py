"""The Celery app: `celery -A fantan_site worker` and `… beat`. All its options stand in settings (CELERY_*)."""

import os

from celery import Celery

from fantan_site import broker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fantan_site.settings")

broker.install()
app = Celery("fantan")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
