"""Merging two players that are one person, taking that back, and forgetting somebody."""

import importlib
import secrets

import pytest
from django.apps import apps

from games import people as reads
from games.access import Caller
from games.audit import audit_club, audit_session
from games.clublog import ClubKind
from games.errors import Forbidden, Invalid, NotFound, Refusal
from games.models import ClubEvent, Event, EventDetail, Membership, Occupancy, Player, Role, Session, TableRow
from games.selectors import own_seat, state_of
from games.services import corrections, dealing, players, sessions
from games.services.keys import Key
from games.standing import standing
from tests.games.builders import NOW, a_member, a_table
from tests.games.people import add, anonymise, merge, played, session_of, unmerge

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    """A club with four bots at a table, which is not started."""
    return a_table(4)


def again(player: Player) -> Player:
    return Player.objects.get(pk=player.pk)


def logs() -> tuple[list, list, list]:
    return (
        list(Event.objects.order_by("session", "seq").values()),
        list(EventDetail.objects.order_by("session", "seq").values()),
        list(TableRow.objects.order_by("pk").values()),
    )


def code(raised) -> str:
    return raised.value.code


# -- merging


def test_a_merged_player_is_inactive_points_to_the_one_that_stays_and_no_other_log_changes(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    played(table, ann, *table.players[:3])
    before = logs()

    receipt = merge(table, ann, anna)

    row = again(ann)
    assert (row.merged_into, row.active, row.person) == (anna, False, anna)
    assert logs() == before
    event = ClubEvent.objects.get()
    assert (event.seq, event.kind, event.player, event.data["into"]) == (1, ClubKind.MERGED, ann, anna.pk)
    assert (event.actor, event.reason, event.door) == (table.organiser, "The same person.", "test")
    assert (receipt.club, receipt.seq) == ("river", 1)
    assert "Ann" not in str(event.data)


def test_what_was_merged_can_be_taken_apart_again_to_what_it_was(table):
    anna, ann = add(table, "Anna"), add(table, "Ann", account="ann")
    before = list(Player.objects.order_by("pk").values())
    merge(table, ann, anna)
    assert (again(anna).user.username, again(ann).user) == ("ann", None)

    unmerge(table, ann)

    assert list(Player.objects.order_by("pk").values()) == before
    assert [event.kind for event in ClubEvent.objects.order_by("seq")] == [ClubKind.MERGED, ClubKind.UNMERGED]
    merge(table, anna, ann)
    assert again(anna).merged_into == ann


def test_who_was_inactive_before_the_merge_is_inactive_after_it_is_taken_back(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    players.change_player(caller=table.caller, player=ann.public_id, active=False)
    merge(table, ann, anna)
    unmerge(table, ann)
    assert not again(ann).active


def test_an_account_that_was_unlinked_since_the_merge_does_not_come_back(table):
    anna, ann = add(table, "Anna"), add(table, "Ann", account="ann")
    merge(table, ann, anna)
    players.change_player(caller=table.caller, player=anna.public_id, username="")
    unmerge(table, ann)
    assert (again(anna).user, again(ann).user) == (None, None)


def test_who_met_at_a_table_is_not_one_person_and_the_session_is_named(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    session = played(table, anna, ann, *table.players[:2], label="Tuesday")
    with pytest.raises(Refusal, match="in session “Tuesday”") as raised:
        merge(table, ann, anna)
    assert code(raised) == "met"
    assert raised.value.extra == {"session": session}
    assert again(ann).merged_into is None


def test_to_have_seats_at_different_times_of_one_session_is_to_have_met(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    session = played(table, anna, *table.players[:3])
    corrections.substitute(
        caller=table.caller, session=session, seat=0, player=ann.public_id, reason="r", now=NOW, door="test"
    )
    with pytest.raises(Refusal) as raised:
        merge(table, ann, anna)
    assert code(raised) == "met"


def test_who_met_somebody_merged_into_the_person_met_the_person(table):
    anna, ann, hanna = add(table, "Anna"), add(table, "Ann"), add(table, "Hanna")
    played(table, ann, hanna, *table.players[:2])
    merge(table, ann, anna)
    with pytest.raises(Refusal) as raised:
        merge(table, hanna, anna)
    assert code(raised) == "met"


def test_seats_that_were_left_before_the_start_are_no_meeting(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    session = session_of(table, anna, ann)
    sessions.seat(caller=table.caller, session=session, seat=1, player=None, now=NOW, door="test")
    merge(table, ann, anna)


def test_a_bot_and_a_person_or_different_bots_are_never_one(table):
    anna = add(table, "Anna")
    robo, other = add(table, "Robo", strategy="random"), add(table, "Other", strategy="follow")
    for duplicate, keeper in ((robo, anna), (anna, robo), (robo, other)):
        with pytest.raises(Refusal) as raised:
            merge(table, duplicate, keeper)
        assert code(raised) == "different_kinds"
    twin = add(table, "Twin", strategy="random")
    merge(table, twin, robo)
    assert again(twin).user.username == "bot-random"


def test_two_accounts_are_two_people_until_one_is_unlinked(table):
    anna, ann = add(table, "Anna", account="anna"), add(table, "Ann", account="ann")
    with pytest.raises(Refusal, match="unlink") as raised:
        merge(table, ann, anna)
    assert code(raised) == "two_accounts"
    players.change_player(caller=table.caller, player=ann.public_id, username="")
    merge(table, ann, anna)
    assert again(anna).user.username == "anna"


def test_everybody_is_one_step_from_their_person(table):
    a, b, c = add(table, "Anna"), add(table, "Ann"), add(table, "Hanna")
    with pytest.raises(Invalid) as raised:
        merge(table, a, a)
    assert code(raised) == "same_player"
    merge(table, b, a)
    with pytest.raises(Refusal, match="merged into Anna already") as raised:
        merge(table, b, c)
    assert code(raised) == "already_merged"
    with pytest.raises(Refusal, match="merge into the latter") as raised:
        merge(table, c, b)
    assert code(raised) == "already_merged"
    with pytest.raises(Refusal, match="the other way round") as raised:
        merge(table, a, c)
    assert code(raised) == "keeps_others"
    merge(table, c, a)
    assert [player.name for player in reads.group_of(a)] == ["Anna", "Ann", "Hanna"]


def test_a_player_that_is_not_merged_is_not_unmerged(table):
    with pytest.raises(Refusal) as raised:
        unmerge(table, add(table, "Anna"))
    assert code(raised) == "not_merged"


def test_nobody_is_merged_out_of_a_running_hosted_deal(table):
    people = a_table(4, people=4, name="dale")
    people.deal(1)
    keeper = add(people, "Keeper")
    with pytest.raises(Refusal, match="running deal") as raised:
        merge(people, people.players[1], keeper)
    assert code(raised) == "deal_running"
    people.play_out()
    merge(people, people.players[1], keeper)
    people.deal(2)
    with pytest.raises(Refusal) as raised:
        unmerge(people, people.players[1])
    assert code(raised) == "deal_running"


def test_the_account_plays_on_in_the_seats_of_the_merged(table):
    people = a_table(4, people=4, name="dale", scheme="wins:target=5")
    keeper = add(people, "Keeper")
    people.deal(1)
    people.play_out()
    account = people.players[1].user
    merge(people, people.players[1], keeper)
    assert again(keeper).user == account
    people.deal(2)
    callers = [Caller.of(player.user) for player in people.players if player.pk != people.players[1].pk]
    seats = iter([0, 2, 3])
    callers = dict(zip(seats, callers, strict=True)) | {1: Caller.of(account)}
    people.seat_caller = callers.__getitem__
    assert own_seat(callers[1], people.row, 1).view is not None
    with pytest.raises(Forbidden):
        own_seat(callers[0], people.row, 1)
    people.play_out()
    assert people.row.deals.filter(finished=True).count() == 2
    assert audit_session(people.row) == []


def test_the_seat_of_somebody_merged_shows_the_person(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    session = played(table, ann, *table.players[:3])
    merge(table, ann, anna)
    found = standing(Session.objects.get(public_id=session))
    assert found.players[ann.pk].person == anna
    assert reads.names_of([ann.pk, anna.pk, table.players[0].pk]) == {
        ann.pk: "Anna",
        anna.pk: "Anna",
        table.players[0].pk: "A",
    }


def test_a_merged_player_is_not_seated_and_whom_to_seat_is_said(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    merge(table, ann, anna)
    with pytest.raises(Invalid, match="merged into Anna") as raised:
        session_of(table, ann)
    assert code(raised) == "bad_player"


def test_the_person_is_not_seated_beside_somebody_merged_into_it(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    session = played(table, ann, *table.players[:3])
    merge(table, ann, anna)
    with pytest.raises(Refusal, match="one person") as raised:
        corrections.substitute(
            caller=table.caller, session=session, seat=2, player=anna.public_id, reason="r", now=NOW, door="test"
        )
    assert code(raised) == "already_seated"


def test_undoing_brings_nobody_back_beside_themselves(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    session = played(table, *table.players)
    call = {"caller": table.caller, "session": session, "reason": "r", "now": NOW, "door": "test"}
    came = corrections.substitute(seat=0, player=ann.public_id, **call).seq
    corrections.undo(seq=came, **call)
    left = Session.objects.get(public_id=session).seq
    merge(table, ann, anna)
    corrections.substitute(seat=1, player=anna.public_id, **call)
    with pytest.raises(Refusal) as raised:
        corrections.undo(seq=left, **call)
    assert code(raised) == "already_seated"


def test_a_merged_player_is_reseated_under_its_own_id_or_that_of_the_person(table):
    anna, ann, berta = add(table, "Anna"), add(table, "Ann"), add(table, "Berta")
    session = played(table, ann, berta, *table.players[:2])
    merge(table, ann, anna)
    call = {"caller": table.caller, "session": session, "reason": "Wrong chairs.", "now": NOW, "door": "test"}
    for chairs, sitting in (({0: berta, 1: anna}, [berta, ann]), ({0: ann, 1: berta}, [ann, berta])):
        corrections.reseat(seats={seat: player.public_id for seat, player in chairs.items()}, onwards=True, **call)
        row = Session.objects.get(public_id=session)
        assert state_of(row).players_of(2)[:2] == [player.pk for player in sitting]
        assert audit_session(row) == []


def test_a_merged_player_is_not_changed(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    merge(table, ann, anna)
    with pytest.raises(Refusal) as raised:
        players.change_player(caller=table.caller, player=ann.public_id, active=True)
    assert code(raised) == "already_merged"


def test_only_organisers_of_the_club_decide_about_its_people(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    scorer = Caller.of(a_member(table.club, "sam", Role.SCORER))
    stranger = a_table(3, name="hill")
    for write in (lambda **m: merge(table, ann, anna, **m), lambda **m: unmerge(table, ann, **m)):
        with pytest.raises(Forbidden):
            write(caller=scorer)
        with pytest.raises(NotFound):
            write(caller=stranger.caller)
    with pytest.raises(Forbidden):
        anonymise(table, ann, caller=scorer)
    with pytest.raises(NotFound):
        anonymise(table, ann, caller=stranger.caller)
    with pytest.raises(Invalid) as raised:
        merge(stranger, stranger.players[0], anna)
    assert code(raised) == "bad_player"
    assert not ClubEvent.objects.exists()


def test_each_decision_needs_its_reason(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    with pytest.raises(Invalid) as raised:
        merge(table, ann, anna, reason=" ")
    assert code(raised) == "reason_required"
    merge(table, ann, anna)
    with pytest.raises(Invalid):
        unmerge(table, ann, reason="")
    with pytest.raises(Invalid):
        anonymise(table, anna, reason="")


# -- forgetting


def test_an_anonymised_player_has_no_name_no_account_and_keeps_every_result(table):
    zoe = add(table, "Zoë Jones", account="zoe")
    session = played(table, zoe, *table.players[:3])
    before = list(TableRow.objects.order_by("pk").values()), list(Occupancy.objects.order_by("pk").values())

    anonymise(table, zoe)

    row = again(zoe)
    assert row.name == f"Player {zoe.public_id[:4]}"
    assert (row.user, row.active, row.anonymised) == (None, False, True)
    assert Membership.objects.filter(user__username="zoe").exists()
    assert before == (list(TableRow.objects.order_by("pk").values()), list(Occupancy.objects.order_by("pk").values()))
    assert audit_session(Session.objects.get(public_id=session)) == []
    assert audit_club(table.club) == []


def test_names_of_the_forgotten_are_all_different(table):
    first, second = add(table, "Anna"), add(table, "Berta")
    Player.objects.filter(pk=second.pk).update(public_id=first.public_id[:4] + "zzzzzzzz")
    anonymise(table, first)
    anonymise(table, again(second))
    assert again(second).name == f"Player {first.public_id[:4]}z"


def test_reasons_that_hold_the_name_are_blanked_and_all_others_kept(table):
    zoe, other = add(table, "Zoë"), add(table, "Anna")
    session = played(table, zoe, *table.players[:3])
    call = {"caller": table.caller, "session": session, "now": NOW, "door": "test"}
    for reason in ("ZOE's phone rang.", "zoë was late", "A card lay face up."):
        corrections.adjust(seat=0, points=1, reason=reason, **call)
    duplicate = add(table, "Zo")
    merge(table, duplicate, other, reason="Zoë said so.")
    hill = a_table(3, name="hill")
    elsewhere = played(hill, *hill.players)
    corrections.adjust(
        caller=hill.caller, session=elsewhere, seat=0, points=1, reason="Zoë elsewhere", now=NOW, door="test"
    )

    anonymise(table, zoe)

    reasons = sorted(EventDetail.objects.exclude(reason="").values_list("reason", flat=True))
    assert reasons == ["A card lay face up.", "Zoë elsewhere"]
    assert list(ClubEvent.objects.order_by("seq").values_list("reason", flat=True)) == ["", "Asked for it."]
    assert audit_session(Session.objects.get(public_id=session)) == []


def test_a_name_of_two_letters_counts_as_a_word_only(table):
    al = add(table, "Al")
    session = played(table, al, *table.players[:3])
    for reason in ("Also late.", "Late, like Al."):
        corrections.adjust(caller=table.caller, session=session, seat=0, points=1, reason=reason, now=NOW, door="test")
    anonymise(table, al)
    assert list(EventDetail.objects.exclude(reason="").values_list("reason", flat=True)) == ["Also late."]


def test_with_the_person_go_all_that_are_merged_into_it(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    merge(table, ann, anna)
    with pytest.raises(Refusal, match="anonymise the latter") as raised:
        anonymise(table, ann)
    assert code(raised) == "already_merged"
    receipt = anonymise(table, anna)
    assert {again(anna).anonymised, again(ann).anonymised} == {True}
    assert ClubEvent.objects.get(seq=receipt.seq).player == anna
    unmerge(table, ann)
    assert (again(ann).active, again(ann).anonymised) == (False, True)
    assert audit_club(table.club) == []


def test_what_is_forgotten_stays_forgotten(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    anonymise(table, anna)
    for refused in (
        lambda: anonymise(table, anna),
        lambda: merge(table, ann, anna),
        lambda: merge(table, anna, ann),
        lambda: players.change_player(caller=table.caller, player=anna.public_id, name="Anna", active=True),
    ):
        with pytest.raises(Refusal) as raised:
            refused()
        assert code(raised) == "anonymised"
    with pytest.raises(Invalid):
        session_of(table, anna)


def test_a_bot_is_nobody_who_could_be_forgotten(table):
    with pytest.raises(Refusal) as raised:
        anonymise(table, table.players[0])
    assert code(raised) == "not_a_person"


def test_nobody_is_forgotten_in_the_middle_of_a_deal(table):
    people = a_table(4, people=2, name="dale")
    people.deal(1)
    with pytest.raises(Refusal) as raised:
        anonymise(people, people.players[0])
    assert code(raised) == "deal_running"
    people.play_out()
    anonymise(people, people.players[0])


def test_the_reason_does_not_name_whom_it_lets_forget(table):
    with pytest.raises(Invalid) as raised:
        anonymise(table, add(table, "Zoë"), reason="Zoe has left.")
    assert code(raised) == "name_in_reason"


# -- the log, and what follows from it


@pytest.mark.parametrize(
    "change",
    [
        {"merged_into_id": None},
        {"active": True, "merged_into_id": None},
        {"anonymised": False},
        {"name": "Anna again"},
    ],
)
def test_the_audit_names_what_does_not_follow_from_the_clubs_log(table, change):
    anna, ann, zoe = add(table, "Anna"), add(table, "Ann"), add(table, "Zoë")
    merge(table, ann, anna)
    anonymise(table, zoe)
    assert audit_club(table.club) == []
    wrong = zoe if {"anonymised", "name"} & set(change) else ann
    Player.objects.filter(pk=wrong.pk).update(**change)

    found = {(item.row, item.column) for item in audit_club(table.club)}

    assert found == {(wrong.public_id, column) for column in change}


def test_the_audit_names_a_merge_that_was_never_logged(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    Player.objects.filter(pk=ann.pk).update(merged_into=anna, active=False)
    assert [str(item) for item in audit_club(table.club)] == [
        f"club river: player {ann.public_id}, merged_into_id: stored {anna.pk}, from the log None"
    ]


def test_the_dealer_may_be_asked_for_by_the_account_of_a_merged_player(table):
    people = a_table(4, people=4, name="dale")
    keeper = add(people, "Keeper")
    people.deal(1)
    people.play_out()
    account = people.players[1].user
    merge(people, people.players[1], keeper)
    dealing.deal(
        caller=Caller.of(account), session=people.session, number=2, rng=secrets.SystemRandom(), now=NOW, door="test"
    )
    assert people.row.live_deal is not None


def test_the_same_request_is_answered_the_same_and_done_once(table):
    anna, ann = add(table, "Anna"), add(table, "Ann")
    key = Key.of("k", "merge", {})
    assert merge(table, ann, anna, key=key) == merge(table, ann, anna, key=key)
    assert ClubEvent.objects.count() == 1


def test_players_from_before_there_was_a_search_key_get_one():
    migration = importlib.import_module("games.migrations.0003_people")
    table = a_table(3)
    jerome = add(table, "Jérôme")
    Player.objects.update(search_key="")
    migration.fill_search_keys(apps, None)
    assert again(jerome).search_key == "jerome"
    assert not Player.objects.filter(search_key="").exists()


def test_the_longest_names_have_keys_that_fit(table):
    for letter in ("ΐ", "ﷺ"):  # letters that come apart into three, and into eighteen
        assert add(table, letter * 80).search_key
