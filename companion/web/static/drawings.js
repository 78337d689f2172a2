// @ts-check
// Icons and the marks of seats.
import { html, svg } from "/static/lit-html.js";
import { ICONS } from "/static/icons.js";

/** The marks of the seats, in the order of their colours. */
const MARKS = ["", "peaks", "claws", "antler", "waves", "flame", "tower"];
const SHAPES = ["", "M12 .5A11.5 11.5 0 1 1 11.9 .5Z", "M12 0L24 12L12 24L0 12Z", "M12 0L24 9L19.7 23H4.3L0 9Z", "M1 1H23V23H1Z", "M6 1H18L24 12L18 23H6L0 12Z", "M2 1H22V14L12 24L2 14Z"];

/** @param {string} name @param {boolean} [white] */
export function icon(name, white = false) {
  const path = /** @type {{[name: string]: string}} */ (ICONS)[name];
  if (!path) return "";
  return html`<svg class="icon ${white ? "white" : ""}" viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${path}/>`}</svg>`;
}

/** The shape and mark of a seat: never by colour alone. @param {{[name: string]: any}|undefined} seat @param {number} [size] */
export function seatMark(seat, size = 40) {
  if (!seat) return html`<i></i>`;
  const path = /** @type {{[name: string]: string}} */ (ICONS)[seat.mark || MARKS[seat.colour]] || "";
  return html`<svg class="seat-mark s${seat.colour}" width=${size} height=${size} viewBox="-2 -2 28 28" role="img" aria-label=${seat.name}>
    ${svg`<path class="shape" d=${SHAPES[seat.colour] || SHAPES[1]}/><path class="mark" transform="translate(5 5) scale(.58)" d=${path}/>`}</svg>`;
}
