/* The page of a score slip. It works without this: what is here checks at once, and keeps what is entered on the phone
   until the server has it. Every entry has a key of its own, so that one sent twice is stored once. */
import { check } from "./slip-checks.js";

const page = () => document.getElementById("slip");
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const STORE = `slip ${page().dataset.table}`;
const LONGEST = 60000;
const LOOK = 15000;
let pause = 2000;
let timer = 0;
let sending = false;

// -- what waits on this phone

const waiting = () => JSON.parse(localStorage.getItem(STORE) || "[]");
const keep = (entries) => {
  if (entries.length) localStorage.setItem(STORE, JSON.stringify(entries));
  else localStorage.removeItem(STORE);
};
const drop = (key) => keep(waiting().filter((entry) => entry.key !== key));
const mine = () => waiting().filter((entry) => entry.seat === page().dataset.seat);

function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function show() {
  const texts = read("texts");
  const box = document.getElementById("outbox");
  const kept = mine();
  box.replaceChildren(...kept.map((entry) => {
    const line = document.createElement("div");
    const words = document.createElement("p");
    words.textContent = (sending ? texts.sending : texts.kept).replace("{number}", entry.number);
    line.append(words);
    if (!sending) {
      const button = document.createElement("button");
      button.textContent = texts.forget;
      button.addEventListener("click", () => { drop(entry.key); show(); });
      line.append(button);
    }
    return line;
  }));
  const numbers = kept.map((entry) => entry.number);
  let open = false;
  for (const form of document.querySelectorAll("form.outgoing")) {
    form.hidden = numbers.includes(form.dataset.number);
    if (form.hidden || !numbers.length || !form.closest(".missing") || open) continue;
    open = form.closest("details").open = true;
  }
}

// -- sending

async function send(entry, again = true) {
  const token = document.querySelector("[name=csrfmiddlewaretoken]");
  const answer = await fetch(location.pathname, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/x-www-form-urlencoded", "X-CSRFToken": token ? token.value : "" },
    body: entry.body,
  });
  if (answer.status === 403 && again && !(await pageOf(answer)).getElementById("slip")) {
    // The page is older than its token: another page has a new one.
    const fresh = await fetch(location.pathname, { credentials: "same-origin", cache: "no-store" });
    const found = (await pageOf(fresh)).querySelector("[name=csrfmiddlewaretoken]");
    if (fresh.ok && found && token) {
      token.value = found.value;
      return send(entry, false);
    }
  }
  return answer;
}

async function pageOf(answer) {
  return new DOMParser().parseFromString(await answer.clone().text(), "text/html");
}

async function flush() {
  clearTimeout(timer);
  if (sending || !mine().length) return;
  sending = true;
  show();
  let last = null;
  try {
    for (let entry = mine()[0]; entry; entry = mine()[0]) {
      const answer = await send(entry);
      const fresh = await pageOf(answer);
      // Any other page (wait a minute, log in, an error) is no word on what was entered.
      if (answer.status >= 500 || !fresh.getElementById("slip")) break;
      drop(entry.key);
      last = fresh;
      if (!answer.ok) break;
      pause = 2000;
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // that is what fetch says without a connection
  } finally {
    sending = false;
  }
  if (last) replace(last);
  show();
  if (mine().length) {
    timer = setTimeout(flush, pause);
    pause = Math.min(pause * 2, LONGEST);
  }
}

// -- what others entered

/* Nothing on this page would be lost, and somebody looks at it. */
function idle() {
  const typed = [...document.querySelectorAll("#slip input.left, #slip input.forced, #slip input.wrongful")].some((field) => field.value);
  const at = document.activeElement && document.activeElement.closest(".entry");
  return document.visibilityState === "visible" && navigator.onLine && !sending && !waiting().length && !typed && !at;
}

/* Show the page as it is now, where the table has moved on. */
async function look() {
  if (!idle()) return;
  try {
    const options = { credentials: "same-origin", cache: "no-store" };
    const head = await fetch(location.href, { ...options, method: "HEAD" });
    const version = head.headers.get("Slip-Version");
    if (!head.ok || !version || version === page().dataset.version) return;
    const fresh = await pageOf(await fetch(location.href, options));
    const found = fresh.getElementById("slip");
    if (found && found.dataset.version === version && idle()) replace(fresh, false);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // that is what fetch says without a connection
  }
}

/* Show what the server answered with; what is being typed for a deal to come stays as it is. */
function replace(fresh, asked = true) {
  const typed = new Map();
  for (const form of document.querySelectorAll(".missing form.entry:not([hidden])")) {
    const fields = [...form.elements].filter((field) => field.matches("input.left, input.forced, input.wrongful, select"));
    if (fields.some((field) => field.tagName === "INPUT" && field.value)) fields.forEach((field) => typed.set(field.id, field.value));
  }
  const focused = document.activeElement && typed.has(document.activeElement.id) ? document.activeElement.id : "";
  document.getElementById("main").replaceWith(document.adoptNode(fresh.getElementById("main")));
  for (const [id, value] of typed) {
    const field = document.querySelector(`.missing #${id}`);
    if (!field || field.value && field.tagName === "INPUT") continue;
    field.value = value;
    field.closest("details").open = true;
  }
  prepare();
  keepPage();
  if (!asked) return;
  const first = document.querySelector(".message, [role=alert]:not(:empty)");
  if (focused && document.getElementById(focused)) document.getElementById(focused).focus();
  else {
    window.scrollTo(0, 0);
    if (first) { first.tabIndex = -1; first.focus(); }
  }
}

// -- forms

function entryOf(form) {
  const column = (name) => {
    const fields = [...form.querySelectorAll(`input.${name}`)];
    return fields.length ? fields.map((field) => field.value) : null;
  };
  const pairs = [...form.querySelectorAll(".pair")].map((pair) => [...pair.querySelectorAll("select")].map((one) => one.value));
  const none = form.elements.none_withheld;
  return {
    dealer: form.elements.dealer.value,
    left: column("left"), forced: column("forced"), wrongful: column("wrongful"),
    withheld: pairs, none: Boolean(none && none.checked),
  };
}

function tell(form, errors, doubt) {
  const texts = read("texts");
  for (const place of form.querySelectorAll(".error[id]")) {
    const field = document.getElementById(place.id.slice(0, -"_error".length));
    place.textContent = errors[field.name] || "";
    field.toggleAttribute("aria-invalid", false);
    if (errors[field.name]) {
      if (field.closest(".withheld")) field.closest(".withheld").open = true;
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", place.id);
    }
  }
  const above = form.querySelector("[data-above]");
  above.textContent = errors.above || (doubt ? texts.doubt : "");
  form.querySelector(".anyway").hidden = !doubt;
}

function submitted(event) {
  const form = event.target;
  if (!form.matches("form.outgoing")) return;
  event.preventDefault();
  const number = form.dataset.number;
  if (form.matches(".entry")) {
    const { errors, doubt } = check(entryOf(form), read("limits"), read("texts"));
    const before = tooEarly(form, number);
    if (before && !errors.above) errors.above = read("texts").after.replace("{number}", before);
    tell(form, errors, doubt);
    const wrong = form.querySelector("[aria-invalid]");
    if (wrong) wrong.focus();
    if (Object.keys(errors).length || (doubt && !form.elements.anyway.checked)) {
      if (!wrong) form.scrollIntoView();
      return;
    }
  }
  const fields = new URLSearchParams(new FormData(form));
  const key = newKey();
  fields.delete("csrfmiddlewaretoken");
  fields.set("key", key);
  keep([...waiting(), { key, number, seat: page().dataset.seat, body: fields.toString() }]);
  flush();
}

/* The first deal that has to be entered before this one; null where there is none. */
function tooEarly(form, number) {
  const first = [...document.querySelectorAll(".missing form.entry:not([hidden])")].map((one) => Number(one.dataset.number));
  const least = Math.min(...first);
  return form.closest(".missing") && least < Number(number) ? least : null;
}

/* Whoever sits left of this dealer deals next, and so on. */
function moveDealer(event) {
  if (!event.target.matches("select.dealer") || event.target.value === "") return;
  const all = [...document.querySelectorAll(".missing select.dealer")];
  const at = all.indexOf(event.target);
  const seats = event.target.options.length - 1;
  if (at >= 0) all.slice(at).forEach((later, deals) => { later.value = (Number(event.target.value) + deals) % seats; });
}

function pressed(event) {
  const button = event.target.closest("button[data-step], button[data-set]");
  if (!button) return;
  const field = button.closest(".count").querySelector("input");
  const value = button.dataset.set || Math.min(60, Math.max(0, Number(field.value || 0) + Number(button.dataset.step)));
  field.value = value;
  changed({ target: field });
}

function changed(event) {
  const form = event.target.closest("form.entry");
  if (!form) return;
  for (const button of form.querySelectorAll(".won")) {
    button.setAttribute("aria-pressed", String(button.parentElement.querySelector("input").value === "0"));
  }
  // What was said to be wrong is looked at again while it is put right.
  if (form.querySelector("[aria-invalid], [data-above]:not(:empty)")) {
    const { errors, doubt } = check(entryOf(form), read("limits"), read("texts"));
    tell(form, errors, doubt);
  }
}

function prepare() {
  for (const button of document.querySelectorAll(".entry button[hidden]")) button.hidden = false;
  for (const field of document.querySelectorAll(".entry input.left")) changed({ target: field });
}

/* So that the page can be opened again without a connection (slip-worker.js). */
async function keepPage() {
  if (!("serviceWorker" in navigator)) return;
  const files = [...document.querySelectorAll("link[rel=stylesheet], link[rel=icon], script[src]")];
  const addresses = files.map((file) => file.href || file.src);
  const kept = await caches.open("slips");
  await kept.addAll([location.pathname, new URL("./slip-checks.js", import.meta.url).href, ...addresses]).catch(() => {});
}

document.addEventListener("submit", submitted);
document.addEventListener("click", pressed);
document.addEventListener("input", changed);
document.addEventListener("change", moveDealer);
window.addEventListener("online", () => { pause = 2000; flush(); });
window.addEventListener("storage", (event) => { if (event.key === STORE) show(); });
document.addEventListener("visibilitychange", look);
setInterval(look, LOOK);
prepare();
show();
flush();
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register(page().dataset.worker, { scope: "/r/" }).then(() => {
    if (!navigator.serviceWorker.controller) keepPage();
  });
}
