"""One Redis address in the two spellings that its clients want."""

from urllib.parse import parse_qsl, urlencode, urlsplit


def celery_url(redis_url: str) -> str:
    """The broker address for Celery, from redis-py's: `unix:///path?db=0` becomes `redis+socket:///path?virtual_host=0`.

    TCP addresses (`redis://`, `rediss://`) are the same in both. ValueError for any other scheme.
    """
    parts = urlsplit(redis_url)
    if parts.scheme in ("redis", "rediss"):
        return redis_url
    if parts.scheme != "unix" or not parts.path:
        raise ValueError(f"REDIS_URL must start with redis://, rediss:// or unix:///path, not {parts.scheme}://")
    query = dict(parse_qsl(parts.query))
    query["virtual_host"] = query.pop("db", "0")
    login = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    return f"redis+socket://{login}{parts.path}?{urlencode(query)}"


def with_db(redis_url: str, number: int) -> str:
    """The same server, another of its numbered databases."""
    parts = urlsplit(redis_url)
    if parts.scheme == "unix":
        query = dict(parse_qsl(parts.query)) | {"db": str(number)}
        return f"unix://{parts.netloc}{parts.path}?{urlencode(query)}"  # geturl() would drop the empty host
    return parts._replace(path=f"/{number}").geturl()
