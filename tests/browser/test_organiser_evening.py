"""The evening of docs/organiser.md, clicked: 16 people, 5 rounds, from an empty club to final standings and beyond.

What is typed is counted here once more, in the test's own way, and compared with what the pages say. With
FANTAN_SCREENSHOTS=docs/images it keeps the pictures of that page.
"""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator

from competitions.audit import audit_competition
from competitions.models import Competition, Table
from games.access import Caller
from games.models import Club, Membership, Role, User
from games.services import recording
from games.services.members import settle_staff
from games.services.recording import PaperResult
from scoring.points import shown
from tests.browser.desk import Desk
from tests.browser.sheets import LATE, NAMES, Sheets
from tests.games.builders import a_user
from tests.servers import ROOT

pytestmark = [
    pytest.mark.browser,
    pytest.mark.processes,
    pytest.mark.timeout(900),  # half a minute where nothing else runs
    # The numbers of rows go into the draws: so they are the same ones on every run, and in the pictures.
    pytest.mark.django_db(transaction=True, reset_sequences=True),
]

TABLES = (1, 2, 3, 4)
SWISS = "Swiss – Tables by standing: people of like results meet, and as few as can be meet again."
CARD_COUNT = (
    "Card count – One point for each card left in hand; when a total reaches the target, the lowest total wins."
)


class Evening:
    """The organiser's desk, and the sheets that are brought to it."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.sheets = desk, Sheets()
        self.home = ""

    def part(self, name: str) -> str:
        """The address of one of the competition's pages."""
        return self.home.replace("/change/", f"/{name}/")

    def card(self, table: int) -> Locator:
        """A table on the page of its round."""
        return self.desk.page.locator("#tables .tables > li").nth(table - 1)

    def sitting(self, table: int) -> list[str]:
        return self.card(table).locator(".who").all_inner_texts()

    def type_slip(self, left: dict[str, int]) -> None:
        """Fill in a score slip by the names at its lines."""
        for line in self.desk.page.locator("table.slip tbody tr").all():
            name = line.locator("th").inner_text().split()[0]
            line.locator("input").first.fill(str(left[name]))

    def enter(self, number: int, table: int) -> None:
        """Type in all deals of a table: from the page of the round, and back to it."""
        names = self.sitting(table)
        for deal, left in enumerate(self.sheets.play(number, table, names), 1):
            self.desk.press("Enter the result" if deal == 1 else f"Enter deal {deal}", self.card(table))
            if deal == 1:
                self.desk.fill(dealer=f"Seat 1: {names[0]}")
            self.type_slip(left)
            self.desk.press(f"Save deal {deal}")
            self.desk.says(f"Deal {deal} is saved")

    def open_and_play(self, number: int) -> None:
        """Open a drawn round, let somebody else enter what is played, close it."""
        desk = self.desk
        desk.go(self.home)
        desk.press("Publish and open the tables")
        desk.press("Open 4 tables")
        caller = Caller.of(User.objects.get(username="organiser"))
        for row in Table.objects.filter(round=number).select_related("session").order_by("number"):
            sitting = row.session.occupancies.order_by("seat").values_list("player__name", flat=True)
            for deal, left in enumerate(self.sheets.play(number, row.number, list(sitting)), 1):
                recording.record_deal(
                    caller=caller, session=row.session.public_id, number=deal, dealer=0 if deal == 1 else None,
                    result=PaperResult([left[name] for name in sitting]), now=timezone.now(), door="test",
                )  # fmt: skip
        desk.go(self.part(f"round/{number}"))
        desk.says(f"All results of Round {number} are in.")
        desk.press("Close")
        desk.press(f"Close Round {number}")
        desk.says(f"Round {number} is closed.")

    def draw(self, number: int) -> None:
        self.desk.go(self.home)
        self.desk.press(f"Draw Round {number}")
        self.desk.press(f"Draw Round {number}")
        self.desk.says(f"Round {number} is drawn.")

    def compare_standings(self) -> None:
        """The page of standings has just the points that the sheets come to, the best first."""
        lines = self.desk.page.locator("table.standings tbody tr").all()
        said = {line.locator("strong").inner_text(): line.locator(".total").inner_text() for line in lines}
        totals = self.sheets.totals()
        assert said == {name: shown(points) for name, points in totals.items()}
        ranked = [name for name, line in zip(said, lines, strict=True) if line.locator(".place").inner_text() != "–"]
        assert [totals[name] for name in ranked] == sorted((totals[name] for name in ranked), reverse=True)


def test_an_organiser_runs_a_tournament_from_an_empty_club_to_the_next_season(a_desk):
    club = Club.objects.create(name="River Club", slug="river", timezone="Europe/Berlin")
    for name, role in (("organiser", Role.ORGANISER), ("scorer", Role.SCORER), ("member", Role.MEMBER)):
        user = a_user(name)
        Membership.objects.create(user=user, club=club, role=role)
        settle_staff(user)
    evening = Evening(log_in(a_desk(), "organiser"))

    make(evening)
    type_the_names_in(evening)
    draw_and_open_round_one(evening)
    print_sheets(evening)
    enter_results(evening)
    close_round_one(evening, Evening(log_in(a_desk(), "scorer")))
    evening.draw(2)
    evening.open_and_play(2)
    somebody_leaves_and_somebody_comes(evening)
    evening.open_and_play(3)
    correct_a_result_of_round_one(evening)
    evening.open_and_play(4)
    evening.draw(5)
    evening.open_and_play(5)
    read_the_standings(evening)
    member = log_in(a_desk(), "member")
    publish_with_an_embargo(evening, member, stranger=a_desk())
    correct_after_publication(evening, member)
    finish_and_copy(evening)
    for row in Competition.objects.all():
        assert audit_competition(row) == []
    assert [words for words in told() if words not in evening.desk.pressed] == []


def told() -> list[str]:
    """What docs/organiser.md says to click: the words in bold, but for the numbered headings of its steps."""
    path, _, _ = (ROOT / "docs" / "organiser.md").read_text().partition("## What if")
    bold = [" ".join(words.split()) for words in re.findall(r"\*\*(.+?)\*\*", path, re.DOTALL)]
    assert bold.pop(0) == "bold"
    return [words for words in bold if not words[0].isdigit()]


def log_in(desk: Desk, name: str) -> Desk:
    desk.go("/admin/")
    desk.fill(username=name, password="correct horse battery")
    desk.press("Log in")
    return desk


def make(evening: Evening) -> None:
    desk, today = evening.desk, timezone.localdate()
    desk.says("No league or tournament is running.")
    with desk.on_a_phone():
        desk.press("Competitions", desk.page.locator(".small-screen"))
        desk.press("New competition")
    desk.fill(name="Spring Cup", season=f"{today:%Y}", starts_on=f"{today}", ends_on=f"{today}")
    desk.tick("Tournament – on a day or a weekend")
    desk.tick(SWISS)
    desk.fill(rounds="5", deals="2", scheme=CARD_COUNT)
    desk.unfold("Draws")
    desk.fill(seed="evening")
    desk.fits_a_phone()
    desk.shot("new-competition", "form.page", "form.page .field-scheme", most=1200)
    desk.press("Make the competition")
    desk.says("Spring Cup is made. Now add the players.", "0 of 5 rounds closed", "Nobody is entered yet.")
    evening.home = desk.path


def type_the_names_in(evening: Evening) -> None:
    desk = evening.desk
    desk.press("Add players")
    with desk.refused():
        desk.press("Add them")
    desk.says("Choose or type at least one name.")
    desk.fill(typed="\n".join(NAMES))
    desk.shot("add-players", "form.page")
    desk.press("Add them")
    desk.says("16 players entered, 16 of them new in the club.")
    desk.fits_a_phone()


def draw_and_open_round_one(evening: Evening) -> None:
    desk = evening.desk
    desk.go(evening.home)
    desk.says("Round 1 is to be drawn: 16 players take part.")
    desk.shot("what-needs-you", "#content", "#rounds")
    desk.press("Draw Round 1")
    desk.press("Draw Round 1")
    desk.says("Round 1 is drawn.", "The draw is not published.", "No two meet twice.")
    assert sorted(name for table in TABLES for name in evening.sitting(table)) == NAMES
    desk.shot("draw", "#content", "#report", most=1000)
    desk.press("Open the tables")
    desk.press("Open 4 tables")
    desk.says("The draw is published.", "Round 1: 4 of 4 results are missing.")
    desk.fits_a_phone()


def print_sheets(evening: Evening) -> None:
    desk = evening.desk
    names = evening.sitting(1)
    desk.press("Score slips of Round 1")
    desk.says("Table 1", *names, "Deal 2", part="body")
    assert desk.page.locator(".slip svg").count() == len(TABLES)
    desk.shot("slips", ".slip", most=420)
    desk.page.go_back()
    desk.press("Draw of Round 1")
    desk.says("Round 1: by name", f"{names[0]} Table 1", part="body")
    desk.page.go_back()


def enter_results(evening: Evening) -> None:
    desk = evening.desk
    names = evening.sitting(1)
    desk.press("Enter the result", evening.card(1))
    desk.fill(dealer=f"Seat 1: {names[0]}")
    evening.type_slip(dict(zip(names, (0, 5, 6, 0), strict=True)))
    with desk.refused():
        desk.press("Save deal 1")
    desk.says(f"Exactly one seat goes out with 0 cards left; seat 1 ({names[0]}) and seat 4 ({names[3]}) have.")
    desk.fits_a_phone()
    desk.shot("refused-result", "#content", "form.page")
    desk.press("Cancel")
    desk.says("Round 1: 4 of 4 results are missing.")
    with desk.on_a_phone():
        evening.enter(1, 1)
    evening.enter(1, 2)
    evening.enter(1, 3)
    desk.says("Round 1: 1 of 4 results is missing.")
    desk.shot("one-missing", "#content", "#tables")


def close_round_one(evening: Evening, other: Evening) -> None:
    """Also, a scorer has opened the form of the last table too, and sends it second."""
    desk = evening.desk
    names = evening.sitting(4)
    desk.press("Close")
    with desk.refused():
        desk.press("Close Round 1")
    desk.says(f"Round 1 cannot be closed: results are missing at table 4 ({', '.join(names)}).")
    desk.shot("close-refused", "#content", "form.page")
    desk.press("Cancel")
    scorer = other.desk
    scorer.go(evening.part("round/1"))
    assert not scorer.page.get_by_role("link", name="Close", exact=True).count()
    scorer.press("Enter the result", other.card(4))
    evening.enter(1, 4)
    desk.says("All results of Round 1 are in.")
    other.type_slip(dict(zip(names, (7, 0, 7, 7), strict=True)))
    scorer.fill(dealer=f"Seat 1: {names[0]}")
    with scorer.refused():
        scorer.press("Save deal 1")
    scorer.says("Deal 1 is entered again: this takes the place of what was entered before.", "Say why")
    desk.press("Close")
    desk.press("Close Round 1")
    desk.says("Round 1 is closed.")
    desk.go(evening.part("standings"))
    evening.compare_standings()


def somebody_leaves_and_somebody_comes(evening: Evening) -> None:
    desk = evening.desk
    evening.draw(3)
    desk.press("Publish the draw")
    desk.press("Publish it")
    before = list(map(evening.sitting, TABLES))
    at = next(table for table in before if "Pia" in table)
    desk.go(evening.home)
    desk.press("Players")
    desk.press("Withdraw", desk.row("Pia"))
    desk.fill(reason="Has to catch a train")
    desk.press("Withdraw")
    desk.says(
        "Pia: 4th → not ranked (withdrawn).",
        f"Round 3: Pia leaves (table {before.index(at) + 1} seat {at.index('Pia') + 1}).",
        "Nothing is stored yet.",
    )
    desk.shot("withdraw-preview", "form.page .preview")
    desk.press("Withdraw")
    desk.says("Pia is withdrawn.", "withdrawn from round 3")
    desk.press("Add players")
    desk.fill(typed=LATE)
    desk.press("Add them")
    desk.says(f"Round 3: {LATE} joins, table {before.index(at) + 1}")
    desk.shot("late-joiner", "#content", "form.page")
    desk.press("Add them")
    desk.says(f"1 player entered, 1 of them new in the club. Round 3: {LATE} joins")
    desk.go(evening.part("round/3"))
    desk.says("The draw was changed since it was published.")
    after = list(map(evening.sitting, TABLES))
    assert [set(table) for table in after] == [{LATE if who == "Pia" else who for who in table} for table in before]


def correct_a_result_of_round_one(evening: Evening) -> None:
    desk = evening.desk
    evening.draw(4)
    desk.go(evening.part("round/1"))
    desk.press("Correct", evening.card(1))
    desk.press("Correct", desk.row("Deal 1", "#deals"))
    slip = evening.sheets.slips[1, 1][0]
    first, second = sorted(slip, key=lambda name: (slip[name], name))[:2]
    slip[first], slip[second] = slip[second], slip[first]
    evening.type_slip(slip)
    with desk.refused():
        desk.press("Show what would change")
    desk.says("Say why: corrections are kept with their reason.")
    desk.fill(reason=f"Read wrongly: {second} won it, not {first}")
    desk.press("Show what would change")
    desk.says("Spring Cup, round 1", "Round 4 was drawn by older standings:", "Draw it again if it should follow them.")
    desk.shot("correction-preview", "form.page .preview", most=900)
    desk.press("Save deal 1")
    desk.says(f"Deal 1 is saved: {second} won.", f"Read wrongly: {second} won it, not {first}")
    desk.press(f"‹ Table 1 of Round 1 of Spring Cup {timezone.localdate().year}")
    desk.press("Round 1: table 1 was corrected.")
    desk.says(f"Read wrongly: {second} won it, not {first}", "Round 4 was drawn by older standings:")
    desk.shot("correction-done", "#content", most=900)
    desk.go(evening.part("standings"))
    evening.compare_standings()
    desk.go(evening.part("round/4"))
    desk.press("Draw again")
    desk.press("Show what would change")
    desk.says("This takes the place of the draw there is.")
    desk.press("Draw again")


def read_the_standings(evening: Evening) -> None:
    desk = evening.desk
    desk.go(evening.home)
    desk.says("5 of 5 rounds closed", "All rounds are played.", "The standings after Round 5 are not published.")
    desk.fits_a_phone()
    desk.press("Standings")
    desk.says("Equal totals are decided by: 1. Direct encounter; 2. Most firsts, then seconds; 3. Wins.")
    evening.compare_standings()
    desk.fits_a_phone()
    decided = desk.page.locator("table.standings tbody tr").filter(has_text=re.compile("behind .+ by (?!points)")).first
    desk.unfold("", decided)
    assert decided.locator(".strip .round").count() == 5
    desk.shot("standings", "#content", most=680)


def publish_with_an_embargo(evening: Evening, member: Desk, stranger: Desk) -> None:
    desk = evening.desk
    sheet = f"{desk.url}/competitions/{Competition.objects.get().public_id}/print/standings?publication=7"
    desk.press("Publish the standings")
    desk.fill(not_before=f"{timezone.localdate() + timedelta(days=1)}T10:00")
    desk.press("Publish them")
    desk.says("7 Standings after Round 5", "embargo")
    desk.fits_a_phone()
    desk.shot("embargo")
    assert member.page.request.get(sheet).status == 404
    assert "/login" in stranger.page.request.get(sheet).url


def correct_after_publication(evening: Evening, member: Desk) -> None:
    desk = evening.desk
    desk.go(evening.part("standings"))
    desk.press("Adjust", desk.row("Cleo"))
    desk.fill(points="-500", reason="Looked into a neighbour’s hand")
    desk.press("Show what would change")
    desk.says("Cleo: 1st → 2nd, 3666.67 → 3166.67 points", "Nothing is stored yet.")
    desk.press("Adjust")
    evening.sheets.adjusted["Cleo"] = -500
    evening.compare_standings()
    desk.says("Cleo: 1st → 2nd", part="#changes")
    desk.press("Publish the standings")
    desk.press("Publish them")
    desk.press("Standings after Round 5", desk.row("8"))
    desk.says("What changed since publication 7", "Cleo: 1st → 2nd", part="#changes")
    desk.shot("publication-diff", "#content", "#changes")
    evening.compare_standings()
    sheet = f"{desk.url}/competitions/{Competition.objects.get().public_id}/print/standings"
    assert "Publication 8" in member.page.request.get(sheet).text()
    desk.go(evening.part("publications"))
    desk.press("Take back", desk.row("7"))
    desk.fill(reason="Replaced by the corrected one")
    desk.press("Take it back")
    desk.says("Publication 7 is taken back.")


def finish_and_copy(evening: Evening) -> None:
    desk, today = evening.desk, timezone.localdate()
    desk.go(evening.home)
    desk.press("Finish the competition")
    desk.press("Finish it")
    desk.says("Spring Cup is finished.")
    desk.press("Copy into the next season")
    desk.fill(season=f"{today.year + 1}")
    desk.shot("copy", "form.page")
    desk.press("Make the copy")
    desk.says(
        f"Spring Cup {today.year + 1} is made, with the same set-up.", "0 of 5 rounds closed", "16 players are entered."
    )
