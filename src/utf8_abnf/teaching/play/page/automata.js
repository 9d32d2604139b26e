// Automata by the plain textbook constructions: from a grammar to its smallest automaton, and the comparison of two.
//
// An automaton is {start, table, classes, accepting}: state × class, class of each byte, accepting states as a Set.
import { AbnfError, hex } from "./abnf.js";
import { buildNfa } from "./nfa.js";

const MAX_DFA = 3000;
const MAX_FORMS = 200;

/** The smallest automaton of *grammar* (from abnf.js); throws AbnfError where it is not shown regular, or too large. */
export function compile(grammar, start = grammar.start, depth = null) {
  return minimal(determinise(buildNfa(grammar, start, depth)));
}

/** The automaton in a table of the form that derived/ has. */
export function fromTable(table) {
  const accepting = new Set(table.states.flatMap((state, number) => (state.accepting ? [number] : [])));
  return { start: table.start, table: table.next, classes: table.class_of, accepting };
}

export function accepts(automaton, bytes) {
  let state = automaton.start;
  for (const byte of bytes) state = automaton.table[state][automaton.classes[byte]];
  return automaton.accepting.has(state);
}

function determinise({ states, accept, start }) {
  const cuts = new Set([0]);
  for (const { ranges } of states) for (const [low, high] of ranges ?? []) cuts.add(low).add(high + 1);
  const firsts = [...cuts].filter((cut) => cut < 256).sort((a, b) => a - b);
  const classes = new Array(256);
  firsts.forEach((first, number) => classes.fill(number, first, firsts[number + 1] ?? 256));
  const close = (members) => {
    const seen = new Set(members);
    for (const each of seen) if (!states[each].ranges) for (const target of states[each].targets) seen.add(target);
    return [...seen].filter((each) => states[each].ranges || each === accept).sort((a, b) => a - b);
  };
  const numbers = new Map();
  const sets = [];
  const number = (members) => {
    const key = members.join();
    if (!numbers.has(key)) {
      if (sets.length >= MAX_DFA) throw new AbnfError("abnf.too_large");
      numbers.set(key, sets.push(members) - 1);
    }
    return numbers.get(key);
  };
  number(close([start]));
  const table = [];
  for (let i = 0; i < sets.length; i++) {
    const readers = sets[i].filter((each) => states[each].ranges);
    table.push(firsts.map((byte) => {
      const met = readers.filter((each) => states[each].ranges.some(([low, high]) => low <= byte && byte <= high));
      return number(close(met.flatMap((each) => states[each].targets)));
    }));
  }
  const accepting = new Set(sets.flatMap((members, i) => (members.includes(accept) ? [i] : [])));
  return { start: 0, table, classes, accepting };
}

/** The smallest automaton: states that no continuation distinguishes are merged, and numbered in the order in which they are reached. */
export function minimal({ start, table, classes, accepting }) {
  let block = table.map((_, state) => (accepting.has(state) ? 1 : 0));
  for (let count = 0; ; ) {
    const names = new Map();
    const finer = table.map((row, state) => {
      const key = `${block[state]}:${row.map((target) => block[target]).join()}`;
      if (!names.has(key)) names.set(key, names.size);
      return names.get(key);
    });
    block = finer;
    if (names.size === count) break;
    count = names.size;
  }
  const order = [start];
  const met = new Map([[block[start], 0]]);
  const rows = [];
  for (let i = 0; i < order.length; i++) {
    rows.push(table[order[i]].map((target) => {
      if (!met.has(block[target])) met.set(block[target], order.push(target) - 1);
      return met.get(block[target]);
    }));
  }
  const accept = new Set(order.flatMap((state, number) => (accepting.has(state) ? [number] : [])));
  return { start: 0, table: rows, classes, accepting: accept };
}

/** Pairs of states: the columns that both automata respect, each by its lowest byte, in byte order. */
function columns(left, right) {
  const numbers = new Map();
  const list = [];
  const classes = Array.from({ length: 256 }, (_, byte) => {
    const key = `${left.classes[byte]},${right.classes[byte]}`;
    if (!numbers.has(key)) numbers.set(key, list.push([byte, left.classes[byte], right.classes[byte]]) - 1);
    return numbers.get(key);
  });
  return { classes, list };
}

/** The shortest word (of several, the first) for which wanted(left's verdict, right's verdict) holds, or null. */
export function firstWord(left, right, wanted) {
  const { list } = columns(left, right);
  const key = (a, b) => a * right.table.length + b;
  const todo = [[left.start, right.start, null, 0]];
  const seen = new Set([key(left.start, right.start)]);
  for (let i = 0; i < todo.length; i++) {
    const [mine, yours] = todo[i];
    if (wanted(left.accepting.has(mine), right.accepting.has(yours))) {
      const word = [];
      for (let each = todo[i]; each[2]; each = each[2]) word.push(each[3]);
      return word.reverse();
    }
    for (const [byte, a, b] of list) {
      const target = [left.table[mine][a], right.table[yours][b], todo[i], byte];
      if (!seen.has(key(target[0], target[1]))) {
        seen.add(key(target[0], target[1]));
        todo.push(target);
      }
    }
  }
  return null;
}

export function shortestDifference(left, right) {
  return firstWord(left, right, (mine, yours) => mine !== yours);
}

function without(left, right) {
  const { classes, list } = columns(left, right);
  const numbers = new Map();
  const pairs = [];
  const number = (a, b) => {
    const key = `${a},${b}`;
    if (!numbers.has(key)) numbers.set(key, pairs.push([a, b]) - 1);
    return numbers.get(key);
  };
  number(left.start, right.start);
  const table = [];
  for (let i = 0; i < pairs.length; i++) {
    const [mine, yours] = pairs[i];
    table.push(list.map(([, a, b]) => number(left.table[mine][a], right.table[yours][b])));
  }
  const accepting = new Set(pairs.flatMap(([a, b], i) => (left.accepting.has(a) && !right.accepting.has(b) ? [i] : [])));
  return minimal({ start: 0, table, classes, accepting });
}

/** The states from which nothing can be accepted any more. */
export function dead({ table, accepting }) {
  const live = new Set(accepting);
  for (let size = -1; size !== live.size; ) {
    size = live.size;
    table.forEach((row, state) => row.some((target) => live.has(target)) && live.add(state));
  }
  return new Set(table.flatMap((_, state) => (live.has(state) ? [] : [state])));
}

/** The automaton of the single characters: words from the start back to it; null where the language is not (char)*. */
export function characters(automaton) {
  const small = minimal(automaton);
  if (small.accepting.size !== 1 || !small.accepting.has(small.start)) return null;
  const done = small.table.length;
  const table = small.table.map((row) => row.map((target) => (target === small.start ? done : target)));
  table.push(table[0].map(() => done + 1), table[0].map(() => done + 1));
  return minimal({ start: small.start, table, classes: small.classes, accepting: new Set([done]) });
}

/** The forms of a finite language: each a list of byte ranges; null where there are infinitely many, or too many to explain anything. */
export function forms(automaton) {
  const small = minimal(automaton);
  const nowhere = dead(small);
  const found = [];
  const todo = [[small.start, []]];
  while (todo.length) {
    const [state, ranges] = todo.pop();
    if (ranges.length > small.table.length) return null; // longer than the states are many: it loops
    if (small.accepting.has(state)) found.push(ranges);
    for (const [low, high, target] of moves(small, state)) {
      if (!nowhere.has(target)) todo.push([target, [...ranges, [low, high]]]);
    }
    if (found.length + todo.length > MAX_FORMS) return null;
  }
  const order = (a, b) => {
    for (let i = 0; i < Math.min(a.length, b.length); i++) {
      if (a[i][0] !== b[i][0] || a[i][1] !== b[i][1]) return a[i][0] - b[i][0] || a[i][1] - b[i][1];
    }
    return a.length - b.length;
  };
  return found.sort(order);
}

/** The byte ranges that lead from a state to one target each: [low, high, target], in byte order. */
export function moves(automaton, state) {
  const found = [];
  for (let byte = 0; byte < 256; byte++) {
    const target = automaton.table[state][automaton.classes[byte]];
    if (found.length && found.at(-1)[2] === target) found.at(-1)[1] = byte;
    else found.push([byte, byte, target]);
  }
  return found;
}

/** The characters that only one of two grammars accepts, as forms; null where forms cannot describe them. */
export function differenceForms(mine, yours) {
  const left = characters(mine);
  const right = characters(yours);
  if (!left || !right) return null;
  const extra = forms(without(left, yours));
  const missing = forms(without(right, mine));
  return extra && missing ? { extra, missing } : null;
}

/** A form as ABNF, in the RFC's manner: %xF1-F3 3( UTF8-tail ). */
export function showForm(ranges) {
  const parts = [];
  for (const [low, high] of ranges) {
    const text = low === 0x80 && high === 0xbf ? "UTF8-tail" : `%x${hex(low)}${high > low ? `-${hex(high)}` : ""}`;
    if (parts.at(-1)?.text === text) parts.at(-1).times++;
    else parts.push({ text, times: 1 });
  }
  return parts.map(({ text, times }) => {
    if (times === 1) return text;
    return text === "UTF8-tail" ? `${times}( ${text} )` : Array(times).fill(text).join(" ");
  }).join(" ");
}
