// The first page of the admin, kept as things stand: asks every few seconds, and touches nothing while nothing changed.
const EVERY = 15000;
const part = document.getElementById("now");
const note = document.getElementById("said");
const lost = document.getElementById("lost");
let tag = part.dataset.tag;
let asking = false;

function show(html) {
  const here = document.activeElement;
  const link = part.contains(here) ? here.getAttribute("href") : null;
  const fresh = new DOMParser().parseFromString(html, "text/html");
  part.replaceChildren(...fresh.body.childNodes);
  const summary = document.getElementById("summary");
  note.textContent = summary.textContent;
  if (link !== null) {
    const same = [...part.querySelectorAll("a")].find((a) => a.getAttribute("href") === link);
    (same || summary).focus({ preventScroll: true });
  }
}

async function ask() {
  if (asking || document.hidden) return;
  asking = true;
  try {
    const answer = await fetch(part.dataset.address, { headers: { "If-None-Match": tag }, cache: "no-store" });
    if (answer.redirected || answer.status === 403) location.reload(); // logged out
    lost.hidden = answer.ok || answer.status === 304;
    if (answer.ok && !answer.redirected) {
      show(await answer.text());
      tag = answer.headers.get("ETag");
    }
  } catch {
    lost.hidden = false;
  } finally {
    asking = false;
  }
}

setInterval(ask, EVERY);
document.addEventListener("visibilitychange", ask);
addEventListener("pageshow", (event) => event.persisted && ask());
