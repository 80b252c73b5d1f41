"""Files through the admin: a dry run with every fault by its line, then the import; and what is taken away."""

import io
import re

import pytest

from competitions.files.reading import write_csv
from games.models import Player, Role
from tests.admin.conftest import a_member_of, log_in
from tests.competitions.admin.conftest import messages_of

pytestmark = pytest.mark.django_db


def upload(text: bytes, name: str = "file.csv"):
    file = io.BytesIO(text)
    file.name = name
    return file


def test_entries_come_out_of_a_file_after_a_dry_run(desk):
    file = upload("name;seed\nZoë;1\nA;\n".encode())
    checked = desk.client.post(desk.part("files"), {"kind": "entries", "file": file})
    page = checked.content.decode()
    assert "new in the club: Zoë" in page
    assert "Import it now" in page
    assert not Player.objects.filter(name="Zoë").exists()
    form = checked.context["form"]
    again = {name: form[name].value() or "" for name in ("kind", "content", "name", "once", "reason")}
    answer = desk.client.post(desk.part("files"), {**again, "step": "import"}, follow=True)
    assert "Imported: 2 rows; 1 entered" in messages_of(answer)
    assert desk.row.entries.filter(player__name="Zoë", seed=1).exists()


def test_every_fault_is_told_by_its_line_and_nothing_is_stored(desk):
    file = upload(b"name,seed\nNina,one\nA,\nA,\n")
    answer = desk.client.post(desk.part("files"), {"kind": "entries", "file": file})
    assert answer.status_code == 422
    lines = [fault.get("line") for fault in answer.context["form"].faults]
    assert lines == [2, 4]
    assert "Import it now" not in answer.content.decode()
    assert not Player.objects.filter(name="Nina").exists()


def test_results_of_a_round_come_out_of_a_file_by_a_scorer(desk):
    desk.league.open(1)
    client = log_in(a_member_of(desk.league.club, "sam", Role.SCORER))
    page = client.get(desk.part("files")).content.decode()
    assert 'value="results"' in page
    assert 'value="entries"' not in page
    rows = [
        [1, table, 1, 1, seat, seat - 1]
        for table, session in enumerate(desk.league.sessions(1), 1)
        for seat in range(1, session.occupancies.count() + 1)
    ]
    text = write_csv(["round", "table", "deal", "dealer", "seat", "cards_left"], rows)
    checked = client.post(desk.part("files"), {"kind": "results", "file": upload(text)})
    form = checked.context["form"]
    assert form.errors == {}, form.faults
    again = {name: form[name].value() or "" for name in ("kind", "content", "name", "once", "reason")}
    client.post(desk.part("files"), {**again, "step": "import"})
    assert [session.status for session in desk.league.sessions(1)] == ["finished", "finished"]
    assert client.post(desk.part("files"), {**again, "kind": "entries", "step": "import"}).status_code == 422


def test_files_and_sheets_are_linked(desk):
    desk.league.open(1)
    for page in (desk.part("files"), desk.part("round", 1)):
        for address in [a for a in _links(desk.text(page)) if a.startswith("/competitions/")]:
            assert desk.client.get(address).status_code == 200, address


def _links(page: str) -> list[str]:
    return re.findall(r'href="([^"]+)"', page)
