"""From the logs to webhooks: each event once, in order, from the moment on that a webhook is made."""

import json
import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from competitions.facts import Kind as CompetitionKind
from competitions.services import publishing
from games.clublog import ClubKind
from games.engine.session_events import FIRST_OWN_KIND, Kind
from games.errors import Invalid, Refusal
from games.models import Event, Webhook, WebhookCursor, WebhookDelivery
from games.services import corrections, importing, people, sessions, telling, webhooks
from games.webhooks import sources
from tests.competitions.builders import a_league
from tests.games.builders import NOW, a_table
from tests.webhooks.builders import a_webhook, payloads, tell, told

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(seconds=1)


def of(table, **more):
    return {"caller": table.caller, "session": table.session, "now": NOW, "door": "test", **more}


def adjust(table, **more):
    return corrections.adjust(**of(table, **more), seat=0, points=1, reason="r")


def kinds(webhook) -> list[str]:
    return [kind for kind, _ in told(webhook)]


def test_a_session_is_told_from_its_first_deal_to_its_end():
    table = a_table(4, scheme="wins:target=1")
    webhook = a_webhook(table.club, table.caller)
    table.deal(1)
    tell()
    assert kinds(webhook) == ["session.frozen", "session.dealer_drawn", "session.dealt"]
    table.play_out()
    tell()
    sessions.close(**of(table))
    tell()
    seq = table.row.seq
    assert told(webhook)[3:] == [
        ("session.deal_finished", seq - 1),
        ("session.finished", seq - 1),
        ("session.closed", seq),
    ]


def test_a_session_that_was_finished_and_closed_at_once_is_told_in_that_order():
    table = a_table(4, scheme="wins:target=1")
    webhook = a_webhook(table.club, table.caller)
    table.deal(1)
    table.play_out()
    sessions.close(**of(table))
    tell()
    assert kinds(webhook)[-3:] == ["session.deal_finished", "session.finished", "session.closed"]
    other = a_webhook(table.club, table.caller, now=LATER)
    opened = corrections.undo(**of(table, now=LATER), seq=table.row.seq, reason="r")
    tell()
    assert told(other) == [("session.undone", opened.seq)]


def test_a_correction_that_takes_the_end_back_is_told_too():
    table = a_table(4, scheme="wins:target=1")
    webhook = a_webhook(table.club, table.caller, types=["session.finished", "session.unfinished"])
    table.deal(1)
    table.play_out()
    tell()
    void = corrections.void(**of(table), number=1, reason="r")
    tell()
    undone = corrections.undo(**of(table), seq=void.seq, reason="r")
    tell()
    assert told(webhook)[1:] == [("session.unfinished", void.seq), ("session.finished", undone.seq)]


def test_a_session_closed_before_its_end_was_not_finished():
    table = a_table(4, scheme="wins:target=5")
    webhook = a_webhook(table.club, table.caller, types=["session.*"])
    table.deal(1)
    table.play_out()
    sessions.close(**of(table))
    tell()
    assert kinds(webhook)[-2:] == ["session.deal_finished", "session.closed"]


def test_an_imported_evening_is_told_deal_by_deal_however_it_was_recorded():
    table = a_table(4)
    webhook = a_webhook(
        table.club, table.caller, types=["session.recorded", "session.result_entered", "session.deal_finished"]
    )
    lines = [
        '{"sevens":1,"rules":"pagat","session":"S","players":["P","Q","R"],"dealer":0,"result":{"cards_left":[0,1,2]}}',
        '{"sevens":1,"rules":"pagat","session":"S","players":["P","Q","R"],"dealer":1,"result":{"cards_left":[3,0,2]}}',
    ]
    importing.import_records(
        caller=table.caller,
        club="river",
        lines=enumerate(map(str.encode, lines), 1),
        dry_run=False,
        now=NOW,
        door="test",
    )
    tell()
    entered = ["session.result_entered", "session.deal_finished"]
    assert kinds(webhook) == entered * 2
    assert [item["data"]["deal"] for item in payloads(webhook)] == [1, 1, 2, 2]


def test_a_long_log_is_read_in_parts_and_nothing_is_lost_between_them(monkeypatch):
    from games.webhooks import logs

    table = a_table(4, scheme="wins:target=3")
    whole = a_webhook(table.club, table.caller)
    number = 0
    while table.row.status != "finished":
        number += 1
        table.deal(number)
        table.play_out()
    tell()
    expected = told(whole)
    assert kinds(whole).count("session.deal_finished") == number
    for page in (1, 7, 50):
        monkeypatch.setattr(logs, "PAGE", page)
        WebhookCursor.objects.all().delete()
        WebhookDelivery.objects.all().delete()
        tell()
        assert [item for item in told(whole) if item[1] > 5] == [item for item in expected if item[1] > 5], page


def test_while_cards_are_played_nothing_is_written_and_the_end_of_the_deal_is_told_all_the_same():
    table = a_table(4)
    webhook = a_webhook(table.club, table.caller)
    table.deal(1)
    tell()
    before = WebhookCursor.objects.get(source="session").seq
    for _ in range(5):
        table.step()
    with CaptureQueriesContext(connection) as seen:
        assert telling.tell(now=NOW) == 0
    assert all(query["sql"].startswith("SELECT") or query["sql"].lstrip().startswith("SELECT") for query in seen)
    assert WebhookCursor.objects.get(source="session").seq == before
    adjusted = adjust(table)
    table.play_out()
    tell()
    assert told(webhook)[3:] == [("session.adjusted", adjusted.seq), ("session.deal_finished", table.row.seq)]


def test_what_was_before_a_webhook_is_not_told_to_it():
    table = a_table(4)
    table.deal(1, now=NOW - timedelta(seconds=1))
    early = a_webhook(table.club, table.caller)
    adjust(table, now=NOW + timedelta(seconds=1))
    late = a_webhook(table.club, table.caller, now=NOW + timedelta(seconds=2))
    adjust(table, now=NOW + timedelta(seconds=3))
    tell()
    assert kinds(early) == ["session.adjusted", "session.adjusted"]
    assert kinds(late) == ["session.adjusted"]


def test_what_happened_while_a_webhook_was_off_is_not_told_later():
    table = a_table(4)
    table.deal(1)
    webhook = a_webhook(table.club, table.caller)
    webhooks.change_webhook(caller=table.caller, webhook=webhook.public_id, active=False, now=NOW)
    adjust(table)
    assert tell() == 0
    webhooks.change_webhook(caller=table.caller, webhook=webhook.public_id, active=True, now=LATER)
    adjust(table, now=LATER)
    tell()
    assert kinds(webhook) == ["session.adjusted"]
    assert told(webhook)[0][1] == table.row.seq


def test_only_what_is_wanted_is_told_and_only_of_the_own_club():
    table, other = a_table(4), a_table(4, name="hill")
    everything = a_webhook(table.club, table.caller)
    group = a_webhook(table.club, table.caller, types=["competition.*", "session.dealt"])
    strangers = a_webhook(other.club, other.caller)
    table.deal(1)
    tell()
    assert len(told(everything)) == 3
    assert kinds(group) == ["session.dealt"]
    assert told(strangers) == []


def test_a_competition_is_told_with_rounds_and_publications_and_no_more():
    league = a_league(8, rounds=2)
    webhook = a_webhook(league.club, league.caller, types=["competition.*"])
    league.whole_round(1)
    publishing.publish(**league.about, what="standings", not_before=NOW + timedelta(days=1))
    publishing.unpublish(**league.about, number=2, reason="Wrong.")
    tell()
    found = [(item["type"].partition(".")[2], item["data"]) for item in payloads(webhook)]
    base = {"club": "river", "competition": league.public_id}
    address = f"/api/v1/competitions/{league.public_id}"
    assert [kind for kind, _ in found] == ["drawn", "published", "opened", "closed", "published", "unpublished"]
    embargo = {"not_before": (NOW + timedelta(days=1)).isoformat()}
    told_of = {"seq", "kind"}
    assert [{name: value for name, value in data.items() if name not in told_of} for _, data in found] == [
        base | {"round": 1, "address": f"{address}/rounds/1"},
        base | {"round": 1, "publication": 1, "address": f"{address}/publications/1"},
        base | {"round": 1, "address": f"{address}/rounds/1"},
        base | {"round": 1, "address": f"{address}/rounds/1"},
        base | {"round": 1, "publication": 2, **embargo, "address": f"{address}/publications/2"},
        base | {"round": 1, "publication": 2, "address": f"{address}/publications/2"},
    ]


def test_whoever_keeps_names_elsewhere_learns_that_somebody_is_to_be_forgotten():
    table = a_table(4, people=4)
    webhook = a_webhook(table.club, table.caller, types=["club.*"])
    player = table.players[0]
    people.anonymise(caller=table.caller, player=player.public_id, reason="Asked for it.", now=NOW, door="test")
    tell()
    [payload] = payloads(webhook)
    assert (payload["type"], payload["data"]["player"]) == ("club.anonymised", player.public_id)
    assert "Asked" not in json.dumps(payload)


def test_no_payload_has_a_name_a_reason_a_card_or_a_draw():
    table = a_table(4, people=4, scheme="wins:target=2")
    webhook = a_webhook(table.club, table.caller)
    league = a_league(8, name="hill", rounds=1)
    also = a_webhook(league.club, league.caller)
    for number in (1, 2):
        table.deal(number)
        table.play_out()
    corrections.adjust(**of(table), seat=0, points=1, reason="A very secret reason")
    league.whole_round(1)
    tell()
    known = {"club", "session", "competition", "seq", "kind", "deal", "round", "publication", "address", "not_before"}
    for row in [*payloads(webhook), *payloads(also)]:
        assert set(row) == {"type", "timestamp", "data"}
        assert set(row["data"]) <= known
        for name, value in row["data"].items():
            assert type(value) is (int if name in ("seq", "deal", "round", "publication") else str)
            assert "secret" not in str(value)


def test_every_kind_of_every_log_is_told():
    """A kind added to a log is told, and documented (tests/docs/test_webhooks.py), or this fails."""
    own = {kind.name.lower() for kind in Kind if kind >= FIRST_OWN_KIND}
    assert set(sources.sources["session"].kinds) == own | {"deal_finished", "finished", "unfinished"}
    assert set(sources.sources["competition"].kinds) == {kind.name.lower() for kind in CompetitionKind}
    assert set(sources.sources["club"].kinds) == {kind.name.lower() for kind in ClubKind}


@pytest.mark.parametrize("wanted", [[], ["session"], ["session.ended"], ["*.closed"], ["session.*", "x"], [""]])
def test_types_that_there_are_not_are_refused(wanted):
    with pytest.raises(Invalid) as refused:
        webhooks.checked_types(wanted)
    assert refused.value.code == "bad_event_types"


def test_a_club_has_at_most_ten_webhooks():
    table = a_table(4)
    for _ in range(webhooks.MOST):
        a_webhook(table.club, table.caller)
    with pytest.raises(Invalid) as refused:
        a_webhook(table.club, table.caller)
    assert refused.value.code == "too_many_webhooks"


def test_what_waits_is_not_sent_again_by_hand_and_nothing_is_sent_by_what_is_off():
    table = a_table(4)
    webhook = a_webhook(table.club, table.caller)
    about = {"caller": table.caller, "now": NOW}
    sent = webhooks.send_test(**about, webhook=webhook.public_id)
    with pytest.raises(Refusal) as refused:
        webhooks.replay(**about, delivery=sent["id"])
    assert refused.value.code == "still_waiting"
    webhooks.change_webhook(**about, webhook=webhook.public_id, active=False)
    for call in (
        lambda: webhooks.replay(**about, delivery=sent["id"]),
        lambda: webhooks.send_test(**about, webhook=webhook.public_id),
    ):
        with pytest.raises(Refusal) as refused:
            call()
        assert refused.value.code == "webhook_off"


def test_a_look_costs_one_statement_a_kind_of_log_where_nothing_is_new():
    table = a_table(4)
    a_webhook(table.club, table.caller)
    tell()
    with CaptureQueriesContext(connection) as seen:
        telling.tell(now=NOW)
    assert len(seen) == 1 + len(sources.sources)
    Webhook.objects.update(active=False)
    with CaptureQueriesContext(connection) as seen:
        telling.tell(now=NOW)
    assert len(seen) == 1


def looks_at_once(count: int) -> None:
    barrier = threading.Barrier(count)

    def look() -> None:
        try:
            barrier.wait()
            while telling.tell(now=LATER):
                pass
        finally:
            connection.close()

    threads = [threading.Thread(target=look) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def told_once(rounds: int) -> bool:
    """Whether looks at once, while events come, make one delivery of each event, in order."""
    table = a_table(4)
    table.deal(1)
    webhook = a_webhook(table.club, table.caller, types=["session.adjusted"])
    for _ in range(rounds):
        for _ in range(3):
            adjust(table)
        looks_at_once(4)
    tell()
    seqs = [seq for _, seq in told(webhook)]
    return seqs == sorted(seqs) and len(set(seqs)) == len(seqs) == 3 * rounds


@pytest.mark.django_db(transaction=True)
def test_looks_at_the_same_time_make_one_delivery_of_each_event():
    assert told_once(5)


@pytest.mark.django_db(transaction=True)
def test_without_the_lock_of_the_cursor_and_the_constraint_events_are_told_twice(monkeypatch):
    monkeypatch.setattr(
        telling, "_held", lambda source, subject: WebhookCursor.objects.get(source=source.name, subject=subject)
    )
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_webhookdelivery DROP CONSTRAINT webhook_event_once")
    try:
        assert not told_once(8)
    finally:
        WebhookDelivery.objects.all().delete()
        with connection.cursor() as cursor:
            cursor.execute(
                "ALTER TABLE games_webhookdelivery ADD CONSTRAINT webhook_event_once UNIQUE (webhook_id, event)"
            )


def test_no_event_of_a_log_is_ever_told_before_it_is_committed_or_lost_by_what_commits_later():
    """What a cursor over several logs at once could not promise: within one log nothing overtakes."""
    first, second = a_table(4), a_table(4, name="hill")
    for table in (first, second):
        table.deal(1)
    webhook = a_webhook(first.club, first.caller)
    adjust(second)
    adjust(first)
    tell()
    assert kinds(webhook) == ["session.adjusted"]
    assert (
        Event.objects.filter(session__public_id=first.session).count()
        == WebhookCursor.objects.get(source="session", subject=first.row.pk).seq
    )
