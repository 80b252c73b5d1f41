"""The forms of the admin of competitions: each asks for what one service needs, and shows its refusal."""
