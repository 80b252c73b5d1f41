"""Server-Sent Events of competitions: see games.live."""
