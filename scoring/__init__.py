"""Numbers only: a deal's result in; points, places and tables out (rules.md 5).

A leaf of pure Python: nothing here knows cards, clubs, databases or the web.
"""
