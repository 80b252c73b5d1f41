"""Programs count seats from 0, people from 1: nothing that a person reads in the admin says "seat 0"."""

import ast
import re
from pathlib import Path

import pytest
from django.urls import reverse

from games import selectors
from games.engine.errors import Seat, for_people
from games.models import Player
from scoring.wording import Said, listed, say
from tests.admin.test_session_pages import LINE, SLIP, WHOLE, errors_of, messages_of

SAID = re.compile(r"\bseats?(\s+|\s+are\s+|\s+from\s+)0\b", re.IGNORECASE)
SOURCES = ("games/engine", "games/services")


def words_of(answer) -> str:
    """What a page says, without its markup."""
    return re.sub(r"<[^>]*>", " ", answer.content.decode())


def looked_at(desk):
    """Every page about the session, as text."""
    session = desk.table.row
    yield words_of(desk.client.get(reverse("admin:index")))
    yield desk.text()
    for action in ("deal", "result", "record", "seats", "substitute", "reseat", "void", "adjust", "settings", "close"):
        yield words_of(desk.client.get(desk.address(action)))
    for deal in session.deals.all():
        yield words_of(desk.client.get(reverse("admin:games_deal_change", args=[deal.pk])))
    for event in selectors.state_of(session).events:
        yield words_of(desk.client.get(desk.address("undo"), {"seq": event.seq}))


@pytest.mark.django_db
def test_no_page_of_a_session_speaks_of_a_seat_0(desk):
    spare = Player.objects.create(club=desk.table.club, name="Eva")
    for text in looked_at(desk):
        assert not SAID.search(text)
    desk.do("result", number=1, dealer=0, **SLIP)
    desk.do("substitute", seat=0, player=spare.pk, credit="deals", reason="Came late.")
    desk.do("adjust", seat=0, points=5, reason="Was early.")
    desk.do("reseat", from_number=1, to_number=1, seat_0=desk.table.players[1].pk, seat_1=desk.table.players[0].pk,
            seat_2=desk.table.players[2].pk, seat_3=desk.table.players[3].pk, reason="Other chairs.")  # fmt: skip
    desk.do("result", number=2, dealer=1, **SLIP)
    said = list(looked_at(desk))
    for text in said:
        assert not SAID.search(text)
    assert any("Eva sits in seat 1 from deal 2 on." in text for text in said)
    assert any("+5 points for seat 1." in text for text in said)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("slip", "said"),
    [
        ({"left_0": 0}, "0 cards left; seat 1 (A) and seat 4 (D) have."),
        ({"left_0": 30}, "Seat 1 (A) cannot have 30 cards left"),
    ],
)
def test_a_refused_slip_names_seats_as_the_slip_does(desk, slip, said):
    assert said in errors_of(desk.do("result", number=1, dealer=2, **SLIP | slip))


@pytest.mark.django_db
def test_seats_with_a_gap_are_refused_as_people_count(desk):
    address = reverse("admin:games_session_add")
    players = {"seat_1": desk.table.players[0].pk, "seat_2": desk.table.players[1].pk}
    answer = desk.client.post(address, {"profile": "pagat", "label": "Gap", **players}, follow=True)
    text = words_of(answer)
    assert not SAID.search(text)
    assert "Seat 1 is empty: fill the seats from seat 1 on" in text


@pytest.mark.django_db
def test_what_was_done_is_said_with_the_same_numbers(desk):
    desk.do("result", number=1, dealer=0, **SLIP)
    spare = Player.objects.create(club=desk.table.club, name="Eva")
    answer = desk.do("substitute", seat=0, player=spare.pk, credit="last", reason="Left.")
    assert "Eva takes seat 1 from A" in messages_of(answer)


@pytest.mark.django_db
def test_faults_and_warnings_of_a_record_file_count_from_one(desk):
    address = reverse("admin:games_session_import")
    line = LINE.replace('"rules"', '"session":"Import","rules"') % WHOLE
    club = desk.table.club.pk
    warned = words_of(desk.client.post(address, {"club": club, "text": f"{line}\n{line}"}))
    assert "Seat 1 deals; after the deal before it would be seat 2." in warned
    refused = words_of(desk.client.post(address, {"club": club, "text": line.replace('"7D', '"7C')}))
    assert "Seat 2 does not hold 7C." in refused
    assert "counted from 1 here, and from 0 in the file" in refused


def test_sentences_are_put_for_people():
    assert for_people("Seat 0 is empty: from seat 0 on.") == "Seat 1 is empty: from seat 1 on."
    assert for_people("4 seats stand there; seat 3 has 0 cards.", "ABCD".__getitem__) == (
        "4 seats stand there; seat 4 (D) has 0 cards."
    )


def test_what_was_said_is_put_for_people_and_can_still_be_said_in_other_languages():
    seats = listed([say("seat {seat}", seat=Seat(seat)) for seat in (0, 2)])
    put = for_people(say("{seats} have {cards} cards.", seats=seats, cards=0), "ABCD".__getitem__)
    assert put == "seat 1 (A) and seat 3 (C) have 0 cards."
    assert isinstance(put, Said)
    assert (put.template, put.values["cards"]) == ("{seats} have {cards} cards.", 0)


def sayings(path: Path):
    """The sentences of a source file, each with the expressions that are put into it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("say", "say_n"):
            values = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
            for text in node.args:
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield text.value, values


def test_every_seat_of_a_sentence_can_be_counted_as_people_count():
    """The number behind each “seat” is a Seat; in “seats 0 and 2”, or “from seat 0 on”, it could not be told from
    others."""
    root = Path(__file__).parents[2]
    found = [
        (path.name, text)
        for source in SOURCES
        for path in sorted((root / source).rglob("*.py"))
        for text, values in sayings(path)
        if re.search(r"\b[Ss]eats? (are |from )?\d", text)
        or any(not values[name].startswith("Seat(") for name in re.findall(r"\b[Ss]eat \{(\w+)\}", text))
    ]
    assert found == []
