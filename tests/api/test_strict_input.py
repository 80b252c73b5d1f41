"""Bad input gets a clear 400 (or 404, 413, 415) and never a 500; nothing is guessed or converted."""

import json

import pytest

from games.models import Event, Session
from tests.api.clients import World, code_of
from tests.api.routes import all_routes, path_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def world():
    return World()


BAD_JSON = {
    "not JSON": b"{",
    "nothing but spaces": b"   ",
    "two values": b"{} {}",
    "not UTF-8": b'{"label":"\xff"}',
    "UTF-16": '{"label":"x"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"label":"x"}',
    "a key twice": b'{"label":"a","label":"b"}',
    "a key twice inside": b'{"rules":{"profile":"pagat","profile":"pool"}}',
    "NaN": b'{"deal_after":NaN}',
    "Infinity": b'{"deal_after":-Infinity}',
    "a number beyond a float": b'{"deal_after":1e999}',
    "a huge number": b'{"deal_after":' + b"9" * 5000 + b"}",
    "NUL": b'{"label":"a\\u0000b"}',
    "NUL in a key": b'{"la\\u0000bel":"a"}',
    "a raw NUL": b'{"label":"a\x00b"}',
    "half a surrogate pair": b'{"label":"\\ud800"}',
    "half a pair in a key": b'{"\\udc00":1}',
    "half a pair deep inside": b'{"rules":' + b"[" * 15 + b'"\\ud83d"' + b"]" * 15 + b"}",
    "nesting just too deep": b'{"rules":' + b"[" * 20 + b"]" * 20 + b"}",
    "nesting without end": b"[" * 60_000,
    "nested objects without end": b'{"a":' * 10_000,
}


def test_what_is_no_clean_json_is_refused(world):
    path = f"/clubs/{world.club.slug}/sessions"
    codes = {what: code_of(world.organiser.send(body, path)) for what, body in BAD_JSON.items()}
    assert codes == dict.fromkeys(BAD_JSON, (400, "bad_json"))


def test_nesting_up_to_the_limit_is_read_and_then_refused_by_its_meaning(world):
    body = b'{"rules":{"profile":' + b"[" * 18 + b"]" * 18 + b"}}"
    assert code_of(world.organiser.send(body, f"/clubs/{world.club.slug}/sessions")) == (422, "bad_rules")


def test_bodies_have_a_length_limit(world):
    path = f"/clubs/{world.club.slug}/sessions"
    body = json.dumps({"label": "x" * 64 * 1024})
    answer = world.organiser.send(body, path)
    assert code_of(answer) == (413, "too_large")
    assert answer.json()["limit"] == 65536
    padded = b'{"label":"padded"}'.ljust(64 * 1024)
    assert world.organiser.send(padded, path).status_code == 201


@pytest.mark.parametrize("kind", ["text/csv", "application/x-www-form-urlencoded", "multipart/form-data", "", "junk"])
def test_other_content_types_are_not_read(world, kind):
    answer = world.organiser.send(b"{}", f"{world.path}/close", content_type=kind)
    assert code_of(answer) == (415, "unsupported_media_type")


@pytest.mark.parametrize("body", [b"[]", b"null", b"1", b'"x"', b"true"])
def test_a_body_is_an_object(world, body):
    assert code_of(world.organiser.send(body, f"{world.path}/close")) == (400, "invalid")


def test_no_body_is_an_empty_object(world):
    assert world.organiser.send(b"", f"{world.path}/close", content_type="").status_code == 201


WRONG = {
    "actions": [
        ({"action": 7, "expected_seq": 1}, "action"),
        ({"action": "7d", "expected_seq": 1}, "action"),
        ({"action": "", "expected_seq": 1}, "action"),
        ({"action": "7D " * 9, "expected_seq": 1}, "action"),
        ({"action": None, "expected_seq": 1}, "action"),
        ({"action": "7D"}, "expected_seq"),
        ({"action": "7D", "expected_seq": True}, "expected_seq"),
        ({"action": "7D", "expected_seq": "1"}, "expected_seq"),
        ({"action": "7D", "expected_seq": 1.0}, "expected_seq"),
        ({"action": "7D", "expected_seq": -1}, "expected_seq"),
        ({"action": "7D", "expected_seq": 10**12}, "expected_seq"),
        ({"action": "7D", "expected_seq": [1]}, "expected_seq"),
    ],
    "adjustments": [
        ({"seat": 0, "points": True, "reason": "r"}, "points"),
        ({"seat": 0, "points": 1.5, "reason": "r"}, "points"),
        ({"seat": "0", "points": 1, "reason": "r"}, "seat"),
        ({"seat": 0, "points": 1, "reason": 5}, "reason"),
        ({"seat": 0, "points": 1, "reason": "x" * 501}, "reason"),
        ({"seat": 0, "points": 1, "reason": {}}, "reason"),
    ],
    "substitutions": [
        ({"seat": 0, "player": 1, "reason": "r"}, "player"),
        ({"seat": 0, "player": "p", "credit": "half", "reason": "r"}, "credit"),
        ({"seat": 0, "player": "p", "credit": 1, "reason": "r"}, "credit"),
        ({"seat": 0, "player": "p", "credit": [], "reason": "r"}, "credit"),
    ],
    "deals": [
        ({}, "number"),
        ({"number": 0}, "number"),
        ({"number": True}, "number"),
        ({"number": 1, "hands": "7D"}, "hands"),
        ({"number": 1, "hands": {"0": "7D"}}, "hands"),
        ({"number": 1, "hands": [["7D"]]}, "hands.0"),
        ({"number": 1, "hands": ["7D", "7X"]}, "hands.1"),
        ({"number": 1, "hands": ["7D"] * 9}, "hands"),
        ({"number": 1, "hands": ["7D"], "actions": ["7D"]}, "actions"),
        ({"number": 1, "hands": ["7D"], "actions": "7D x"}, "actions"),
        ({"number": 1, "hands": ["7D"], "actions": "- " * 6000}, "actions"),
        ({"number": 1, "actions": "7D"}, "hands"),
        ({"number": 1, "dealer": 0}, "dealer"),
        ({"number": 1, "dealer": -1, "hands": []}, "dealer"),
        ({"number": 1, "result": []}, "result"),
        ({"number": 1, "result": {}}, "result.cards_left"),
        ({"number": 1, "result": {"cards_left": [0, True, 1]}}, "result.cards_left.1"),
        ({"number": 1, "result": {"cards_left": [0, 1, 2.0]}}, "result.cards_left.2"),
        ({"number": 1, "result": {"cards_left": [0, 1, None]}}, "result.cards_left.2"),
        ({"number": 1, "result": {"cards_left": "0 1 2"}}, "result.cards_left"),
        ({"number": 1, "result": {"cards_left": [0, 1, 2], "withheld": [[0]]}}, "result.withheld.0"),
        ({"number": 1, "result": {"cards_left": [0, 1, 2], "withheld": [[0, "1"]]}}, "result.withheld.0.1"),
        ({"number": 1, "result": {"cards_left": [0, 1, 2]}, "hands": ["7D"]}, "result"),
    ],
    "undo": [({"seq": 0, "reason": "r"}, "seq"), ({"seq": "1", "reason": "r"}, "seq"), ({"seq": 1}, "reason")],
    "close": [({"reason": None}, "reason"), ({"reason": []}, "reason")],
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_type_is_named_by_its_field(world, name):
    for body, field in WRONG[name]:
        answer = world.organiser.post(path_of(name, world), body, key="k")
        assert code_of(answer) == (400, "invalid")
        assert field in [error["field"] for error in answer.json()["errors"]], answer.json()
        assert all(error["code"] and error["message"] for error in answer.json()["errors"])


def test_settings_have_exactly_one_type(world):
    for body in [
        {"public": "true"},
        {"public": 1},
        {"public": None},
        {"rules": 5},
        {"rules": None},
        {"scheme": ["wins"]},
        {"turn_seconds": "60"},
        {"turn_seconds": 0},
        {"deal_after": 1.5},
        {"stand_in": None},
        {"label": 7},
        {"label": ""},
        {"label": "x" * 101},
    ]:
        for answer in (
            world.organiser.post(f"/clubs/{world.club.slug}/sessions", body),
            world.organiser.patch(world.path, body),
        ):
            assert code_of(answer) == (400, "invalid")
            assert [error["field"] for error in answer.json()["errors"]] == list(body)


def test_what_a_setting_cannot_be_is_said(world):
    path = f"/clubs/{world.club.slug}/sessions"
    for body, code in [
        ({"rules": "whist"}, "bad_rules"),
        ({"rules": {"profile": "pagat", "deck": 40}}, "bad_rules"),
        ({"rules": {"ace": "low"}}, "bad_rules"),
        ({"scheme": "wins:target=0"}, "bad_rules"),
        ({"scheme": {"scheme": "wins", "target": "x" * 9999}}, "bad_rules"),
        ({"scheme": "x" * 50_000}, "bad_rules"),
        ({"stand_in": "nobody"}, "bad_settings"),
        ({"turn_seconds": 999_999_999}, "bad_settings"),
        ({"label": "a\u202eb"}, "bad_text"),
        ({"label": " a"}, "bad_text"),
        ({"label": "tab\there"}, "bad_text"),
    ]:
        assert code_of(world.organiser.post(path, body)) == (422, code), body


def test_unknown_fields_are_named_at_any_depth(world):
    for path, body, names in [
        ("/close", {"reson": "x", "when": 1}, ["reson", "when"]),
        ("/deals", {"number": 1, "result": {"cards_left": [0], "points": 1}}, ["result.points"]),
        ("/start", {"number": 1}, ["number"]),
        ("/actions", {"action": "7D", "expected_seq": 1, "seat": 0}, ["seat"]),
    ]:
        answer = world.organiser.post(f"{world.path}{path}", body, key="k")
        assert code_of(answer) == (400, "unknown_field")
        assert [error["field"] for error in answer.json()["errors"]] == names


def test_unknown_parameters_are_refused_on_every_route(world):
    world.start()
    for name, method in all_routes():
        path = path_of(name, world)
        answer = world.organiser.generic(method, f"{path}?colour=red", b"{}", content_type="application/json")
        assert code_of(answer) == (400, "unknown_parameter"), (name, method)
        assert answer.json()["errors"] == [{"parameter": "colour", "code": "unknown_parameter"}]
    assert code_of(world.member.get("/rules?format=json")) == (400, "unknown_parameter")


BAD_QUERIES = [
    "limit=0",
    "limit=201",
    "limit=x",
    "limit=-1",
    "limit=1.0",
    "limit=",
    "limit=١",
    "limit=" + "9" * 500,
    "limit=1&limit=1",
    "after=nonsense",
    "after=%00",
    "status=asleep",
    "label=a%00b",
    "label=%ff",
    "club=%ed%a0%80",
    "&".join(f"club={i}" for i in range(300)),
]


def test_bad_parameters_are_named(world):
    for query in BAD_QUERIES:
        answer = world.member.get(f"/sessions?{query}")
        assert code_of(answer) == (400, "bad_parameter"), query


def test_filters_that_match_nothing_give_an_empty_list(world):
    for query in ("club=nowhere", "label=%27%3B--", "label=%F0%9F%83%8F", "label=" + "x" * 5000, "status=closed"):
        assert world.member.get(f"/sessions?{query}").json() == {"results": [], "next": None}


NOWHERE = [
    "/nothing",
    "/",
    "/me/",
    "/sessions/",
    "/sessions/%00",
    "/sessions/abc",
    "/sessions/ABCDEFGHJKMN",
    "/sessions/aaaaaaaaaaaa",
    "/sessions/aaaaaaaaaaaa%00",
    "/sessions/aaaaaaaaaaaa/deals/1",
    "/clubs/%ff",
    "/clubs/a%00b",
    "/clubs/" + "x" * 3000,
    "/players/%ed%a0%80",
    "/players/aaaaaaaaaaaa",
]


def test_an_address_that_is_nothing_is_404_in_the_form_of_all_errors(world):
    for path in NOWHERE:
        assert code_of(world.organiser.get(path)) == (404, "not_found"), path


def test_deal_numbers_and_seats_out_of_range_are_404(world):
    world.start()
    for path in (
        "/deals/0",
        "/deals/01",
        "/deals/-1",
        "/deals/2",
        "/deals/999999999",
        f"/deals/{'9' * 40}",
        "/deals/1.0",
        "/seats/8/view",
        "/seats/00/view",
    ):
        assert code_of(world.organiser.get(f"{world.path}{path}")) == (404, "not_found"), path
    assert code_of(world.organiser.post(f"{world.path}/deals/7/void", {"reason": "r"})) == (404, "no_such_deal")


def test_a_wrong_method_is_405_and_says_which_are_right(world):
    answer = world.organiser.delete(world.path)
    assert code_of(answer) == (405, "method_not_allowed")
    assert answer["Allow"] == "GET, PATCH, HEAD"
    assert code_of(world.organiser.generic("OPTIONS", world.path)) == (405, "method_not_allowed")
    assert code_of(world.organiser.generic("TRACE", world.path)) == (405, "method_not_allowed")


def test_an_answer_nobody_makes_is_406(world):
    assert code_of(world.organiser.get("/me", HTTP_ACCEPT="text/html")) == (406, "not_acceptable")
    assert world.organiser.get("/me", HTTP_ACCEPT="text/html, */*;q=0.1").status_code == 200


@pytest.mark.parametrize("key", ["", "x" * 101, "é", "a\tb", "key\x7f"])
def test_a_key_is_printable_ascii(world, key):
    answer = world.organiser.post(f"{world.path}/close", {}, key=key)
    assert code_of(answer) == (400, "bad_idempotency_key")


def test_a_refused_request_stores_nothing(world):
    row = Session.objects.get(public_id=world.session)
    before = (row.seq, row.version, Event.objects.count())
    for body in BAD_JSON.values():
        world.organiser.send(body, f"{world.path}/close")
    for name, items in WRONG.items():
        for body, _ in items:
            world.organiser.post(path_of(name, world), body, key="k")
    row.refresh_from_db()
    assert (row.seq, row.version, Event.objects.count()) == before
