"""A program as somebody else would write it, on the client that is generated from the schema: it knows the API only by
that. mypy checks it strictly, together with the client."""

from io import BytesIO
from itertools import count

from fantan_client import AuthenticatedClient
from fantan_client.api.clubs import club_player_create
from fantan_client.api.competitions import (
    competition_create,
    entries_create,
    publish,
    round_,
    round_close,
    round_draw,
    round_open,
    standings,
)
from fantan_client.api.deals import deal_create
from fantan_client.api.exports import standings_file
from fantan_client.api.imports import import_create
from fantan_client.api.play import action_create, seat_view
from fantan_client.api.replays import session_records
from fantan_client.api.sessions import session, session_open, session_start
from fantan_client.api.standings import table
from fantan_client.models import (
    ActionShape,
    Changed,
    Corrected,
    GivenResult,
    NewAction,
    NewCompetition,
    NewCompetitionSettings,
    NewDeal,
    NewEntries,
    NewPlayer,
    NewPublication,
    NewSession,
    Nothing,
    OneNewEntry,
    Opening,
    PlayerShape,
    Problem,
    PublicationsWhat,
    PublishedTable,
    ReportShape,
    RoundDetail,
    SeatTable,
    SessionDetail,
    SessionTable,
    StandingsFileForm,
    Written,
)
from fantan_client.types import File

keys = count(1)


def with_token(url: str, secret: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=url, token=secret, raise_on_unexpected_status=True)


def open_session(organiser: AuthenticatedClient, club: str, players: list[str]) -> str:
    """A session whose first deal is dealt; its id."""
    opened = session_open.sync(club, client=organiser, body=NewSession(label="By a program", players=players))
    assert isinstance(opened, Written), opened
    started = session_start.sync(opened.session, client=organiser, body=Nothing())
    assert isinstance(started, Written), started
    return opened.session


def play_a_deal(seats: list[AuthenticatedClient], of: str) -> int:
    """Every seat plays its first legal card until somebody has won; which seat."""
    while True:
        for number, seat in enumerate(seats):
            seen = seat_view.sync(of, number, client=seat)
            assert isinstance(seen, SeatTable), seen
            if seen.view is None or seen.view.to_act != number or seen.seq is None:
                continue
            card = (seen.view.legal or ["-"])[0]
            done = act(seat, of, card, seen.seq)
            assert isinstance(done, ActionShape), done
            if done.deal_over:
                assert done.winner is not None
                return done.winner


def act(seat: AuthenticatedClient, of: str, action: str, seq: int) -> ActionShape | Problem | None:
    body = NewAction(action=action, expected_seq=seq)
    return action_create.sync(of, client=seat, body=body, idempotency_key=f"evening {next(keys)}")


def places(anybody: AuthenticatedClient, of: str) -> list[tuple[int, int | None, float]]:
    """Seat, place and points of each seat."""
    found = table.sync(of, client=anybody)
    assert isinstance(found, SessionTable), found
    return [(row.seat, row.place, row.total) for row in found.rows]


def hold_a_league(organiser: AuthenticatedClient, club: str, names: list[str]) -> str:
    """A competition from its entries to the published standings; its id."""
    players = []
    for name in names:
        added = club_player_create.sync(club, client=organiser, body=NewPlayer(name=name))
        assert isinstance(added, PlayerShape), added
        players.append(added.id)
    settings = NewCompetitionSettings.from_dict({"format": "league-night", "deals": 1})
    made = competition_create.sync(club, client=organiser, body=NewCompetition(name="By a program", settings=settings))
    assert isinstance(made, Changed), made
    league = made.competition
    entries = NewEntries(entries=[OneNewEntry(player=player) for player in players])
    assert isinstance(entries_create.sync(league, client=organiser, body=entries), Changed)
    drawn = round_draw.sync(league, 1, client=organiser)
    assert isinstance(drawn, Changed), drawn
    assert isinstance(round_open.sync(league, 1, client=organiser, body=Opening(publish=True)), Changed)
    opened = round_.sync(league, 1, client=organiser)
    assert isinstance(opened, RoundDetail), opened
    for one in opened.tables:
        assert one.session is not None
        seating = session.sync(one.session, client=organiser)
        assert isinstance(seating, SessionDetail), seating
        result = GivenResult(cards_left=list(range(len(seating.seating))))
        entered = deal_create.sync(one.session, client=organiser, body=NewDeal(number=1, dealer=0, result=result))
        assert isinstance(entered, Corrected), entered
    assert isinstance(round_close.sync(league, 1, client=organiser), Changed)
    assert refused(standings.sync(league, client=organiser)) == "not_published"
    what = NewPublication(what=PublicationsWhat.STANDINGS)
    assert isinstance(publish.sync(league, client=organiser, body=what), Changed)
    return league


def ranking(anybody: AuthenticatedClient, league: str) -> tuple[list[str], bytes]:
    """Who stands where, and the same as a file."""
    got = standings.sync_detailed(league, client=anybody)
    assert isinstance(got.parsed, PublishedTable), got
    again = standings.sync_detailed(league, client=anybody, if_none_match=got.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    names = [row.player.name for row in got.parsed.rows if row.player]
    file = standings_file.sync(league, StandingsFileForm.CSV, client=anybody)
    assert isinstance(file, File), file
    return names, file.payload.read()


def take_records(member: AuthenticatedClient, of: str) -> bytes:
    found = session_records.sync(of, client=member)
    assert isinstance(found, File), found
    return found.payload.read()


def try_records(organiser: AuthenticatedClient, club: str, records: bytes) -> ReportShape | Problem | None:
    """What an import of these records would make."""
    return import_create.sync(club, client=organiser, body=File(BytesIO(records)), dry_run=True)


def refused(answer: object) -> str:
    """The code of a refusal; empty for an answer that is none."""
    return answer.code if isinstance(answer, Problem) else ""
