// Says when what the page shows has changed since. It never changes the page by itself.
const PAUSE = 30_000;
const note = document.getElementById("news");
const link = note.querySelector("a");

async function look() {
  if (document.hidden) return;
  let found;
  try {
    const answer = await fetch(note.dataset.address, { cache: "no-store" });
    if (!answer.ok) return;
    found = await answer.json();
  } catch {
    return; // No network, or another page's words: next time.
  }
  const value = found[note.dataset.part];
  if (String(value === undefined || value === null ? "" : value) !== note.dataset.seen) link.hidden = false;
}

link.addEventListener("click", (event) => {
  event.preventDefault();
  location.reload();
});
document.addEventListener("visibilitychange", look);
setInterval(look, PAUSE);
