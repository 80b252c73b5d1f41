"""How much a bot wins, and the command that says so."""

import random
from collections import Counter
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.bots import available
from games.engine.errors import BadDeal
from games.engine.rules import Rules
from games.management import contest as contests
from games.management.contest import contest

FOLLOW, FAR_FIRST, RANDOM = (available()[key] for key in ("follow", "far-first", "random"))


@pytest.mark.parametrize("profile", ["pagat", "diamond-start", "bicycle"])
def test_follow_wins_more_than_two_fifths_against_three_random(profile: str) -> None:
    rules = Rules.from_json(profile)
    follow, others = contest([FOLLOW, RANDOM, RANDOM, RANDOM], rules=rules, deals=2000, rng=random.Random(7))
    assert follow.share - 2 * follow.error > 0.40
    assert follow.wins + others.wins == 2000


def test_the_bots_are_ranked_as_they_are_meant_to_be() -> None:
    def share(bot, against) -> float:
        return contest([bot, *[against] * 3], rules=Rules(), deals=1000, rng=random.Random(3))[0].share

    assert share(FOLLOW, FAR_FIRST) > 0.33
    assert share(FAR_FIRST, FOLLOW) < 0.20


def test_every_bot_sits_everywhere_and_every_seat_deals_equally_often(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Counter()

    def play(table, *, rules, dealer, rng) -> int:
        seen[tuple(bot.key for bot in table), dealer] += 1
        return [bot.key for bot in table].index("follow")

    monkeypatch.setattr(contests, "play", play)
    follow, rest = contest([FOLLOW, FAR_FIRST, RANDOM], rules=Rules(), deals=18, rng=random.Random(1))[0:2]
    assert (follow.wins, rest.wins) == (18, 0)
    assert len(seen) == 9
    assert set(seen.values()) == {2}
    assert {keys for keys, _ in seen} == {
        ("follow", "far-first", "random"),
        ("random", "follow", "far-first"),
        ("far-first", "random", "follow"),
    }


def test_the_error_is_that_of_a_share_of_wins() -> None:
    random_alone = contest([RANDOM] * 4, rules=Rules(), deals=20, rng=random.Random(1))
    assert [(one.seats, one.wins, one.share, one.error) for one in random_alone] == [(4, 20, 0.25, 0.0)]
    one, three = contest([FOLLOW, RANDOM, RANDOM, RANDOM], rules=Rules(), deals=100, rng=random.Random(1))
    assert one.error == pytest.approx((one.wins * three.wins) ** 0.5 / 100**1.5)
    assert three.error == pytest.approx(one.error / 3)


def test_a_table_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(BadDeal):
        contest([FOLLOW, RANDOM], rules=Rules(), deals=1, rng=random.Random(1))


# The command


def output_of(*arguments: str) -> str:
    out = StringIO()
    call_command("bots", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_prints_wins_share_and_error_of_each_bot() -> None:
    lines = output_of("--deals", "50", "--seed", "5", "follow", "random", "random", "random").splitlines()
    assert lines[0] == '50 deals, 4 seats, rules "pagat", seed 5'
    assert lines[1] == "A seat's fair share is 25.0%."
    (follow, one, wins, share, *error), (others, three, rest, *_) = (line.split() for line in lines[4:])
    assert (follow, one, others, three) == ("follow", "1", "random", "3")
    assert int(wins) + int(rest) == 50
    assert share == f"{int(wins) / 50:.1%}"
    assert error[0] == "±"


def test_the_command_plays_the_same_deals_under_the_same_seed() -> None:
    arguments = ["--deals", "40", "--rules", '{"profile": "pagat", "deck": 32}', "--seats", "5", "follow", "random"]
    first = output_of(*arguments, "--seed", "11")
    assert first == output_of(*arguments, "--seed", "11")
    assert first.splitlines()[0] == '40 deals, 5 seats, rules {"profile": "pagat", "deck": 32}, seed 11'


def test_the_last_bot_takes_the_seats_that_are_left() -> None:
    lines = output_of("--deals", "1", "--seats", "6", "follow", "far-first").splitlines()
    assert [line.split()[:2] for line in lines[4:]] == [["follow", "1"], ["far-first", "5"]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["follow", "clever", "random"], "There is no bot clever; there are "),
        (["--seats", "3", "follow", "random", "random", "random"], "4 bots do not fit on 3 seats."),
        (["follow", "random"], "seats"),
        (["--seats", "9", "random"], "seats"),
        (["--deals", "0", "random", "random", "random"], "--deals is at least 1."),
        (["--rules", "poker", "random", "random", "random"], "poker"),
        (["--rules", "{", "random", "random", "random"], "--rules is a profile or a JSON object."),
    ],
)
def test_the_command_refuses_what_cannot_be_played(arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message) as refused:
        output_of(*arguments)
    assert refused.value.returncode == 2
