"""Bad input about competitions gets a clear refusal, never a 500, and changes nothing."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from competitions.models import Competition, Event
from tests.api.clients import code_of
from tests.competitions.api.clients import Cup
from tests.competitions.api.routes import all_routes, path_of

pytestmark = pytest.mark.django_db

WRONG = {
    "club-competitions": [
        ({}, "name"),
        ({"name": 7}, "name"),
        ({"name": ""}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": "x", "season": None}, "season"),
        ({"name": "x", "kind": 1}, "kind"),
        ({"name": "x", "starts_on": "29.11.2026"}, "starts_on"),
        ({"name": "x", "starts_on": "2026-02-30"}, "starts_on"),
        ({"name": "x", "starts_on": "2026-11-29T00:00"}, "starts_on"),
        ({"name": "x", "ends_on": 20261129}, "ends_on"),
        ({"name": "x", "settings": "swiss"}, "settings"),
        ({"name": "x", "settings": []}, "settings"),
        ({"name": "x", "seed": 5}, "seed"),
    ],
    "entries": [
        ({}, "entries"),
        ({"entries": []}, "entries"),
        ({"entries": {}}, "entries"),
        ({"entries": ["x"]}, "entries.0"),
        ({"entries": [{"player": 1}]}, "entries.0.player"),
        ({"entries": [{"player": "x"}, {"player": "x", "seed": True}]}, "entries.1.seed"),
        ({"entries": [{"player": "x", "seed": 0}]}, "entries.0.seed"),
        ({"entries": [{"player": "x", "from_round": "1"}]}, "entries.0.from_round"),
    ],
    "entry-withdraw": [({"from_round": 0}, "from_round"), ({"reason": None}, "reason")],
    "entry-sit-out": [
        ({}, "round"),
        ({"round": 1, "bye": "yes"}, "bye"),
        ({"round": 1, "points": 1.5}, "points"),
        ({"round": 1, "points": True}, "points"),
        ({"round": 1, "points": None}, "points"),
    ],
    "entry-substitute": [({"round": 1, "by": 5, "reason": "r"}, "by"), ({"round": 1, "by": "x"}, "reason")],
    "apart": [({"players": ["x"]}, "players"), ({"players": ["x", "y", "z"]}, "players")],
    "round": [({"day": None}, "day"), ({"title": 1}, "title"), ({"overrides": []}, "overrides")],
    "round-draw": [
        ({"absent": "x"}, "absent"),
        ({"absent": [1]}, "absent.0"),
        ({"variant": -1}, "variant"),
        ({"variant": 1.0}, "variant"),
        ({"present": {}}, "present"),
    ],
    "round-seating": [
        ({"tables": []}, "tables"),
        ({"tables": ["x"]}, "tables.0"),
        ({"tables": [["x", 1]]}, "tables.0.1"),
    ],
    "round-open": [({"publish": 1}, "publish"), ({"deal": "true"}, "deal")],
    "round-reopen": [({}, "reason"), ({"reason": ""}, "reason")],
    "round-tables": [({"session": 1}, "session"), ({"session": "x" * 13}, "session")],
    "round-decide": [
        ({"table": 0, "players": ["x"], "reason": "r"}, "table"),
        ({"table": 1, "players": []}, "players"),
    ],
    "competition-adjustments": [
        ({"player": "x", "points": 1.5, "reason": "r"}, "points"),
        ({"player": "x", "points": [1], "reason": "r"}, "points"),
        ({"player": "x", "points": 1, "reason": "x" * 501}, "reason"),
    ],
    "competition-undo": [({"seq": 0, "reason": "r"}, "seq"), ({"seq": 1}, "reason")],
    "publications": [
        ({}, "what"),
        ({"what": 1}, "what"),
        ({"what": "draw", "round": 0}, "round"),
        ({"what": "draw", "not_before": "2026-11-29T20:00"}, "not_before"),
        ({"what": "draw", "not_before": "2026-11-29 20:00Z"}, "not_before"),
        ({"what": "draw", "not_before": "2026-13-29T20:00Z"}, "not_before"),
        ({"what": "draw", "not_before": "0001-01-01T00:00+14:00"}, "not_before"),
        ({"what": "draw", "not_before": 5}, "not_before"),
    ],
    "unpublish": [({}, "reason")],
}


@pytest.fixture
def cup():
    return Cup(8, rounds=3)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_type_is_named_by_its_field(cup, name):
    for body, field in WRONG[name]:
        send = cup.organiser.patch if name == "round" else cup.organiser.post
        answer = send(path_of(name, cup), body)
        assert code_of(answer) == (400, "invalid"), body
        assert field in [error["field"] for error in answer.json()["errors"]], (body, answer.json())


def test_unknown_fields_are_named_at_any_depth(cup):
    for path, body, names in [
        ("/finish", {"now": True}, ["now"]),
        ("/entries", {"entries": [{"player": "x"}, {"player": "y", "sed": 1}]}, ["entries.1.sed"]),
        ("/undo", {"seq": 1, "reason": "r", "round": 1}, ["round"]),
    ]:
        answer = cup.organiser.post(f"{cup.path}{path}", body)
        assert code_of(answer) == (400, "unknown_field")
        assert [error["field"] for error in answer.json()["errors"]] == names


def test_unknown_parameters_are_refused_on_every_route(cup):
    for name, method in all_routes():
        path = path_of(name, cup)
        answer = cup.organiser.generic(method, f"{path}?colour=red", b"{}", content_type="application/json")
        assert code_of(answer) == (400, "unknown_parameter"), (name, method)


def test_bad_parameters_are_named(cup):
    for path in (
        "/table?provisional=1",
        "/table?after_round=0",
        "/table?after_round=x",
        "/table?rounds=",
        "/publications/1/diff?to=0",
        "/rounds?limit=0",
        "/entries?after=nobody",
        "/events?after=-1",
    ):
        assert code_of(cup.organiser.get(f"{cup.path}{path}")) == (400, "bad_parameter"), path
    for query in ("preview=yes", "preview=", "version=x", "version=-1", "preview=true&preview=true"):
        assert code_of(cup.organiser.post(f"{cup.path}/finish?{query}", {})) == (400, "bad_parameter"), query
    for query in ("status=asleep", "kind=cup", "after=nothing"):
        assert code_of(cup.organiser.get(f"/competitions?{query}")) == (400, "bad_parameter"), query


def test_what_there_is_not_is_404(cup):
    for path in ("/rounds/4", "/rounds/32768", "/rounds/999999999", "/publications/1", "/events/9999", "/rounds/0"):
        assert code_of(cup.organiser.get(f"{cup.path}{path}")) == (404, "not_found"), path
    assert code_of(cup.organiser.get(f"{cup.path}/table?after_round=9")) == (404, "not_found")
    assert code_of(cup.organiser.get("/competitions/aaaaaaaaaaaa")) == (404, "not_found")
    assert code_of(cup.organiser.post(f"{cup.path}/rounds/9/draw", {})) == (404, "no_such_round")
    assert code_of(cup.organiser.post(f"{cup.path}/undo", {"seq": 999, "reason": "r"})) == (404, "no_such_event")
    assert code_of(cup.organiser.post(f"{cup.path}/publications/7/unpublish", {"reason": "r"})) == (404, "not_found")


SETTINGS = [
    ({"format": "chess"}, "bad_settings"),
    ({"format": {"format": "knockout", "go_on": 99}}, "bad_settings"),
    ({"format": 5}, "bad_settings"),
    ({"colour": "red"}, "bad_settings"),
    ({"name": "smuggled"}, "bad_settings"),
    ({"starts_on": 5}, "bad_settings"),
    ({"rules": "whist"}, "bad_rules"),
    ({"scheme": "wins:target=0"}, "bad_rules"),
    ({"points": {"places": {}}}, "bad_points"),
    ({"points": [1, 2]}, "bad_points"),
    ({"tie_breaks": ["luck"]}, "bad_tie_break"),
    ({"tie_breaks": "wins"}, "bad_tie_break"),
    ({"best": 3, "drop": 1}, "bad_standings"),
    ({"tables": {"preferred": 3, "smallest": 5, "largest": 4}}, "no_tables"),
    ({"unranked": ["luck"]}, "bad_standings"),
]


def test_what_a_setting_cannot_be_is_said(cup):
    for given_settings, code in SETTINGS:
        for answer in (
            cup.organiser.post("/clubs/river/competitions", {"name": "New", "settings": given_settings}),
            cup.organiser.patch(cup.path, {"settings": given_settings}),
        ):
            assert code_of(answer) == (422, code), given_settings


def test_what_cannot_be_done_now_is_said(cup):
    ids = cup.ids
    for path, body, code in [
        ("/rounds/1/open", {}, (409, "not_drawn")),
        ("/rounds/1/close", {}, (409, "round_not_open")),
        ("/rounds/1/reopen", {"reason": "r"}, (409, "round_not_closed")),
        ("/publications", {"what": "standings"}, (409, "nothing_closed")),
        ("/publications", {"what": "draw"}, (422, "bad_number")),
        ("/publications", {"what": "gossip"}, (422, "bad_publication")),
        ("/publications", {"what": "draw", "round": 1}, (409, "not_drawn")),
        ("/entries", {"entries": [{"player": ids[0]}]}, (409, "already_entered")),
        ("/entries", {"entries": [{"player": "nobody"}]}, (422, "bad_player")),
        (f"/entries/{ids[0]}/reinstate", {}, (409, "not_withdrawn")),
        (f"/entries/{'a' * 12}/withdraw", {}, (422, "bad_player")),
        (f"/entries/{ids[0]}/substitute", {"round": 1, "by": ids[0], "reason": "r"}, (422, "substitution_cycle")),
        ("/rounds/1/seating", {"tables": [[ids[0], ids[0], ids[1]]]}, (422, "already_seated")),
        ("/rounds/1/seating", {"tables": [ids[:2]]}, (422, "no_tables")),
        ("/rounds/1/decide", {"table": 1, "players": ids[:1], "reason": "r"}, (409, "no_such_table")),
        ("/rounds/1/tables", {"session": "a" * 12}, (404, "not_found")),
        ("/rounds/1/draw", {"absent": ids[1:]}, (422, "no_tables")),
        ("/adjustments", {"player": ids[0], "points": 0, "reason": "r"}, (422, "bad_points")),
        ("/adjustments", {"player": ids[0], "points": "x", "reason": "r"}, (422, "bad_points")),
        ("/adjustments", {"player": ids[0], "points": 1, "reason": " "}, (422, "reason_required")),
        ("/undo", {"seq": 1, "reason": "r"}, (409, "cannot_undo")),
        ("/apart", {"players": [ids[0], ids[0]]}, (409, "already_apart")),
        ("/finish?version=0", {}, (409, "moved_on")),
    ]:
        before = Event.objects.count()
        for preview in ("", "&preview=true" if "?" in path else "?preview=true"):
            answer = cup.organiser.post(f"{cup.path}{path}{preview}", body)
            assert code_of(answer) == code, (path, body, answer.content)
        assert Event.objects.count() == before


def test_who_ties_are_between_is_said_by_public_ids():
    cup = Cup(
        8,
        format="knockout",
        points="neutral",
        best=1,
        rounds=None,
        tables={"preferred": 4, "smallest": 4, "largest": 4},
    )
    league = cup.league
    league.open(1)
    for session in league.sessions(1):
        league.score(session, [0, 3, 3, 3])
    league.close(1)
    answer = cup.organiser.post(f"{cup.path}/rounds/2/draw", {})
    assert code_of(answer) == (422, "tie_to_decide")
    assert set(answer.json()["equal"]) <= set(cup.ids)
    assert len(answer.json()["equal"]) == 3


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12)
NUMBERS = st.integers(1 - 10**15, 10**15 - 1) | st.floats(allow_nan=False, allow_infinity=False)
KEYS = ["format", "rules", "points", "places", "tables", "preferred", "3", "4", "scheme", "go_on", "profile", "x"]
SETTINGS_KEYS = ["format", "rules", "scheme", "points", "best", "drop", "absence", "tie_breaks", "tables", "unranked"]
JUNK = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=8,
)
FIELDS = {
    "competition": ["name", "season", "kind", "starts_on", "ends_on", "settings", "reason"],
    "entries": ["entries"],
    "entry-withdraw": ["from_round", "reason"],
    "entry-sit-out": ["round", "bye", "points", "reason"],
    "entry-substitute": ["round", "by", "credit", "reason"],
    "apart": ["players", "reason"],
    "round": ["title", "day", "overrides", "reason"],
    "round-draw": ["absent", "present", "variant"],
    "round-seating": ["tables", "reason"],
    "round-open": ["publish", "deal"],
    "round-tables": ["session"],
    "round-decide": ["table", "players", "reason"],
    "competition-adjustments": ["player", "points", "reason"],
    "competition-undo": ["seq", "reason"],
    "publications": ["what", "round", "not_before"],
}


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_junk_is_refused_in_the_form_of_all_errors(cup, data):
    """Nothing is stored (a preview is asked for), and nothing is answered with a 500: bugs raise in the client."""
    name = data.draw(st.sampled_from(sorted(FIELDS)))
    real = st.sampled_from([*cup.ids[:3], 1, 2, "r", True, [cup.ids[0]], [cup.ids[:4], cup.ids[4:]], "draw", "1/3"])
    setting = st.sampled_from([*SETTINGS_KEYS, "bye", "rounds", "deals", "deal_after", "stand_in", "confirm"])
    value = real | JUNK | st.dictionaries(setting, JUNK, max_size=3)
    body = data.draw(st.dictionaries(st.sampled_from(FIELDS[name]), value))
    method = "patch" if name in ("competition", "round") else "post"
    answer = getattr(cup.organiser, method)(f"{path_of(name, cup)}?preview=true", body)
    if answer.status_code != 200:
        assert code_of(answer)[0] in (400, 404, 409, 422), body


def test_a_refused_request_stores_nothing(cup):
    before = (Competition.objects.count(), Event.objects.count(), cup.league.row.seq)
    for name, items in WRONG.items():
        for body, _ in items:
            (cup.organiser.patch if name == "round" else cup.organiser.post)(path_of(name, cup), body, key="k")
    assert (Competition.objects.count(), Event.objects.count(), cup.league.row.seq) == before
