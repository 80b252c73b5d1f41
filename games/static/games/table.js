// The live table. The server draws it; here the messages of its streams are drawn into it, and what is played is sent.
// A deal's beginning and end, and whatever else changes more than a card, is read as the page that the server draws.
import { Outbox } from "./sending.js";
import { Watch } from "./watching.js";

const PACE = 350; // between two actions, so that one sees who does what
const LAST_ACTIONS = 6;
const TITLE = document.title;
const SUITS = ["C", "D", "H", "S"];
const words = JSON.parse(document.getElementById("table-words").textContent);
const root = document.getElementById("table");
const notice = document.getElementById("notice");
const connection = document.getElementById("connection");
const turn = document.getElementById("turn");
const fill = (pattern, values) => pattern.replace(/\{(\w+)\}/g, (all, name) => (name in values ? values[name] : all));

let state, skew, sure, watches = [], messages = [], pumping = null, reading = false, unread = false;

// -- what stands in the page

function take() {
  state = JSON.parse(document.getElementById("table-state").textContent);
  skew = Date.now() - state.now;
  sure = null;
  for (const keys of root.querySelectorAll(".keys")) keys.hidden = false;
  draw();
}

function draw() {
  if (state.counts) {
    drawLayout();
    for (const seat of root.querySelectorAll(".seats > li")) {
      const number = Number(seat.dataset.seat);
      if (number === state.to_act) seat.setAttribute("aria-current", "true");
      else seat.removeAttribute("aria-current");
      seat.querySelector(".count").textContent = state.counts[number];
      seat.querySelector(".passed").textContent = state.passes[number];
    }
    for (const hand of root.querySelectorAll(".own")) drawHand(hand, state.own[hand.dataset.seat]);
  }
  const mine = state.to_act !== null && state.own && state.own[state.to_act];
  document.title = mine ? `● ${TITLE}` : TITLE;
  if (state.to_act !== null && state.to_act !== undefined) {
    const sentence = mine ? (mine.legal.length ? words.yours : words.yoursPass) : words.turn;
    say(turn, fill(sentence, { name: state.names[state.to_act] }));
  }
  tick();
}

function drawLayout() {
  const svg = root.querySelector("svg.layout");
  const order = new Map(state.order.map((card, at) => [card, at]));
  for (const place of svg.querySelectorAll(".place")) {
    const card = place.dataset.card, row = state.rows[SUITS.indexOf(card[1])];
    const at = order.get(card);
    place.classList.toggle("laid", row !== null && order.get(row[0]) <= at && at <= order.get(row[1]));
    if (state.last) place.classList.toggle("last", card === state.last);
  }
  svg.setAttribute("aria-label", SUITS.map((suit, at) => {
    const row = state.rows[at], [nothing, one, several] = words.rows;
    if (row === null) return fill(nothing, { suit: words.suits[suit] });
    const [low, high] = row.map((card) => words.ranks[card[0]]);
    return fill(row[0] === row[1] ? one : several, { suit: words.suits[suit], rank: low, low, high });
  }).join("; "));
}

function drawHand(hand, view) {
  if (!view) return;
  const buttons = [...hand.querySelectorAll("[data-card]")];
  for (const button of buttons.filter((one) => !view.hand.includes(one.dataset.card))) {
    if (button === document.activeElement) (beside(button, 1) || beside(button, -1) || turn).focus();
    button.parentElement.remove();
  }
  for (const button of hand.querySelectorAll("[data-card]")) {
    const card = button.dataset.card, back = view.corrections.includes(card), fits = back || view.legal.includes(card);
    button.classList.toggle("fits", fits);
    button.classList.toggle("back", back);
    button.classList.remove("sending");
    button.value = back ? `^${card}` : card;
    if (fits) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
    button.setAttribute("aria-label", fill(back ? words.takesBackCard : fits ? words.fits : "{card}", { card: words.cards[card] }));
  }
  rove(hand);
  const pass = hand.querySelector(".pass"), fined = view.may_pass && view.legal.length > 0;
  pass.hidden = !view.may_pass;
  pass.dataset.fined = fined ? "yes" : "";
  pass.textContent = fined && sure === state.seq ? words.passAllTheSame : words.pass;
}

// The Tab key comes to one card of the hand, the arrows go on from there.
function rove(hand) {
  const buttons = [...hand.querySelectorAll("[data-card]")];
  const chosen = buttons.find((one) => one === document.activeElement) || buttons.find((one) => one.classList.contains("fits")) || buttons[0];
  for (const button of buttons) button.tabIndex = button === chosen ? 0 : -1;
}

function beside(button, step) {
  const buttons = [...button.closest(".own").querySelectorAll("[data-card]")];
  return buttons[buttons.indexOf(button) + step] || null;
}

function say(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

function tick() {
  const clock = document.getElementById("clock"), now = Date.now() - skew;
  const length = (from, to) => {
    const seconds = Math.max(0, Math.round((to - from) / 1000));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };
  if (!clock) return;
  if (state.due && state.status === "waiting") say(clock, fill(words.nextDeal, { time: length(now, state.due) }));
  else if (state.due && state.due > now) say(clock, fill(words.left, { time: length(now, state.due) }));
  else if (state.since && state.counts && state.to_act !== null) say(clock, fill(words.since, { time: length(state.since, now) }));
  else say(clock, "");
}

// -- what happens

function acted(action, id) {
  const { seat, view } = action;
  if (action.deal !== state.deal || !state.counts) return read();
  if (action.seq <= state.seq) {
    if (view && action.seq === state.seq) state.own[view.seat] = view;
    return draw();
  }
  const passed = action.action === "-", card = action.action.replace("^", "");
  if (passed) state.passes[seat] += 1;
  else {
    if (action.action[0] === "^") state.passes[seat] -= 1;
    state.counts[seat] -= 1;
    lay(card);
  }
  Object.assign(state, { seq: action.seq, to_act: action.to_act, over: action.deal_over, since: Date.parse(action.at) });
  state.due = state.turnSeconds && state.to_act !== null ? state.since + state.turnSeconds * 1000 : null;
  for (const own of Object.values(state.own)) Object.assign(own, { legal: [], may_pass: false, correctable: false, corrections: [] });
  if (state.own[seat] && !passed) state.own[seat].hand = state.own[seat].hand.filter((one) => one !== card);
  if (view) state.own[view.seat] = view;
  sure = null;
  say(notice, "");
  log(action, card, passed);
  draw();
  if (action.deal_over) read();
}

function lay(card) {
  const at = SUITS.indexOf(card[1]), row = state.rows[at], place = (one) => state.order.indexOf(one);
  state.last = card;
  if (row === null) state.rows[at] = [card, card];
  else state.rows[at] = [place(card) < place(row[0]) ? card : row[0], place(card) > place(row[1]) ? card : row[1]];
}

function log({ seat, action, deal_over: over }, card, passed) {
  const list = document.getElementById("log");
  if (!list) return;
  const pattern = passed ? words.passes : action[0] === "^" ? (over ? words.takesBackWins : words.takesBack) : over ? words.wins : words.plays;
  const line = document.createElement("li");
  line.textContent = fill(pattern, { name: state.names[seat], card: words.cards[card] });
  for (const nothing of list.querySelectorAll(".nothing")) nothing.remove();
  list.append(line);
  while (list.children.length > LAST_ACTIONS) list.firstElementChild.remove();
}

function heard(kind, data, id) {
  messages.push([kind, data, id]);
  pump();
}

function pump() {
  if (reading || pumping !== null) return;
  while (messages.length) {
    const [kind, data, id] = messages.shift();
    if (id !== null && id <= state.at) continue; // the page has it already
    if (id !== null && kind !== "action") state.at = id;
    if (kind === "action") {
      const news = data.seq > state.seq;
      acted(data, id);
      if (news && !document.hidden && messages.length < 8) {
        pumping = setTimeout(() => { pumping = null; pump(); }, PACE);
        return;
      }
    } else if (kind === "end") ended(data);
    else if (kind !== "resync" && (kind !== "state" || data.seq !== state.seq || data.status !== state.status)) read();
    if (reading) return;
  }
}

function ended(problem) {
  for (const watch of watches) watch.end();
  if (problem.code === "not_your_seat" || problem.code === "rights_changed") return read();
  say(connection, `${words.ended} ${problem.detail}`);
  connection.classList.remove("good");
}

// The page as the server draws it now, put in the place of what stands here.
async function read() {
  unread = true;
  if (reading) return;
  reading = true;
  let fresh = null;
  while (unread) {
    unread = false;
    try {
      const answer = await fetch(location.pathname, { credentials: "same-origin", cache: "no-store" });
      if (answer.redirected || (!answer.ok && answer.status < 500)) return location.reload();
      fresh = answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
    } catch (error) {
      fresh = null;
    }
    if (fresh === null) { // once more, when the server can be reached
      await new Promise((done) => setTimeout(done, 2000));
      unread = true;
    }
  }
  replace(fresh);
  reading = false;
  watch();
  pump();
}

function replace(fresh) {
  const focused = document.activeElement && root.contains(document.activeElement) ? document.activeElement : null;
  const last = focused && (focused.dataset.card || focused.value);
  root.replaceChildren(...fresh.getElementById("table").childNodes);
  say(turn, fresh.getElementById("turn").textContent);
  take();
  if (!focused) return;
  const again = [...root.querySelectorAll("button")].find((one) => (one.dataset.card || one.value) === last);
  (again || root.querySelector(".own [tabindex='0']") || root.querySelector("#next button") || turn).focus();
}

function watch() {
  const wanted = document.getElementById("streams").dataset.streams.split(" ");
  if (watches.length && wanted.join() === watches.map((one) => one.address).join() && !watches[0].over) {
    for (const one of watches) {
      one.after = Math.max(one.after, state.at);
      if (one.source === null || one.source.readyState === EventSource.CLOSED) one.open();
    }
    return;
  }
  for (const one of watches) one.end();
  watches = wanted.map((address) => new Watch(address, state.at, {
    message: heard,
    gone: () => { connection.classList.remove("good"); say(connection, words.gone); },
    back: () => {
      connection.classList.add("good");
      say(connection, words.back);
      setTimeout(() => connection.textContent === words.back && say(connection, ""), 5000);
      outbox.attempt();
    },
    shut: read,
  }));
}

// -- what is done here

const csrf = () => {
  const field = root.querySelector("[name=csrfmiddlewaretoken]");
  return field ? field.value : "";
};
const outbox = new Outbox(`table ${location.pathname}`, csrf, {
  answered(answer, { body }) {
    say(notice, "");
    if (body.action) messages.unshift(["action", answer, null]), clearTimeout(pumping), (pumping = null), pump();
    else read();
  },
  refused(problem) {
    say(notice, problem.detail);
    read();
  },
  waiting: () => say(notice, words.kept),
});

function play(button) {
  const hand = button.closest(".own"), view = state.own[hand.dataset.seat];
  const card = button.dataset.card;
  if (outbox.busy) return;
  if (card && button.hasAttribute("aria-disabled")) {
    say(notice, Number(hand.dataset.seat) === state.to_act ? fill(words.doesNotFit, { card: words.cards[card] }) : words.notYourTurn);
    return;
  }
  if (!card && view.legal.length && sure !== state.seq) {
    sure = state.seq;
    say(notice, words.sure);
    drawHand(hand, view);
    return;
  }
  const action = card ? button.value : "-";
  if (outbox.send(document.getElementById("streams").dataset.actions, { action, expected_seq: state.seq })) {
    button.classList.add("sending");
    say(notice, "");
  }
}

function press(button) {
  if (button.name === "action") play(button);
  else if (!outbox.busy) outbox.send(button.dataset.door, button.dataset.number ? { number: Number(button.dataset.number) } : {});
}

root.addEventListener("click", (event) => {
  const button = event.target.closest("button[form=doing]");
  if (!button) return;
  event.preventDefault();
  press(button);
});

// From a card or from the page: left and right, Home and End. Up and down scroll the page until a card has the focus.
function cardFor(event) {
  const button = event.target.closest(".own [data-card]"), sideways = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!button && event.target.closest("a, button, summary, [tabindex='0']")) return null;
  const hand = button ? button.closest(".own") : root.querySelector(`.own[data-seat="${state.to_act}"]`) || root.querySelector(".own");
  const all = hand ? [...hand.querySelectorAll("[data-card]")] : [];
  if (event.key === "Home") return all[0];
  if (event.key === "End") return all[all.length - 1];
  if (!button) return sideways && all.find((one) => one.tabIndex === 0);
  const step = sideways || { ArrowDown: 1, ArrowUp: -1 }[event.key];
  return step && all[(all.indexOf(button) + step + all.length) % all.length];
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog[open]")) return;
  const card = cardFor(event);
  if (card) {
    card.focus();
    rove(card.closest(".own"));
    event.preventDefault();
  } else if (event.key.toLowerCase() === "p" && state.own && !event.repeat) {
    const hand = root.querySelector(`.own[data-seat="${state.to_act}"]`);
    const pass = hand && hand.querySelector(".pass");
    if (pass && !pass.hidden) play(pass);
  }
});

turn.tabIndex = -1;
take();
watch();
setInterval(tick, 1000);
