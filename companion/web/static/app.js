// @ts-check
// The connection of a screen: what the server has sent, and the taps that wait for an answer.
import { render } from "/static/lit-html.js";
import { page } from "/static/pages.js";
import "/static/taps.js";

/** @typedef {{[name: string]: any}} Rec */

const CLOSED = { pair: 4401, out: 4403, elsewhere: 4409, stopped: 4410, fast: 4429 };
const RETRY_MS = [0, 200, 400, 800, 1000];
const PONG_MS = 1500;
/** What comes up so soon after a tap is its doing. */
const OWN_MS = 2000;

/** Everything that the pages draw. */
export const state = {
  /** @type {Rec} */ parts: {},
  tab: "now",
  /** @type {"pair"|"live"|"away"|"elsewhere"|"out"|"stopped"} */ stage: "away",
  say: "",
  code: "",
  seat: /** @type {string|null} */ (null),
  picked: "",
  /** the space that is tapped next once more, or by gold */ aim: "",
  hidden: Boolean(sessionStorage.hidden),
  sitting: /** @type {boolean|null} */ (null),
  /** @type {Set<string>} folds that this player has opened, by what they are called */ folds: new Set(),
  /** @type {Map<string, any>} half-entered dice and forms, by handle */ drafts: new Map(),
  /** @type {Set<string>} handles that wait for an answer */ busy: new Set(),
  map: { x: 0, y: 0, k: 1 },
  /** @type {number[][]} two places that are measured */ measure: [],
  tool: "",
  /** when the players' clock was told */ clockAt: 0,
  live: false,
  /** @type {Rec|null} a throw in a photo of this phone */ photo: null,
  /** @type {Rec|null} a tray that is moved */ ghost: null,
};

/** @type {WebSocket|null} */ let socket = null;
/** @type {Map<number, Rec>} */ const waiting = new Map();
const pageId = Math.random().toString(36).slice(2);
let count = 0;
let failures = 0;
let pong = 0;
let drawn = false;
let pairing = false;
let actedAt = 0;

export function draw() {
  if (drawn) return;
  drawn = true;
  requestAnimationFrame(drawNow);
}

/** Draw what waits for the next frame: a quick tap is about what is known now. */
export function drawNow() {
  if (!drawn) return;
  drawn = false;
  render(page(state), /** @type {HTMLElement} */ (document.getElementById("app")));
  if (state.parts.boot) keepDrafts();
}

/** Change what this screen shows, and draw it. @param {Rec} changes */
export function show(changes) {
  Object.assign(state, changes);
  if ("hidden" in changes) sessionStorage.hidden = changes.hidden ? "yes" : ""; // a page that is loaded again hides it still
  draw();
}

/** A text of the pages in the viewer's language. @param {string} name @param {Rec} [values] */
export function text(name, values = {}) {
  const found = (state.parts.texts || FIRST_TEXTS)[name] || "";
  return found.replace(/{(\w+)}/g, (/** @type {string} */ _, /** @type {string} */ key) => values[key] ?? "");
}

/** Before the server has sent any. */
const FIRST_TEXTS = /** @type {Rec} */ ({
  de: {
    join: "Mitspielen", code: "Code vom Bildschirm am Tisch", enter: "Eingeben",
    wrong_code: "Dieser Code gilt nicht oder nicht mehr. Schau auf den Bildschirm am Tisch.",
    away: "Keine Verbindung. Sie kommt von selbst wieder.",
  },
  ru: {
    join: "Присоединиться к игре", code: "Код с экрана на столе", enter: "Ввести",
    wrong_code: "Этот код не подходит или уже не действует. Посмотрите на экран на столе.",
    away: "Связь потеряна. Она вернётся сама.",
  },
})[navigator.language.slice(0, 2)] || {
  join: "Join the game", code: "Code from the table’s screen", enter: "Enter",
  wrong_code: "This code is not valid, or no longer. Look at the table’s screen.",
  away: "The connection is lost. It comes back by itself.",
};

// -- the connection ------------------------------------------------------------------------------

export function connect() {
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  const fresh = new WebSocket(`ws://${location.host}/socket`);
  socket = fresh;
  fresh.onopen = () => send({ t: "look", ...about() });
  fresh.onmessage = (event) => received(JSON.parse(event.data));
  fresh.onclose = (event) => socket === fresh && closed(event.code);
}

/** What this screen says of itself when it comes. */
function about() {
  return localStorage.language ? {} : { language: navigator.language.slice(0, 2) };
}

/** @param {number} code */
function closed(code) {
  if (code === CLOSED.pair) return void pair();
  const ended = Object.entries({ out: CLOSED.out, elsewhere: CLOSED.elsewhere }).find(([, number]) => number === code);
  if (ended) return show({ stage: ended[0] });
  if (state.stage === "live") show({ stage: code === CLOSED.stopped ? "stopped" : "away" });
  else draw();
  const wait = code === CLOSED.fast ? 2000 : RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)];
  setTimeout(connect, wait);
}

/** @param {Rec} message */
function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/** Use the code of the address, or ask for one; a connection that was refused meanwhile asks for none. */
async function pair() {
  if (pairing) return;
  const code = state.code || decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", location.pathname + location.search);
  if (!code) return show({ stage: "pair" });
  pairing = true;
  const answer = await fetch("/pair", { method: "POST", body: JSON.stringify({ code }) }).catch(() => null);
  pairing = false;
  if (answer?.ok) {
    show({ code: "", say: "" });
    socket = null; // one that was opened before will be refused
    connect();
  } else {
    show({ stage: "pair", code: "", say: text("wrong_code") });
  }
}

/** @param {string} code */
export function enterCode(code) {
  state.code = code;
  pair();
}

export function takeOver() {
  show({ stage: "away" });
  connect();
}

/** @param {Rec} message */
function received(message) {
  failures = 0;
  if (message.pong) return void (pong = Date.now());
  if (message.answer) return answered(message.answer);
  const before = state.parts;
  if (message.clock) state.clockAt = Date.now();
  const another = message.boot && message.boot !== before.boot;
  if (another) {
    waiting.clear();
    state.busy.clear();
  } else if (state.stage !== "live") {
    waiting.forEach(send);
  }
  const asked = questions();
  state.parts = { ...before, ...message };
  if (message.language) document.documentElement.lang = message.language;
  if (before.boot) carry(asked);
  else recall();
  state.stage = "live";
  forget();
  call(before);
  draw();
}

/** @param {Rec} answer */
function answered(answer) {
  const message = waiting.get(answer.n);
  waiting.delete(answer.n);
  if (!message) return;
  state.busy.delete(message.intent.tap);
  if (answer.ok) state.drafts.delete(message.intent.tap);
  if (answer.ok && message.intent.tap === state.picked) state.picked = ""; // done: what comes next is gold
  if (answer.ok && message.intent.move && !message.intent.try) state.ghost = null;
  if (answer.say && !answer.stale) note(answer.say);
  draw();
}

/** The names of what is asked for in forms and dice, by handle. @returns {Map<string, string>} */
function questions() {
  /** @type {Map<string, string>} */ const found = new Map();
  const walk = (/** @type {any} */ one) => {
    if (!one || typeof one !== "object") return;
    if (one.tap && one.question) found.set(one.tap, one.question);
    Object.values(one).forEach(walk);
  };
  walk([state.parts.prompts, state.parts.offers, state.parts.pages, state.parts.view?.corrections]);
  return found;
}

/** What is half entered is kept for a page that is loaded again. */
function keepDrafts() {
  const asked = state.drafts.size ? questions() : new Map();
  sessionStorage.drafts = JSON.stringify([...state.drafts].map(([tap, draft]) => [asked.get(tap) || tap, draft]));
}

/** What is half entered stays with its question: what a player does, and a server that is started again, number all handles anew. What was sent is not asked again. @param {Map<string, string>} asked before */
function carry(asked) {
  const drafts = [...state.drafts];
  const half = new Map(drafts.filter(([tap]) => !state.busy.has(tap)).map(([tap, draft]) => [asked.get(tap), draft]));
  const draftOf = (/** @type {string} */ tap, /** @type {string} */ question) => (asked.get(tap) === question && state.drafts.get(tap)) || half.get(question);
  const known = [...questions()].filter(([tap, question]) => draftOf(tap, question)).map(([tap, question]) => /** @type {[string, any]} */ ([tap, draftOf(tap, question)]));
  state.drafts = new Map([...drafts.filter(([key]) => key.startsWith("throw:")), ...known]);
}

/** A page that is loaded again goes on with what was half entered, as far as it is still asked for. */
function recall() {
  const drafts = new Map(JSON.parse(sessionStorage.drafts || "[]"));
  state.drafts = new Map([...questions()].filter(([, asked]) => drafts.has(asked)).map(([tap, asked]) => [tap, drafts.get(asked)]));
}

/** Drafts of what is no longer offered are dropped; so is a pick. */
function forget() {
  const { parts } = state;
  const here = JSON.stringify([parts.prompts, parts.offers, parts.pages, parts.view?.corrections, `throw:${parts.throw?.number}`, `throw:${state.photo?.number}`]);
  if (!parts.view?.placing && state.ghost?.tried) state.ghost = null;
  for (const tap of state.drafts.keys()) if (!here.includes(`"${tap}"`)) state.drafts.delete(tap);
  if (state.picked && !here.includes(`"${state.picked}"`)) state.picked = "";
  if (state.aim && !here.includes(`"${state.aim}"`)) state.aim = "";
}

/** When the page is drawn. @param {() => void} does */
export const soon = (does) => requestAnimationFrame(() => requestAnimationFrame(does));

/** Buzz and say so in the title when it is this player's turn; a new question is seen from its beginning. @param {Rec} before */
function call(before) {
  const me = state.parts.view?.me;
  const asked = (/** @type {Rec} */ parts) => Boolean(me && parts.view?.acts?.includes(me));
  if (asked(state.parts) && !asked(before)) navigator.vibrate?.(200);
  const question = (/** @type {Rec} */ parts) => parts.prompts?.find((/** @type {Rec} */ one) => !one.id?.endsWith("proposal"))?.title;
  const asks = question(state.parts) !== question(before);
  if (asks && state.tab === "table" && state.parts.prompts?.[0]?.dice && Date.now() - actedAt < OWN_MS) state.tab = "now"; // the dice of this player's own tap
  if (asks && state.tab === "now") soon(() => scrollTo(0, 0));
  const selected = state.parts.view?.selected;
  if (state.tab === "now" && !asks && selected && !state.picked && selected !== before.view?.selected) soon(() => document.querySelector(".page .piece")?.scrollIntoView({ block: "start" }));
  document.title = (asked(state.parts) ? "● " + text("your_turn") + " – " : "") + (state.parts.view?.title || "Table Companion");
}

// -- what players do ----------------------------------------------------------------------------

/** Send an intent; it is answered once, however often the connection is lost. @param {Rec} intent */
export function act(intent) {
  if (intent.tap && state.busy.has(intent.tap)) return;
  const message = { t: "do", n: ++count, page: pageId, boot: state.parts.boot, intent };
  waiting.set(count, message);
  if (intent.tap) state.busy.add(intent.tap);
  send(message);
  const asked = count;
  actedAt = Date.now();
  setTimeout(() => waiting.has(asked) && wake(), PONG_MS); // no answer: is the connection there?
  draw();
}

/** @param {Rec} changes */
export function look(changes) {
  if (changes.language) localStorage.language = changes.language;
  send({ t: "look", ...changes });
}

/** @param {string} seat */
export function sit(seat) {
  localStorage.watches = seat ? "" : "yes";
  send({ t: "sit", seat });
  show({ sitting: seat ? null : false, tab: "now", seat: null }); // a seat that is taken meanwhile is chosen again
}

/** A short message that goes by itself. @param {string} words */
export function note(words) {
  const place = /** @type {HTMLElement} */ (document.getElementById("say"));
  place.textContent = words;
  place.className = "shown";
  setTimeout(() => place.textContent === words && (place.className = ""), 5000);
}

/** A phone that wakes up must not trust its connection: it asks, and opens another. */
function wake() {
  if (document.visibilityState !== "visible") return;
  if (socket?.readyState !== WebSocket.OPEN) return connect();
  const asked = Date.now();
  send({ t: "ping" });
  setTimeout(() => {
    if (pong < asked && socket?.readyState === WebSocket.OPEN) {
      const dead = socket;
      socket = null;
      dead.close();
      show({ stage: "away" });
      connect();
    }
  }, PONG_MS);
}
document.addEventListener("visibilitychange", wake);
addEventListener("online", wake);
addEventListener("pageshow", wake);

/** A phone that lies face down hides what is secret. */
addEventListener("deviceorientation", (event) => {
  const down = Math.abs(event.beta ?? 0) > 140;
  if (down && !state.hidden) show({ hidden: true });
});

connect();
draw();
