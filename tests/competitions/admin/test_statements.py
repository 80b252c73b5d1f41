"""The number of statements of a page does not depend on how many people, rounds and tables there are."""

import pytest
from django.urls import reverse

from competitions.admin.competitions import FORMS
from competitions.services import corrections, entries, publishing
from competitions.services.entries import NewEntry
from games.models import Player
from tests.admin.conftest import log_in
from tests.admin.test_statements import statements
from tests.competitions.admin.conftest import Desk
from tests.competitions.builders import a_league

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def grow(desk: Desk, people: int, rounds: range) -> None:
    """More people, and more rounds played, corrected and published."""
    league = desk.league
    made = [Player.objects.create(club=league.club, name=f"P{rounds[0]}-{n}") for n in range(people)]
    entries.enter(**league.about, entries=[NewEntry(player.public_id) for player in made])
    entries.sit_out(**league.about, player=made[0].public_id, number=rounds[0], bye=True)
    for number in rounds:
        league.whole_round(number)
        corrections.adjust(**league.about, player=made[0].public_id, points=number, reason="x")
        publishing.publish(**league.about, what="standings")


def test_pages_and_forms(db):
    league = a_league(8, rounds=20)
    desk = Desk(league, log_in(league.organiser))

    def counts() -> dict[str, int]:
        last = max(league.state.closed_rounds)
        addresses = [desk.page, desk.part("round", 1), desk.part("round", last)]
        addresses += [desk.part(part) for part in ("entries", "standings", "publications", "files")]
        addresses += [desk.part("standings") + "?show=now", desk.part("entries") + "?q=P"]
        numbers = sorted(league.state.publications)
        addresses += [desk.part("publication", number) for number in (numbers[2], numbers[-1])]
        addresses += [reverse("admin:competitions_competition_changelist"), reverse("admin:index")]
        found = {
            address.replace(f"round/{last}", "round/last"): statements(desk.client, address) for address in addresses
        }
        for form in FORMS:
            found[form.slug] = statements(desk.client, desk.address(form.slug, round=last, seq=9, number=1, table=1))
        last_one = f"publications/{numbers[-1]}/"
        return {name.replace(last_one, "publications/last/"): count for name, count in found.items()}

    grow(desk, 4, range(1, 3))
    few = counts()
    grow(desk, 24, range(3, 8))
    assert counts() == few
    assert max(few.values()) <= 16
