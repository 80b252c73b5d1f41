// Shows one screenful after the other of what the page holds, and fetches the page again when something new is out.
const LOOK = 20; // seconds between two looks for something new
const PATIENCE = 10_000; // milliseconds for an answer

const controls = document.getElementById("controls");
const seconds = Number(controls.dataset.seconds);
const hold = document.getElementById("hold");
const lost = document.getElementById("lost");
const clock = new Intl.DateTimeFormat(document.documentElement.lang, {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: controls.dataset.zone,
});

let screens = []; // each a section, and how far its list is scrolled to the side
let at = 0;
let held = false;
let left = seconds;
let until = LOOK;
let looking = false;

/** Every section in screenfuls: its list runs on in columns to the side. */
function measure() {
  const sections = [...document.querySelectorAll("#boards section")];
  screens = [];
  for (const section of sections) {
    sections.forEach((other) => other.classList.toggle("on", other === section));
    const list = section.querySelector(".lines");
    if (!list) {
      screens.push({ section, list, by: 0 });
      continue;
    }
    const wide = list.clientWidth + parseFloat(getComputedStyle(list).columnGap);
    const count = Math.max(1, Math.ceil((list.scrollWidth - list.clientWidth) / wide - 0.05) + 1);
    for (let page = 0; page < count; page++) screens.push({ section, list, by: page * wide });
  }
  at = Math.min(at, screens.length - 1);
  show();
}

function show() {
  const screen = screens[at];
  for (const { section } of screens) section.classList.toggle("on", section === screen.section);
  if (screen.list) screen.list.scrollLeft = screen.by;
  document.getElementById("at").textContent = `${at + 1} / ${screens.length}`;
}

function turn(by) {
  at = (at + by + screens.length) % screens.length;
  left = seconds;
  show();
}

function setHeld(value) {
  held = value;
  left = seconds;
  hold.setAttribute("aria-pressed", String(held));
}

async function get(address) {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), PATIENCE);
  try {
    const answer = await fetch(address, { cache: "no-store", signal: giveUp.signal });
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    return await answer.text();
  } finally {
    clearTimeout(timer);
  }
}

/** Take what is new. Whatever goes wrong, what is there stays, and it says since when. */
async function look() {
  if (looking) return;
  looking = true;
  try {
    const news = JSON.parse(await get(controls.dataset.news));
    const boards = document.getElementById("boards");
    if (String(news.standings || "") !== boards.dataset.standings || String(news.draw || "") !== boards.dataset.draw) {
      const page = new DOMParser().parseFromString(await get(location.href), "text/html");
      boards.replaceWith(document.adoptNode(page.getElementById("boards")));
      at = 0;
      left = seconds;
      measure();
    }
    lost.hidden = true;
  } catch {
    if (lost.hidden) lost.textContent = controls.dataset.lost.replace("{time}", clock.format(new Date()));
    lost.hidden = false;
  } finally {
    looking = false;
  }
}

function tick() {
  document.getElementById("clock").textContent = clock.format(new Date());
  left -= 1;
  if (left <= 0 && !held) turn(1);
  until -= 1;
  if (until <= 0) {
    until = LOOK;
    look();
  }
}

document.getElementById("back").addEventListener("click", () => turn(-1));
document.getElementById("next").addEventListener("click", () => turn(1));
hold.addEventListener("click", () => setHeld(!held));
const full = document.getElementById("full");
full.hidden = !document.documentElement.requestFullscreen;
full.addEventListener("click", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight") turn(1);
  else if (event.key === "ArrowLeft") turn(-1);
  else if (event.key === " " && !event.target.closest("button, a")) setHeld(!held);
  else return;
  event.preventDefault();
});
let resized;
window.addEventListener("resize", () => {
  clearTimeout(resized);
  resized = setTimeout(measure, 200);
});

document.body.classList.add("turning");
controls.hidden = false;
measure();
tick();
setInterval(tick, 1000);
