// From a grammar to an NFA (Thompson's construction, from the end of each rule to its beginning), recursion included.
//
// Rules that use each other only at their right end, or only at their left end, are regular; all others are refused.
// Where the grammar names a code point above FF, every value is a code point and stands for its bytes in UTF-8.
import { AbnfError } from "./abnf.js";
import { encode } from "./state.js";

const MAX_NFA = 20000;

/** {states, accept, start}: a state has ranges and one target, or null and targets that are reached without a byte. */
export function buildNfa(grammar, start) {
  return new Builder(grammar, codePointIn(grammar, start) !== null).whole({ kind: "ref", name: start, line: 1, column: 1 });
}

class Builder {
  constructor(grammar, ofCodePoints) {
    this.grammar = grammar;
    this.ofCodePoints = ofCodePoints;
    this.states = [];
    this.components = components(grammar);
  }

  whole(top) {
    const accept = this.add(null, []);
    return { states: this.states, accept, start: this.build(top, accept, null) };
  }

  add(ranges, targets) {
    if (this.states.length >= MAX_NFA) throw new AbnfError("abnf.too_large", { line: 1, column: 1 });
    return this.states.push({ ranges, targets }) - 1;
  }

  /** The state from which *node* is read and then *next* is reached; *inside* is the component that is being built. */
  build(node, next, inside) {
    if (node.kind === "alt") return this.add(null, node.items.map((item) => this.build(item, next, inside)));
    if (node.kind === "cat") return node.items.reduceRight((after, item) => this.build(item, after, inside), next);
    if (node.kind === "bytes") return node.seq.reduceRight((after, ranges) => this.read(ranges, after, node), next);
    if (node.kind === "rep") return this.repeat(node, next, inside);
    if (node.kind === "prose") throw new AbnfError("abnf.prose", { what: node.text, line: node.line, column: node.column });
    const rule = ruleOf(this.grammar, node);
    if (inside?.rules.has(rule)) return this.use(rule, next, inside);
    const kind = this.components.get(rule);
    if (!kind) return this.build(rule.body, next, null);
    if (!kind.right && !kind.left) throw new AbnfError("abnf.recursive", { name: rule.name, ...kind.place });
    const component = { ...kind, starts: new Map(), ends: new Map() };
    if (kind.right) return this.use(rule, next, component);
    component.nothing = this.add(null, []);
    component.firsts = [];
    this.use(rule, next, component);
    return this.add(null, component.firsts);
  }

  /** The state in which one value of *ranges* is read. */
  read(ranges, next, { line, column }) {
    if (!this.ofCodePoints) return this.add(ranges, [next]);
    const words = ranges.flatMap(([low, high]) => [...wordsOf(low, Math.min(high, 0xd7ff)), ...wordsOf(Math.max(low, 0xe000), high)]);
    if (!words.length) throw new AbnfError("abnf.surrogates", { line, column });
    return this.add(null, words.map((word) => word.reduceRight((after, range) => this.add([range], [after]), next)));
  }

  /** A use of a rule within its component: at the right end a jump to its start, at the left end one from its end. */
  use(rule, next, component) {
    const { starts, ends, nothing, firsts } = component;
    if (component.right) {
      if (!starts.has(rule)) {
        starts.set(rule, this.add(null, []));
        this.states[starts.get(rule)].targets.push(this.build(rule.body, next, component));
      }
      return starts.get(rule);
    }
    if (!ends.has(rule)) {
      ends.set(rule, this.add(null, []));
      firsts.push(this.build(rule.body, ends.get(rule), component));
    }
    this.states[ends.get(rule)].targets.push(next);
    return nothing; // the input begins with one of the firsts, not here
  }

  repeat({ min, max, item }, next, inside) {
    let after = next;
    if (max === Infinity) {
      const loop = this.add(null, [next]);
      this.states[loop].targets.push(this.build(item, loop, inside));
      after = loop;
    } else {
      for (let i = min; i < max; i++) after = this.add(null, [next, this.build(item, after, inside)]);
    }
    for (let i = 0; i < min; i++) after = this.build(item, after, inside);
    return after;
  }
}

/** The UTF-8 of the code points from *low* to *high*, which are no surrogates: lists of byte ranges, in byte order. */
function wordsOf(low, high) {
  if (low > high) return [];
  const [first, last] = [low, high].map((point) => encode(String.fromCodePoint(point)));
  const longest = [0x7f, 0x7ff, 0xffff].find((point) => low <= point && point < high); // a longer form begins behind it
  if (longest) return [...wordsOf(low, longest), ...wordsOf(longest + 1, high)];
  for (let tails = 1; tails < first.length; tails++) {
    const block = 64 ** tails; // code points that share the bytes before these tails
    const rest = (point) => point % block;
    if (Math.floor(low / block) === Math.floor(high / block)) continue;
    if (rest(low)) return [...wordsOf(low, low - rest(low) + block - 1), ...wordsOf(low - rest(low) + block, high)];
    if (rest(high) !== block - 1) return [...wordsOf(low, high - rest(high) - 1), ...wordsOf(high - rest(high), high)];
  }
  return [first.map((byte, i) => [byte, last[i]])];
}

/** {what, line, column} of a value above FF that *start* reaches, which makes the grammar one of code points; or null. */
export function codePointIn(grammar, start) {
  const rules = new Set([grammar.rules.get(start)].filter(Boolean));
  for (const rule of rules) for (const other of referred(grammar, rule.body)) rules.add(other);
  const found = [...rules].flatMap((rule) => wideNodes(rule.body));
  if (!found.length) return null;
  const { seq, line, column } = found[0];
  return { what: Math.max(...seq.flat(2)).toString(16).toUpperCase(), line, column };
}

function wideNodes(node) {
  return node.kind === "bytes" ? (node.seq.flat(2).some((value) => value > 0xff) ? [node] : []) : children(node).flatMap(wideNodes);
}

function ruleOf(grammar, { name, line, column }) {
  const rule = grammar.rules.get(name.toLowerCase());
  if (!rule) throw new AbnfError("abnf.unknown", { name, line, column });
  return rule;
}

// ---- Recursive rules --------------------------------------------------------------------------------------------------

/** For each recursive rule: {rules, right, left, place}; *place* is the first use that is not at the side of the others. */
function components(grammar) {
  const rules = [...grammar.rules.values()];
  const used = new Map(rules.map((rule) => [rule, referred(grammar, rule.body)]));
  const reached = new Map(rules.map((rule) => [rule, closure(used, rule)]));
  const blank = new Set();
  for (let size = -1; size !== blank.size; ) {
    size = blank.size;
    for (const rule of rules) if (isBlank(grammar, rule.body, blank)) blank.add(rule);
  }
  const found = new Map();
  for (const rule of rules) {
    if (found.has(rule) || !reached.get(rule).has(rule)) continue;
    const members = new Set([...reached.get(rule)].filter((other) => reached.get(other).has(rule)));
    const uses = [...members].flatMap((member) => sides(grammar, member.body, true, true, members, blank));
    const right = uses.every((use) => use.right);
    const left = uses.every((use) => use.left);
    const { line, column } = (uses.find((use) => !use.right && !use.left) ?? uses.find((use) => use.right !== uses[0].right) ?? uses[0]).node;
    for (const member of members) found.set(member, { rules: members, right, left, place: { line, column } });
  }
  return found;
}

function children(node) {
  return node.items ?? (node.item ? [node.item] : []);
}

function referred(grammar, node) {
  if (node.kind === "ref") return [grammar.rules.get(node.name.toLowerCase())].filter(Boolean);
  return children(node).flatMap((child) => referred(grammar, child));
}

/** All rules that *rule* uses, directly or through others. */
function closure(used, rule) {
  const seen = new Set(used.get(rule));
  for (const each of seen) for (const other of used.get(each)) seen.add(other);
  return seen;
}

/** The uses of *members* in *node*: {node, right, left}, whether nothing follows and whether nothing comes before. */
function sides(grammar, node, right, left, members, blank) {
  if (node.kind === "ref") return members.has(grammar.rules.get(node.name.toLowerCase())) ? [{ node, right, left }] : [];
  if (node.kind === "rep") {
    const once = node.max === 1;
    return node.max === 0 ? [] : sides(grammar, node.item, right && once, left && once, members, blank);
  }
  const reading = children(node).map((item) => !isBlank(grammar, item, blank));
  const alone = node.kind !== "cat";
  return children(node).flatMap((item, i) =>
    sides(grammar, item, right && (alone || !reading.slice(i + 1).includes(true)), left && (alone || !reading.slice(0, i).includes(true)), members, blank));
}

/** Whether *node* derives the empty string and nothing else, if the rules in *blank* do. */
function isBlank(grammar, node, blank) {
  if (node.kind === "ref") return blank.has(grammar.rules.get(node.name.toLowerCase()));
  if (node.kind === "bytes") return node.seq.length === 0;
  return node.max === 0 || children(node).every((child) => isBlank(grammar, child, blank));
}
