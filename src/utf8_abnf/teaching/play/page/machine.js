// Stepping: what the automaton and the grammar do with each byte. Everything about UTF-8 comes from the table of
// derived/ and from the grammar's text; only the naive decoder has byte values of its own.
import { alternatives, hex, readGrammar } from "./abnf.js";

/** The machine of one page: *table* is derived/utf8-automaton.json, *text* the grammar, *reasons* those of messages.py. */
export class Machine {
  constructor(table, text, reasons) {
    this.table = table;
    this.reasons = reasons;
    this.grammar = readGrammar(text, { core: false });
    const terminals = new Map();
    const walk = (node) => {
      if (node.kind === "bytes") terminals.set(`${node.line}:${node.column}`, node);
      for (const item of node.items ?? (node.item ? [node.item] : [])) walk(item);
    };
    for (const rule of this.grammar.rules.values()) walk(rule.body);
    this.places = table.places.map((place) => {
      const node = terminals.get(`${place.line}:${place.column}`);
      return { ...place, node, range: node.seq[0][0] };
    });
    this.reads = new Map(table.reads.map(([state, cls, places]) => [`${state}:${cls}`, places]));
  }

  step(state, byte) {
    return this.table.next[state][this.table.class_of[byte]];
  }

  accepts(bytes) {
    return this.table.states[bytes.reduce((state, byte) => this.step(state, byte), this.table.start)].accepting;
  }

  /** The byte ranges that do not lead to the sink: [low, high, target], one for each class's run. */
  expected(state) {
    const found = [];
    for (let byte = 0; byte < 256; byte++) {
      const target = this.step(state, byte);
      if (target === this.table.sink) continue;
      const last = found.at(-1);
      if (last && last[1] === byte - 1 && last[2] === target) last[1] = byte;
      else found.push([byte, byte, target]);
    }
    return found;
  }

  /** One record for each byte that the automaton reads; the first that leads to the sink is the last of them. */
  run(bytes) {
    const steps = [];
    let state = this.table.start;
    let first = 0;
    for (const [offset, byte] of bytes.entries()) {
      if (this.table.states[state].accepting) first = offset;
      const after = this.step(state, byte);
      const lead = steps[first]?.place ?? null;
      const place = after === this.table.sink ? null : this.placeOf(state, byte, first === offset ? null : lead);
      steps.push({ offset, byte, before: state, after, first, place, fits: after !== this.table.sink });
      if (after === this.table.sink) break;
      state = after;
    }
    return steps;
  }

  /** The place of the grammar that reads *byte* in *state*, in a character whose first byte *lead* has read. */
  placeOf(state, byte, lead) {
    const candidates = (this.reads.get(`${state}:${this.table.class_of[byte]}`) ?? []).map((number) => this.places[number]);
    return candidates.find(({ path, range }) =>
      range[0] <= byte && byte <= range[1] && (!lead || lead.path.every((step, i) => same(step, path[i])))) ?? null;
  }

  /** The elements of the alternative that *place* (of a first byte) opens, one for each byte of the character. */
  elements(place) {
    const [name, number] = place.path.at(-1);
    const body = this.grammar.rules.get(name.toLowerCase()).body;
    return flat(alternatives(body)[Math.max(0, number - 1)]);
  }

  /** The lines that define the rule *name*. */
  ruleText(name) {
    return this.grammar.text.split(/\n(?=\S)/).find((lines) => lines.split(/[ =]/, 1)[0] === name).trimEnd();
  }

  alternative(place) {
    const [name, number] = place.path.at(-1);
    const rule = this.grammar.rules.get(name.toLowerCase());
    const node = alternatives(rule.body)[Math.max(0, number - 1)];
    return { name: rule.name, number, node, text: this.grammar.text.slice(node.start, node.end).replace(/\s+/g, " ") };
  }

  /** The rule that reads a byte there, with its alternative: UTF8-3/1, or UTF8-tail. */
  ruleOf(place) {
    const [name, number] = place.path.at(-1);
    return number ? `${name}/${number}` : name;
  }

  /** The rules that are directly below "a character": UTF8-1, UTF8-2, ... */
  charRule() {
    return this.places[0].path[1][0];
  }

  /** What is wrong, as utf8_abnf.first_error has it, or null. */
  error(bytes) {
    const steps = this.run(bytes);
    const last = steps.at(-1);
    if (!last) return null;
    const open = !this.table.states[last.after].accepting;
    if (last.fits && !open) return null;
    const start = last.first;
    const lead = bytes[start];
    const place = steps[start].place;
    const state = last.fits ? last.after : last.before;
    const offending = last.fits ? bytes.length : last.offset;
    return {
      start,
      end: Math.max(offending, start + 1),
      offending,
      code: this.code(lead, place, last.fits ? null : last.byte),
      rule: place ? place.path.at(-1)[0] : this.charRule(),
      expected: showRanges(this.expected(state)),
      got: last.fits ? "" : hex(last.byte),
      state,
      place,
      truncated: last.fits,
    };
  }

  code(lead, place, byte) {
    const about = this.reasons.filter(({ low, high }) => low <= lead && lead <= high);
    if (place && byte === null) return about.find(({ kind }) => kind === "truncated").code;
    const continues = this.isTail(byte ?? lead);
    if (place) return about.find(({ kind }) => (continues ? kind === "value" : kind === "missing")).code;
    return about.find(({ kind }) => kind === (continues ? "lone" : "value")).code;
  }

  isTail(byte) {
    const [low, high] = this.grammar.rules.get("utf8-tail").body.seq[0][0];
    return low <= byte && byte <= high;
  }

  reason(error, bytes) {
    const lead = bytes[error.start];
    return this.reasons.find(({ code, low, high }) => code === error.code && low <= lead && lead <= high);
  }

  /** The input cut into characters and ill-formed sequences (maximal subparts), in order. */
  pieces(bytes) {
    const found = [];
    for (let at = 0; at < bytes.length; ) {
      const rest = bytes.slice(at, at + 12);
      const steps = this.run(rest);
      const length = steps.findIndex(({ after }) => this.table.states[after].accepting) + 1;
      const error = length ? null : this.error(rest);
      const end = at + (length || error.end);
      const piece = { start: at, end, error, place: steps[0].place };
      if (error) Object.assign(piece, naiveReadings(rest));
      else piece.number = payload(bytes.slice(at, end));
      found.push(piece);
      at = end;
    }
    return found;
  }
}

function same(left, right) {
  return right !== undefined && left[0] === right[0] && left[1] === right[1];
}

/** The elements of a sequence with its fixed repetitions written out. */
function flat(node) {
  if (node.kind === "cat") return node.items.flatMap(flat);
  if (node.kind === "rep" && node.min === node.max) return Array.from({ length: node.min }, () => flat(node.item)).flat();
  return [node];
}

export function showRanges(ranges) {
  const merged = [];
  for (const [low, high] of ranges) {
    if (merged.length && merged.at(-1)[1] === low - 1) merged.at(-1)[1] = high;
    else merged.push([low, high]);
  }
  return merged.map(([low, high]) => (low === high ? hex(low) : `${hex(low)}..${hex(high)}`)).join(", ");
}

// ---- Bits: RFC 3629 section 3's table, read without its limits, as a naive decoder does -----------------------------

/** How many of a byte's high bits only mark its role: 0xxxxxxx 1, 10xxxxxx 2, 110xxxxx 3, ... */
export function markers(byte) {
  return Math.min(8, Math.clz32((byte ^ 0xff) << 24) + 1);
}

/** The number that the bits after the markers form. */
export function payload(bytes) {
  return bytes.reduce((number, byte) => number * 2 ** (8 - markers(byte)) + (byte & (0xff >> markers(byte))), 0);
}

/** The sequence that the leading one bits announce, with only its tails counted; null where there is none. */
export function naiveReading(rest) {
  if (!rest.length) return null;
  const length = markers(rest[0]) - 1;
  const data = rest.slice(0, length);
  if (length < 2 || length > 6 || data.length < length || data.slice(1).some((byte) => markers(byte) !== 2)) return null;
  return { data, number: payload(data) };
}

function naiveReadings(rest) {
  const naive = naiveReading(rest);
  const low = naive && isHigh(naive.number) ? naiveReading(rest.slice(naive.data.length)) : null;
  if (!low || !isLow(low.number)) return { naive, joined: null };
  const number = 0x10000 + ((naive.number - 0xd800) << 10) + low.number - 0xdc00;
  return { naive, joined: { data: [...naive.data, ...low.data], number } };
}

const isHigh = (number) => number >= 0xd800 && number < 0xdc00;
const isLow = (number) => number >= 0xdc00 && number < 0xe000;
export const isSurrogate = (number) => isHigh(number) || isLow(number);
