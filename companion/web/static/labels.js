// @ts-check
// Names and what is left, beside their pieces: none over another, and off other pieces where there is room.

/** @typedef {[number, number, number, number]} Box left, top, right, bottom */
/** @typedef {{id: string, box: Box, name: string, left: string, named: boolean}} Wanted */
/** @typedef {{id: string, lines: string[], x: number, y: number, width: number, height: number}} Label */

const OVER_LABEL = 200, OVER_PIECE = 4, OUTSIDE = 100, WITHOUT_NAME = 12;
const PAD = 0.4;
/** All in heights of the letters: from line to line, and the line around a label. */
export const LINE = 1.15, EDGE = 0.12;
const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));

/** How often each label is placed anew, as the others lie by then. */
const ROUNDS = 3;

/** Each label where it covers least. @param {Wanted[]} wanted @param {number} size of the letters @param {number} width of the map @param {number} depth */
export function placed(wanted, size, width, depth) {
  /** @type {Map<string, Label>} */ const labels = new Map();
  for (const one of Array.from({ length: ROUNDS }, () => wanted).flat()) {
    const others = wanted.filter((other) => other !== one).map((other) => other.box);
    labels.delete(one.id);
    const taken = [...labels.values()].map(boxOf);
    const cost = (/** @type {Label} */ label) => {
      const box = boxOf(label);
      const area = label.width * label.height;
      return (OVER_LABEL * over(box, taken) + OVER_PIECE * over(box, others) + OUTSIDE * (area - common(box, [0, 0, width, depth]))) / area;
    };
    const tried = candidates(one, size).map((label, at) => ({ label, cost: cost(label) + at / 100 + (label.lines.join("") === one.left ? WITHOUT_NAME : 0) }));
    if (tried.length) labels.set(one.id, tried.reduce((best, other) => (other.cost < best.cost ? other : best)).label);
  }
  return [...labels.values()];
}

/** The ways to write and to place a label, the usual first. @param {Wanted} one @param {number} size @returns {Label[]} */
function candidates({ id, box: [left, top, right, bottom], name, left: count, named }, size) {
  const whole = withCount(name, count);
  const ways = [...new Set([whole, halves(name, count).join("\n"), ...(named || !count ? [] : [count])])].filter(Boolean);
  return ways.flatMap((way) => {
    const lines = way.split("\n");
    const width = Math.max(...lines.map((line) => wide(line) * size)) + (2 * PAD + EDGE) * size;
    const height = (lines.length * LINE + PAD + EDGE) * size;
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const [below, above, after, before] = [bottom + height / 2, top - height / 2, right + width / 2, left - width / 2];
    return [[x, below], [x, above], [after, y], [before, y], [x, y], [after, below], [before, below], [after, above], [before, above]].map(([x, y]) => ({ id, lines, x, y, width, height }));
  });
}

/** A name on two lines, what is left on the second. @param {string} name @param {string} count */
function halves(name, count) {
  const spaces = [...name.matchAll(/ /g)].map((found) => found.index);
  if (!spaces.length) return [name, count];
  const middle = spaces.reduce((best, at) => (Math.abs(at - name.length / 2) < Math.abs(best - name.length / 2) ? at : best));
  return [name.slice(0, middle), withCount(name.slice(middle + 1), count)];
}

/** What is left behind a name, apart from the name's own number. @param {string} name @param {string} count */
const withCount = (name, count) => [name, count].filter(Boolean).join(/\d$/.test(name) ? " · " : " ");

/** How wide a text is, in heights of its letters. @param {string} words */
function wide(words) {
  pen.font = "700 100px Narrow, sans-serif";
  return pen.measureText(words).width / 100;
}

/** @param {Label} label @returns {Box} */
const boxOf = ({ x, y, width, height }) => [x - width / 2, y - height / 2, x + width / 2, y + height / 2];

/** @param {Box} one @param {Box} two */
const common = (one, two) => Math.max(0, Math.min(one[2], two[2]) - Math.max(one[0], two[0])) * Math.max(0, Math.min(one[3], two[3]) - Math.max(one[1], two[1]));

/** @param {Box} box @param {Box[]} others */
const over = (box, others) => others.reduce((sum, other) => sum + common(box, other), 0);
