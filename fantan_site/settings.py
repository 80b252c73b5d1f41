"""All settings, read from the environment (docs/deploy.md lists the variables). Nothing secret has a default.

`dev.py` sets FANTAN_EMBEDDED=1 for the servers it starts itself: plain http on this machine's own addresses is then
allowed. `manage.py` sets FANTAN_OFFLINE=1 for commands that need no server (replay, score, …): they get a key of their
own and a database that cannot be reached, so that they can never touch one.
"""

import secrets
import warnings
from pathlib import Path

from celery.schedules import crontab
from csp.constants import NONE, SELF

from fantan_site.about import API_DESCRIPTION, API_TAGS
from fantan_site.environment import (
    broker,
    database,
    level,
    names,
    networks,
    number,
    origins,
    rate,
    required,
    switch,
    text,
)

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = "0.1.0"

EMBEDDED = switch("FANTAN_EMBEDDED")
OFFLINE = switch("FANTAN_OFFLINE")
TESTING = switch("FANTAN_TESTING")
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]

if OFFLINE:
    SECRET_KEY = secrets.token_urlsafe(50)
    DATABASE_URL = "postgres://offline@/offline?host=/dev/null"
    REDIS_URL = "unix:///dev/null/redis.sock?db=0"
    # makemigrations compares models with migration files; that it cannot ask the database is the point.
    warnings.filterwarnings("ignore", "Got an error checking a consistent migration history", RuntimeWarning)
else:
    SECRET_KEY = required("SECRET_KEY", "sessions and tokens are signed with it")
    DATABASE_URL = required("DATABASE_URL", "it names the PostgreSQL database, postgres://user:password@host/name")
    REDIS_URL = required("REDIS_URL", "it names the Redis or Valkey server, redis://host:6379/0")
SECRET_KEY_FALLBACKS = names("SECRET_KEY_FALLBACKS")

DEBUG = switch("DEBUG")
# The local names stay, for health checks from inside the machine or container.
ALLOWED_HOSTS = [*names("ALLOWED_HOSTS"), *LOCAL_HOSTS]
CSRF_TRUSTED_ORIGINS = names("CSRF_TRUSTED_ORIGINS")

# Transport: https everywhere, unless these are dev.py's servers on this machine's own addresses.
HTTPS = switch("HTTPS", default=not EMBEDDED)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
HSTS_SECONDS = number("HSTS_SECONDS", default=31_536_000)
SECURE_HSTS_SECONDS = HSTS_SECONDS if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
# Only where a proxy sets and clears the header itself: otherwise a client could claim to be secure.
if switch("BEHIND_PROXY"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
# Nothing from elsewhere, and no script or style inside a page.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "games.apps.GamesConfig",  # before the admin, whose templates it extends
    "competitions.apps.CompetitionsConfig",
    "games.apps.ClubAdminConfig",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "pgtrigger",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "fantan_site.middleware.PageCompression",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "fantan_site.middleware.LanguageMiddleware",
    "fantan_site.middleware.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "fantan_site.middleware.ComeAgain",
]
ROOT_URLCONF = "fantan_site.urls"
WSGI_APPLICATION = "fantan_site.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "fantan_site" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# Database: persistent connections (WSGI), statements bound and prepared by the server, and no wait without an end.
# A person's move waits at most two seconds for a row lock; manage.py lifts the statement limit for long commands.
STATEMENT_TIMEOUT_MS = number("DATABASE_STATEMENT_TIMEOUT_MS", default=15_000)
LOCK_TIMEOUT_MS = number("DATABASE_LOCK_TIMEOUT_MS", default=2_000)
IDLE_TIMEOUT_MS = number("DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS", default=60_000)
DATABASES = {"default": database(DATABASE_URL)}
DATABASES["default"] |= {
    "CONN_MAX_AGE": number("DATABASE_CONN_MAX_AGE", default=600),
    "CONN_HEALTH_CHECKS": True,
    "OPTIONS": {
        **DATABASES["default"].get("OPTIONS", {}),
        "connect_timeout": 3,
        "server_side_binding": True,
        "prepare_threshold": 1,
        "options": f"-c statement_timeout={STATEMENT_TIMEOUT_MS} -c lock_timeout={LOCK_TIMEOUT_MS}"
        f" -c idle_in_transaction_session_timeout={IDLE_TIMEOUT_MS}",
    },
}
# Long exports: a thread and a connection each, so few at once, and none for ever.
EXPORTS_AT_ONCE = number("EXPORTS_AT_ONCE", default=2)
EXPORT_SECONDS = number("EXPORT_SECONDS", default=600)
# The largest file that an import job takes; it lies in the database until the job is over.
IMPORT_LARGEST_MB = number("IMPORT_LARGEST_MB", default=1024)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "games.User"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
if TESTING:
    PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "front"

LANGUAGE_CODE = "en"
# Each by its own name: who looks for it reads it.
LANGUAGES = [
    ("en", "English"),
    ("ru", "Русский"),
    ("fr", "Français"),
    ("pt", "Português"),
    ("sr-latn", "Srpski"),
]
LOCALE_PATHS = [BASE_DIR / "fantan_site" / "locale"]
FORMAT_MODULE_PATH = ["fantan_site.formats"]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True

# Static files: collected, hashed and compressed where STATIC_ROOT is set (servers), else read where they lie.
STATIC_URL = "static/"
STATIC_ROOT = text("STATIC_ROOT") or None
WHITENOISE_USE_FINDERS = STATIC_ROOT is None
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if STATIC_ROOT
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# Scripts of other sites: the API looks at no cookie, so what they may do is what their token may.
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOWED_ORIGINS = origins("API_ORIGINS")
CORS_ALLOW_ALL_ORIGINS = not CORS_ALLOWED_ORIGINS
CORS_ALLOW_CREDENTIALS = False
CORS_ALLOW_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
CORS_ALLOW_HEADERS = [
    "accept",
    "authorization",
    "content-type",
    "idempotency-key",
    "if-match",
    "if-none-match",
    "last-event-id",
]
CORS_EXPOSE_HEADERS = [
    "Content-Disposition",
    "ETag",
    "Export-Lines",
    "Export-Snapshot",
    "Link",
    "Location",
    "RateLimit-Limit",
    "RateLimit-Policy",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "WWW-Authenticate",
]
CORS_PREFLIGHT_MAX_AGE = 86_400

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["games.api.auth.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["games.api.rendering.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["games.api.parsing.StrictJSONParser"],
    "URL_FORMAT_OVERRIDE": None,
    "DEFAULT_SCHEMA_CLASS": "games.api.openapi.ApiSchema",
    "EXCEPTION_HANDLER": "fantan_site.errors.exception_handler",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Fan Tan",
    "DESCRIPTION": API_DESCRIPTION,
    "TAGS": API_TAGS,
    "SERVERS": [{"url": "/", "description": "This server"}],
    "VERSION": VERSION,
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "ENUM_NAME_OVERRIDES": {
        "ClubEventKind": "games.api.people.KINDS",
        "CompetitionKind": "competitions.services.checking.KINDS",
        "CompetitionStatus": "competitions.models.Competition.Status",
        "Credit": "games.engine.occupancy.CREDITS",
        "DealMode": "games.api.fields.DEAL_MODES",
        "DealState": "games.api.deals.STATES",
        "DeliveryStatus": "games.models.WebhookDelivery.Status",
        "RoundStatus": "competitions.models.Round.Status",
        "SessionStatus": "games.models.Session.Status",
    },
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "games.api.openapi.share"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# Streams (games/live): each process keeps at most so many open, for one token at most so many, and reads for all of
# them in a few threads. Where none are kept open a client comes again after STREAM_RETRY_SECONDS.
STREAMS_PER_PROCESS = number("STREAMS_PER_PROCESS", default=2_000)
STREAMS_PER_TOKEN = number("STREAMS_PER_TOKEN", default=50)
STREAM_HEARTBEAT_SECONDS = number("STREAM_HEARTBEAT_SECONDS", default=15)
STREAM_RETRY_SECONDS = number("STREAM_RETRY_SECONDS", default=2)
STREAM_SLOW_SECONDS = number("STREAM_SLOW_SECONDS", default=20)
STREAM_READERS = number("STREAM_READERS", default=3)
ASGI_THREADS = number("ASGI_THREADS", default=8)

# Play now: whoever comes plays against bots as a guest, in a club of the server's own. On a laptop, and where it is
# wished for.
PLAY_NOW = switch("PLAY_NOW", default=EMBEDDED)

# How often somebody may ask: by token, or by address where there is none (docs/api.md). Tests are not limited, but
# where they say so.
USUAL_RATES = {
    "reads": "300/10",
    "writes": "200/10",
    "anonymous": "200/10",
    "bulk": "30/60",
    "tokens": "30/3600",
    "bad-tokens": "60/60",
    "slips": "300/60",
    "play-now": "30/600",
    "login": "10/900",
    "login-address": "100/900",
    "login-name": "100/900",
}
RATE_LIMITS = {
    name: rate(f"RATE_LIMIT_{name.upper().replace('-', '_')}", default="off" if TESTING else usual)
    for name, usual in USUAL_RATES.items()
}
# Proxies of ours before web: the client is whom the outermost saw. Where there is none, who connects to us.
NUM_PROXIES = number("NUM_PROXIES", default=1 if switch("BEHIND_PROXY") else 0)

# The queue is a hint: what is due stands in rows and the sweep finds it, so a request never waits for the broker and
# a task may be lost, late or run twice. The hard time limit stays below the visibility timeout, or tasks run twice.
CELERY_BROKER_URL = broker(REDIS_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 1,
    "socket_connect_timeout": 1,
    "visibility_timeout": 60,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
}
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_ALWAYS_EAGER = switch("CELERY_TASK_ALWAYS_EAGER")
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = 30
CELERY_TASK_SOFT_TIME_LIMIT = 25
CELERY_TASK_DEFAULT_QUEUE = "fantan"
# Other people's servers may be slow: a worker of their own waits for them, and never one that plays the bots.
CELERY_TASK_ROUTES = {"games.webhooks.*": {"queue": "webhooks"}}
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    # Expires before the next one is sent, so that a stopped worker does not come back to a heap of sweeps.
    "sweep": {"task": "games.sweep", "schedule": 2.0, "options": {"expires": 2}},
    "webhooks": {"task": "games.webhooks.sweep", "schedule": 2.0, "options": {"expires": 2}},
    "imports": {"task": "games.imports", "schedule": 2.0, "options": {"expires": 2}},
    # Every hour of the night, so that a heap takes some nights and not one long task.
    "expire": {"task": "games.expire", "schedule": crontab(hour="0-5", minute="40"), "options": {"expires": 600}},
}

# Whom webhooks may call besides public addresses over https. A network named here is open to every organiser.
WEBHOOK_NETWORKS = networks("WEBHOOK_NETWORKS")
WEBHOOK_HTTP = switch("WEBHOOK_HTTP")

LOG_LEVEL = level("LOG_LEVEL", default="INFO")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "filters": {"codes": {"()": "fantan_site.logs.WithoutCodes"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["codes"]}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"level": LOG_LEVEL, "handlers": [], "propagate": True},
        # Scanners ask for any host; the 400 they get is enough.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
    },
}
