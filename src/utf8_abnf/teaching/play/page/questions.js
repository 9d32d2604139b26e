// The questions of the exercises that ask for verdicts, always the same for the same number; and the points for answers.
import { encode } from "./state.js";

const LENGTHS = 10; // of words, from 3 bytes on
const MAX_WORD = 30; // bytes
const POINT_ROWS = [[0x21, 0x7e], [0x80, 0x7ff], [0x800, 0xd7ff], [0x10000, 0x10ffff]];

/** Numbers below a limit, always the same for *text*. */
export function randomFrom(text) {
  let seed = encode(text).reduce((hash, byte) => Math.imul(hash ^ byte, 16777619) >>> 0, 2166136261); // FNV-1a
  return (below) => {
    seed = (Math.imul(seed ^ (seed >>> 15), 2246822519) + 374761393) >>> 0;
    return seed % below;
  };
}

/**
 * A word of the automaton's language of 3 + *number* bytes or more, as it is or with a mistake: a byte changed to the
 * edge of a class (two times out of four), or one byte left out. From MAX_WORD bytes on it takes the shortest way to its end.
 */
export function randomWord(automaton, number, random) {
  const { start, table, classes, accepting } = automaton;
  const far = distances(automaton);
  const least = 3 + Math.min(number, LENGTHS - 1);
  const bytes = [];
  let state = start;
  while (bytes.length < least || !accepting.has(state)) {
    const targets = new Map(); // in the order of their lowest bytes
    for (let byte = 0; byte < 256; byte++) {
      const target = table[state][classes[byte]];
      const wanted = bytes.length < MAX_WORD ? far.has(target) : far.get(target) < far.get(state);
      if (wanted) targets.set(target, [...(targets.get(target) ?? []), byte]);
    }
    if (!targets.size) break; // no longer word begins so
    const choice = [...targets.values()][random(targets.size)];
    bytes.push(choice[random(choice.length)]);
    state = table[state][classes[bytes.at(-1)]];
  }
  const mistake = random(4);
  if (!mistake) return bytes;
  const place = random(bytes.length);
  if (mistake === 3) return [...bytes.slice(0, place), ...bytes.slice(place + 1)];
  const differ = (byte) => table.some((row) => row[classes[byte]] !== row[classes[byte - 1]]);
  const edges = Array.from({ length: 255 }, (_, i) => i + 1).flatMap((byte) => (differ(byte) ? [byte - 1, byte] : []));
  bytes[place] = edges[random(edges.length)];
  return bytes;
}

/** How many bytes each state is away from accepting; states from which nothing is accepted are left out. */
function distances({ table, accepting }) {
  const far = new Map([...accepting].map((state) => [state, 0]));
  for (let size = -1, steps = 1; size !== far.size; steps++) {
    size = far.size;
    const near = new Set(far.keys());
    table.forEach((row, state) => !near.has(state) && row.some((target) => near.has(target)) && far.set(state, steps));
  }
  return far;
}

/** A number of each length in turn. */
export function randomPoint(number, random) {
  const [low, high] = POINT_ROWS[number % POINT_ROWS.length];
  return low + random(high - low + 1);
}

/** The points of one exercise: a right first answer adds one, a wrong one takes one away; *always*: for one and the same. */
export function newScore() {
  const points = { points: 0, asked: 0, always: 0, next: 0 };
  const count = (right, wanted) => {
    points.asked++;
    points.points += right ? 1 : -1;
    points.always += wanted === null ? 1 : -1;
  };
  return { points, count };
}
