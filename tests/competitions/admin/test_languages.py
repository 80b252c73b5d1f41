"""The admin of competitions in each of its languages: every page and form opens; what is kept in the log is English."""

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry

from competitions.admin.competitions import FORMS
from competitions.services import corrections, entries, publishing
from tests.admin.conftest import log_in
from tests.competitions.admin.conftest import Desk
from tests.competitions.builders import a_league

pytestmark = pytest.mark.django_db

LANGUAGES = [code for code, _ in settings.LANGUAGES]


def played() -> Desk:
    """Two rounds played, one open; somebody absent, substituted, kept apart, withdrawn and adjusted; published."""
    league = a_league(12, rounds=5)
    ids = [player.public_id for player in league.people]
    entries.sit_out(**league.about, player=ids[0], number=1, bye=True)
    entries.keep_apart(**league.about, players=(ids[1], ids[2]))
    league.whole_round(1)
    publishing.publish(**league.about, what="standings")
    corrections.adjust(**league.about, player=ids[3], points=-5, reason="Late")
    entries.withdraw(**league.about, player=ids[4])
    league.whole_round(2)
    publishing.publish(**league.about, what="standings")
    league.open(3)
    return Desk(league, log_in(league.organiser))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_and_form_opens(language: str) -> None:
    desk = played()
    desk.client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    addresses = ["/admin/", "/admin/competitions/competition/", "/admin/competitions/competition/add/", desk.page]
    addresses += [desk.part(part) for part in ("entries", "standings", "publications", "files")]
    addresses += [desk.part("standings") + "?show=now", desk.part("publication", 1), desk.part("publication", 5)]
    addresses += [desk.part("round", number) for number in (1, 2, 3, 4)]
    addresses += [desk.part("event", event.seq) for event in desk.league.state.events]
    addresses += [desk.address(form.slug, round=3, table=1, number=1, seq=event) for form in FORMS for event in (9,)]
    for address in addresses:
        page = desk.text(address)
        assert f'<html lang="{language}"' in page, address
        assert "{" not in page.partition("<main")[2].partition("</main>")[0], address


@pytest.mark.parametrize("language", ["ru", "fr"])
def test_what_was_done_is_kept_in_english(language: str) -> None:
    desk = Desk(league := a_league(8, rounds=3), log_in(league.organiser))
    desk.client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    desk.do("draw", {"number": 1, "here": [player.public_id for player in league.people], "variant": 0}, round=1)
    assert "Round 1 is drawn." in LogEntry.objects.latest("pk").get_change_message()
