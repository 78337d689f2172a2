// @ts-check
// Prompts, dice, forms and offers: rows show, gold and answer keys do.
import { html, nothing } from "/static/lit-html.js";
import { act, draw, note, show, soon, state, text } from "/static/app.js";
import { icon, seatMark } from "/static/drawings.js";
import { lift, nearer } from "/static/map.js";

/** @typedef {{[name: string]: any}} Rec */

/** What the game asks; what another player asks is shown on every page. @param {Rec} parts @returns {Rec[]} */
const asked = (parts) => (parts.prompts || []).filter((/** @type {Rec} */ one) => !one.id?.endsWith("proposal"));

/** What another player asks comes up by itself, perhaps under a finger: its answers show first, and gold does. @param {Rec} parts */
export const proposals = (parts) => (parts.prompts || []).filter((/** @type {Rec} */ one) => one.id?.endsWith("proposal")).map((/** @type {Rec} */ one) => html`
  <div class="card asked"><b>${one.title}</b><p>${one.text}</p><div class="answers">${choices((one.choices || []).map((/** @type {Rec} */ choice) => ({ ...choice, look: "plain" })))}</div></div>`);

/** @param {Rec} parts @param {string} id */
const seatName = (parts, id) => parts.view.seats.find((/** @type {Rec} */ one) => one.id === id)?.name || "";

/** What is seldom meant, behind one row; it stays as this player leaves it. @param {string} key @param {any} title @param {any} body @param {string} [look] */
export const fold = (key, title, body, look = "") => html`<details class=${look} .open=${state.folds.has(key)}
  @toggle=${(/** @type {any} */ event) => { if (event.target.open) state.folds.add(key); else state.folds.delete(key); }}><summary>${title}</summary>${body}</details>`;

/** @param {Rec} state */
export function prompts({ parts }) {
  return asked(parts).map((/** @type {Rec} */ prompt) => html`
    <section class="prompt ${prompt.secret ? "secret" : ""}"><h2>${prompt.title}</h2>${prompt.text ? html`<p>${prompt.text}</p>` : nothing}
      ${(prompt.totals || []).map((/** @type {Rec} */ total) => html`<p class="total">${seatName(parts, total.seat)} <strong>${total.total}</strong> ${total.detail || ""}</p>`)}
      ${facts(prompt)}${rolled(prompt)}
      ${prompt.before ? html`<p class="warn">${prompt.before}</p>` : nothing}
      ${(prompt.dice || []).map(dice)}
      ${choices((prompt.choices || []).filter((/** @type {Rec} */ one) => !one.elsewhere), prompt.id, false, (prompt.forms || []).some(marked))}
      ${(prompt.pieces || []).filter((/** @type {Rec} */ piece) => !(piece.selects && prompt.forms?.some((/** @type {Rec} */ one) => !one.opens))).map((/** @type {Rec} */ piece) => row(piece.text || piece.piece, "", () => act({ tap: piece.tap }), { tap: piece.tap, on: piece.piece === parts.view.selected }))}
      ${(prompt.cells || []).filter((/** @type {Rec} */ cell) => cell.place).map((/** @type {Rec} */ cell) => row(cell.place, cell.detail || "", () => act({ tap: cell.tap }), { tap: cell.tap, right: cell.text }))}
      ${prompt.cells ? html`<button data-do="cells" @click=${() => { show({ tab: "table" }); nearer(); }}>${icon("map")} ${text("table")}</button>` : nothing}
      ${(prompt.forms || []).map(form)}
      ${prompt.page ? html`<button data-do="page" @click=${() => show({ tab: prompt.page === "score" ? "score" : "mine" })}>${prompt.page_title}</button>` : nothing}
      ${rules(prompt)}
    </section>`);
}

/** The rules that it follows, for those who ask. @param {Rec} prompt */
const rules = ({ why }) => (why ? html`<p class="quiet">${why}</p>` : nothing);

/** @param {Rec} prompt */
export const facts = (prompt) => prompt.facts ? html`<ul class="facts">${prompt.facts.map((/** @type {Rec} */ fact) => html`
  <li class=${fact.tone || ""}>${fact.about?.length ? fold(fact.text.replace(/\d+/g, ""), fact.text, fact.about.map((/** @type {string[]} */ [piece, words]) => row(words, "", () => act({ select: piece }), { on: piece === state.parts.view.selected })))
    : html`<span>${fact.text}</span>`}</li>`)}</ul>` : nothing;

/** @param {Rec} prompt */
const rolled = ({ rolled: faces, rolled_symbols: symbols }) => faces ? html`<p class="rolled">${symbols
  ? symbols.map((/** @type {Rec} */ one) => html`<span class="die">${icon(one.icon || "")}${one.name}</span>`)
  : faces.map((/** @type {any} */ face) => html`<span class="die">${face}</span>`)}</p>` : nothing;

/** Buttons: a row shows, gold does; what is seldom meant lies behind one row.
 * @param {Rec[]} every @param {string} [about] the piece or the question that they belong to @param {boolean} [once] whether a tap does it at once @param {boolean} [other] whether something else is gold */
export function choices(every, about, once, other) {
  const list = every.filter((choice) => !(state.hidden && choice.name?.startsWith("choice:play")));
  const folded = list.filter((choice) => choice.look === "folded");
  const picked = other || list.some((choice) => choice.tap === state.picked); // one of them is gold, not two
  return html`${list.filter((choice) => choice.look !== "folded").map((choice) => button(choice, about, once, picked))}
    ${folded.length ? fold("cards", html`${icon("cards")} ${text("other_cards")} (${folded.length})`, folded.map((choice) => button(choice))) : nothing}`;
}

/** @param {Rec} choice @param {string} [about] @param {boolean} [once] @param {boolean} [picked] */
function button(choice, about, once, picked) {
  const tray = choice.name === "move-tray" && state.parts.pieces?.find((/** @type {Rec} */ one) => one.id === about && one.place);
  const press = () => {
    if (tray && state.parts.map) lift(tray, state.parts.map);
    act({ tap: choice.tap });
  };
  const gold = state.picked === choice.tap || (choice.look === "primary" && !picked);
  const does = html`<button class=${gold ? "gold" : choice.look || "plain"} data-tap=${choice.tap} ?disabled=${state.busy.has(choice.tap)}
    @click=${press}>${icon(choice.icon || "")}<span>${choice.text}${choice.detail ? html`<small>${choice.detail}</small>` : nothing}</span></button>`;
  if (once || gold || choice.asks || tray) return does;
  const first = () => { show({ picked: choice.tap }); if (choice.piece && choice.piece !== state.parts.view.selected) act({ select: choice.piece }); };
  return html`<button class="plain" data-shows=${choice.tap} @click=${first}>${icon(choice.icon || "")}<span>${choice.text}${choice.detail ? html`<small>${choice.detail}</small>` : nothing}</span></button>`;
}

/** @param {any} title @param {any} detail @param {() => void} does @param {Rec} more */
const row = (title, detail, does, more = {}) => html`<button class="row ${more.on ? "on" : ""}" data-tap=${more.tap || ""} aria-pressed=${Boolean(more.on)}
  ?disabled=${more.tap && state.busy.has(more.tap)} @click=${does}><b>${title}</b><small>${detail}</small>${more.right ? html`<strong>${more.right}</strong>` : nothing}</button>`;

// -- dice -----------------------------------------------------------------------------------------

/** @param {Rec} dice */
function dice(dice) {
  const draft = state.drafts.get(dice.tap) || { faces: [], by: dice.by_count ? "count" : "faces" };
  const keep = (/** @type {Rec} */ change) => { state.drafts.set(dice.tap, { ...draft, ...change }); draw(); };
  const press = (/** @type {Rec} */ key) => {
    if (draft.by === "count") return act({ tap: dice.tap, count: key.value });
    const faces = [...draft.faces, key.value];
    keep({ faces });
    if (faces.length === dice.count) act({ tap: dice.tap, faces });
  };
  const counted = draft.by === "count";
  const keys = (counted ? dice.count_keys : dice.face_keys) || [];
  const most = Math.max(0.01, ...keys.map((/** @type {Rec} */ key) => key.chance || 0));
  const busy = state.busy.has(dice.tap);
  return html`<div class="dice">${thrown(dice)}<h3>${counted ? dice.text : dice.face_text || dice.text}</h3>
    ${counted ? nothing : html`<p class="rolled">${Array.from({ length: dice.count }, (_, at) => html`<span class="die ${at < draft.faces.length ? "" : "empty"}">${at < draft.faces.length ? faceUp(dice, draft.faces[at]) : ""}</span>`)}
      <button class="quiet" ?disabled=${busy || !draft.faces.length} @click=${() => keep({ faces: [] })}>${text("clear")}</button></p>`}
    <div class="keys">${keys.map((/** @type {Rec} */ key) => html`<button class="key ${key.tone || ""}" data-tap=${dice.tap} data-value=${key.value} ?disabled=${busy} @click=${() => press(key)}>
        ${key.chance === undefined ? nothing : html`<i .style=${`height:${Math.round((70 * key.chance) / most)}%`}></i>`}
        <b class=${key.text.length > 2 ? "word" : ""}>${icon(key.symbol?.icon || "")}${key.text}</b>
        <small>${[key.symbol?.detail, key.odds].filter(Boolean).join(" · ")}</small></button>`)}
      ${dice.app_rolls ? html`<button class="key" data-tap=${dice.tap} data-value="app" ?disabled=${busy} @click=${() => act({ tap: dice.tap })}>${icon("dice")}<small>${text("app_rolls")}</small></button>` : nothing}
    </div>
    ${dice.by_count && dice.by_faces ? html`<button class="quiet" @click=${() => keep({ by: counted ? "faces" : "count", faces: [] })}>${text(counted ? "by_faces" : "by_count")}</button>` : nothing}</div>`;
}

/** What the camera reads of these dice: taken with one tap, a die in doubt is said first. @param {Rec} dice */
function thrown(dice) {
  const fits = (/** @type {Rec|undefined} */ one) => one && one.count === dice.count && one.sides === dice.sides;
  const photo = state.photo?.tap === dice.tap ? state.photo : undefined;
  const read = [photo, state.parts.throw].find(fits);
  if (dice.by_faces === undefined) return nothing;
  if (!read) return photograph(dice);
  const key = `throw:${read.number}`;
  const draft = state.drafts.get(key) || { faces: read.faces, doubtful: read.doubtful, at: read.doubtful[0] };
  const keep = (/** @type {Rec} */ change) => { state.drafts.set(key, { ...draft, ...change }); draw(); };
  const correct = (/** @type {number} */ face) => {
    const doubtful = draft.doubtful.filter((/** @type {number} */ one) => one !== draft.at);
    keep({ faces: draft.faces.map((/** @type {number} */ old, /** @type {number} */ at) => (at === draft.at ? face : old)), doubtful, at: doubtful[0] });
  };
  const look = read === photo ? photograph(dice) : nothing;
  if (!draft.faces.length) return html`<p class="quiet">${icon("dice")} ${text(`throw_${read.phase.replace(" ", "_")}`)}</p>${look}`;
  const complete = draft.faces.length === dice.count && !draft.doubtful.length;
  const words = draft.faces.length !== dice.count ? "throw_number" : draft.doubtful.length ? "throw_doubt" : "throw_reads";
  return html`<p>${text(words, { n: draft.faces.length, count: dice.count })}</p>
    <p class="rolled">${draft.faces.map((/** @type {number} */ face, /** @type {number} */ at) => html`<button class="die ${at === draft.at ? "on" : ""}" data-die=${at}
      @click=${() => keep({ at: at === draft.at ? undefined : at })}>${draft.doubtful.includes(at) ? "?" : faceUp(dice, face)}</button>`)}</p>
    ${draft.at === undefined ? nothing : html`<div class="keys">${(dice.face_keys || []).map((/** @type {Rec} */ one) => html`<button class="key" data-face=${one.value} @click=${() => correct(one.value)}><b class=${one.text.length > 2 ? "word" : ""}>${icon(one.symbol?.icon || "")}${one.text}</b></button>`)}</div>`}
    ${complete ? html`<button class="gold" data-do="take" ?disabled=${state.busy.has(dice.tap)} @click=${() => act({ tap: dice.tap, faces: draft.faces })}>${text("take_it")}</button>` : nothing}${look}`;
}

const PHOTO_PX = 1600;
const READ_SIDES = [3, 6, 10];

/** A photo of the dice on their mat, taken by this phone. @param {Rec} dice */
const photograph = (dice) => READ_SIDES.includes(dice.sides) ? html`<label class="quiet photo">${icon("camera")} ${text("photograph")}
  <input type="file" accept="image/*" capture="environment" data-do="photo" @change=${(/** @type {Event} */ event) => sendPhoto(dice, event)}></label>` : nothing;

/** @param {Rec} dice @param {Event} event */
async function sendPhoto(dice, event) {
  const input = /** @type {HTMLInputElement} */ (event.target);
  const file = input.files?.[0];
  if (!file) return;
  const picture = await createImageBitmap(file).catch(() => null);
  input.value = "";
  if (!picture) return note(text("no_photo"));
  const scale = Math.min(1, PHOTO_PX / Math.max(picture.width, picture.height));
  const canvas = Object.assign(document.createElement("canvas"), { width: picture.width * scale, height: picture.height * scale });
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const body = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9));
  note(text("reading"));
  const answer = await fetch(`/throw/${dice.count}d${dice.sides}`, { method: "POST", body }).catch(() => null);
  if (!answer?.ok) return note(text("no_photo"));
  note("");
  show({ photo: { ...(await answer.json()), tap: dice.tap, number: `photo ${Date.now()}` } });
}

/** A face as its key shows it: symbols with their icon. @param {Rec} dice @param {number} face */
function faceUp(dice, face) {
  const key = (dice.face_keys || []).find((/** @type {Rec} */ one) => one.value === face);
  return html`${icon(key?.symbol?.icon || "")}${key?.text ?? face}`;
}

// -- forms ----------------------------------------------------------------------------------------

/** @param {any} one @param {any} two */
const same = (one, two) => JSON.stringify(one) === JSON.stringify(two);

/** Whether dice on the table are marked to roll again: gold does that, and nothing else. @param {Rec} form */
const marked = (form) => form.rolls && !form.opens && state.drafts.get(form.tap)?.[form.rolls]?.length > 0;

/** A form: gold sends it, and says what was chosen; a quick one asks for one thing after the other. @param {Rec} form */
export function form(form) {
  const offered = (/** @type {[string, any]} */ [name, value]) => form.fields.some((/** @type {Rec} */ field) => field.name === name && (!field.options
    || (field.kind === "several" ? value : [value]).every((/** @type {any} */ one) => field.options.some((/** @type {Rec} */ option) => same(option.value, one)))));
  const values = Object.fromEntries(Object.entries(state.drafts.get(form.tap) || {}).filter(offered)); // what can be chosen no longer is dropped
  const held = (/** @type {Rec} */ field) => (field.name in values ? values[field.name] : field.value ?? (field.kind === "number" && !field.options ? field.least ?? 0 : undefined));
  const chosen = form.fields.map(held);
  const asked = form.fields.filter((/** @type {Rec} */ field) => !field.only_for || field.only_for.some((/** @type {any} */ wanted) => chosen.some((/** @type {any} */ one) => same(one, wanted))));
  const lacks = (/** @type {Rec} */ given) => asked.filter((/** @type {Rec} */ field) => (field.required || field.sends) && [undefined, null, "", "[]"].includes(emptied(field.name in given ? given[field.name] : held(field))));
  const send = (/** @type {Rec} */ given) => act({ tap: form.tap, values: Object.fromEntries(asked.filter((/** @type {Rec} */ field) => field.name in given).map((/** @type {Rec} */ field) => [field.name, given[field.name]])) });
  const keep = (/** @type {Rec} */ field, /** @type {any} */ value) => {
    const given = { ...values, [field.name]: value };
    state.drafts.set(form.tap, given);
    const fields = () => [...document.querySelectorAll(`[data-form="${form.tap}"]`)];
    const before = fields().length;
    draw();
    soon(() => { if (fields().length > before) fields().at(-1)?.scrollIntoView({ block: "center" }); }); // gold lies over no new question
  };
  const worth = asked.flatMap((/** @type {Rec} */ field) => (field.worth || []).filter((/** @type {number} */ _, /** @type {number} */ at) => (held(field) || []).some((/** @type {any} */ one) => same(one, field.options[at].value))));
  const total = worth.reduce((/** @type {number} */ sum, /** @type {number} */ one) => sum + one, 0);
  const clash = (form.single || []).filter((/** @type {any} */ one) => Object.values(values).flat().some((value) => same(value, one))).length > 1;
  const ready = !clash && !lacks(values).length && (form.most === undefined || total <= form.most);
  const tally = (clash ? form.single_text : form.tallies?.[total]) || "";
  const told = asked.filter((/** @type {Rec} */ field) => field.options && field.name in values).flatMap((/** @type {Rec} */ field) => field.options.filter((/** @type {Rec} */ one) => [held(field)].flat().some((value) => same(value, one.value))).map((/** @type {Rec} */ one) => one.text));
  const detail = [...told, tally].filter(Boolean).join(" · ");
  const golden = form.look === "primary" || form.quick || marked(form) || form.fields.some((/** @type {Rec} */ field) => field.sends);
  const first = !golden && state.picked !== form.tap; // a row shows, gold does
  const press = html`<button class=${first ? `plain ${ready && told.length ? "press" : ""}` : ready || told.length ? "gold" : "gold still"} data-tap=${first ? "" : form.tap} data-shows=${first ? form.tap : ""} ?disabled=${!ready || state.busy.has(form.tap)} @click=${() => { if (first) show({ picked: form.tap }); else send(values); }}><span>${form.text || text("send")}${detail ? html`<small>${detail}</small>` : nothing}</span></button>`;
  const open = form.fields.filter((/** @type {Rec} */ field) => asked.includes(field) && (field.name in values || lacks(values)[0] === field));
  const shownFields = form.quick ? open : asked;
  const body = html`${form.detail ? html`<p>${form.detail}</p>` : nothing}${shownFields.map((/** @type {Rec} */ field) => entry(field, held(field), keep, field.name === form.rolls, form.tap))}${form.quick && !ready ? nothing : press}`;
  return form.opens ? fold(`form ${form.text}`, form.text, body, "form") : html`<div class="form">${form.quick ? html`<h3>${form.text}</h3>` : nothing}${body}</div>`;
}

/** A value; an empty list as text. @param {any} value */
const emptied = (value) => (Array.isArray(value) && !value.length ? "[]" : value);

/** @param {Rec} field @param {any} value @param {(field: Rec, value: any) => void} keep @param {boolean} dice of which the tapped ones are rolled again @param {string} form */
function entry(field, value, keep, dice, form) {
  if (field.options) {
    const several = field.kind === "several";
    const list = several ? value || [] : [];
    const on = (/** @type {any} */ option) => (several ? list.some((/** @type {any} */ one) => same(one, option)) : same(value, option));
    const next = (/** @type {any} */ option) => (!several ? option : on(option) ? list.filter((/** @type {any} */ one) => !same(one, option)) : list.length < (field.most ?? 0) ? [...list, option] : list);
    return html`<fieldset data-form=${form}><legend>${field.text || ""}</legend>${field.options.map((/** @type {Rec} */ option) => html`
      <button class="${dice ? "die" : "option"} ${on(option.value) ? "on" : ""}" aria-pressed=${on(option.value)} data-value=${JSON.stringify(option.value)} @click=${() => keep(field, next(option.value))}>${option.text}</button>`)}</fieldset>`;
  }
  if (field.kind === "number") {
    const number = value ?? field.least ?? 0;
    const step = (/** @type {number} */ by) => keep(field, Math.min(Math.max(number + by, field.least ?? 0), field.most ?? 0));
    return html`<fieldset class="number"><legend>${field.text || ""}</legend><button @click=${() => step(-1)} aria-label="−">−</button><b>${number}</b><button @click=${() => step(1)} aria-label="+">+</button></fieldset>`;
  }
  return html`<label>${field.text || ""}<input maxlength="200" .value=${value ?? ""} @change=${(/** @type {any} */ event) => keep(field, event.target.value)}></label>`;
}

// -- pieces and what they may do ------------------------------------------------------------------

/** @param {Rec} state */
export function offers({ parts, picked }) {
  const list = parts.offers || [];
  const name = (/** @type {string} */ id) => (parts.pieces || []).find((/** @type {Rec} */ piece) => piece.id === id)?.name || "";
  const chosen = list.find((/** @type {Rec} */ one) => one.tap === picked);
  const pick = (/** @type {Rec} */ offer) => {
    show({ picked: offer.tap });
    if (offer.cells && state.tab === "table") nearer();
    if (offer.piece && offer.piece !== parts.view.selected) act({ select: offer.piece });
  };
  const gold = chosen && !chosen.asks?.includes("cell");
  return html`${list.map((/** @type {Rec} */ offer) => row(offer.text,
      [offer.piece === parts.view.selected ? "" : name(offer.piece), offer.detail, offer.expected, offer.verdict === "unsure" ? offer.reason : ""].filter(Boolean).join(" · "),
      () => pick(offer), { tap: offer.tap, on: offer.tap === picked, right: offer.odds }))}
    ${chosen?.cells && state.tab !== "table" ? html`<button class="gold" data-do="cells" @click=${() => { show({ tab: "table" }); nearer(); }}>${icon("map")} ${chosen.text}</button>` : nothing}
    ${gold ? html`<button class="gold" data-gold=${chosen.tap} ?disabled=${state.busy.has(chosen.tap)} @click=${() => take(parts, chosen)}>${chosen.text}</button>` : nothing}
    ${parts.refused?.length && parts.view.selected ? fold("why_not", text("why_not"), parts.refused.map((/** @type {Rec} */ one) => html`<p class="refused"><b>${one.text}</b> <small>${[one.reason, ...(one.why || [])].filter(Boolean).join(" · ")}</small></p>`)) : nothing}`;
}

/** Carry out an offer; one that moves a tray goes on at the map. @param {Rec} parts @param {Rec} offer */
function take(parts, offer) {
  const piece = (parts.pieces || []).find((/** @type {Rec} */ one) => one.id === offer.piece);
  if (offer.moves && piece?.place && parts.map?.pieces) lift(piece, parts.map, offer.kind);
  else act({ tap: offer.tap });
}

/** @param {Rec} state @param {Rec} piece @param {Rec|undefined} seat @param {Rec|undefined} corrections */
export function pieceCard(state, piece, seat, corrections) {
  return html`<section class="card piece s${seat?.colour ?? 0}"><h2>${seatMark(seat, 32)} ${piece.name}${piece.leader ? " ★" : ""}
      <button class="quiet close" aria-label=${text("close")} @click=${() => act({ select: null })}>${icon("cross")}</button></h2>
    <p><small>${[piece.most ? `${piece.left} / ${piece.most}` : "", ...(piece.badges || [])].filter(Boolean).join(" · ")}</small></p>
    ${[...(piece.lines || []), piece.note].filter(Boolean).map((/** @type {string} */ line) => html`<p class="line">${line}</p>`)}
    ${corrections ? fold("correct", html`${icon("pencil")} ${text("correct")}`, boxes(state, corrections)) : nothing}</section>`;
}

/** A page of the game: its sections, each under its heading. @param {Rec} state @param {Rec} page @param {string} [seat] */
export function boxes(state, page, seat) {
  const mine = (/** @type {Rec} */ section) => (section.boxes || []).filter((/** @type {Rec} */ box) => !seat || !box.seat || box.seat === seat);
  const sections = (page.sections || []).filter((/** @type {Rec} */ one) => mine(one).length || (!seat && one.text));
  return html`${page.badge ? html`<p class="line">${page.badge}</p>` : nothing}
    ${sections.map((/** @type {Rec} */ one) => html`${section(one)}${mine(one).map(box)}`)}
    ${(page.forms || []).map((/** @type {Rec} */ one) => html`<div class="card">${form(one)}</div>`)}`;
}

/** What stands over a section. @param {Rec} section */
const section = ({ title, tag, text: words }) => html`${title ? html`<h3>${title}${tag ? html` <small>${tag}</small>` : nothing}</h3>` : nothing}${words ? html`<p class="line">${words}</p>` : nothing}`;

/** @param {Rec} box */
const box = (box) => html`<div class="card box"><h3><span>${box.badge ? html`<small>${box.badge}</small>` : nothing}${box.title}</span>${box.count === undefined ? nothing : html`<strong>${box.count}</strong>`}</h3>
  ${[...(box.lines || []), box.note].filter(Boolean).map((/** @type {string} */ line) => html`<p>${line}</p>`)}${choices(box.choices || [])}</div>`;

/** Why points are given, what corrects them, and the button that takes them. @param {Rec} page */
export function scoreLines(page) {
  return html`${page.won ? html`<p class="card result">${page.won} ${page.how || ""}</p>` : nothing}
    ${(page.lines || []).map((/** @type {Rec} */ line) => html`<div class="card box"><h3><span>${line.seat ? html`<small>${seatName(state.parts, line.seat)}</small>` : nothing}${line.text}</span><strong>${line.points ?? 0}</strong></h3>
      ${line.sure ? line.detail ? html`<p>${line.detail}</p>` : nothing : html`<p class="warn">${text("unsure")}</p>`}${choices(line.choices || [])}</div>`)}
    ${page.confirm ? choices([page.confirm]) : nothing}
    ${page.terms ? html`<div class="card box"><h3>${page.terms_title}</h3>${page.terms.map((/** @type {string} */ line) => html`<p>${line}</p>`)}</div>` : nothing}${choices(page.ends || [])}
    ${(page.seats || []).filter((/** @type {Rec} */ one) => one.form).map((/** @type {Rec} */ one) => form(one.form))}`;
}
