"""The command of the web server that serves everything from one process."""

STOP_SECONDS = 3


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
