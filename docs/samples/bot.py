"""A player of Sevens: sits down in a session that lets it, and plays its deals over the event stream (docs/api.md).

TOKEN=fantan_… python3 bot.py SESSION          (needs httpx)
"""

import json
import os
import sys
import time

import httpx

session, base = f"/sessions/{sys.argv[1]}", os.environ.get("API", "http://127.0.0.1:8000/api/v1")
api = httpx.Client(base_url=base, headers={"Authorization": f"Bearer {os.environ['TOKEN']}"}, timeout=40)


def ask(method, path, **request):
    """One call, made again when the connection breaks or the server is busy."""
    while True:
        try:
            answer = api.request(method, path, **request)
            if answer.status_code not in (429, 503):
                return answer
            time.sleep(int(answer.headers["Retry-After"]))
        except httpx.TransportError:
            time.sleep(1)


def messages(path):
    """The stream's messages, over as many connections as it takes."""
    last, event = {}, ""
    while event != "end":
        try:
            with api.stream("GET", path, headers=last) as answer:
                for line in answer.raise_for_status().iter_lines():
                    name, _, value = line.partition(": ")
                    event = value if name == "event" else event
                    last = {"Last-Event-ID": value} if name == "id" else last
                    if name == "data":
                        yield json.loads(value)
        except httpx.TransportError:
            time.sleep(1)


def choose(view):
    """What to play: here, the first legal card. "-" passes."""
    return view["legal"][0] if view["legal"] else "-"


me = {club["player"] for club in ask("GET", "/me").json()["clubs"]}
ask("POST", f"{session}/join", json={})
seat = next(item["seat"] for item in ask("GET", session).json()["seating"] if item["player"]["id"] in me)

for message in messages(f"{session}/seats/{seat}/stream"):
    view = message.get("view")
    if view and (view["legal"] or view["may_pass"]):
        body = {"action": choose(view), "expected_seq": message["seq"]}
        ask("POST", f"{session}/actions", json=body, headers={"Idempotency-Key": f"{session} {message['seq']}"})
    elif not view or view.get("over") or message.get("deal_over"):
        asked = ask("POST", f"{session}/deals", json={"number": (message.get("deal") or 0) + 1})
        if asked.is_error and asked.json()["code"] == "session_finished":
            break
print(ask("GET", f"{session}/table").json()["rows"])
