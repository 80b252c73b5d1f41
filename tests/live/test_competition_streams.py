"""Streams of competitions: what is published for everybody, all of it for scorers and organisers."""

from datetime import timedelta

import pytest
from django.utils import timezone

from competitions.facts import Kind
from competitions.live import messages
from competitions.services import corrections, drawing, entries, publishing, rounds, setup
from games.models import Membership, Player, Role
from games.services import corrections as tables
from tests.competitions.api.clients import Cup
from tests.games.builders import NOW
from tests.live.clients import so_far, watching

pytestmark = pytest.mark.django_db


def stream_of(cup):
    return f"{cup.path}/stream"


def kinds(told):
    return [message.data["change"]["kind"] for message in told if message.event == "change"]


def a_busy_cup():
    """With every kind of event, as far as there is time for."""
    cup = Cup(8, rounds=3, public=True)
    about, ids = cup.league.about, cup.ids
    setup.configure(**about, changes={"best": 2})
    setup.set_round(**about, number=1, title="Opening night")
    entries.keep_apart(**about, players=(ids[0], ids[1]))
    entries.withdraw(**about, player=ids[7])
    entries.reinstate(**about, player=ids[7])
    cup.league.whole_round(1)
    seq = corrections.adjust(**about, player=ids[0], points=1, reason="Late.").seq
    corrections.undo(**about, seq=seq, reason="On time.")
    publishing.publish(**about, what="standings")
    publishing.unpublish(**about, number=2, reason="The wrong round.")
    cup.post("/rounds/1/reopen", {"reason": "One table more."})
    return cup


def test_the_state_is_what_reading_the_competition_says_and_the_latest_publications():
    cup = a_busy_cup()
    for reader in (cup.organiser, cup.member, cup.anonymous):
        (state,) = so_far(reader, stream_of(cup))
        publications = state.data.pop("publications")
        assert state.event == "state"
        assert state.data == cup.get(client=reader)
        (draw,) = publications
        assert draw in cup.get("/publications", client=reader)["results"]
        assert (draw["what"], draw["round"], draw["out"]) == ("draw", 1, True)


def test_scorers_and_organisers_get_every_event_once_and_in_order():
    cup = a_busy_cup()
    told = so_far(cup.scorer, stream_of(cup), after=0)
    events = cup.get("/events?limit=200")["results"]
    assert [message.id for message in told[:-1]] == [event["seq"] for event in events]
    for message, event in zip(told, events, strict=False):
        assert message.data["change"] == {name: event[name] for name in message.data["change"]}
    assert (told[-1].event, told[-1].id) == ("version", None)
    assert told[-1].data["version"] == cup.get()["version"]


def test_the_others_get_what_is_published_and_opened_and_the_club_who_is_entered():
    cup = a_busy_cup()
    opened = ["created", "configured", "round_set", "published", "opened", "closed", "published", "unpublished"]
    assert kinds(so_far(cup.anonymous, stream_of(cup), after=0)) == [*opened, "undone"]
    assert kinds(so_far(cup.outsider, stream_of(cup), after=0)) == [*opened, "undone"]
    club = kinds(so_far(cup.member, stream_of(cup), after=0))
    assert [kind for kind in club if kind not in ("entered", "withdrawn", "reinstated")] == [*opened, "undone"]
    assert club.count("entered") == 8
    assert {"withdrawn", "reinstated"} <= set(club)


def test_whatever_is_not_published_leaves_the_streams_of_the_others_as_they_are():
    cup = Cup(8, rounds=3, public=True)
    about, ids = cup.league.about, cup.ids
    cup.league.whole_round(1)
    publishing.publish(**about, what="standings")
    later = timezone.now() + timedelta(days=1)
    readers = (cup.anonymous, cup.member)

    def everything():
        return [so_far(reader, stream_of(cup), after=after) for reader in readers for after in (None, 0, 5)]

    before = everything()
    drawing.draw(**about, number=2)
    entries.sit_out(**about, player=ids[2], number=2)
    corrections.adjust(**about, player=ids[0], points=1, reason="r")
    publishing.publish(**about, what="draw", number=2, not_before=later)
    publishing.publish(**about, what="standings", not_before=later)
    publishing.unpublish(**about, number=4, reason="Not yet.")
    assert everything() == before
    assert so_far(cup.organiser, stream_of(cup), after=5) != before


def test_a_publication_that_came_out_while_somebody_was_away_makes_them_start_afresh():
    cup = Cup(8, rounds=3, public=True)
    about = {**cup.league.about, "now": timezone.now()}
    cup.league.whole_round(1)
    soon = timezone.now() + timedelta(milliseconds=200)
    publishing.publish(**about, what="standings", not_before=soon)
    setup.set_round(**about, number=2, title="Second")
    (before,) = so_far(cup.anonymous, stream_of(cup))
    assert [item["what"] for item in before.data["publications"]] == ["draw"]
    while timezone.now() < soon:
        pass
    resync, state = so_far(cup.anonymous, stream_of(cup), after=before.id)
    assert (resync.event, resync.data["reason"], resync.id) == ("resync", "changed", None)
    assert (state.event, state.id) == ("state", before.id)
    assert [item["what"] for item in state.data["publications"]] == ["draw", "standings"]


def test_an_id_beyond_the_log_is_one_that_the_reader_could_not_have():
    cup = Cup(8, rounds=3, public=True)
    last = cup.league.row.seq
    assert [message.event for message in so_far(cup.organiser, stream_of(cup), after=last)] == ["version"]
    for after in (last, last + 1, "7x"):
        resync, state = so_far(cup.anonymous, stream_of(cup), after=after)
        assert (resync.event, state.event) == ("resync", "state")


SHOWN = {"created", "configured", "round_set", "opened", "table_added", "closed", "finished"}
CLUBS = {"entered", "withdrawn", "reinstated"}
BY_WHAT_THEY_SAY = {"published", "unpublished", "undone"}
HIDDEN = {"sat_out", "substituted", "kept_apart", "drawn", "decided", "adjusted", "corrected"}


def test_each_kind_of_event_is_shown_or_kept_from_the_others_on_purpose():
    assert {kind.name.lower() for kind in Kind} == SHOWN | CLUBS | BY_WHAT_THEY_SAY | HIDDEN
    assert {kind.name.lower() for kind in messages.ALWAYS} == SHOWN
    assert {kind.name.lower() for kind in messages.CLUBS} == CLUBS


@pytest.mark.django_db(transaction=True)
def test_every_write_gives_a_hint_also_what_is_corrected_at_its_tables(told):
    cup = Cup(8, rounds=3, public=True)
    league, ids = cup.league, cup.ids
    about = league.about
    spare = Player.objects.create(club=league.club, name="Spare").public_id

    def correct():
        table = league.sessions(1)[0].public_id
        tables.adjust(caller=league.caller, session=table, seat=0, points=1, reason="r", now=NOW, door="test")

    writes = {
        "configured": lambda: setup.configure(**about, changes={"best": 2}),
        "round_set": lambda: setup.set_round(**about, number=1, title="Opening night"),
        "kept_apart": lambda: entries.keep_apart(**about, players=(ids[0], ids[1])),
        "withdrawn": lambda: entries.withdraw(**about, player=ids[7]),
        "reinstated": lambda: entries.reinstate(**about, player=ids[7]),
        "sat_out": lambda: entries.sit_out(**about, player=ids[6], number=1),
        "substituted": lambda: entries.substitute(**about, player=ids[5], number=1, by=spare, reason="r"),
        "drawn": lambda: drawing.draw(**about, number=1),
        "opened": lambda: rounds.open_round(**about, number=1, publish=True),
        "closed": lambda: (league.play(1), league.close(1)),
        "adjusted": lambda: corrections.adjust(**about, player=ids[0], points=1, reason="r"),
        "published": lambda: publishing.publish(**about, what="standings"),
        "unpublished": lambda: publishing.unpublish(**about, number=2, reason="r"),
        "corrected": correct,
        "undone": lambda: corrections.undo(**about, seq=league.row.seq - 3, reason="r"),
    }
    seen = []
    for name, write in writes.items():
        told.clear()
        before = league.row.seq
        write()
        assert league.row.seq > before, name
        assert ("competition", league.public_id, league.row.seq) in told, name
        seen += kinds(so_far(cup.organiser, stream_of(cup), after=before))
        assert name in seen, name


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
def test_whoever_watches_sees_changes_results_and_publications_as_they_come(live_streams):
    cup = Cup(8, rounds=3, public=True)
    cup.league.open(1)
    with (
        watching(live_streams.url, stream_of(cup)) as public,
        watching(live_streams.url, stream_of(cup), cup.scorer.secret) as whole,
    ):
        assert [next(public).event, next(whole).event] == ["state", "state"]
        version = cup.get()["version"]
        cup.league.play(1)
        told = next(whole)
        while told.data["version"] < version + len(cup.league.sessions(1)):
            told = next(whole)
        assert (told.event, told.id) == ("version", None)
        cup.league.close(1)
        assert next(public).data["change"]["kind"] == "closed"
        soon = timezone.now() + timedelta(seconds=1.5)
        publishing.publish(**{**cup.league.about, "now": timezone.now()}, what="standings", not_before=soon)
        resync, state = next(public), next(public)
        assert (resync.data["reason"], state.event) == ("changed", "state")
        assert timezone.now() >= soon
        assert [item["what"] for item in state.data["publications"]] == ["draw", "standings"]


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
def test_whose_role_in_the_club_changes_is_told_to_open_the_stream_again(live_streams):
    cup = Cup(4)
    with watching(live_streams.url, stream_of(cup), cup.scorer.secret) as stream:
        assert next(stream).event == "state"
        Membership.objects.filter(user=cup.scorer.user).update(role=Role.MEMBER)
        end = next(stream)
        assert (end.event, end.data["code"], end.data["status"]) == ("end", "rights_changed", 403)
        assert next(stream, None) is None
