"""The error codes of sessions, deals, people, tokens and webhooks (the catalogue: codes.py)."""

import games.api.refusals  # noqa: F401 - its sections come first
from games.api.codes import code, section

SESSION = "k3v9qm2xw7pt"

section(
    "Not as things stand",
    code(
        "moved_on",
        409,
        "a competition is no longer at the `version` that was named (`version` is where it stands), or an export's "
        "`snapshot` is not what there is any more",
        "The competition has changed since you looked. Look again before you go on.",
        version=62,
    ),
    code(
        "precondition_failed",
        412,
        "somebody has changed what is edited since the `If-Match` of the request was its `ETag`; `etag`, also in the "
        "header, is the one of now",
        "Somebody has changed this since you read it. Read it again, and send its new ETag.",
        etag='"9a1f3c0b7e5d2846.edited"',
    ),
    code(
        "precondition_required",
        428,
        "an edit without `If-Match`",
        "Say in If-Match what you edit: read it and send its ETag, or * for whatever it is now.",
    ),
    code(
        "stale",
        409,
        "the deal has moved on; `current_seq` is where it stands",
        "The deal has moved on since you looked. Read it again.",
        current_seq=63,
    ),
    code("not_your_turn", 409, "another seat of the table is to act", "It is the turn of seat 2."),
    code(
        "not_due",
        409,
        "a stand-in may not play yet: the seat to act has time left",
        "The seat to act still has time.",
    ),
    code("no_deal", 409, "no deal is being played", "No deal is being played in this session."),
    code(
        "deal_running",
        409,
        "a deal is being played, and this has to wait until it is over",
        "Deal 4 is being played, and this would change it.",
    ),
    code(
        "wrong_number",
        409,
        "the next deal has another number, `next_number`",
        "The next deal is number 4.",
        next_number=4,
    ),
    code(
        "hosted_deal",
        409,
        "a deal dealt by the server is voided, never entered again",
        "A deal hosted by the server is voided, never entered again.",
    ),
    code(
        "session_closed",
        409,
        "the session is closed: no play, no new deal, and corrections by organisers alone",
        "This session is closed. An organiser may still correct it; to go on, undo its closing first.",
    ),
    code(
        "session_finished",
        409,
        "the scheme, or the number of deals planned, says that the session is over",
        "The scheme says that this session is over.",
    ),
    code(
        "too_many_deals",
        422,
        "a session holds at most 32,000 deals and takes",
        "A session holds at most 32000 deals and takes.",
    ),
    code(
        "session_started",
        409,
        "seats change by substitution once the session has started",
        "The session has started: substitute the player in the seat instead.",
    ),
    code("not_started", 409, "the session has not started", "The session has not started."),
    code(
        "rules_frozen",
        409,
        "rules and scheme are fixed since the first deal",
        "Rules and scheme are fixed since the first deal of this session.",
    ),
    code("not_joinable", 409, "organisers seat the players of this session", "Organisers seat the players here."),
    code(
        "seat_empty",
        409,
        "the seats from 0 on have a gap",
        "Seat 1 is empty: fill the seats from seat 0 on without a gap.",
    ),
    code(
        "bad_seats",
        409,
        "too few or too many players for these rules",
        "2 seated, but these rules need 3 to 8 players.",
    ),
    code("bad_seat", 409, "there is no such seat", "This session has seat 0 to seat 3."),
    code(
        "already_seated",
        (409, 422),
        "the player has another seat of the table (422 where one request gives two)",
        "This player already sits in another seat of the session.",
    ),
    code(
        "bad_credit",
        (409, 422),
        "credit is none of last, first, deals (422 in a competition: of player, substitute)",
        "Credit is one of last, first, deals.",
    ),
    code(
        "bad_range",
        (409, 422),
        "the first deal of a range comes after its last (422: players stay only from the latest deal on)",
        "Deal 2 comes before deal 5: name the earlier one first.",
    ),
    code("already_voided", 409, "the deal is void already", "Deal 3 is already void."),
    code("already_undone", 409, "the event is undone already", "Event 70 is already undone."),
    code(
        "nothing_to_confirm",
        409,
        "the deal does not wait for a second person",
        "Deal 4 does not wait for a second person.",
    ),
    code("already_confirmed", 409, "somebody has confirmed the deal already", "Deal 4 is already confirmed."),
    code(
        "same_person",
        409,
        "who entered a deal does not confirm it",
        "You entered deal 4 yourself: another scorer confirms it.",
    ),
    code(
        "wrong_take",
        409,
        "the deal was entered again since it was looked at",
        "Deal 4 was entered again meanwhile: look at take 2 first.",
    ),
    code(
        "cannot_undo",
        409,
        "the event is not one that can be undone",
        "Event 12 of this session is not one that can be undone.",
    ),
    code(
        "no_cards",
        409,
        "only the result of the deal is on record",
        "Only the result of this deal is on record, so there is nothing to replay.",
    ),
)

section(
    "About a club's people, not as things stand (merging, unmerging, anonymising)",
    code(
        "met",
        409,
        "both have seats in one session, named by `session`: they are two people",
        "Anna and Ann both have a seat in the session “Thursday”: they are two people.",
        session=SESSION,
    ),
    code("already_merged", 409, "one of the two is merged into another player", "Ann is merged into Anna already."),
    code("not_merged", 409, "the player is merged into nobody", "This player is not merged into another."),
    code(
        "keeps_others",
        409,
        "others are merged into the player: merge the other way round, or unmerge them first",
        "Others are merged into Ann: merge the other way round, or unmerge them first.",
    ),
    code(
        "different_kinds",
        409,
        "a bot and a person, or bots that play differently",
        "A bot and a person, or bots that play differently, are never one player.",
    ),
    code("two_accounts", 409, "both have an account: unlink one", "Anna and Ann both have an account: unlink one."),
    code("anonymised", 409, "the player is anonymised, which cannot be taken back", "Player 12 is anonymised already."),
    code(
        "not_a_person",
        409,
        "a bot: there is nobody to be forgotten",
        "Robot is a bot: there is nobody to be forgotten.",
    ),
    code("same_player", 422, "a player is not merged into itself", "A player cannot be merged into itself."),
    code(
        "name_in_reason",
        422,
        "the reason for anonymising holds the name",
        "Leave the name out of the reason: it is to be forgotten.",
    ),
)

section(
    "About a table of a competition, not as things stand",
    code("round_closed", 409, "the round is closed", "Round 3 is closed. Reopen it first."),
    code(
        "both_drawn",
        409,
        "in merging two players: both sit in one round of a competition",
        "Ann and Anna both sit in round 2 of Open 2026: they are two people.",
    ),
)

section(
    "Refused by the rules of the game, or by what was asked for. `action` is the index, from 0, of the action at fault",
    code(
        "deal_over",
        422,
        "actions after the winning card",
        "The deal is over, seat 1 has won it; nothing may follow.",
        action=52,
    ),
    code(
        "nothing_to_correct",
        422,
        "the action just before is not a wrongful pass",
        "There is no wrongful pass just before to take back.",
        action=7,
    ),
    code("card_not_held", 422, "the seat does not hold that card", "Seat 1 does not hold 9D.", action=7),
    code(
        "illegal_play",
        422,
        "the card does not fit the layout",
        "9D does not fit; the layout accepts 6D 8D 6S 8S.",
        action=7,
    ),
    code(
        "illegal_pass",
        422,
        "the seat holds a legal card and these rules refuse to let it pass",
        "Seat 1 may not pass: it holds a legal card (8D).",
        action=7,
    ),
    code(
        "bad_deal",
        422,
        "cards, seats or dealer make no deal under the rules",
        "3 hands were given; the session has 4 seats.",
    ),
    code("bad_result", 422, "a result that no deal can have", "One seat alone has no cards left: the winner."),
    code(
        "doubtful_result",
        422,
        'something in a result must be miscounted; kept as it is with `"anyway": true`',
        "The passes of the seats do not fit each other.",
    ),
    code(
        "result_mismatch",
        422,
        "a record's result is not what its actions give",
        "winner is 2 in the record; the actions give 1.",
    ),
    code("bad_record", 422, "a line of a file that is no record", "The record has no hands."),
    code(
        "bad_rules",
        422,
        "rules or a scheme that do not exist or contradict each other",
        "There is no rules profile 'poker'.",
    ),
    code(
        "missing_passes",
        422,
        "the scheme needs passes that the result does not have",
        "Chip pot needs the passes of each seat, and the sevens withheld.",
    ),
    code(
        "dealer_needed",
        422,
        "the first deal of a session needs its dealer",
        "Say which seat dealt: this is the first deal of the session.",
    ),
    code("bad_text", 422, "control characters, spaces at an end, or too long", "label: at most 100 characters."),
    code("bad_timezone", 422, "there is no such time zone", "There is no time zone “Mars/Olympus”."),
    code(
        "bad_settings",
        422,
        "a setting with a value it cannot have",
        "turn_seconds is a number of seconds from 1 to 86400, or null.",
    ),
    code("bad_strategy", 422, "there is no such bot", "There is no bot genius; there are follow, random."),
    code(
        "bad_account",
        422,
        "no such member, or the account already plays as another player",
        "There is no member anna in this club.",
    ),
    code(
        "bad_player",
        422,
        "there is no such active player in this club",
        "There is no such active player in this club.",
    ),
    code(
        "bad_points",
        422,
        "an adjustment by nothing, or by too much; points that a competition's tables would not have",
        "Points are a whole number other than 0, up to 1000000.",
    ),
    code(
        "reason_required",
        422,
        "corrections are kept with their reason",
        "Say why: corrections are kept with their reason.",
    ),
    code(
        "label_taken",
        422,
        "the club has a session of that label",
        "This club already has a session “Thursday, table 1”.",
    ),
    code(
        "seat_without_account",
        422,
        "nobody could play a hosted hand for this player",
        "Nobody could play for Bert: link an account to the player, seat a bot, or record the deals instead.",
    ),
    code(
        "key_reused",
        422,
        "the Idempotency-Key was used with another request",
        "This Idempotency-Key was used with a different request.",
    ),
    code(
        "import_faults",
        422,
        "the file has faults, all in `errors`; nothing was imported",
        "1 fault was found; nothing was imported.",
        errors=[{"line": 3, "code": "bad_record", "message": "The record has no hands."}],
    ),
)

section(
    "In `errors` of `import_faults`, and among the warnings of an import",
    code("already_imported", 422, "the club has a session of that label"),
    code("ambiguous_player", 422, "several players have that name; say which with `player=NAME=ID`"),
    code("scattered_session", 422, "in an import job: the lines of a session do not stand one after the other"),
    code("new_player", (), "of an import job: a name that nobody has becomes a player"),
    code("matched_player", (), "of an import job: whom a name means"),
    code("dealer_rotation", (), "a warning: another seat would have dealt"),
    inner=True,
)

section(
    "About tokens",
    code(
        "secret_gone",
        409,
        "the key made a token, `token`, whose secret only a retry with the same token is told",
        "The token was made, and only a retry with the token that it was asked for with is told its secret.",
        token="t4w8n2bq7kzr",  # noqa: S106 - an id
    ),
    code("bad_scope", 422, "there is no such scope, or none is named", "There is no scope sessions:win."),
    code(
        "bad_expiry",
        422,
        "a token ends neither in the past nor later than it would have",
        "The token would have expired already.",
    ),
)

section(
    "Refused by the admin's own forms, which have no address in the API so far",
    code("already_member", 422, "the account is a member already", "anna is already a member of Riverside."),
    code("bad_role", 422, "there is no such role", "A role is one of member, scorer, organiser."),
    code("own_role", 403, "nobody changes their own role", "Nobody changes their own role: ask another organiser."),
    code("bad_password", 422, "the password is too weak", "This password is too common."),
)

section(
    "About webhooks",
    code(
        "bad_url",
        422,
        "an address that webhooks are not sent to; `detail` says why",
        "The address is not a public one, which this server calls only where its operator allows it.",
    ),
    code(
        "bad_event_types",
        422,
        "a type of event that there is not",
        "There is no type of event 'session.ended'. There are *, club.*, competition.*, session.*, and the types that "
        "docs/webhooks.md lists.",
    ),
    code(
        "too_many_webhooks",
        422,
        "a club has at most ten webhooks",
        "A club has at most 10 webhooks. Delete one that is not needed.",
    ),
    code("webhook_off", 409, "the webhook is switched off", "This webhook is switched off. Switch it on first."),
    code(
        "still_waiting",
        409,
        "the delivery is still to be sent, or tried again by itself",
        "This event is still to be sent, or tried again by itself.",
    ),
)
