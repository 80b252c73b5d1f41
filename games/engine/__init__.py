"""The rules of the game as pure functions and values: no Django, no clock, no database."""
