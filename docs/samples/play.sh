#!/bin/sh
# Play one deal against three bots with curl: always the first legal card, a pass where there is none.
#   TOKEN=fantan_… sh docs/samples/play.sh            (as `python3 dev.py run` prints it)
set -eu
API=${API:-http://127.0.0.1:8000/api/v1}
CLUB=${CLUB:-demo}

call() { # METHOD PATH [JSON]
    curl --silent --show-error --fail-with-body --request "$1" "$API/$2" \
        --header "Authorization: Bearer $TOKEN" --header 'Content-Type: application/json' \
        --header "Idempotency-Key: $(date +%s%N)" ${3:+--data "$3"}
}
pick() { # EXPRESSION: Python on the answer `a`
    python3 -c "import json,sys; a=json.load(sys.stdin); print($1)"
}

# The first with an account is the demo's organiser, whose token this is; the others are played by the server.
players=$(call GET "clubs/$CLUB/players" | pick 'json.dumps([p["id"] for p in
    [p for p in a["results"] if p["username"]][:1] + [p for p in a["results"] if p["strategy"]][:3]])')
session=$(call POST "clubs/$CLUB/sessions" \
    "{\"label\": \"curl $(date +%s%N)\", \"rules\": \"pagat\", \"scheme\": \"wins\", \"players\": $players}" | pick 'a["session"]')
call POST "sessions/$session/start" '{}' >/dev/null
echo "session $session"

while :; do
    view=$(call GET "sessions/$session/seats/0/view")
    # "seq card" when it is our turn, "wait", or "over"
    turn=$(echo "$view" | pick \
        '"over" if a["view"]["over"] else "wait" if a["view"]["to_act"] else "%d %s" % (a["seq"], (a["view"]["legal"] or ["-"])[0])')
    case $turn in
    over) break ;;
    wait) sleep 0.1; continue ;;
    esac
    call POST "sessions/$session/actions" "{\"action\": \"${turn#* }\", \"expected_seq\": ${turn% *}}"
    echo
done
call GET "sessions/$session/table" | pick '*["%d. seat %d: %s" % (r["place"], r["seat"], r["total"]) for r in a["rows"]], sep="\n"'
