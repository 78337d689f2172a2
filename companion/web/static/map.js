// @ts-check
// The map: pinch and drag, tap a piece or a marked space, measure, move a tray.
import { html, nothing, svg } from "/static/lit-html.js";
import { act, draw, show, soon, state, text } from "/static/app.js";
import { icon } from "/static/drawings.js";
import { choices } from "/static/cards.js";
import { EDGE, LINE, placed } from "/static/labels.js";

/** @typedef {{[name: string]: any}} Rec */
/** @type {Map<number, number[]>} */ const fingers = new Map();
let moved = 0;

/** @param {Rec} state */
export function tableMap({ parts, map: view, picked, tool, measure, ghost }) {
  const { map } = parts;
  if (ghost) settle(ghost, parts.view.placing, map);
  const dark = !matchMedia("(prefers-color-scheme: light)").matches;
  const answers = map.answers && !(parts.prompts || []).some((/** @type {Rec} */ one) => one.cells) ? `&piece=${encodeURIComponent(map.answers)}` : "";
  const source = `/map/${map.number}-${parts.language}-${dark ? "dark" : "light"}.svg?of=${parts.boot}${answers}`; // a server that is started again numbers its maps anew
  const mine = (parts.pieces || []).find((/** @type {Rec} */ one) => one.id === parts.view.selected && one.seat === parts.view.me);
  const own = mine?.place && mine;
  const aim = aimed(parts, picked).find((cell) => cell.tap === state.aim);
  return html`<div class="map" .style=${`aspect-ratio:${map.width}/${map.depth};--wide:${map.width / map.depth}`}
      @pointerdown=${down} @pointermove=${drag} @pointerup=${up} @pointercancel=${up} @wheel=${wheel}>
      <div class="sheet" .style=${`transform:translate(${view.x}px,${view.y}px) scale(${view.k})`}>
        <img src=${source} alt="" draggable="false">
        <svg viewBox="0 0 ${map.width} ${map.depth}">${pieces(parts)}${badges(parts, view.k, aimed(parts, picked).length > 0)}${cells(parts, picked)}${landing(parts, picked)}${ruler(measure, view.k)}${ghost ? shadow(ghost, map) : goals(parts)}</svg>
      </div></div>
    <div class="tools"><button class="quiet" @click=${() => show({ map: { x: 0, y: 0, k: 1 } })}>${icon("fit")}<span>${text("fit")}</span></button>
      ${map.pieces && !ghost ? html`<button class="quiet ${tool === "measure" ? "on" : ""}" aria-pressed=${tool === "measure"} @click=${() => show({ tool: tool === "measure" ? "" : "measure", measure: [] })}>${icon("ruler")}<span>${text("measure")}</span></button>` : nothing}
      ${own && map.pieces && !ghost ? html`<button class="quiet" data-do="move" @click=${() => lift(own, map)}>${icon("hand")}<span>${text("move")}</span></button>` : nothing}
      ${mine?.puts ? html`<button class="quiet ${tool === "put" ? "on" : ""}" aria-pressed=${tool === "put"} data-do="put" @click=${() => { show({ tool: tool === "put" ? "" : "put", measure: [] }); nearer(); }}>${icon("hand")}<span>${text("by_hand")}</span></button>` : nothing}</div>
    ${aim ? html`<button class="gold" data-do="there" data-tap=${aim.tap} ?disabled=${state.busy.has(aim.tap)} @click=${() => act({ tap: aim.tap })}><span>${aim.title}${aim.detail ? html`<small>${aim.detail}</small>` : nothing}</span></button>` : nothing}
    ${tool === "put" ? html`<p class="card">${text("tap_place")}</p>` : nothing}
    ${tool === "put" && mine?.puts && measure.length ? html`<button class="gold" data-do="put-there" @click=${() => put(mine, measure[0], map)}>${mine.name}: ${text("put_here")}</button>` : nothing}
    ${ghost ? verdict(ghost.tried ? parts.view.placing : undefined) : nothing}`;
}

/** What the game says of the place, and what may be said of it. @param {Rec|undefined} place */
function verdict(place) {
  const tools = html`<div class="tools">${place?.turns === false ? nothing : html`<button class="quiet" @click=${() => turn(-15)} aria-label="−15°">⟲</button><button class="quiet" @click=${() => turn(15)} aria-label="+15°">⟳</button>`}
    <button class="quiet" data-do="put-back" @click=${() => show({ ghost: null })}>${text("put_back")}</button></div>`;
  if (!place) return html`<div class="card place"><p>${text("drag_it")}</p>${tools}</div>`;
  const far = place.far ? ` (${place.far.toLocaleString(state.parts.language, { maximumFractionDigits: 1 })}″)` : "";
  return html`<div class="card place ${place.verdict || ""}"><h3>${place.title}${far}</h3><p><b>${place.text || ""}</b>${place.why ? `: ${place.why}` : ""}</p>${tools}${choices(place.choices || [])}</div>`;
}

/** Put a piece on the space at this place, by hand. @param {Rec} piece @param {number[]} place @param {Rec} map */
function put(piece, [x, y], map) {
  act({ move: piece.id, x, y: map.depth - y, keep: true });
  show({ tool: "", measure: [] });
}

/** @param {number[][]} points */
const list = (points) => points.map((point) => point.join()).join(" ");

/** Where a prompt wants trays to go. @param {Rec} parts */
const goals = ({ map, prompts }) => (prompts || []).filter((/** @type {Rec} */ one, /** @type {number} */ at) => !at || one.id === "proposal").flatMap((/** @type {Rec} */ one) => one.ends || []).map((/** @type {Rec} */ end) => {
  const spots = end.outline.map((/** @type {number[]} */ [x, y]) => [x, map.depth - y]);
  const [[ax, ay], , [bx, by], [cx, cy]] = spots; // front left, rear left, rear right, front right
  return svg`<polygon class="ghost" points=${list(spots)}/><line class="ghost-front" x1=${ax} y1=${ay} x2=${cx} y2=${cy}/>
    <text class="length" x=${(ax + bx) / 2} y=${(ay + by) / 2} font-size="2" dominant-baseline="central">${end.text || ""}</text>`;
});

/** @param {Rec} parts */
function pieces({ map, pieces: known, view, prompts, offers }) {
  const targets = new Set((offers || []).filter((/** @type {Rec} */ one) => one.tap === state.picked).map((/** @type {Rec} */ one) => one.target));
  const look = (/** @type {string} */ id) => `spot ${id === view.selected ? "selected" : ""} ${answerTo(id, prompts) ? "asked" : ""} ${targets.has(id) ? "target" : ""}`;
  const name = (/** @type {string} */ id) => (known || []).find((/** @type {Rec} */ one) => one.id === id)?.name || "";
  const tap = (/** @type {string} */ id) => () => moved < 8 && tapPiece(id, prompts);
  const booked = (/** @type {string} */ id) => { const answer = answerTo(id, prompts); return (!answer?.selects && answer?.tap) || ""; };
  return svg`${Object.entries(map.pieces || {}).map(([id, outline]) => svg`<polygon class=${look(id)} points=${list(outline)} role="button" aria-label=${name(id)} data-piece=${id} data-tap=${booked(id)} @click=${tap(id)}/>`)}
    ${Object.entries(map.discs || {}).map(([id, [x, y, r]]) => svg`<circle class=${look(id)} cx=${x} cy=${y} r=${r} role="button" aria-label=${name(id)} data-piece=${id} data-tap=${booked(id)} @click=${tap(id)}/>`)}`;
}

/** What a tap on a piece answers. @param {string} id @param {Rec[]} prompts @returns {Rec|undefined} */
const answerTo = (id, prompts) => (prompts || []).flatMap((one) => one.pieces || []).find((/** @type {Rec} */ tap) => tap.piece === id);

/** A tap on a piece answers the prompt that asks for it, or selects it. @param {string} id @param {Rec[]} prompts */
function tapPiece(id, prompts) {
  if (state.tool) return;
  const answer = answerTo(id, prompts);
  act(answer && !answer.selects ? { tap: answer.tap } : { select: id });
}

/** The spaces that may be tapped now. @param {Rec} parts @param {string} picked @returns {Rec[]} */
export const aimed = ({ prompts, offers }, picked) => [...(prompts || []), ...(offers || []).filter((/** @type {Rec} */ one) => one.tap === picked)].flatMap((one) => (one.cells || []).map((/** @type {Rec} */ cell) => ({ title: one.title || one.text, piece: one.piece, ...cell, goes: cell.piece })));

/** Bring the spaces that may be tapped into sight, and closer. */
export function nearer() {
  const { map } = state.parts;
  soon(() => {
    document.querySelector(".map")?.scrollIntoView({ block: "start" });
    closer(map);
  });
}

/** @param {Rec|undefined} map */
function closer(map) {
  const spots = aimed(state.parts, state.picked).map((cell) => map?.cells?.[cell.cell]).filter(Boolean);
  if (!map || !spots.length) return;
  const [xs, ys] = [0, 1].map((axis) => spots.map((/** @type {number[]} */ spot) => spot[axis]));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const wanted = Math.min(3, map.width / (right - left + map.width / 4), map.depth / (bottom - top + map.depth / 4));
  const k = wanted < 1.4 ? 1 : wanted; // the whole board, where little is gained
  const px = widthOnScreen(map) / map.width;
  const within = (/** @type {number} */ value, /** @type {number} */ size) => Math.min(0, Math.max(value, size * px * (1 - k)));
  show({ map: { k, x: within((map.width / 2 - ((left + right) / 2) * k) * px, map.width), y: within((map.depth / 2 - ((top + bottom) / 2) * k) * px, map.depth) } });
}

/** @type {Rec} what a space is marked with */
const SIGNS = { engages: "⚔", danger: "!", barred: "✕", stops: "✕", more: "+", unsure: "?" };

/** @param {Rec} parts @param {string} picked */
function cells(parts, picked) {
  const { map } = parts;
  return svg`${aimed(parts, picked).map((/** @type {Rec} */ cell) => {
    const at = map.cells?.[cell.cell];
    if (!at) return nothing;
    const off = map.discs?.[cell.goes]?.[3] || 0; // a large piece covers more: the middle is marked
    return svg`<g transform="translate(${at[0] + off} ${at[1] - off})"><polygon class="cell ${state.aim === cell.tap ? "on" : ""}" points=${list(map.cell)} role="button" aria-label=${[cell.text, cell.detail].filter(Boolean).join(", ")}
      data-shows=${cell.tap} @click=${() => moved < 8 && cell.tap && show({ aim: cell.tap })}/><text class="cell-text">${cell.text || ""}${SIGNS[cell.mark] || ""}</text></g>`;
  })}`;
}

/** The piece where it would stand: a large one covers more than the space that was tapped. @param {Rec} parts @param {string} picked */
function landing(parts, picked) {
  const { map, view } = parts;
  const aim = aimed(parts, picked).find((cell) => cell.tap === state.aim);
  const [at, disc] = [map.cells?.[aim?.cell], map.discs?.[aim?.piece || view.selected]];
  if (!at || !disc) return nothing;
  return svg`<circle class="ghost" cx=${at[0] + disc[3]} cy=${at[1] - disc[3]} r=${disc[2]}/>`;
}

/** Names and what is left, beside the pieces; `faint` while spaces are to be tapped. @param {Rec} parts @param {number} k @param {boolean} faint */
function badges({ map, pieces, view }, k, faint) {
  const px = map.width / widthOnScreen(map) / k;
  const places = { ...(map.pieces || {}), ...(map.discs || {}) };
  const here = (pieces || []).filter((/** @type {Rec} */ one) => one.id in places);
  const colour = new Map(here.map((/** @type {Rec} */ one) => [one.id, view.seats.find((/** @type {Rec} */ seat) => seat.id === one.seat)?.colour ?? 0]));
  const wanted = here.map((/** @type {Rec} */ one) => ({ id: one.id, box: boxAround(places[one.id]), name: map.names?.[one.id] || one.name, left: String(one.left ?? ""), named: one.id === view.selected }));
  const sizes = (innerWidth > 1100 ? [20, 18, 16, 14, 12] : [12, 11]).map((letter) => letter * px);
  const tries = sizes.map((size) => ({ size, labels: placed(wanted, size, map.width, map.depth) }));
  const { size, labels } = tries.find(({ labels }) => labels.every((label, at) => label.lines.join("") !== wanted[at].left)) || tries[tries.length - 1];
  return svg`${labels.map(({ id, lines, x, y, width, height }) => svg`<g class="badge s${colour.get(id)} ${faint ? "faint" : ""}" transform="translate(${x} ${y})">
    <rect x=${(size * EDGE - width) / 2} y=${(size * EDGE - height) / 2} width=${width - size * EDGE} height=${height - size * EDGE} rx=${size * 0.5} stroke-width=${size * EDGE}/>
    ${lines.map((line, at) => svg`<text font-size=${size} y=${(at - (lines.length - 1) / 2) * size * LINE}>${line}</text>`)}</g>`)}`;
}

/** The box around a disc or an outline. @param {any[]} spot @returns {[number, number, number, number]} */
function boxAround(spot) {
  if (typeof spot[0] === "number") return [spot[0] - spot[2], spot[1] - spot[2], spot[0] + spot[2], spot[1] + spot[2]];
  const [xs, ys] = [0, 1].map((axis) => spot.map((/** @type {number[]} */ corner) => corner[axis]));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

document.fonts.load("700 20px Narrow").then(draw); // labels are as wide as their letters

/** How many pixels the map is wide; drawn again where that turns out otherwise. @param {Rec} map */
function widthOnScreen(map) {
  const width = () => document.querySelector(".map")?.clientWidth || Math.max(320, Math.min(innerWidth, (innerHeight * map.width) / map.depth));
  const guessed = width();
  requestAnimationFrame(() => width() !== guessed && draw());
  return guessed;
}

/** @param {number[][]} measure @param {number} k */
function ruler(measure, k) {
  if (measure.length < 2) return measure.map(([x, y]) => svg`<circle class="mark" cx=${x} cy=${y} r=${0.4 / k}/>`);
  const [[a, b], [c, d]] = measure;
  const inches = Math.hypot(c - a, d - b);
  return svg`<line class="ruler" x1=${a} y1=${b} x2=${c} y2=${d}/><text class="length" x=${(a + c) / 2} y=${(b + d) / 2} font-size=${1.8 / k}>${inches.toFixed(1)}″</text>`;
}

// -- fingers ------------------------------------------------------------------------------------

/** @param {PointerEvent} event */
function down(event) {
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  if (fingers.size === 1) moved = 0;
}

/** @param {PointerEvent} event */
function drag(event) {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const here = [event.clientX, event.clientY];
  const far = Math.hypot(here[0] - before[0], here[1] - before[1]);
  moved += far;
  const { map: view, ghost } = state;
  const frame = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
  if (fingers.size === 2) {
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1] || here;
    const grown = Math.hypot(here[0] - other[0], here[1] - other[1]) / Math.max(1, Math.hypot(before[0] - other[0], before[1] - other[1]));
    zoom(view, grown, (here[0] + other[0]) / 2 - frame.left, (here[1] + other[1]) / 2 - frame.top);
  } else if (ghost) {
    const inch = state.parts.map.width / frame.width / view.k;
    ghost.x += (here[0] - before[0]) * inch;
    ghost.y += (here[1] - before[1]) * inch;
  } else if (view.k > 1) {
    view.x += here[0] - before[0];
    view.y += here[1] - before[1];
  }
  fingers.set(event.pointerId, here);
  draw();
}

/** @param {PointerEvent} event */
function up(event) {
  if (state.tool && moved < 8 && fingers.has(event.pointerId) && event.type === "pointerup") {
    const sheet = /** @type {HTMLElement} */ (/** @type {HTMLElement} */ (event.currentTarget).firstElementChild).getBoundingClientRect();
    const inch = state.parts.map.width / sheet.width;
    const place = [(event.clientX - sheet.left) * inch, (event.clientY - sheet.top) * inch];
    show({ measure: state.tool === "measure" && state.measure.length === 1 ? [...state.measure, place] : [place] });
  }
  fingers.delete(event.pointerId);
  if (state.ghost && moved > 2 && !fingers.size) tried();
}

/** @param {WheelEvent} event */
function wheel(event) {
  event.preventDefault();
  const frame = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
  zoom(state.map, event.deltaY < 0 ? 1.15 : 0.87, event.clientX - frame.left, event.clientY - frame.top);
  draw();
}

/** @param {Rec} view @param {number} grown @param {number} x @param {number} y */
function zoom(view, grown, x, y) {
  const k = Math.min(8, Math.max(1, view.k * grown));
  view.x = k === 1 ? 0 : x - ((x - view.x) * k) / view.k;
  view.y = k === 1 ? 0 : y - ((y - view.y) * k) / view.k;
  view.k = k;
}

// -- moving a tray --------------------------------------------------------------------------------

/** Take up a tray, for the action with this kind or for whichever explains its place. @param {Rec} piece @param {Rec} map @param {string} [kind] */
export function lift(piece, map, kind = "") {
  const [x, y, heading] = piece.place;
  const outline = map.pieces[piece.id].map((/** @type {number[]} */ p) => [p[0] - x, p[1] - (map.depth - y)]);
  show({ ghost: { piece: piece.id, kind, x, y: map.depth - y, heading, first: heading, outline, tried: false, seen: state.parts.view.placing }, tab: "table" });
  if (kind) tried();
  requestAnimationFrame(() => document.querySelector(".map")?.scrollIntoView({ block: "start" }));
}

/** @param {number} by */
function turn(by) {
  if (state.ghost) state.ghost.heading -= by;
  tried();
}

/** Ask what the game says of the place. */
function tried() {
  const ghost = /** @type {Rec} */ (state.ghost);
  const { depth, width } = state.parts.map;
  const within = (/** @type {number} */ value, /** @type {number} */ most) => Math.min(Math.max(value, 0), most);
  Object.assign(ghost, { x: within(ghost.x, width), y: within(ghost.y, depth), tried: true, seen: state.parts.view.placing });
  act({ move: ghost.piece, x: ghost.x, y: depth - ghost.y, heading: ((ghost.heading % 360) + 360) % 360, try: true, snap: true, ...(ghost.kind ? { as: ghost.kind } : {}) });
}

/** The tray goes where the game has put it: in contact, or on its line. @param {Rec} ghost @param {Rec|undefined} place @param {Rec} map */
function settle(ghost, place, map) {
  if (!place || place === ghost.seen || place.piece !== ghost.piece || fingers.size) return;
  Object.assign(ghost, { x: place.x, y: map.depth - place.y, heading: place.heading ?? 0, seen: place });
}

/** The tray in a finger, with its front. @param {Rec} ghost @param {Rec} map */
function shadow(ghost, map) {
  const [[ax, ay], , , [bx, by]] = ghost.outline; // front left, rear left, rear right, front right
  return svg`<g transform="translate(${ghost.x} ${ghost.y}) rotate(${ghost.first - ghost.heading})"><polygon class="ghost" points=${list(ghost.outline)}/>
    <line class="ghost-front" x1=${ax} y1=${ay} x2=${bx} y2=${by}/></g>`;
}
