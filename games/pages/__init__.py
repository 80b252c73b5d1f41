"""Pages for players and spectators: tables, replays, the rules, logging in. Server-made HTML that works without a
script; scripts (static/games/*.js) make it quicker. docs/decisions/0014."""
