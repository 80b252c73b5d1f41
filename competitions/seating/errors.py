"""What a draw refuses, each with a stable `code` and a sentence for people."""


class SeatingError(ValueError):
    """The base of the family. `code` is stable, `message` may be reworded."""

    code = "bad_draw"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NoTables(SeatingError):
    """So many players cannot sit at tables of these sizes."""

    code = "no_tables"


class BadDraw(SeatingError):
    """Something asked for contradicts itself: the same person twice, a pair of one, a round that nobody can play."""

    code = "bad_draw"
