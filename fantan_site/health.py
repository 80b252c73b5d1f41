"""Is the process alive (healthz), and can it do its work (readyz)?"""

import redis
from django.conf import settings
from django.db import connection
from django.db.utils import Error as DatabaseError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

PROBE_SECONDS = 1


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 whenever a request gets this far: a restart would not help against a lost database."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when PostgreSQL and Redis both answer, else 503 as problem+json that names the silent one."""
    checks = {"database": _database_answers(), "redis": _redis_answers()}
    if all(checks.values()):
        return JsonResponse({"status": "ok"})
    silent = ", ".join(name for name, answers in checks.items() if not answers)
    problem = {
        "type": "about:blank",
        "title": "Service Unavailable",
        "status": 503,
        "code": "not_ready",
        "detail": f"No answer from: {silent}.",
    }
    response = JsonResponse(problem, status=503, content_type="application/problem+json")
    response["Retry-After"] = "2"
    return response


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _redis_answers() -> bool:
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=PROBE_SECONDS, socket_connect_timeout=PROBE_SECONDS, retry=None
    )
    try:
        return bool(client.ping())
    except (redis.RedisError, OSError):
        return False
    finally:
        client.close()
