"""What a caller may see of a competition: what is published and out; scorers and organisers everything."""

from datetime import timedelta

import pytest

from competitions import selectors
from competitions.services import drawing, publishing, setup
from games.access import ANONYMOUS, Caller
from games.errors import Forbidden, NotFound, Refusal
from games.models import Club, Role
from games.services import sessions
from tests.competitions.builders import League, a_league
from tests.games.builders import NOW, a_member

pytestmark = pytest.mark.django_db(transaction=True)


def callers(league: League) -> dict[str, Caller]:
    other = Club.objects.create(name="Hill", slug="hill")
    return {
        "anonymous": ANONYMOUS,
        "outsider": Caller.of(a_member(other, "outsider", Role.ORGANISER)),
        "member": Caller.of(a_member(league.club, "member", Role.MEMBER)),
        "scorer": Caller.of(a_member(league.club, "scorer", Role.SCORER)),
        "organiser": league.caller,
    }


def those_who_see(league: League, everyone: dict[str, Caller]) -> set[str]:
    found = set()
    for name, caller in everyone.items():
        try:
            row = selectors.visible_competition(caller, league.public_id)
        except NotFound:
            assert not selectors.visible_competitions(caller).exists()
        else:
            assert [one.pk for one in selectors.visible_competitions(caller)] == [row.pk]
            found.add(name)
    return found


def test_a_competition_is_seen_by_its_club_and_by_everybody_where_it_is_public():
    league = a_league(4)
    everyone = callers(league)
    assert those_who_see(league, everyone) == {"member", "scorer", "organiser"}
    setup.configure(**league.about, changes={"public": True})
    assert those_who_see(league, everyone) == everyone.keys()


def test_a_draw_that_is_not_out_is_a_planned_round_to_everybody_else():
    league = a_league(8, rounds=2)
    everyone = callers(league)
    drawing.draw(**league.about, number=1)
    publishing.publish(**league.about, what="draw", number=1, not_before=NOW + timedelta(hours=1))
    row = league.row
    for caller in (everyone["scorer"], everyone["organiser"]):
        seen = selectors.round_of(caller, row, 1, now=NOW)
        assert (seen.status, seen.publication, len(seen.draw["plan"]["tables"])) == ("drawn", None, 2)
        assert [one.status for one in selectors.rounds(caller, row, now=NOW)] == ["drawn", "planned"]
    for name in ("anonymous", "outsider", "member"):
        caller = everyone[name]
        seen = selectors.round_of(caller, row, 1, now=NOW)
        assert (seen.status, seen.publication, seen.draw, seen.absent, seen.substitutes) == ("planned", *[None] * 4)
        assert [one.status for one in selectors.rounds(caller, row, now=NOW)] == ["planned", "planned"]
        assert not selectors.publications(caller, row, now=NOW).exists()
        with pytest.raises(NotFound):
            selectors.publication(caller, row, 1, now=NOW)
        later = selectors.round_of(caller, row, 1, now=NOW + timedelta(hours=1))
        assert (later.status, later.publication, len(later.draw["plan"]["tables"])) == ("drawn", 1, 2)


def test_a_draw_made_anew_is_not_seen_until_it_is_published_again():
    league = a_league(8)
    member = callers(league)["member"]
    drawing.draw(**league.about, number=1)
    publishing.publish(**league.about, what="draw", number=1)
    drawing.draw(**league.about, number=1, variant=1)
    seen, own = (selectors.round_of(caller, league.row, 1, now=NOW) for caller in (member, league.caller))
    assert seen.draw == selectors.publication(member, league.row, 1, now=NOW).content
    assert own.draw["plan"] != seen.draw["plan"]
    assert (seen.draw_is_out, own.draw_is_out) == (True, False)
    publishing.unpublish(**league.about, number=1, reason="A mistake.")
    assert selectors.round_of(member, league.row, 1, now=NOW).draw is None


def test_standings_are_what_is_published_and_live_ones_are_the_scorers():
    league = a_league(8)
    everyone = callers(league)
    league.whole_round(1)
    with pytest.raises(selectors.NotPublished) as refusal:
        selectors.latest(league.row, "standings", now=NOW)
    assert (refusal.value.code, refusal.value.status) == ("not_published", 404)
    publishing.publish(**league.about, what="standings")
    published = selectors.latest(league.row, "standings", now=NOW).standings
    assert published == league.standings
    league.whole_round(2)
    assert selectors.latest(league.row, "standings", now=NOW).standings == published
    assert selectors.live(everyone["scorer"], league.row).standings == league.standings != published
    assert selectors.live(everyone["organiser"], league.row, after_round=1).standings.rounds == (1,)
    for name in ("anonymous", "outsider", "member"):
        for read in (selectors.live, selectors.state):
            with pytest.raises(Forbidden):
                read(everyone[name], league.row)
        with pytest.raises(Forbidden):
            selectors.history(everyone[name], league.row, after=0, limit=9)


def test_the_publication_before_is_of_the_same_kind_and_round():
    league = a_league(8)
    league.whole_round(1)  # publishes its draw as number 1
    publishing.publish(**league.about, what="standings")
    league.whole_round(2)
    publishing.publish(**league.about, what="standings")
    about = (league.caller, league.row)
    assert selectors.before(*about, 4, now=NOW) == 2
    for number, error in ((1, selectors.NotPublished), (2, selectors.NotPublished), (3, Refusal), (9, NotFound)):
        with pytest.raises(error):
            selectors.before(*about, number, now=NOW)


def test_sessions_of_a_table_are_named_to_those_who_may_see_them():
    league = a_league(4)
    league.open(1)
    everyone = callers(league)
    setup.configure(**league.about, changes={"public": True})
    (session,) = league.sessions(1)
    about = {**league.about, "session": session.public_id}
    del about["competition"]
    sessions.configure(**about, changes={"public": False})  # this table is for the club alone
    for name, caller in everyone.items():
        (table,) = selectors.round_of(caller, league.row, 1, now=NOW).tables
        assert (table.session is None) == (name in ("anonymous", "outsider")), name


def test_the_log_says_who_and_names_everybody_by_public_ids():
    league = a_league(4)
    drawing.draw(**league.about, number=1)
    events = selectors.history(league.caller, league.row, after=1, limit=3)
    assert [(event["seq"], event["kind"], event["who"]) for event in events] == [
        (2, "entered", "river-organiser"),
        (3, "entered", "river-organiser"),
        (4, "entered", "river-organiser"),
    ]
    assert events[0]["player"] == league.people[0].public_id
