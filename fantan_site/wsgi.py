"""The WSGI entry point. It refuses to start where `manage.py check` would complain."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fantan_site.settings")
django_application = get_wsgi_application()

from fantan_site.checks import refuse_to_start  # noqa: E402  (settings and apps must be loaded first)
from fantan_site.hot import Hot  # noqa: E402

refuse_to_start()
application = Hot(django_application)
