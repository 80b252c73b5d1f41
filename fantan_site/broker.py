"""One repair of Celery's Redis transport: a worker that cannot acknowledge a task goes on taking others.

When Redis is frozen or gone at the moment of an acknowledgement, kombu logs "Couldn't ack" and keeps counting the task
as being worked on. As a worker takes only as many tasks as it has processes, a few such moments end with a worker that
is alive and idle for ever, though Redis is long back. Here the task's place is given back whatever Redis says. Redis
itself still holds the task as unacknowledged and delivers it again after the visibility timeout; every task bears that.
"""

from kombu.transport import redis, virtual


class QoS(redis.QoS):
    """Which of the delivered tasks are still unacknowledged, with places freed even without Redis."""

    def ack(self, delivery_tag: str) -> None:
        try:
            super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        try:
            super().reject(delivery_tag, requeue=requeue)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise


def install() -> None:
    """Let every Redis channel of this process count with it."""
    redis.Channel.QoS = QoS
