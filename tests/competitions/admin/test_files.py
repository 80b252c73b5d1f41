"""Files through the admin: a dry run with every fault by its line, then the import; and what is taken away."""

import io
import re

import pytest

from competitions.files.reading import write_csv
from competitions.services import corrections, publishing
from games.models import Player, Role
from tests.admin.conftest import a_member_of, log_in
from tests.competitions.admin.conftest import messages_of

pytestmark = pytest.mark.django_db


def upload(text: bytes, name: str = "file.csv"):
    file = io.BytesIO(text)
    file.name = name
    return file


def carried(form):
    """What the page of a dry run sends along."""
    return {name: form[name].value() or "" for name in ("kind", "content", "name", "once", "reason", "confirmed")}


def check(desk, text, **more):
    """Send a file to be looked at, and answer with what the page sends along."""
    answer = desk.client.post(desk.part("files"), {"kind": "entries", "file": upload(text), **more})
    assert answer.status_code == 200, answer.context["form"].faults
    return carried(answer.context["form"])


def stored(desk):
    return desk.row.seq, desk.row.entries.count(), Player.objects.count()


def test_entries_come_out_of_a_file_after_a_dry_run(desk):
    file = upload("name;seed\nZoë;1\nA;\n".encode())
    checked = desk.client.post(desk.part("files"), {"kind": "entries", "file": file})
    page = checked.content.decode()
    assert "new in the club: Zoë" in page
    assert "Import it now" in page
    assert not Player.objects.filter(name="Zoë").exists()
    form = checked.context["form"]
    again = carried(form)
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
    assert "2 deals in 8 rows" in checked.content.decode()
    again = carried(form)
    client.post(desk.part("files"), {**again, "step": "import"})
    assert [session.status for session in desk.league.sessions(1)] == ["finished", "finished"]
    assert client.post(desk.part("files"), {**again, "kind": "entries", "step": "import"}).status_code == 422


def test_only_what_was_shown_is_imported(desk):
    shown = check(desk, b"name\nNina\n")
    other = check(desk, b"name\nOlga\n")
    before = stored(desk)
    for swapped in ({"content": other["content"]}, {"kind": "points", "reason": "r"}, {"confirmed": ""}):
        answer = desk.client.post(desk.part("files"), {**shown, **swapped, "step": "import"})
        assert answer.status_code in (200, 422), swapped
        assert stored(desk) == before, swapped
    answer = desk.client.post(desk.part("files"), {**shown, "content": other["content"], "step": "import"})
    assert "Something has changed since you looked" in answer.content.decode()
    assert "new in the club: Olga" in answer.content.decode()
    desk.client.post(desk.part("files"), {**carried(answer.context["form"]), "step": "import"})
    assert desk.row.entries.filter(player__name="Olga").exists()


@pytest.mark.parametrize("kind", ["entries", "results", "points"])
def test_what_has_moved_on_since_is_shown_anew(desk, kind):
    desk.league.open(1)
    seats = "\n".join(f"1,1,1,1,{seat},{seat - 1}" for seat in range(1, 5))
    text = {
        "entries": "name\nNina\n",
        "results": f"round,table,deal,dealer,seat,cards_left\n{seats}\n",
        "points": "name,total\nA,5\n",
    }[kind]
    shown = check(desk, text.encode(), kind=kind, reason="r")
    corrections.adjust(**desk.league.about, player=desk.league.people[0].public_id, points=1, reason="r")
    before = stored(desk)
    answer = desk.client.post(desk.part("files"), {**shown, "step": "import"})
    assert "this is what it would do now" in answer.content.decode()
    assert stored(desk) == before
    again = carried(answer.context["form"])
    assert again["confirmed"] != shown["confirmed"]
    assert "Imported" in messages_of(desk.client.post(desk.part("files"), {**again, "step": "import"}, follow=True))


def test_a_file_that_is_confirmed_twice_is_imported_once(desk):
    shown = check(desk, b"name,total\nA,5\n", kind="points", reason="Last season.")
    for _ in range(2):
        answer = desk.client.post(desk.part("files"), {**shown, "step": "import"}, follow=True)
    assert len(desk.league.state.adjustments) == 1
    assert answer.status_code == 200


def test_every_fault_is_shown_however_many(desk):
    text = "name,seed\n" + "".join(f"P{line},x\n" for line in range(2, 202))
    answer = desk.client.post(desk.part("files"), {"kind": "entries", "file": upload(text.encode())})
    page = answer.content.decode()
    assert "200 faults were found; nothing was imported." in page
    assert all(f'<td class="number">{line}</td><td>seed</td>' in page for line in range(2, 202))


def test_faults_of_results_count_seats_as_the_file_does(desk):
    desk.league.open(1)
    rows = [[1, 1, 1, 1, seat, 20 if seat == 1 else seat - 2] for seat in range(1, 5)]
    text = write_csv(["round", "table", "deal", "dealer", "seat", "cards_left"], rows)
    answer = desk.client.post(desk.part("files"), {"kind": "results", "file": upload(text)})
    (fault,) = answer.context["form"].faults
    assert fault["message"] == "Seat 1 cannot have 20 cards left: it was dealt 13."


def test_files_and_sheets_are_linked(desk):
    desk.league.whole_round(1)
    publishing.publish(**desk.league.about, what="standings")
    pages = [desk.part("files"), desk.part("round", 1), desk.part("standings"), desk.part("publication", 2)]
    for page in pages:
        assert any("/print/" in address for address in _links(desk.text(page))), page
        for address in [a for a in _links(desk.text(page)) if a.startswith("/competitions/")]:
            assert desk.client.get(address).status_code == 200, address


def _links(page: str) -> list[str]:
    return re.findall(r'href="([^"]+)"', page)
