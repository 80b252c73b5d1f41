"""A worker that could not tell Redis that a task is done takes the next one all the same."""

import pytest
from kombu.transport import redis as kombu_redis
from redis.exceptions import TimeoutError as RedisTimeout

from fantan_site.broker import QoS


class FrozenRedis:
    """What a channel's pipeline does while Redis is stopped."""

    def execute(self) -> None:
        raise RedisTimeout("Timeout reading from socket")


def with_one_task(kind: type[kombu_redis.QoS]) -> kombu_redis.QoS:
    """A worker's count, limited to one task and holding one."""

    class Frozen(kind):
        def _remove_from_indices(self, delivery_tag: str, pipe: object = None) -> FrozenRedis:
            return FrozenRedis()

    class Channel:
        do_restore = False

    qos = Frozen(Channel(), prefetch_count=1)
    qos._quick_append("tag", object())
    assert not qos.can_consume()
    return qos


@pytest.mark.parametrize("answer", ["ack", "reject"])
def test_the_place_of_a_task_is_given_back_and_the_error_still_told(answer: str) -> None:
    qos = with_one_task(QoS)
    with pytest.raises(RedisTimeout):
        getattr(qos, answer)("tag")
    assert qos.can_consume()


@pytest.mark.parametrize("answer", ["ack", "reject"])
def test_without_the_repair_the_worker_would_be_idle_for_ever(answer: str) -> None:
    qos = with_one_task(kombu_redis.QoS)
    with pytest.raises(RedisTimeout):
        getattr(qos, answer)("tag")
    assert not qos.can_consume(), "kombu does it itself now: fantan_site/broker.py can go"


def test_every_channel_of_this_process_counts_with_the_repair() -> None:
    assert kombu_redis.Channel.QoS is QoS
