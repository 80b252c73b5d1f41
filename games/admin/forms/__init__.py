"""The forms of the admin: each asks for what one service needs, and shows its refusal."""
