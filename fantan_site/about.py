"""What the API's schema says about the API as a whole."""

API_DESCRIPTION = """\
Tables, leagues and tournaments of Sevens (Fan Tan): play, record, score, replay, publish.

**Getting in.** Send a token: `Authorization: Bearer fantan_…`. Members make theirs in the admin or at
`/api/v1/me/tokens`. A token has scopes: each operation says for what one has to be. What is public is read without any.

**Errors** are `application/problem+json` (RFC 9457) with a `code` that never changes its meaning; every operation lists
its codes, each with an example. Further codes may come: whoever does not know one goes by the status. Any address may
also answer 400 `bad_request`, 405 `method_not_allowed` and 500 `server_error`.

**Writes** take an `Idempotency-Key`: sent again, a request gets its first answer and does nothing more.

**Reads** carry an ETag: with `If-None-Match` the answer is 304 as long as nothing has changed.

**Lists** are `{"results": […], "next": …}`; `next` is the address of the next page, null at the end.

**Changes.** Within `/api/v1/` operations, optional parameters, members of answers and codes may come, none goes away or
changes its meaning. What is to go is marked deprecated here and says so in the headers `Deprecation` and `Sunset`.

The guide with examples is docs/api.md in the project.
"""

API_TAGS = [
    {"name": "account", "description": "Who is asking, and their tokens."},
    {"name": "catalogue", "description": "The rules, scoring schemes and bots that there are."},
    {"name": "clubs", "description": "Clubs and their players."},
    {"name": "people", "description": "Players that are one person, people who want to be forgotten, the club's log."},
    {"name": "bots", "description": "A club's own bots and their tokens."},
    {"name": "sessions", "description": "Sessions: opened, seated, started, changed."},
    {"name": "play", "description": "Playing at a table, and watching it."},
    {"name": "deals", "description": "Deals: dealt, entered from a real table, confirmed, void."},
    {"name": "corrections", "description": "What was entered or played in error, set right; each with a preview."},
    {"name": "standings", "description": "A session's table of points and its log."},
    {"name": "replays", "description": "Deals that are over, action by action, and as record text."},
    {"name": "competitions", "description": "Leagues and tournaments, from entry to published standings."},
    {"name": "imports", "description": "Files of deals, entries, results and points; each with a dry run."},
    {"name": "exports", "description": "Files to take away, and whole collections of one moment."},
    {"name": "streams", "description": "Server-Sent Events: first the state, then every change."},
    {"name": "webhooks", "description": "What happens in a club, sent signed to addresses of its choice."},
]
