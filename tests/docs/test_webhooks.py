"""docs/webhooks.md says what there is: its receiver runs as it stands there, its table lists every type."""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from django.utils import timezone

from devtools.processes import dies_with_parent
from games.services import delivering, webhooks
from games.webhooks.sources import types
from tests.games.builders import a_table
from tests.games.test_workers import wait_for
from tests.servers import free_port
from tests.webhooks.builders import a_webhook

PAGE = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text()


def test_every_type_of_event_is_listed_with_what_it_means_and_no_other():
    section = PAGE[PAGE.index("\n## Types") :]
    listed = dict(re.findall(r"^\| `([a-z_.]+)` \| (.+) \|$", section, re.MULTILINE))
    assert listed.pop("webhook.test")
    assert listed == types()


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("inside")
def test_the_receiver_takes_what_is_signed_once_and_nothing_else(tmp_path):
    [program] = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    port = free_port()
    table = a_table(4)
    webhook = a_webhook(table.club, table.caller, url=f"http://127.0.0.1:{port}/")
    with (tmp_path / "output").open("w+") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", program],
            env={**os.environ, "WEBHOOK_SECRET": webhook.secret, "PORT": str(port)},
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=dies_with_parent(15),
        )
        try:
            wait_for(lambda: answers(port), "the receiver")
            sent = webhooks.send_test(caller=table.caller, webhook=webhook.public_id, now=timezone.now())
            assert delivering.deliver(webhook.pk, until=timezone.now()) == 1
            webhooks.replay(caller=table.caller, delivery=sent["id"], now=timezone.now())
            assert delivering.deliver(webhook.pk, until=timezone.now()) == 1
            assert webhook.deliveries.get().code == 204
            forged = {"webhook-id": "x", "webhook-timestamp": "1", "webhook-signature": "v1,eA=="}
            assert httpx.post(f"http://127.0.0.1:{port}/", content=b"{}", headers=forged).status_code == 401
        finally:
            process.kill()
            process.wait()
        output.seek(0)
        lines = [line for line in output.read().splitlines() if not line.startswith("127.0.0.1")]
    assert lines == [f"webhook.test /api/v1/webhooks/{webhook.public_id}"]


def answers(port: int) -> bool:
    try:
        httpx.get(f"http://127.0.0.1:{port}/")
    except httpx.TransportError:
        return False
    return True
