// From a grammar to an NFA (Thompson's construction, from the end of each rule to its beginning), recursion included.
//
// Rules that use each other only at their right end, or only at their left end, are regular; all others are refused.
import { AbnfError } from "./abnf.js";

const MAX_NFA = 20000;

/** {states, accept, start}: a state has ranges and one target, or null and targets that are reached without a byte. */
export function buildNfa(grammar, start) {
  return new Builder(grammar).whole({ kind: "ref", name: start, line: 1, column: 1 });
}

class Builder {
  constructor(grammar) {
    this.grammar = grammar;
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
    if (node.kind === "bytes") return node.seq.reduceRight((after, ranges) => this.add(ranges, [after]), next);
    if (node.kind === "rep") return this.repeat(node, next, inside);
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
