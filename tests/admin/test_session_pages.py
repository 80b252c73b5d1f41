"""What an organiser does with a session: each action once as it should be, and once refused."""

import re
from html.parser import HTMLParser

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.models import Deal, Session
from games.services import corrections, sessions
from games.services.players import create_player
from tests.games.builders import NOW
from tests.games.test_corrections import correct, record

pytestmark = pytest.mark.django_db

SLIP = {f"left_{seat}": left for seat, left in enumerate((2, 3, 1, 0))}


def messages_of(response) -> str:
    return " ".join(str(message) for message in response.context["messages"])


def errors_of(response) -> str:
    assert response.status_code == 422
    form = response.context["form"]
    return " ".join(error for errors in form.errors.values() for error in errors)


def test_the_session_page_offers_what_fits_before_the_start(desk):
    page = desk.text()
    assert "Start, and deal the first deal" in page
    assert "Seat players" in page
    assert "Void a deal" not in page


def test_dealing_the_first_deal_starts_the_session(desk):
    answer = desk.do("deal", number=1)
    assert "Deal 1 is dealt." in messages_of(answer)
    assert desk.table.row.status == "playing"


def test_dealing_twice_is_refused_in_words(desk):
    desk.do("deal", number=1)
    assert "still being played" in errors_of(desk.do("deal", number=2))


def test_a_result_from_the_slip_is_stored_and_scored(desk):
    answer = desk.do("result", number=1, dealer=2, **SLIP)
    assert "Deal 1 is saved: D won." in messages_of(answer)
    assert desk.table.row.table_rows.get(seat=3).wins == 1


def test_the_form_of_the_next_result_says_what_was_entered_last(desk):
    desk.do("result", number=1, dealer=2, **SLIP)
    page = desk.client.get(desk.address("result")).content.decode()
    assert "Entered last: Deal 1: A 2, B 3, C 1, D won." in page
    assert "Entered last" not in desk.client.get(desk.address("result") + "?number=1").content.decode()


def test_two_winners_are_refused_at_the_form_and_nothing_is_stored(desk):
    answer = desk.do("result", number=1, dealer=2, **{**SLIP, "left_2": 0})
    assert "Exactly one seat goes out" in errors_of(answer)
    assert not Deal.objects.exists()
    assert desk.table.row.status == "open"


def test_a_refusal_names_the_player_of_the_seat(desk):
    assert "Seat 2 (B) cannot have 30 cards left" in errors_of(
        desk.do("result", number=1, dealer=2, **{**SLIP, "left_1": 30})
    )


def test_the_dealer_is_filled_in_by_the_rotation(desk):
    desk.do("result", number=1, dealer=2, **SLIP)
    page = desk.client.get(desk.address("result")).content.decode()
    assert re.search(r'<option value="3" selected>Seat 4: D', page)


def test_a_result_is_corrected_as_a_new_take_with_the_old_one_filled_in(desk):
    desk.do("result", number=1, dealer=2, **SLIP)
    page = desk.client.get(desk.address("result") + "?number=1").content.decode()
    assert re.search(r'name="left_1" value="3"', page)
    assert "Say why" in errors_of(desk.do("result", number=1, dealer=2, **{**SLIP, "left_1": 5}))
    desk.do("result", number=1, dealer=2, **{**SLIP, "left_1": 5}, reason="misread")
    assert Deal.objects.get(current=True).take == 2
    assert Deal.objects.get(current=True).result["cards_left"] == [2, 5, 1, 0]


def test_passes_that_do_not_go_round_are_asked_about_and_can_be_insisted_on(desk):
    passes = {f"forced_{seat}": 0 for seat in range(4)} | {f"wrongful_{seat}": 0 for seat in range(4)}
    answer = desk.do("result", number=1, dealer=3, **{**SLIP, "left_1": 9}, **passes)
    assert "13 for seat 1 (A), not 11" in errors_of(answer)
    assert 'name="anyway"' in answer.content.decode()
    answer = desk.do("result", number=1, dealer=3, **{**SLIP, "left_1": 9}, **passes, anyway="on")
    assert "Deal 1 is saved" in messages_of(answer)


def test_passes_that_go_round_are_taken_without_a_word(desk):
    # Thirteen cards each; seat 0 begins, D wins in its 14th turn: everybody had 14 (rules.md 5.7).
    passes = {"forced_0": 3, "forced_1": 4, "forced_2": 2, "forced_3": 1}
    passes |= {f"wrongful_{seat}": 0 for seat in range(4)}
    assert "Deal 1 is saved" in messages_of(desk.do("result", number=1, dealer=3, **SLIP, **passes))


def test_a_scheme_that_needs_passes_asks_for_them(make_desk):
    desk = make_desk(4, scheme="pool")
    assert "required" in errors_of(desk.do("result", number=1, dealer=0, **SLIP))


def test_withheld_sevens_are_asked_for_where_they_cost(make_desk):
    desk = make_desk(4, scheme="yellowclub-chips")
    passes = {"forced_0": 3, "forced_1": 3, "forced_2": 2, "forced_3": 1}
    passes |= {"wrongful_0": 0, "wrongful_1": 1, "wrongful_2": 0, "wrongful_3": 0}
    asked = desk.do("result", number=1, dealer=3, **SLIP, **passes)
    assert "which sevens were withheld" in errors_of(asked)
    pairs = {"payer_0": 1, "payee_0": 0, "payer_1": 1, "payee_1": 3}
    desk.do("result", number=1, dealer=3, **SLIP, **passes, **pairs)
    assert Deal.objects.get().points == [2, -15, -2, 15]


LINE = (
    '{"sevens":1,"rules":"pagat","players":["A","B","C","D"],"dealer":0,"hands":['
    '"2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC","2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",'
    '"2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH","2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"],"actions":"%s"}'
)
SUIT = ["7", "6", "5", "4", "3", "2", "8", "9", "T", "J", "Q", "K", "A"]
WHOLE = " ".join(rank + suit for rank in SUIT for suit in "DHSC").rsplit(" ", 3)[0]


def test_a_whole_deal_is_entered_by_pasting_its_record(desk):
    answer = desk.do("record", number=1, line=LINE % WHOLE)
    assert "Deal 1 is saved: B won." in messages_of(answer)


def test_a_record_with_an_illegal_action_says_which(desk):
    answer = desk.do("record", number=1, line=LINE % WHOLE.replace("6D", "2D", 1))
    assert "Action 5:" in errors_of(answer)
    assert not Deal.objects.exists()


def test_a_whole_deal_can_be_typed_in(desk):
    fields = {f"hand_{seat}": " ".join(rank + suit for rank in "23456789TJQKA") for seat, suit in enumerate("CDHS")}
    answer = desk.do("record", number=1, dealer=0, actions=WHOLE, **fields)
    assert "B won" in messages_of(answer)


def test_a_deal_entered_in_part_says_so(desk):
    assert "entered in part" in messages_of(desk.do("record", number=1, line=LINE % "7D 7H"))
    assert "is entered in part" in desk.text()


def test_a_deal_is_voided_with_a_reason(desk):
    desk.do("result", number=1, dealer=2, **SLIP)
    assert "required" in errors_of(desk.do("void", number=1, reason=""))
    assert "Deal 1 is void." in messages_of(desk.do("void", number=1, reason="A card lay on the floor"))
    assert "A card lay on the floor" in desk.text()
    assert "already void" in errors_of(desk.do("void", number=1, reason="Again"))


def test_a_player_is_substituted_from_the_next_deal_on(desk):
    create_player(caller=desk.table.caller, club="river", name="Eva", strategy="random")
    desk.do("result", number=1, dealer=2, **SLIP)
    eva = desk.table.club.players.get(name="Eva")
    answer = desk.do("substitute", seat=1, player=eva.pk, credit="last", reason="B had to leave")
    assert "Eva takes seat 2 from B, from deal 2 on." in messages_of(answer)
    refused = desk.do("substitute", seat=0, player=eva.pk, credit="last", reason="Again")
    assert "already sits at the table" in errors_of(refused)


def test_points_are_adjusted_and_the_adjustment_undone(desk):
    desk.do("result", number=1, dealer=2, **SLIP)
    assert "−2 points for B." in messages_of(desk.do("adjust", seat=1, points=-2, reason="Late"))
    assert "whole number other than 0" in errors_of(desk.do("adjust", seat=1, points=0, reason="Late"))
    seq = desk.table.row.seq
    assert f"undo/?seq={seq}" in desk.text()
    assert "Undone: −2 points" in messages_of(desk.do("undo", seq=seq, reason="Was not late"))
    assert "already undone" in errors_of(desk.do("undo", seq=seq, reason="Again"))


def test_a_session_is_closed_and_opened_again(desk):
    desk.do("result", number=1, dealer=2, **SLIP)
    assert "closed" in messages_of(desk.do("close"))
    assert "undo its closing first" in errors_of(desk.do("close"))
    page = desk.text()
    assert "Open it again" in page
    desk.do("undo", seq=desk.table.row.seq, reason="One more deal")
    assert desk.table.row.status == "waiting"


def test_settings_are_changed_and_only_those(desk):
    seq = desk.table.row.seq
    data = {"label": desk.table.row.label, "profile": "pagat", "scheme": "wins", "deal_after": 30}
    assert "saved" in messages_of(desk.do("settings", **data))
    assert desk.table.row.deal_after == 30
    assert desk.table.row.seq == seq + 1
    assert "Nothing was changed" in messages_of(desk.do("settings", **data))
    assert desk.table.row.seq == seq + 1


def test_a_label_in_use_is_refused_at_its_field(desk):
    create = reverse("admin:games_session_add")
    desk.client.post(create, {"label": "Tuesday", "profile": "pagat"})
    answer = desk.client.post(create, {"label": "Tuesday", "profile": "pagat"})
    assert "already has a session" in errors_of(answer)
    assert "label" in answer.context["form"].errors


def test_opening_a_session_seats_its_players_or_stores_nothing(desk):
    a, b, c, _ = desk.table.players
    create = reverse("admin:games_session_add")
    base = {"label": "Wednesday", "profile": "ace-low", "scheme": "card-count", "values": "target=25"}
    twice = desk.client.post(create, {**base, "seat_0": a.pk, "seat_1": a.pk})
    assert "one seat" in errors_of(twice)
    assert not Session.objects.filter(label="Wednesday").exists()
    answer = desk.client.post(create, {**base, "seat_0": c.pk, "seat_1": a.pk, "seat_2": b.pk}, follow=True)
    assert answer.status_code == 200
    made = Session.objects.get(label="Wednesday")
    assert made.rules["profile"] == "ace-low"
    assert made.scheme == {"scheme": "card-count", "target": 25}
    assert [item.player.name for item in made.occupancies.order_by("seat")] == ["C", "A", "B"]


def test_seats_are_swapped_in_one_step(desk):
    a, b, c, _ = desk.table.players
    answer = desk.do("seats", seat_0=b.pk, seat_1=a.pk, seat_2=c.pk)
    assert "3 players are seated." in messages_of(answer)
    seated = [item.player.name for item in desk.table.row.occupancies.order_by("seat")]
    assert seated == ["B", "A", "C"]


def test_the_list_closes_sessions_after_asking_and_says_what_it_could_not(desk):
    desk.client.post(reverse("admin:games_session_add"), {"label": "Empty", "profile": "pagat"})
    desk.do("close")
    both = [str(pk) for pk in Session.objects.values_list("pk", flat=True)]
    data = {"action": "close_sessions", "_selected_action": both}
    address = reverse("admin:games_session_changelist")
    asked = desk.client.post(address, data)
    assert "Close 2 sessions" in asked.content.decode()
    done = desk.client.post(address, {**data, "confirmed": "yes", "reason": "Late"}, follow=True)
    assert "Closed: Empty." in messages_of(done)
    assert "was not closed" in messages_of(done)


class Inputs(HTMLParser):
    """The inputs of a page with their values, as a browser would send them."""

    def __init__(self, page):
        super().__init__()
        self.values = {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "input" and found.get("name") and found.get("type") not in ("file", "submit"):
            self.values[found["name"]] = found.get("value", "")


def inputs_of(answer):
    return Inputs(answer.content.decode()).values


def test_exported_records_import_again_after_a_dry_run(desk):
    desk.do("record", number=1, line=LINE % WHOLE)
    address = reverse("admin:games_session_changelist")
    data = {"action": "export_records", "_selected_action": [str(desk.pk)]}
    lines = b"".join(desk.client.post(address, data).streaming_content).decode()
    text = lines.replace(desk.table.row.label, "Copy")
    importing = reverse("admin:games_session_import")
    file = SimpleUploadedFile("evening.jsonl", text.encode())
    dry = desk.client.post(importing, {"club": desk.table.club.pk, "file": file})
    assert "Import 1 deal now" in dry.content.decode()
    assert Session.objects.count() == 1
    form = inputs_of(dry)
    done = desk.client.post(importing, {**form, "step": "import"}, follow=True)
    assert "Imported: 1 deal in 1 session." in messages_of(done)
    again = desk.client.post(importing, {**form, "step": "import"})
    assert "already has a session" in again.content.decode()


def test_a_faulty_file_is_shown_line_by_line(desk):
    answer = desk.client.post(reverse("admin:games_session_import"), {"club": desk.table.club.pk, "text": "{}\nx"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "2 faults were found" in page


def test_the_import_asks_who_is_meant_by_a_shared_name(desk):
    create_player(caller=desk.table.caller, club="river", name="A", strategy="random")
    form = {"club": desk.table.club.pk, "text": LINE % WHOLE}
    asked = desk.client.post(reverse("admin:games_session_import"), form)
    assert "Who is A?" in asked.content.decode()
    chosen = desk.table.players[0].pk
    dry = desk.client.post(reverse("admin:games_session_import"), {**form, "name_0": chosen})
    assert "Import 1 deal now" in dry.content.decode()


def test_the_deals_stand_under_everybody_who_sat_in_the_seat(desk):
    record(desk.table, 1, [2, 3, 1, 0])
    substitute = create_player(caller=desk.table.caller, club="river", name="Zoë")
    correct(corrections.substitute, desk.table, seat=0, player=substitute)

    assert "A, Zoë" in desk.text()


def test_a_gap_between_the_seats_is_named_before_anybody_tries_to_start(desk):
    sessions.seat(caller=desk.table.caller, session=desk.table.session, seat=1, player=None, now=NOW, door="test")

    assert "Seat 2 is empty: fill the seats from seat 1 on" in desk.text()
