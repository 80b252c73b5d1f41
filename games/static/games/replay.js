// The replay of a deal. The page holds every step of it once, in the list of steps; here a step is shown by classes.
const board = document.querySelector(".replay");
const items = board ? [...board.querySelectorAll(".steps > li")] : [];
const last = items.length - 1;
const find = (selector) => board.querySelector(selector);
const layout = new Map([...(board ? board.querySelectorAll(".layout [data-card]") : [])].map((card) => [card.dataset.card, card]));
const held = new Map([...(board ? board.querySelectorAll(".hands [data-card]") : [])].map((card) => [card.dataset.card, card]));
const laidAt = new Map(items.filter((item) => item.dataset.card).map((item) => [item.dataset.card, Number(item.dataset.step)]));
let step = 0;
let timer = null;

function show(to) {
  step = Math.min(Math.max(to, 0), last);
  const item = items[step];
  const legal = item.dataset.legal ? item.dataset.legal.split(" ") : [];
  for (const [card, place] of layout) {
    place.classList.toggle("laid", laidAt.get(card) <= step);
    place.classList.toggle("last", laidAt.get(card) === step);
  }
  for (const [card, place] of held) {
    place.classList.toggle("gone", laidAt.get(card) <= step);
    place.classList.toggle("legal", legal.includes(card));
  }
  find(".layout").setAttribute("aria-label", item.dataset.rows);
  find(".said").textContent = item.querySelector(".what").textContent;
  find(".turn p").textContent = item.dataset.turn;
  const fitting = find(".turn ul");
  fitting.textContent = "";
  for (const card of legal) {
    const shown = document.createElement("li");
    shown.append(held.get(card).firstElementChild.cloneNode(true));
    fitting.append(shown);
  }
  const left = item.dataset.left.split(" ");
  for (const seat of board.querySelectorAll(".hands .seat")) {
    seat.classList.toggle("acting", seat.dataset.seat === item.dataset.seat);
    seat.querySelector(".left").textContent = left[seat.dataset.seat];
  }
  const picture = find(".timeline").dataset;
  const x = Number(picture.start) + step * Number(picture.stepWidth);
  find(".timeline .now").setAttribute("transform", `translate(${x} 0)`);
  find(".at .step").textContent = step;
  const current = find(".steps [aria-current]");
  if (current) current.removeAttribute("aria-current");
  const link = item.querySelector("a");
  link.setAttribute("aria-current", "step");
  const list = find(".steps");
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  const targets = { first: 0, back: Math.max(step - 1, 0), forward: Math.min(step + 1, last), last };
  for (const [name, target] of Object.entries(targets)) find(`[data-go="${name}"]`).href = board.dataset.query + target;
  for (const follower of document.querySelectorAll("a.follows")) follower.href = follower.href.replace(/step=\d+/, `step=${step}`);
  const snippet = document.querySelector(".snippet");
  if (snippet) snippet.value = snippet.value.replace(/step=\d+/, `step=${step}`);
}

function go(to, { jump = false } = {}) {
  const before = step;
  show(to);
  if (step === before) return;
  // A jump can be gone back from; a step along the way replaces the address of the one before it.
  history[jump ? "pushState" : "replaceState"](null, "", board.dataset.query + step);
}

function play(on) {
  clearInterval(timer);
  timer = null;
  if (on) {
    if (step === last) go(0);
    timer = setInterval(() => { go(step + 1); if (step === last) play(false); }, Number(find(".speed select").value));
  }
  find(".play").textContent = on ? board.dataset.pause : board.dataset.play;
}

function follow(event, to, jump) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // into another tab, as asked
  event.preventDefault();
  play(false);
  go(to, { jump });
}

function pressed(event) {
  const at = event.target;
  if (event.altKey || event.ctrlKey || event.metaKey || at.closest("input, select, textarea, .scroll")) return;
  if (event.key === " " && at.closest("button, summary")) return;
  const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: last }[event.key];
  if (event.key === " ") play(timer === null);
  else if (to === undefined) return;
  else { play(false); go(to); }
  event.preventDefault();
}

async function copy(button) {
  const part = button.closest("section");
  const text = part.querySelector("textarea");
  const status = part.querySelector("[role=status]");
  try {
    await navigator.clipboard.writeText(text.value);
    status.textContent = button.dataset.done;
  } catch {
    text.focus();
    text.select();
    status.textContent = button.dataset.byHand;
  }
}

if (board) {
  step = Number(find(".steps [aria-current]").parentElement.dataset.step);
  for (const hidden of [find(".play"), find(".speed"), document.querySelector(".keys")]) if (hidden) hidden.hidden = false;
  find(".controls").addEventListener("click", (event) => {
    const link = event.target.closest("[data-go]");
    if (link) follow(event, { first: 0, back: step - 1, forward: step + 1, last }[link.dataset.go], false);
  });
  find(".steps").addEventListener("click", (event) => {
    const item = event.target.closest("li");
    if (item) follow(event, Number(item.dataset.step), true);
  });
  find(".timeline").addEventListener("click", (event) => {
    const box = find(".timeline .axis").getBoundingClientRect();
    follow(event, Math.round((event.clientX - box.left) / box.width * last), true);
  });
  find(".play").addEventListener("click", () => play(timer === null));
  find(".speed select").addEventListener("change", () => { if (timer !== null) play(true); });
  document.addEventListener("keydown", pressed);
  addEventListener("popstate", () => { play(false); show(Number(new URLSearchParams(location.search).get("step"))); });
  show(step);
}
for (const button of document.querySelectorAll(".copy")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}
