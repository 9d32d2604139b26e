// From a grammar to an NFA (Thompson's construction, from the end of each rule to its beginning), recursion included.
//
// Rules that use each other only at their right end, or only at their left end, are regular; all others are refused.
// Where the grammar names a code point above FF, every value is a code point and stands for its bytes in UTF-8.
import { AbnfError, checkGrammar, codePointIn, walk } from "./abnf.js";
import { encode } from "./state.js";

const MAX_NFA = 100000;
const MAX_SHOWN = 12; // rules of a circle, in a message

/**
 * {states, accept, start}: a state has ranges and one target, or null and targets that are reached without a byte.
 * With a *depth*, what uses an irregular rule within itself more often than that is left out.
 */
export function buildNfa(grammar, start, depth = null) {
  const ofCodePoints = codePointIn(grammar, start) !== null;
  checkGrammar(grammar, start, ofCodePoints);
  return new Builder(grammar, ofCodePoints, depth).whole({ kind: "ref", name: start });
}

class Builder {
  constructor(grammar, ofCodePoints, depth) {
    Object.assign(this, { grammar, ofCodePoints, depth, states: [], within: new Map() });
    this.components = components(grammar);
  }

  whole(top) {
    const accept = this.add(null, []);
    return { states: this.states, accept, start: this.build(top, accept, null) };
  }

  add(ranges, targets) {
    if (this.states.length >= MAX_NFA) throw new AbnfError("abnf.too_large");
    return this.states.push({ ranges, targets }) - 1;
  }

  /** The state from which *node* is read and then *next* is reached; *inside* is the component that is being built. */
  build(node, next, inside) {
    if (node.kind === "alt") return this.add(null, node.items.toReversed().map((item) => this.build(item, next, inside)).reverse());
    if (node.kind === "cat") return node.items.reduceRight((after, item) => this.build(item, after, inside), next);
    if (node.kind === "bytes") return node.seq.reduceRight((after, ranges) => this.read(ranges, after), next);
    if (node.kind === "rep") return this.repeat(node, next, inside);
    const rule = this.grammar.rules.get(node.name.toLowerCase());
    if (inside?.rules.has(rule)) return this.use(rule, next, inside);
    const kind = this.components.get(rule);
    if (!kind) return this.build(rule.body, next, null);
    if (!kind.right && !kind.left) return this.nested(rule, next, kind);
    const component = { ...kind, starts: new Map(), ends: new Map() };
    if (kind.right) return this.use(rule, next, component);
    component.nothing = this.add(null, []);
    component.firsts = [];
    this.use(rule, next, component);
    return this.add(null, component.firsts);
  }

  /** A use of an irregular rule: refused, or built as often as the depth allows. */
  nested(rule, next, kind) {
    const count = this.within.get(rule) ?? 0;
    if (this.depth === null) throw notRegular(this.grammar, kind.rules);
    if (count > this.depth) return this.add(null, nullableRules(this.grammar).has(rule) ? [next] : []);
    this.within.set(rule, count + 1);
    const found = this.build(rule.body, next, null);
    this.within.set(rule, count);
    return found;
  }

  /** The state in which one value of *ranges* is read. */
  read(ranges, next) {
    if (!this.ofCodePoints) return this.add(ranges, [next]);
    const words = ranges.flatMap(([low, high]) => [...wordsOf(low, Math.min(high, 0xd7ff)), ...wordsOf(Math.max(low, 0xe000), high)]);
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
    for (let i = 0; i < min; i++) {
      const before = this.build(item, after, inside);
      if (before === after) break; // the item reads nothing
      after = before;
    }
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

// ---- Recursive rules --------------------------------------------------------------------------------------------------

/** For each recursive rule: {rules, right, left}, whether its rules use each other only at that side. */
export function components(grammar) {
  const rules = [...grammar.rules.values()];
  const used = new Map(rules.map((rule) => [rule, referred(grammar, rule.body)]));
  const reached = new Map(rules.map((rule) => [rule, closure(used, rule)]));
  const blank = settled(grammar, isBlank);
  const found = new Map();
  for (const rule of rules) {
    if (found.has(rule) || !reached.get(rule).has(rule)) continue;
    const members = new Set([...reached.get(rule)].filter((other) => reached.get(other).has(rule)));
    const uses = [...members].flatMap((member) => sides(grammar, member, member.body, true, true, members, blank));
    const kind = { rules: members, right: uses.every((use) => use.right), left: uses.every((use) => use.left) };
    for (const member of members) found.set(member, kind);
  }
  return found;
}

/** The rules of which *holds* says so, from those of which it is known already. */
function settled(grammar, holds) {
  const found = new Set();
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const rule of grammar.rules.values()) if (holds(grammar, rule.body, found)) found.add(rule);
  }
  return found;
}

function nullableRules(grammar) {
  return settled(grammar, isNullable);
}

const MAX_TRIED = 20; // uses for which the shortest circle is looked for

/** Why rules are not shown to be regular: a circle of them, by a use that has something on both sides, or else behind it. */
function notRegular(grammar, members) {
  const blank = settled(grammar, isBlank);
  const inOrder = [...grammar.rules.values()].filter((rule) => members.has(rule));
  const uses = inOrder.flatMap((rule) => sides(grammar, rule, rule.body, true, true, members, blank));
  const least = Math.min(...uses.map(sidesOf));
  const tried = uses.filter((use) => sidesOf(use) === least).slice(0, MAX_TRIED);
  const circles = tried.map((use) => [use.within, ...pathOf(uses, use.rule, use.within)]);
  const shortest = circles.reduce((best, circle, i) => (circle.length < circles[best].length ? i : best), 0);
  const names = [...circles[shortest], circles[shortest][0]].map((rule) => rule.name);
  const shown = names.length <= MAX_SHOWN ? names : [...names.slice(0, MAX_SHOWN - 2), "…", names.at(-1)];
  return Object.assign(new AbnfError("syntax.NOT_REGULAR", { circle: shown.join(" -> ") }, tried[shortest].node), { irregular: true });
}

/** On how few sides of *use* there is something: 0 for both sides, 1 for behind it only. */
function sidesOf(use) {
  return 2 * use.right + use.left;
}

/** The rules of a shortest path from *start* to *end*, which is left out. */
function pathOf(uses, start, end) {
  const before = new Map([[start, start]]);
  for (const [rule] of before) {
    if (before.has(end)) break;
    for (const use of uses) if (use.within === rule && !before.has(use.rule)) before.set(use.rule, rule);
  }
  const found = [];
  for (let rule = end; rule !== start; ) found.unshift((rule = before.get(rule)));
  return found;
}

function children(node) {
  return node.items ?? (node.item ? [node.item] : []);
}

export function referred(grammar, node) {
  return [...walk(node)].map((each) => each.kind === "ref" && grammar.rules.get(each.name.toLowerCase())).filter(Boolean);
}

/** All rules that *rule* uses, directly or through others. */
function closure(used, rule) {
  const seen = new Set(used.get(rule));
  for (const each of seen) for (const other of used.get(each)) seen.add(other);
  return seen;
}

/** The uses of *members* in *node* of the rule *within*; right and left: nothing follows, nothing comes before. */
function sides(grammar, within, node, right, left, members, blank) {
  if (node.kind === "ref") {
    const rule = grammar.rules.get(node.name.toLowerCase());
    return members.has(rule) ? [{ within, rule, node, right, left }] : [];
  }
  if (node.kind === "rep") {
    const once = node.max === 1;
    return node.max === 0 ? [] : sides(grammar, within, node.item, right && once, left && once, members, blank);
  }
  const reading = children(node).map((item) => !isBlank(grammar, item, blank));
  const alone = node.kind !== "cat";
  return children(node).flatMap((item, i) =>
    sides(grammar, within, item, right && (alone || !reading.slice(i + 1).includes(true)), left && (alone || !reading.slice(0, i).includes(true)), members, blank));
}

/** Whether *node* derives the empty string and nothing else, if the rules in *blank* do. */
function isBlank(grammar, node, blank) {
  if (node.kind === "ref") return blank.has(grammar.rules.get(node.name.toLowerCase()));
  if (node.kind === "bytes") return node.seq.length === 0;
  return node.max === 0 || (node.kind !== "prose" && children(node).every((child) => isBlank(grammar, child, blank)));
}

/** Whether *node* derives the empty string, if the rules in *known* do. */
function isNullable(grammar, node, known) {
  if (node.kind === "ref") return known.has(grammar.rules.get(node.name.toLowerCase()));
  if (node.kind === "bytes") return node.seq.length === 0;
  if (node.kind === "alt") return node.items.some((item) => isNullable(grammar, item, known));
  return node.min === 0 || (node.kind !== "prose" && children(node).every((item) => isNullable(grammar, item, known)));
}
