"""Two requests at once that no row lock keeps apart: what the database lets through once (games.errors.UNIQUE)."""

from scoring.wording import mark

UNIQUE: dict[str, tuple[str, str]] = {
    "competition_name": ("name_taken", mark("Somebody has just given this name and season to another competition.")),
    "entry_once": ("already_entered", mark("Somebody has just entered one of these players.")),
    "competitions_table_session_id_key": (
        "already_a_table",
        mark("Somebody has just made this session a table of another competition."),
    ),
}
"""By the name of the constraint: code and sentence."""
