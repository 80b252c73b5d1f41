"""Two entrants who are one person, and one who asks to be forgotten: standings follow, and nothing is lost."""

import threading

import pytest

from competitions.audit import audit_competition
from competitions.models import Entry
from competitions.services import entries
from competitions.services.entries import NewEntry
from games.audit import audit_club
from games.errors import Refusal
from games.models import Player
from games.services import people
from tests.api.test_races import at_once
from tests.competitions.builders import a_league
from tests.games.builders import NOW

pytestmark = pytest.mark.django_db(transaction=True)


def call(league, player, **more):
    return {"caller": league.caller, "player": player.public_id, "reason": "r", "now": NOW, "door": "test", **more}


def late_twin(league, name="A again"):
    """Somebody who was entered a second time, and played the second round."""
    twin = Player.objects.create(club=league.club, name=name)
    entries.enter(**league.about, entries=[NewEntry(twin.public_id)])
    return twin


@pytest.fixture
def league():
    """Eight played round 1; A does not come to round 2, but "A again" does."""
    league = a_league(8, rounds=3)
    league.whole_round(1)
    entries.sit_out(**league.about, player=league.player("A").public_id, number=2)
    league.twin = late_twin(league)
    league.whole_round(2)
    return league


def rounds_of(league) -> dict[int, int]:
    """How many rounds each entrant has played."""
    return {row.entrant: sum(line.kind == "played" for line in row.rounds) for row in league.standings.rows}


def test_results_of_the_merged_count_for_the_person_until_it_is_taken_back(league):
    first, before = league.player("A"), league.standings
    played = rounds_of(league)
    assert (played[first.pk], played[league.twin.pk]) == (1, 1)

    people.merge(**call(league, league.twin, into=first.public_id))

    assert rounds_of(league)[first.pk] == 2
    assert league.twin.pk not in rounds_of(league)
    assert audit_competition(league.row) == []
    people.unmerge(**call(league, league.twin))
    assert league.standings == before
    assert audit_competition(league.row) == []
    assert audit_club(league.club) == []


def test_who_sat_at_two_tables_of_one_round_is_two_people():
    league = a_league(8)
    league.open(1)
    one, other = (table.occupancies.first().player for table in league.sessions(1))
    with pytest.raises(Refusal) as raised:
        people.merge(**call(league, one, into=other.public_id))
    assert raised.value.code == "both_drawn"
    assert not Player.objects.exclude(merged_into=None).exists()


def test_who_sat_elsewhere_than_somebody_merged_into_the_person_is_not_that_person():
    league = a_league(8)
    league.open(1)
    one, other = (table.occupancies.first().player for table in league.sessions(1))
    keeper = Player.objects.create(club=league.club, name="Keeper")
    people.merge(**call(league, one, into=keeper.public_id))
    with pytest.raises(Refusal) as raised:
        people.merge(**call(league, other, into=keeper.public_id))
    assert raised.value.code == "both_drawn"


def test_standings_do_not_change_when_somebody_is_forgotten(league):
    before, first = league.standings, league.player("A")
    people.anonymise(**call(league, first, reason="By letter."))
    assert league.standings == before
    assert Player.objects.get(pk=first.pk).anonymised
    assert audit_competition(league.row) == []


def entered_while_merged(monkeypatch) -> bool:
    """Enter somebody and merge them meanwhile: whether the merge was through before the entry was."""
    league = a_league(4)
    keeper, ann = (Player.objects.create(club=league.club, name=name) for name in ("Keeper", "Ann"))
    real = entries.held
    looked, merged, early = threading.Event(), threading.Event(), []

    def held(club, asked):
        found = real(club, asked)
        looked.set()
        early.append(merged.wait(1.0))
        return found

    monkeypatch.setattr(entries, "held", held)

    def away():
        looked.wait(5)
        people.merge(**call(league, ann, into=keeper.public_id))
        merged.set()

    enter = lambda: entries.enter(**league.about, entries=[NewEntry(ann.public_id)])  # noqa: E731
    answers = at_once([enter, away])
    assert not [answer for answer in answers if isinstance(answer, Exception)]
    assert Entry.objects.filter(player=ann).exists()
    return early[0]


def test_a_merge_waits_for_an_entry_that_has_begun(monkeypatch):
    assert not entered_while_merged(monkeypatch)


def test_without_the_lock_somebody_merged_is_entered(monkeypatch):
    def unlocked(club, asked):
        return {player.public_id: player for player in Player.objects.filter(club=club, public_id__in=asked)}

    monkeypatch.setattr(entries, "held", unlocked)
    assert entered_while_merged(monkeypatch)
