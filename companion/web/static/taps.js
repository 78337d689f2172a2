// @ts-check
// Which taps count, as on the tablet: what has only just come under a finger takes none.
import { drawNow, state } from "/static/app.js";

/** For so long nothing takes a tap that has just come where the last tap was: nobody has read it yet. */
const AWAKE_MS = 600;
/** How late an answer to a tap may come for a second tap to be meant for what was there. */
const ON_ITS_WAY_MS = 3000;
/** Two taps of one finger lie at most so far apart. */
const FINGER_PX = 40;
/** A finger that slides further has not tapped. */
const SLID_PX = 12;

/** @typedef {{x: number, y: number, box: DOMRect | undefined, meaning: string, now: string, at: number, changed: number}} Tap */

/** @type {Tap | null} */ let last = null;
let watched = false;
let [downX, downY] = [0, 0];

/** What lies at a point: the control, its keypad, and what a tap there means. Keys of one keypad mean the same dice; anything else is its words
 * and what is asked around it. What books at once is also its handle, which is another one after each step of this player; gold carries the game on.
 * @param {number} x @param {number} y @returns {{control: Element | null, keys: Element | null, meaning: string}} */
function under(x, y) {
  const control = document.elementFromPoint(x, y)?.closest("button, summary, label, [role=button]") || null;
  if (!control) return { control, keys: null, meaning: "" };
  const keys = control.closest(".keys");
  const tap = control.getAttribute("data-tap") || "";
  if (keys) return { control: keys, keys, meaning: `keys ${tap}` };
  const clock = control.closest(".clock"); // its time runs, and minutes are added by quick taps
  const asked = clock ? "" : control.closest("section, .card")?.querySelector("h2, b")?.textContent;
  const handle = clock ? "" : tap;
  const gold = control.classList.contains("gold") ? `gold ${state.parts.view?.seq}` : "";
  return { control, keys, meaning: [control.getAttribute("aria-label") || control.textContent, asked, handle, gold].join("|") };
}

/** Notice when something else comes to lie where the last tap was; it is dimmed until it takes taps. */
function look() {
  const now = Date.now();
  if (!last) return dim(null);
  const { control, meaning } = under(last.x, last.y);
  const follows = now <= last.at + ON_ITS_WAY_MS; // later changes are not the doing of that tap
  if (follows && meaning !== last.now) Object.assign(last, { now: meaning, changed: now });
  dim(meaning !== last.meaning && now < last.changed + AWAKE_MS ? control : null);
}

/** @param {Element | null} control */
function dim(control) {
  for (const one of document.querySelectorAll("[data-asleep]")) if (one !== control) one.removeAttribute("data-asleep");
  control?.setAttribute("data-asleep", "");
}

function watch() {
  look();
  watched = Boolean(last && Date.now() < Math.max(last.at + ON_ITS_WAY_MS, last.changed + AWAKE_MS));
  if (watched) requestAnimationFrame(watch);
}

/** @param {Tap} tap @param {number} x @param {number} y */
const near = ({ x: left, y: top, box }, x, y) =>
  Math.hypot(x - left, y - top) <= FINGER_PX || Boolean(box && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);

addEventListener("click", (event) => {
  if (!event.detail) return; // a key of the keyboard has no place
  const { clientX: x, clientY: y } = event;
  drawNow();
  look();
  const { keys, meaning } = under(x, y);
  if (last && near(last, x, y) && meaning && meaning !== last.meaning && Date.now() < last.changed + AWAKE_MS) {
    event.stopPropagation();
    event.preventDefault();
    return;
  }
  last = meaning ? { x, y, box: keys?.getBoundingClientRect(), meaning, now: meaning, at: Date.now(), changed: 0 } : null;
  if (!watched) watch();
}, true);

addEventListener("wheel", () => { last = null; }, { passive: true }); // who moves the page has looked
addEventListener("touchstart", ({ touches: [finger] }) => { [downX, downY] = [finger.clientX, finger.clientY]; }, { passive: true });
addEventListener("touchmove", ({ touches: [finger] }) => {
  if (Math.hypot(finger.clientX - downX, finger.clientY - downY) > SLID_PX) last = null;
}, { passive: true });
