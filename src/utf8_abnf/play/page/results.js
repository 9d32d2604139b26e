// Results: the questions that belong to a student, the first answers to them, and the code that holds these answers.
// utf8_abnf/play/results.py asks the same questions again, so that `utf8-abnf grade --codes` can judge the answers.
import { encode } from "./state.js";

export const QUESTIONS = 10; // for each exercise that has a result
const PLACE = "utf8-abnf results"; // in the browser's storage
const POINT_ROWS = [[0x21, 0x7e], [0x80, 0x7ff], [0x800, 0xd7ff], [0x10000, 0x10ffff]];

/** Numbers below a limit, always the same for *text*. */
export function randomFrom(text) {
  let seed = encode(text).reduce((hash, byte) => Math.imul(hash ^ byte, 16777619) >>> 0, 2166136261); // FNV-1a
  return (below) => {
    seed = (Math.imul(seed ^ (seed >>> 15), 2246822519) + 374761393) >>> 0;
    return seed % below;
  };
}

/** Well-formed text of three bytes or more, in which two times out of three one byte is changed. */
export function randomInput(machine, random) {
  const bytes = [];
  let state = machine.table.start;
  while (bytes.length < 3 || !machine.table.states[state].accepting) {
    const ranges = machine.expected(state);
    const [low, high] = ranges[random(ranges.length)];
    bytes.push(low + random(high - low + 1));
    state = machine.step(state, bytes.at(-1));
  }
  if (random(3)) {
    const edges = machine.table.class_of.flatMap((each, byte, all) => (byte && each !== all[byte - 1] ? [byte - 1, byte] : []));
    bytes[random(bytes.length)] = edges[random(edges.length)];
  }
  return bytes;
}

/** A number of each length in turn. */
export function randomPoint(number, random) {
  const [low, high] = POINT_ROWS[number % POINT_ROWS.length];
  return low + random(high - low + 1);
}

/** The student of this page, with the first answers to each exercise: {student, predict: [], code: []}. */
export const result = { student: "", predict: [], code: [] };

/** Makes *student* the one of this page; answers that this machine has kept come back. */
export function choose(student) {
  Object.assign(result, { predict: [], code: [] }, student ? kept()[student] : {}, { student });
}

/** Keeps the first answer to question *number*; the name and the answers stay in this browser. */
export function keepAnswer(exercise, number, answer) {
  if (!result.student || number >= QUESTIONS || (result[exercise][number] ?? null) !== null) return;
  result[exercise][number] = answer;
  const { student, predict, code } = result;
  store({ ...kept(), [student]: { predict, code } });
}

/** Version, student, and the answers of each exercise with full stops between them; "-" where there is none. */
export function resultCode() {
  const list = (answers) => Array.from({ length: answers.length }, (_, i) => answers[i] ?? "-").join(".");
  return ["1", encodeURIComponent(result.student), `predict=${list(result.predict)}`, `code=${list(result.code)}`].join("/");
}

/** The students that this machine knows; without storage, or with something else in it, none. */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(PLACE)) ?? {};
  } catch {
    return {};
  }
}

function store(all) {
  try {
    localStorage.setItem(PLACE, JSON.stringify(all));
  } catch {
    // No storage here: the answers last as long as the page.
  }
}
