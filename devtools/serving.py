"""The commands of processes that dev.py and the tests start alike."""

STOP_SECONDS = 3

FOR_WEBHOOKS = ["--queues", "webhooks", "--pool", "threads", "--concurrency", "8"]
"""Options of the Celery worker that calls other people's servers: it waits most of the time, for several at once."""


def uvicorn(host: str, port: int) -> list[str]:
    """The arguments for Python. Streams end by themselves when it is told to stop; nothing else is waited for longer
    than STOP_SECONDS."""
    return [
        *("-m", "uvicorn", "--host", host, "--port", str(port)),
        *("--timeout-graceful-shutdown", str(STOP_SECONDS)),
        *("--no-access-log", "--no-server-header", "--no-proxy-headers", "--log-level", "warning"),
        *("--ws", "none", "--lifespan", "on"),
        "fantan_site.asgi:application",
    ]
