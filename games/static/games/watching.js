// A stream that is kept open: it goes on after the last message it had, whether the connection broke, the server let it
// go (one that keeps none open does so at once), or the network was away.
const EVENTS = ["state", "action", "change", "resync", "end"];
const GONE = 4000;
const AGAIN = [2000, 4000, 8000, 15000];

export class Watch {
  // `after`: the last event that the page has. `told`: message(kind, data, id), gone(), back(), and shut(), where the
  // server gave an answer that is no stream: whoever hears it looks at the page again, and then calls open().
  constructor(address, after, told) {
    this.address = address;
    this.after = after;
    this.told = told;
    this.source = null;
    this.lost = false;
    this.over = false;
    this.tries = 0;
    addEventListener("offline", () => this.away());
    addEventListener("online", () => this.open());
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    this.open();
  }

  open() {
    if (this.over) return;
    this.close();
    const source = this.source = new EventSource(`${this.address}?last_event_id=${this.after}`);
    for (const kind of EVENTS) source.addEventListener(kind, (event) => this.heard(kind, event));
    source.onopen = () => {
      clearTimeout(this.timer);
      this.tries = 0;
      if (this.lost) this.told.back();
      this.lost = false;
    };
    source.onerror = () => {
      clearTimeout(this.timer);
      if (source.readyState !== EventSource.CLOSED) {
        this.timer = setTimeout(() => this.away(), GONE); // it tries again by itself
        return;
      }
      this.away();
      this.timer = setTimeout(() => this.told.shut(), AGAIN[Math.min(this.tries, AGAIN.length - 1)]);
      this.tries += 1;
    };
  }

  heard(kind, event) {
    const id = event.lastEventId === "" ? null : Number(event.lastEventId);
    if (id !== null) this.after = Math.max(this.after, id);
    this.told.message(kind, JSON.parse(event.data), id);
  }

  away() {
    if (this.lost || this.over) return;
    this.lost = true;
    this.told.gone();
  }

  close() {
    clearTimeout(this.timer);
    if (this.source) this.source.close();
    this.source = null;
  }

  // There is nothing to come back for.
  end() {
    this.over = true;
    this.close();
  }
}
