// @ts-check
// The pages of a screen: what to do now, the table, what is one's own, the score.
import { html, nothing } from "/static/lit-html.js";
import { act, draw, enterCode, look, show, sit, state, takeOver, text } from "/static/app.js";
import { icon, seatMark } from "/static/drawings.js";
import { boxes, choices, facts, fold, offers, pieceCard, prompts, proposals, scoreLines } from "/static/cards.js";
import { tableMap } from "/static/map.js";

/** @typedef {{[name: string]: any}} Rec */
const TABS = [["now", "hand"], ["table", "map"], ["mine", "cards"], ["score", "score"]];

/** @param {Rec} state */
export function page(state) {
  const { parts, stage } = state;
  if (stage === "pair") return pairing(state);
  if (stage === "out") return message(text("thrown_out"));
  if (stage === "elsewhere") return message(text("elsewhere"), html`<button class="gold" @click=${takeOver}>${text("use_here")}</button>`);
  if (!parts.view) return message(text("away"));
  const away = stage === "live" ? nothing : html`<p class="away" role="alert">${text(stage === "stopped" ? "stopped" : "away")}</p>`;
  if (state.sitting ?? !(parts.self.seat || localStorage.watches)) return html`${away}${seats(state)}`;
  if (!parts.self.seat && innerWidth >= 1100) return html`${away}${television(state)}`;
  const tabs = TABS.filter(([name]) => name !== "mine" || parts.self.seat);
  const body = { now, table, mine, score }[/** @type {"now"} */ (state.tab)](state);
  return html`${away}${header(parts)}
    <section class="page ${state.tab}">${body}</section>
    ${calls(parts)}
    <nav>${tabs.map(([name, sign]) => html`
      <button class="${state.tab === name ? "on" : ""}" aria-current=${state.tab === name ? "page" : "false"}
        data-tab=${name} @click=${() => { show({ tab: name }); scrollTo(0, 0); }}>${icon(sign)}<span>${text(name)}</span></button>`)}
    </nav>`;
}

/** @param {string} words @param {any} [more] */
const message = (words, more = nothing) => html`<section class="alone"><p>${words}</p>${more}</section>`;

// -- joining --------------------------------------------------------------------------------------

/** @param {Rec} state */
function pairing(state) {
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    enterCode(/** @type {HTMLInputElement} */ (form.elements.namedItem("code")).value);
  };
  return html`<form class="alone" @submit=${enter}><h1>${text("join")}</h1>
    <label>${text("code")}<input name="code" autocomplete="off" autocapitalize="characters" maxlength="12" required></label>
    ${state.say ? html`<p class="bad" role="alert">${state.say}</p>` : nothing}
    <button class="gold">${text("enter")}</button></form>`;
}

/** @param {Rec} state */
function seats(state) {
  const { view, taken, self, languages, language } = state.parts;
  const chosen = state.seat ?? self.seat;
  const row = (/** @type {string} */ id, /** @type {any} */ sign, /** @type {string} */ name, /** @type {string} */ detail, off = false) => html`
    <button class="seat ${chosen === id && state.seat !== null ? "chosen" : ""}" ?disabled=${off} data-seat=${id}
      aria-pressed=${chosen === id} @click=${() => show({ seat: id })}>${sign}<b>${name}</b><small>${detail}</small></button>`;
  return html`<section class="alone seats"><h1>${text("take_a_seat")}</h1><p>${view.title}${view.headline ? ` · ${view.headline}` : ""}</p>
    ${view.seats.map((/** @type {Rec} */ seat) => row(seat.id, seatMark(seat), seat.name,
      seat.id in taken ? taken[seat.id] || text("taken") : seat.id === self.seat ? text("you") : text("free"), seat.id in taken))}
    ${view.seats.every((/** @type {Rec} */ seat) => seat.id in taken) ? html`<p class="quiet">${text("seats_taken")}</p>` : nothing}
    ${row("", icon("eye"), text("only_watch"), text("no_hands"))}
    <label>${text("name_here")}<input name="name" maxlength="24" .value=${self.name || ""}
      @change=${(/** @type {any} */ event) => look({ name: event.target.value })}></label>
    <label>${text("language")}<select @change=${(/** @type {any} */ event) => look({ language: event.target.value })}>
      ${Object.entries(languages).map(([key, name]) => html`<option value=${key} ?selected=${key === language}>${name}</option>`)}</select></label>
    <p class="quiet">${icon("info")} ${text("nothing_to_install")}</p>
    <button class="gold" ?disabled=${(state.seat === null && !self.seat) || (chosen in taken)} data-do="sit" @click=${() => sit(chosen)}>
      ${chosen ? text("sit_down") : text("watch")}</button></section>`;
}

// -- the frame ------------------------------------------------------------------------------------

/** @param {Rec} parts @param {string|undefined} id */
const seatOf = (parts, id) => parts.view.seats.find((/** @type {Rec} */ seat) => seat.id === id);

/** @param {Rec} parts @param {string[]} ids */
export const names = (parts, ids) => ids.map((id) => seatOf(parts, id)?.name ?? id).join(", ");

/** Who acts and what: two signs, the turn and the task. @param {Rec} parts */
export function task(parts) {
  const { view, prompts: asked } = parts;
  const acts = view.acts || [];
  const rolls = (asked || []).some((/** @type {Rec} */ prompt) => prompt.dice);
  if (view.winner) return seatOf(parts, view.winner) ? text("wins", { player: names(parts, [view.winner]) }) : text("draw");
  if (view.me && acts.includes(view.me)) return text(rolls ? "you_roll" : view.turn === view.me ? "your_turn" : "you_decide");
  if (acts.length && acts.join() !== view.turn) return text(rolls ? "rolls" : acts.length > 1 ? "decide" : "decides", { player: names(parts, acts) });
  if (!acts.length && asked?.[0]?.choices?.some((/** @type {Rec} */ choice) => choice.shared)) return text("everybody");
  if (view.me && view.turn === view.me) return text("your_turn");
  return view.turn ? text("turn_of", { player: names(parts, [view.turn]) }) : text("everybody");
}

/** @param {Rec} parts */
function header(parts) {
  const { view } = parts;
  const seat = seatOf(parts, view.acts?.includes(view.me) ? view.me : view.acts?.[0] || view.turn);
  const other = view.turn && view.acts?.length && !view.acts.includes(view.turn) ? text("turn_of", { player: names(parts, [view.turn]) }) : "";
  return html`<header class="s${seat?.colour ?? 0}"><h1>${seat ? icon(seat.mark || "", true) : nothing}${task(parts)}</h1>
    <p aria-live="polite">${view.notice ? html`<b>${view.notice}</b> ` : nothing}${[other, view.headline].filter(Boolean).join(" · ")}</p></header>`;
}

// -- now ------------------------------------------------------------------------------------------

/** @param {Rec} state */
function now(state) {
  const { parts } = state;
  const { view } = parts;
  const asked = parts.prompts?.length || parts.offers?.length;
  return html`${news(parts)}${guided(view.guide)}
    ${prompts(state)}
    ${parts.prompts?.[0]?.dice ? nothing : html`${selected(state)}${offers(state)}`}
    ${asked ? nothing : html`<p class="quiet">${icon("letter")} ${text(view.me ? "you_wait" : "watching")}</p>`}
    ${undoRow(parts)}`;
}

/** What the newest step came to. @param {Rec} parts */
const news = ({ view }) => (view.result ? html`<p class="card result">${view.result}</p>` : nothing);

/** In a guided turn: what to tap now, and why. @param {Rec|undefined} guide */
const guided = (guide) => guide ? html`<div class="card asked"><small>${guide.step}</small><b>${guide.text}</b>${guide.why ? html`<p>${guide.why}</p>` : nothing}
  ${guide.leave ? choices([guide.leave]) : nothing}</div>` : nothing;

/** What other players ask: at the foot of every page, so that no key moves under a finger. @param {Rec} parts */
const calls = (parts) => html`<aside class="calls" aria-live="polite">${parts.view.me ? proposals(parts) : nothing}</aside>`;

/** Undo names its step, and who must agree; like every row it shows first, and gold does. @param {Rec} parts */
function undoRow(parts) {
  const { view } = parts;
  if (!view.me) return nothing;
  const key = (/** @type {string} */ name, /** @type {string} */ words, /** @type {string[]} */ asks = []) => {
    const gold = state.picked === name;
    const press = () => { show({ picked: gold ? "" : name }); if (gold) act({ [name]: true }); };
    return html`<button class=${gold ? "gold" : "quiet"} ?disabled=${!words} data-do=${name} @click=${press}>${icon(name)}
      <span>${words ? `${text(name)}: ${words}` : text("nothing_to_undo")}${words && asks.length ? html`<small>${text("must_agree", { player: names(parts, asks) })}</small>` : nothing}</span></button>`;
  };
  return html`<div class="undo">${key("undo", view.undo, view.undo_asks)}${view.redo ? key("redo", view.redo, view.redo_asks) : nothing}</div>`;
}

/** The selected piece. @param {Rec} state */
function selected(state) {
  const { parts } = state;
  const piece = (parts.pieces || []).find((/** @type {Rec} */ one) => one.id === parts.view.selected);
  if (!piece) return nothing;
  return pieceCard(state, piece, seatOf(parts, piece.seat), parts.view.corrections);
}

// -- table, mine, score -------------------------------------------------------------------------

/** @param {Rec} state */
function table(state) {
  const { parts } = state;
  const rest = (parts.pages || []).filter((/** @type {Rec} */ one) => !parts.view.secrets?.includes(one.id));
  const offer = (parts.offers || []).find((/** @type {Rec} */ one) => one.tap === state.picked && one.cells);
  const question = parts.prompts?.find((/** @type {Rec} */ one) => one.cells) || (offer && { title: offer.text, text: text("tap_space") });
  const first = parts.view.me && parts.view.acts?.includes(parts.view.me) && !state.ghost ? parts.prompts?.find((/** @type {Rec} */ one) => one.dice) : undefined;
  return html`${question ? html`<p class="card asked"><b>${question.title}</b> ${question.text || ""}</p>` : nothing}
    ${first && !question ? html`<button data-do="now" @click=${() => { show({ tab: "now" }); scrollTo(0, 0); }}>${icon("dice")} ${first.title}</button>` : nothing}${parts.map ? tableMap(state) : nothing}${parts.cards ? cardTable(parts) : nothing}
    ${state.ghost ? nothing : html`${selected(state)}${parts.view.selected ? offers(state) : nothing}`}
    ${rest.map((/** @type {Rec} */ one) => fold(one.title, one.title, boxes(state, one)))}`;
}

/** @param {Rec} state */
function mine(state) {
  const { parts } = state;
  const { view } = parts;
  const secret = (parts.pages || []).filter((/** @type {Rec} */ one) => view.secrets?.includes(one.id));
  const own = (parts.pieces || []).filter((/** @type {Rec} */ piece) => piece.seat === view.me && piece.state !== "lost");
  const cover = html`<button class="cover" data-do="show" @click=${() => show({ hidden: false })}>${icon("eye")}${text("hidden")} – ${text("show")}</button>`;
  return html`${secret.length ? html`<div class="only-you">${icon("eye")}<span>${text("only_you")}</span>
      <button @click=${() => show({ hidden: !state.hidden })} data-do="hide">${text(state.hidden ? "show" : "hide")}</button></div>` : nothing}
    ${secret.length && state.hidden ? cover : secret.map((/** @type {Rec} */ one) => html`<h2>${one.title}</h2>${boxes(state, one, view.me)}`)}
    ${own.length ? html`<h2>${text("your_pieces")}</h2>${own.map((/** @type {Rec} */ piece) => html`
      <button class="row ${piece.state}" @click=${() => { act({ select: piece.id }); show({ tab: "now" }); }}>
        <b>${piece.name}</b><small>${[piece.most ? `${piece.left} / ${piece.most}` : "", ...(piece.badges || [])].filter(Boolean).join(" · ")}</small></button>`)}` : nothing}
    <button class="quiet" data-do="seats" @click=${() => show({ sitting: true })}>${icon("people")} ${text("stand_up")}</button>`;
}

/** @param {Rec} state */
function score(state) {
  const { parts } = state;
  const page = parts.view.score_page;
  return html`${points(parts)}${playersClock(state)}${page ? scoreLines(page) : nothing}${undoRow(parts)}
    <h2>${text("log")}</h2><ol class="log">${(parts.log || []).map((/** @type {Rec} */ line) => html`<li>
      ${line.by ? seatMark(seatOf(parts, line.by[0]), 20) : html`<i></i>`}<span>${line.text}</span></li>`)}</ol>
    ${parts.self.seat ? nothing : html`<button class="quiet" @click=${() => show({ sitting: true })}>${icon("people")} ${text("stand_up")}</button>`}`;
}

/** @param {Rec} parts */
function points(parts) {
  const { score: points } = parts;
  if (!points) return nothing;
  const most = Math.max(1, ...points.seats.map((/** @type {Rec} */ one) => one.goal || one.points));
  return html`<div class="card points">${points.seats.map((/** @type {Rec} */ one) => {
    const seat = seatOf(parts, one.seat);
    return html`<div class="s${seat?.colour ?? 0}">${seatMark(seat)}<b>${seat?.name ?? one.seat}</b>
      <span class="bar"><i .style=${`width:${Math.max(0, Math.min(100, (100 * one.points) / (one.goal || most)))}%`}></i></span>
      <strong>${one.points}</strong><small>${[one.goal ? `${text("goal", { points: one.points, goal: one.goal })} ${one.unit || ""}`.trim() : "", one.detail].filter(Boolean).join(" · ")}</small></div>`;
  })}${points.how ? html`<p>${points.how}</p>` : nothing}</div>`;
}

/** The time of each player; its buttons lie behind one row where no clock is used, and in the hands of those who play. @param {Rec} state */
function playersClock({ parts, clockAt }) {
  const { clock, view } = parts;
  if (!clock || (!clock.used && !view.me)) return nothing;
  const face = (/** @type {Rec} */ side) => {
    const gone = clock.running && clock.side === side.seat ? (Date.now() - clockAt) / 1000 : 0;
    const seconds = Math.trunc(side.left === undefined ? (side.used ?? 0) + gone : side.left - gone);
    return `${seconds < 0 ? "−" : ""}${Math.floor(Math.abs(seconds) / 60)}:${String(Math.abs(seconds) % 60).padStart(2, "0")}`;
  };
  const sides = (clock.sides || []).map((/** @type {Rec} */ side) => html`<div class="s${seatOf(parts, side.seat)?.colour ?? 0}">${seatMark(seatOf(parts, side.seat))}<b>${side.name}</b>
    <span class="steps">${view.me ? choices(side.choices || [], "", true) : nothing}</span><strong>${clock.used ? face(side) : "–"}</strong></div>`);
  return html`<details class="card points clock" ?open=${clock.used}><summary>${text("clock")}</summary>${sides}${clock.text ? html`<p>${clock.text}</p>` : nothing}
    ${view.me ? choices(clock.choices || [], "", true) : nothing}</details>`;
}

/** The cards of a card game. @param {Rec} parts */
function cardTable(parts) {
  const { cards } = parts;
  const card = (/** @type {Rec} */ one) => html`<button class="playing ${one.turned ? "turned" : ""} ${one.marked ? "marked" : ""}"
    @click=${() => act({ select: one.id })}><b>${one.title}</b>${one.icons?.length ? html`<span>${one.icons.map((/** @type {string} */ sign) => icon(sign))}</span>` : nothing}<small>${[one.cost, one.strength, one.note, ...(one.tokens || [])].filter((x) => x !== undefined && x !== "").join(" · ")}</small>
    ${one.power ? html`<em>${one.power}</em>` : nothing}${one.copies ? html`<small>+${one.copies}</small>` : nothing}${(one.attached || []).map((/** @type {Rec} */ two) => html`<small>${two.title}</small>`)}</button>`;
  return html`${cards.contest ? html`<div class="card"><h2>${cards.contest.title}</h2><p>${cards.contest.text} ${cards.contest.note || ""}</p>
      ${cards.contest.sides.map((/** @type {Rec} */ side) => html`<p><b>${names(parts, [side.seat])} ${side.total}</b> ${[side.tag, side.detail].filter(Boolean).join(" · ")}</p>`)}
      ${(cards.contest.lines || []).map((/** @type {string} */ line) => html`<p class="line">${line}</p>`)}</div>` : nothing}
    ${cards.track ? html`<div class="card"><h2>${cards.heading || ""}</h2>${cards.track.map((/** @type {Rec} */ step) => html`<p class=${step.now ? "" : "line"}>${step.now ? html`<b>${step.text}</b>` : step.text} <small>${step.note || ""}</small></p>`)}</div>` : nothing}
    ${cards.seats.map((/** @type {Rec} */ one) => html`<div class="card lane s${seatOf(parts, one.seat)?.colour ?? 0}"><h2>${seatMark(seatOf(parts, one.seat), 26)} ${names(parts, [one.seat])}${one.tag ? html` <small>${one.tag}</small>` : nothing}</h2>
      <p><small>${[one.detail, one.title, one.note, ...(one.numbers || []).map((/** @type {Rec} */ n) => `${n.count} ${n.text}`), ...(one.piles || []).map((/** @type {Rec} */ n) => `${n.text} ${n.count}`)].filter(Boolean).join(" · ")}</small></p>
      ${one.plot ? html`<p><b>${one.plot.title}</b> <small>${(one.plot.numbers || []).map((/** @type {Rec} */ n) => `${n.text} ${n.count}`).join(" · ")}</small></p>` : nothing}
      <div class="hand">${(one.cards || []).map(card)}</div>${one.places ? html`<p><small>${one.text || ""}</small></p><div class="hand">${one.places.map(card)}</div>` : nothing}</div>`)}`;
}

// -- television -----------------------------------------------------------------------------------

/** @param {Rec} state */
function television(state) {
  const { parts } = state;
  const { view } = parts;
  const prompt = parts.prompts?.[0];
  const chances = prompt?.facts?.filter((/** @type {Rec} */ fact) => fact.chance !== undefined);
  const before = (parts.log || []).filter((/** @type {Rec} */ line) => line.text !== view.result).slice(0, 5);
  return html`<div class="tv">${header(parts)}<div class="stage">${parts.live && state.live ? liveImage() : parts.map ? tableMap(state) : cardTable(parts)}</div>
    <div class="strip"><b>${view.notice || prompt?.title || view.result || ""}</b><span>${prompt?.text || ""}</span></div>
    <aside><p>${view.headline || ""}</p>${points(parts)}${playersClock(state)}
      ${view.result || chances ? html`<h2>${text("now")}</h2><p class="result">${view.result || ""}</p>` : nothing}${chances ? facts({ facts: chances }) : nothing}
      <h2>${text("before")}</h2><ol class="log">${before.map((/** @type {Rec} */ line) => html`<li>
        ${line.by ? seatMark(seatOf(parts, line.by[0]), 26) : html`<i></i>`}<span>${line.text}</span></li>`)}</ol>
      ${parts.live ? html`<button class="quiet" data-do="live" @click=${() => show({ live: !state.live })}>${icon("camera")} ${text(state.live ? "table" : "live")}</button>` : nothing}
      <button class="quiet" data-do="seats" @click=${() => show({ sitting: true })}>${icon("people")} ${text("stand_up")}</button></aside></div>`;
}

const LIVE_MS = 400;

/** The camera's newest picture; the next one is fetched when it is here, so nobody who looks away costs anything. */
const liveImage = () => html`<img class="live" alt=${text("live")} src="/live.jpg" @load=${nextImage} @error=${nextImage}>`;

/** @param {Event} event */
function nextImage(event) {
  const image = /** @type {HTMLImageElement} */ (event.target);
  setTimeout(() => image.isConnected && (image.src = `/live.jpg?${Date.now()}`), LIVE_MS);
}

addEventListener("resize", draw);
setInterval(() => state.parts.clock?.running && draw(), 1000);
