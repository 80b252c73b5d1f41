"""One Redis address, in redis-py's spelling and in Celery's."""

import pytest

from fantan_site.redis_url import celery_url, with_db


@pytest.mark.parametrize(
    ("given", "celery"),
    [
        ("redis://cache:6379/2", "redis://cache:6379/2"),
        ("rediss://:pw@cache:6380/0", "rediss://:pw@cache:6380/0"),
        ("unix:///run/r.sock?db=3", "redis+socket:///run/r.sock?virtual_host=3"),
        ("unix:///run/r.sock", "redis+socket:///run/r.sock?virtual_host=0"),
        ("unix://:pw@/run/r.sock?db=1", "redis+socket://:pw@/run/r.sock?virtual_host=1"),
    ],
)
def test_celery_gets_the_same_server_in_its_own_spelling(given: str, celery: str) -> None:
    assert celery_url(given) == celery


@pytest.mark.parametrize("given", ["memory://", "amqp://host", "unix://", "cache:6379"])
def test_an_address_of_another_kind_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="REDIS_URL must start with"):
        celery_url(given)


def test_another_database_of_the_same_server() -> None:
    assert with_db("redis://:pw@cache:6379/2", 5) == "redis://:pw@cache:6379/5"
    assert with_db("unix:///run/r.sock?db=0", 5) == "unix:///run/r.sock?db=5"
