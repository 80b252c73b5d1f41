"""The error codes of competitions (the catalogue: games/api/codes.py)."""

import games.api.table_refusals  # noqa: F401 - its sections come first
from games.api.codes import code, section

ANNA, BERT = "x7m2k9qv3wtp", "h4w8n2bq7kzr"

section(
    "Competitions, not as things stand",
    code(
        "not_published",
        404,
        "nothing of this kind is published, or not yet",
        "No standings of this competition is published, or not yet.",
    ),
    code(
        "no_such_round",
        404,
        "the competition has no round of that number",
        "There is no round 9: the rounds are 1 to 5.",
    ),
    code("no_such_event", 404, "its log has no event of that number", "This competition has no event 99."),
    code(
        "competition_finished",
        409,
        "it is finished; undo that first",
        "This competition is finished. Undo its finish first.",
    ),
    code(
        "already_entered",
        (409, 422),
        "a person competes once (422 where two requests at once give it)",
        "Anna is entered already: a person competes once.",
    ),
    code(
        "not_entered",
        (409, 422),
        "the player is not entered, or does not take part in that round (422 where a list names them)",
        "This player is not entered in the competition.",
    ),
    code("already_withdrawn", 409, "the player is withdrawn already", "Anna is withdrawn already."),
    code("not_withdrawn", 409, "the player is not withdrawn", "Anna is not withdrawn."),
    code(
        "already_sits_out",
        (409, 422),
        "the player sits out in that round already (422 where a list names them)",
        "Anna sits out in round 3 already.",
    ),
    code(
        "already_apart",
        409,
        "the two are kept apart already, or are one person",
        "These two are kept apart already, or are one person.",
    ),
    code(
        "substitution_cycle",
        (409, 422),
        "somebody would sit for another and be sat for (422 for oneself)",
        "Round 3: somebody would sit for another and be sat for himself. Undo the earlier substitution first.",
    ),
    code(
        "already_drawn",
        409,
        "a draw has the player whose entry would be undone: withdraw them",
        "Round 3 is drawn with this player: withdraw them instead.",
    ),
    code("not_drawn", 409, "the round has no draw", "Round 3 is not drawn yet. Draw it first."),
    code(
        "round_before_open",
        409,
        "the draw follows standings, and the round before is not closed",
        "Round 2 is not closed, and this draw follows its standings.",
    ),
    code("round_open", 409, "the round's tables are open", "Round 3 is open: undo its opening first."),
    code("round_not_open", 409, "the round's tables are not open", "Round 3 is not open yet."),
    code("round_not_closed", 409, "the round is not closed", "Round 3 is not closed."),
    code("rounds_open", 409, "a competition is finished once no round is open", "Close first: round 3."),
    code(
        "draw_not_published",
        409,
        "open tables would show a draw that is not out",
        "The draw of round 3 is not published, or not yet, or was changed since: open tables would show it. Publish "
        "it first, or with the opening.",
    ),
    code(
        "results_missing",
        409,
        "a round cannot be closed yet; `tables` has the tables, `detail` says whose results",
        "Round 3 cannot be closed: results are missing at table 2 (Anna, Bert, Cleo, Dora).",
        tables=[2],
    ),
    code(
        "tables_played",
        409,
        "an opening is not undone once deals are on record",
        "Round 3 is being played: deals are on record.",
    ),
    code(
        "already_a_table",
        (409, 422),
        "the session is a table of a competition (422 where two requests at once give it)",
        "The session “Thursday, table 1” is a table of a competition already.",
    ),
    code(
        "no_such_table",
        409,
        "the round has no table of that number with a result",
        "There is no table 9 with a result in round 3.",
    ),
    code(
        "nothing_closed",
        409,
        "no round is closed: there are no standings to publish",
        "No round is closed yet: there are no standings to publish.",
    ),
    code(
        "already_unpublished",
        409,
        "the publication is taken back already",
        "Publication 5 is taken back already.",
    ),
    code(
        "format_fixed",
        409,
        "the format is fixed by the first draw",
        "The format is fixed: a round is drawn by it already.",
    ),
)

section(
    "Competitions, refused by what was asked for",
    code(
        "name_taken",
        422,
        "the club has a competition of that name and season",
        "This club already has a competition “Open 2026”.",
    ),
    code(
        "bad_days",
        422,
        "the last day comes before the first",
        "The last day, 2026-11-01, comes before the first, 2026-11-29.",
    ),
    code(
        "outside_days",
        422,
        "a day, or a session's, that is none of the competition's",
        "2026-12-24 is not a day of this competition: 2026-09-01 to 2026-11-30.",
    ),
    code(
        "bad_number",
        422,
        "a round or seed that is no such number, or is missing",
        "seed is a whole number from 1 to 10000.",
    ),
    code(
        "too_many_entries",
        422,
        "more entries than a competition can have",
        "A competition has at most 10000 entries.",
    ),
    code("bad_tie_break", 422, "there is no such tie-break", "There is no tie-break 'luck'."),
    code(
        "bad_standings",
        422,
        "results or settings that contradict each other",
        "Two results of one player stand in round 3.",
    ),
    code(
        "no_tables",
        422,
        "so many players cannot sit at tables of these sizes; the detail says why",
        "Table 1 has 2 players; tables have 3 to 5.",
    ),
    code(
        "bad_draw",
        422,
        "a draw that cannot be",
        "Round robin draws all rounds at once: say who is absent instead.",
    ),
    code(
        "tie_to_decide",
        422,
        "places do not say who goes on at `table`: `equal` lists whom of, `wanted` how many; decide first",
        "Table 1: 2 players share place 2, and 1 of them goes on. Decide who.",
        table=1,
        equal=[ANNA, BERT],
        wanted=1,
    ),
    code(
        "too_few_players",
        422,
        "nobody could win what is left",
        "There are not two players left who could play this round.",
    ),
    code(
        "competition_over",
        422,
        "there is no round after the last",
        "All 5 planned rounds have been drawn. Plan more of them to play on.",
    ),
    code(
        "not_equal",
        422,
        "those named are not equal at that table",
        "Those named are not equal at that table: the places decide between them.",
    ),
    code(
        "bad_publication",
        422,
        "what is published is a draw or standings",
        "What can be published: draw, standings.",
    ),
    code(
        "bad_time",
        422,
        "a time without its zone",
        "not_before needs a time zone, as in 2026-11-29T19:00:00+01:00.",
    ),
    code(
        "not_comparable",
        422,
        "a draw and standings, or the draws of two rounds",
        "Draws of one round can be compared, and standings with standings.",
    ),
    code(
        "bad_file",
        422,
        "no table that can be read: damaged, another encoding, a password, macros",
        "The file is not UTF-8: byte 17 does not fit.",
    ),
    code(
        "bad_columns",
        422,
        "the header does not fit; `errors` names each column",
        "The header does not fit: the column player is missing.",
        errors=[{"line": 1, "column": "player", "code": "missing_column", "message": "The column player is missing."}],
    ),
)

section(
    "In `errors` of files (`import_faults`, `bad_columns`), beside the codes of what a row would have done",
    code("unknown_column", 422, "there is no such column"),
    code("missing_column", 422, "a column that has to be there"),
    code("doubled_column", 422, "a column that is there twice"),
    code("bad_cell", 422, "the value of one cell cannot be taken"),
    code("bad_row", 422, "a row that contradicts another, or itself"),
    code("wrong_player", 422, "somebody else sits in that seat"),
    inner=True,
)
