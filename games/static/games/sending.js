// One request at a time, done once: it is kept in the tab's storage, under a key by which the server knows it again,
// until there is an answer. Whatever comes between (a cut, a reload), it is sent again under the same key.
const PATIENCE = 10000;
const PAUSES = [1000, 2000, 4000, 8000, 15000];

function freshKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Outbox {
  // `place`: its name in the storage. `csrf()`: the page's token. `told`: what to call with what comes of it:
  // answered(answer, request), refused(problem, request), waiting(request) where the server cannot be reached.
  constructor(place, csrf, told) {
    this.place = place;
    this.csrf = csrf;
    this.told = told;
    this.tries = 0;
    this.timer = null;
    this.running = false;
    this.request = this.stored();
    addEventListener("online", () => this.attempt());
    if (this.request) this.attempt();
  }

  get busy() {
    return this.request !== null;
  }

  send(address, body) {
    if (this.busy) return false;
    this.request = { address, body, key: freshKey() };
    this.store();
    this.attempt();
    return true;
  }

  async attempt() {
    if (!this.busy || this.running) return;
    clearTimeout(this.timer);
    this.running = true;
    const { address, body, key } = this.request;
    const cut = new AbortController();
    const patience = setTimeout(() => cut.abort(), PATIENCE);
    let answer = null, found = null;
    try {
      const headers = { "Content-Type": "application/json", "Idempotency-Key": key, "X-CSRFToken": this.csrf() };
      answer = await fetch(address, { method: "POST", credentials: "same-origin", headers, body: JSON.stringify(body), signal: cut.signal });
      found = await answer.json();
    } catch (error) {
      found = null; // cut off, or no answer of ours
    }
    clearTimeout(patience);
    this.running = false;
    if (found === null || answer.status >= 500 || answer.status === 429) this.later(answer);
    else this.settle(answer.ok, found);
  }

  settle(ok, found) {
    const request = this.request;
    this.request = null;
    this.tries = 0;
    this.store();
    if (ok) this.told.answered(found, request);
    else this.told.refused(found, request);
  }

  later(answer) {
    const asked = answer ? Number(answer.headers.get("Retry-After")) * 1000 : 0;
    const pause = Math.max(asked || 0, PAUSES[Math.min(this.tries, PAUSES.length - 1)]);
    this.tries += 1;
    this.timer = setTimeout(() => this.attempt(), pause);
    this.told.waiting(this.request);
  }

  stored() {
    try {
      return JSON.parse(sessionStorage.getItem(this.place));
    } catch (error) {
      return null;
    }
  }

  store() {
    try {
      if (this.request) sessionStorage.setItem(this.place, JSON.stringify(this.request));
      else sessionStorage.removeItem(this.place);
    } catch (error) {
      // No storage here: what is sent lives as long as the page.
    }
  }
}
