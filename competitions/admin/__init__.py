"""The admin of competitions: leagues and tournaments from entry to final standings.

One file a subject; importing them registers their pages.
"""

from competitions.admin import competitions, first_page

__all__ = ["competitions", "first_page"]
