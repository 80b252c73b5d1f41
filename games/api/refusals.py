"""The error codes that any request may meet (the catalogue: codes.py). Those of one table: table_refusals.py."""

from games.api.codes import code, section

section(
    "The request cannot be read",
    code(
        "bad_json",
        400,
        "the body is not UTF-8, not JSON, nested too deep, or holds what no body may hold",
        "The body is not JSON: Expecting value at character 12.",
    ),
    code(
        "invalid",
        400,
        "fields are missing or of a wrong type or length; see `errors`",
        "The body has fields that cannot be taken.",
        errors=[{"field": "seat", "code": "required", "message": "This field is required."}],
    ),
    code(
        "unknown_field",
        400,
        "fields that do not exist; see `errors`",
        "There is no field 'crad' here.",
        errors=[{"field": "crad", "code": "unknown_field"}],
    ),
    code(
        "unknown_parameter",
        400,
        "query parameters that do not exist; see `errors`",
        "This address takes no parameter 'colour'.",
        errors=[{"parameter": "colour", "code": "unknown_parameter"}],
    ),
    code(
        "bad_parameter",
        400,
        "a query parameter is missing, doubled, or has a value it cannot have",
        "The parameter limit is a whole number from 1 to 200.",
        errors=[
            {"parameter": "limit", "code": "bad_parameter", "message": "limit is a whole number from 1 to 200."},
        ],
    ),
    code(
        "idempotency_key_required",
        400,
        "an action without an Idempotency-Key",
        "Send an Idempotency-Key header: any text of your own, a new one for each action, the same on a retry.",
    ),
    code(
        "bad_idempotency_key",
        400,
        "a key that is empty, longer than 100, or not printable ASCII",
        "An Idempotency-Key is 1 to 100 printable ASCII characters.",
    ),
    code("empty_body", 400, "an import without a file", "Send the file as the body."),
    code(
        "unreadable_body", 400, "the connection ended before the body did", "The connection ended before the body did."
    ),
    code(
        "bad_request",
        400,
        "refused before it came to the API, such as an unknown host name",
        "The request cannot be read.",
    ),
    code("method_not_allowed", 405, "see `Allow`", 'Method "PUT" not allowed.'),
    code(
        "not_acceptable",
        406,
        "none of the types in `Accept` is made here",
        "Could not satisfy the request Accept header.",
    ),
    code(
        "length_required",
        411,
        "a body in chunks, without Content-Length",
        "Send the body with a Content-Length, not in chunks.",
    ),
    code(
        "too_large",
        413,
        "the body is longer than `limit` bytes",
        "The body is longer than 65536 bytes.",
        limit=65536,
    ),
    code(
        "unsupported_media_type",
        415,
        "not a content type that this address reads",
        'Unsupported media type "text/csv" in request.',
    ),
)

section(
    "In `errors` of `invalid` there are the framework's own (`required`, `null`, `blank`, `not_a_list`, `min_value`, "
    "…) and",
    code("unreadable_card", 400, "not a card"),
    code("unreadable_action", 400, "not an action"),
    code("max_length", 400, "a text that is too long"),
    code("conflict", 400, "fields that exclude each other, such as `hands` and `result`"),
    inner=True,
)

section(
    "Who is asking",
    code("not_authenticated", 401, "no token", "Authentication credentials were not provided."),
    code(
        "bad_token",
        401,
        "the token is unknown, expired or revoked, or its account inactive",
        "This token is not valid, or no longer.",
    ),
    code(
        "forbidden", 403, "the caller's role does not allow this", "Only organisers of Riverside Card Club may do this."
    ),
    code(
        "scope_needed",
        403,
        "the token is not for this; `scope` is what it would have to be for",
        "This token is not for sessions:play.",
        scope="sessions:play",
    ),
    code(
        "rights_changed",
        403,
        "on a stream: what the caller may see is no longer the same; open the stream again",
        "Your rights in this club have changed. Open the stream again.",
    ),
    code(
        "not_your_seat",
        403,
        "only the account in a seat sees its hand and plays for it",
        "Only the player of a seat sees its hand.",
    ),
    code(
        "not_found",
        404,
        "there is no such thing, or the caller may not see it",
        "There is no such session, or you may not see it.",
    ),
    code("no_such_deal", 404, "the session has no deal of that number", "There is no deal 9 in this session."),
)

section(
    "Not now, or not your fault",
    code("throttled", 429, "too many requests; see `Retry-After`", "Too many requests. Try again in 12 seconds."),
    code(
        "too_many_streams",
        429,
        "the token has as many streams open as one may; see `Retry-After`",
        "At most 50 streams may be open at once with one token. Close one first.",
        retry_after=5,
    ),
    code("server_error", 500, "a bug of ours; it has been logged", "Something went wrong on our side."),
    code(
        "busy",
        503,
        "somebody else is writing to the same session, or enough exports or imports are under way; see `Retry-After`",
        "Somebody else is writing to this session. Try again in a moment.",
        retry_after=1,
    ),
    code(
        "unavailable",
        503,
        "the database does not answer; see `Retry-After`",
        "The database does not answer. Try again in a moment.",
    ),
    code(
        "no_room",
        503,
        "as many streams are open as this server takes; see `Retry-After`",
        "No more streams can be opened here now. Try again soon.",
        retry_after=5,
    ),
    code("not_ready", 503, "`/readyz` only: a server that is needed does not answer", "PostgreSQL does not answer."),
)
