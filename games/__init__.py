"""One table: clubs, players, sessions, deals, the event log, the rules engine and the bots."""
