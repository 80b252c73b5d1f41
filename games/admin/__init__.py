"""The admin of club organisers and scorers; plain members find their tokens.

One file a subject; importing them registers their pages.
"""

from games.admin import clubs, deals, imports, members, players, sessions, tokens, users, webhooks

__all__ = ["clubs", "deals", "imports", "members", "players", "sessions", "tokens", "users", "webhooks"]
