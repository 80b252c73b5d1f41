"""Who sits where: draws of rounds at tables of 3 to 8, with the proven bound of what can be reached.

Pure Python: nothing here knows a database, a session or a card. `draw` draws rounds, `amend` changes a drawn schedule
as little as it must, `draw_by_standing` draws a Swiss round, `changes` lists what differs, `report` says how good a
draw is.
"""

from competitions.seating.amend import amend
from competitions.seating.bound import Bounds
from competitions.seating.changes import Change, Place, changes
from competitions.seating.draw import Drawn, draw
from competitions.seating.errors import BadDraw, NoTables, SeatingError
from competitions.seating.objective import Score, score
from competitions.seating.report import Reached, Report, report
from competitions.seating.rounds import Player, Round
from competitions.seating.sizes import Split, TableRule, split
from competitions.seating.swiss import Moved, SwissRound, draw_by_standing

__all__ = [
    "BadDraw",
    "Bounds",
    "Change",
    "Drawn",
    "Moved",
    "NoTables",
    "Place",
    "Player",
    "Reached",
    "Report",
    "Round",
    "Score",
    "SeatingError",
    "Split",
    "SwissRound",
    "TableRule",
    "amend",
    "changes",
    "draw",
    "draw_by_standing",
    "report",
    "score",
    "split",
]
