"""Merging, taking that back and anonymising in the admin: first looked at, then done."""

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from games.models import ClubEvent, Player, RequestKey, Role
from games.services import importing
from games.services.keys import Key
from tests.admin.conftest import a_member_of, log_in
from tests.admin.test_scope import search
from tests.admin.test_session_pages import errors_of, messages_of
from tests.admin.test_statements import statements
from tests.games.builders import NOW
from tests.games.people import add, merge, played

pytestmark = pytest.mark.django_db
LIST = reverse("admin:games_player_changelist")


def page_of(player) -> str:
    return reverse("admin:games_player_change", args=[player.pk])


def address(player, action: str) -> str:
    return reverse("admin:games_player_do", args=[player.pk, action])


@pytest.fixture
def twins(desk):
    """Anna and Ann, who played in a session each."""
    anna, ann = add(desk.table, "Anna"), add(desk.table, "Ann")
    played(desk.table, anna, *desk.table.players[:3], label="Monday")
    played(desk.table, ann, *desk.table.players[:3], label="Tuesday")
    return anna, ann


def test_both_are_shown_with_their_sessions_before_anything_is_merged(desk, twins):
    anna, ann = twins
    data = {"into": anna.pk, "reason": "Entered twice."}

    looked = desk.client.post(address(ann, "merge"), data)

    assert looked.status_code == 200
    text = looked.content.decode()
    assert "Monday" in text
    assert "Tuesday" in text
    assert "Merge Ann into Anna" in text
    assert not ClubEvent.objects.exists()
    assert Player.objects.get(pk=ann.pk).merged_into is None

    form = looked.context["form"]
    done = desk.client.post(address(ann, "merge"), {**data, "seen": form["seen"].value()}, follow=True)

    assert "Ann is merged into Anna." in messages_of(done)
    assert Player.objects.get(pk=ann.pk).merged_into == anna
    page = done.content.decode()
    assert "Merged into" in page
    assert "Entered twice." in page
    assert "Take the merge back" in page
    assert 'name="name"' not in page  # nothing to be changed on it
    kept = desk.client.get(page_of(anna)).content.decode()
    assert "Ann was merged into Anna." in kept
    assert "Tuesday" in kept


def test_whoever_is_chosen_anew_is_looked_at_anew(desk, twins):
    anna, ann = twins
    other = add(desk.table, "Hanna")
    answer = desk.client.post(address(ann, "merge"), {"into": other.pk, "reason": "r", "seen": anna.pk})
    assert answer.status_code == 200
    assert not ClubEvent.objects.exists()


def test_what_cannot_be_is_said_at_the_first_look(desk, twins):
    anna, ann = twins
    played(desk.table, anna, ann, *desk.table.players[:2], label="Wednesday")
    assert "in session “Wednesday”" in errors_of(
        desk.client.post(address(ann, "merge"), {"into": anna.pk, "reason": "r"})
    )
    assert "into itself" in errors_of(desk.client.post(address(ann, "merge"), {"into": ann.pk, "reason": "r"}))
    assert "required" in errors_of(desk.client.post(address(ann, "merge"), {"into": anna.pk}))


def test_a_merge_is_taken_back(desk, twins):
    anna, ann = twins
    merge(desk.table, ann, anna)
    answer = desk.client.post(address(ann, "unmerge"), {"reason": "Cousins."}, follow=True)
    assert "a player of its own again" in messages_of(answer)
    assert "not merged" in errors_of(desk.client.post(address(ann, "unmerge"), {"reason": "r"}))


def test_anonymising_says_that_it_is_for_good_and_leaves_the_name_nowhere(desk, twins):
    anna, ann = twins
    merge(desk.table, ann, anna)
    desk.client.post(page_of(anna), {"name": "Anna", "active": "on"})
    assert "cannot be undone" in desk.client.get(address(anna, "anonymise")).content.decode()

    answer = desk.client.post(address(anna, "anonymise"), {"reason": "By letter."}, follow=True)

    assert f"Player {anna.public_id[:4]} is anonymised." in messages_of(answer)
    assert "Anonymised, for good" in answer.content.decode()
    for shown in (page_of(anna), page_of(ann), LIST, desk.page, reverse("admin:games_player_history", args=[anna.pk])):
        text = desk.client.get(shown).content.decode()
        assert "Ann" not in text.replace("Anonymis", ""), shown
    for note in LogEntry.objects.all():
        assert "Ann" not in note.object_repr + note.change_message


def test_the_kept_answer_to_an_import_that_named_somebody_goes_with_the_name(desk):
    line = b'{"sevens":1,"rules":"pagat","players":["%s","Q","R"],"dealer":0,"result":{"cards_left":[0,1,2]}}\n'
    for name in (b"Zoe", b"Pia"):
        importing.import_records(
            caller=desk.table.caller,
            club="river",
            lines=[(1, line % name)],
            dry_run=False,
            now=NOW,
            door="test",
            key=Key.of(name.decode(), "import", {}),
        )
    zoe = Player.objects.get(name="Zoe")
    desk.client.post(address(zoe, "anonymise"), {"reason": "By letter."})
    assert list(RequestKey.objects.values_list("key", flat=True)) == ["Pia"]


def test_only_organisers_of_the_club_reach_the_pages(desk, twins, make_desk):
    _, ann = twins
    scorer = log_in(a_member_of(desk.table.club, "sam", Role.SCORER))
    other = make_desk(4, name="hill")
    for action in ("merge", "unmerge", "anonymise"):
        assert scorer.get(address(ann, action)).status_code == 403
        assert scorer.post(address(ann, action), {"reason": "r"}).status_code == 403
        assert other.client.get(address(ann, action)).status_code == 302
        assert other.client.post(address(ann, action), {"reason": "r"}).status_code == 302
    foreign = desk.client.post(address(ann, "merge"), {"into": other.table.players[0].pk, "reason": "r"})
    assert "valid choice" in errors_of(foreign)
    assert desk.client.get(address(ann, "nonsense")).status_code == 404
    assert not ClubEvent.objects.exists()


def test_who_is_gone_is_offered_for_no_seat_and_said_so_in_the_list(desk, twins):
    anna, ann = twins
    zoe = add(desk.table, "Zoë")
    merge(desk.table, ann, anna)
    desk.client.post(address(zoe, "anonymise"), {"reason": "By letter."})
    found = search(desk.client, "occupancy", "player").json()["results"]
    assert {anna.pk}.union(player.pk for player in desk.table.players) == {int(item["id"]) for item in found}
    text = desk.client.get(LIST).content.decode()
    assert "merged into Anna" in text
    assert "anonymised" in text
    assert desk.client.post(page_of(ann), {"name": "Ann", "active": "on"}).status_code == 200
    assert not Player.objects.get(pk=ann.pk).active


def test_searching_heeds_neither_accents_nor_case(desk):
    jerome = add(desk.table, "Jérôme Dupont")
    session = played(desk.table, jerome, *desk.table.players[:3], label="Monday")
    for text in ("Je", "jér", "JEROME", "dupont jero"):
        found = desk.client.get(LIST, {"q": text}).context["cl"].result_list
        assert [player.name for player in found] == ["Jérôme Dupont"], text
        assert search(desk.client, "occupancy", "player", term=text).json()["results"][0]["id"] == str(jerome.pk)
    for text in ("%", "_", "nobody"):
        assert not desk.client.get(LIST, {"q": text}).context["cl"].result_list
    tables = desk.client.get(reverse("admin:games_session_changelist"), {"q": "jerome"}).context["cl"].result_list
    assert [row.public_id for row in tables] == [session]


def test_a_players_page_costs_the_same_however_much_was_played(desk):
    anna = add(desk.table, "Anna")
    played(desk.table, anna, *desk.table.players[:3])
    merge(desk.table, add(desk.table, "Ann"), anna)
    pages = [page_of(anna), address(anna, "merge"), address(anna, "anonymise")]
    few = [statements(desk.client, page) for page in pages]
    for n in range(25):
        played(desk.table, anna, *desk.table.players[:3])
        if n < 5:
            merge(desk.table, add(desk.table, f"Ann {n}"), anna)
    assert [statements(desk.client, page) for page in pages] == few
    assert max(few) <= 15
    assert "26 sessions" in desk.client.get(page_of(anna)).content.decode()


def test_no_page_and_no_action_deletes_a_player(desk, superuser, twins):
    for player in twins:
        assert superuser.get(reverse("admin:games_player_delete", args=[player.pk])).status_code == 403
        assert (
            superuser.post(reverse("admin:games_player_delete", args=[player.pk]), {"post": "yes"}).status_code == 403
        )
    bulk = {"action": "delete_selected", "_selected_action": [player.pk for player in twins], "post": "yes"}
    superuser.post(LIST, bulk)
    assert Player.objects.filter(pk__in=[player.pk for player in twins]).count() == 2
