"""Two requests at once that no row lock keeps apart: what the database lets through once (games.errors.UNIQUE)."""

UNIQUE: dict[str, tuple[str, str]] = {
    "competition_name": ("name_taken", "Somebody has just given this name and season to another competition."),
    "entry_once": ("already_entered", "Somebody has just entered one of these players."),
    "competitions_table_session_id_key": (
        "already_a_table",
        "Somebody has just made this session a table of another competition.",
    ),
}
"""By the name of the constraint: code and sentence."""
