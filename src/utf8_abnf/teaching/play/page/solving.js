// Rules that use themselves in the middle of a grammar that is regular all the same, as utf8_abnf/teaching/grading/
// solving.py treats them: by an equal rule with repetition, or by a depth beyond which nothing new is derived.
import { AbnfError, alternatives, walk } from "./abnf.js";
import { compile, shortestDifference } from "./automata.js";
import { components } from "./nfa.js";

const MAX_DEPTH = 3;

/** As compile; where the rules are not shown to be regular, an equal grammar is looked for. */
export function compileSolved(grammar, start) {
  try {
    return compile(grammar, start);
  } catch (error) {
    if (!error.irregular) throw error;
    const equal = { ...grammar, rules: new Map([...grammar.rules].map(([name, rule]) => [name, { ...rule, body: solved(name, rule) }])) };
    const depth = depthOf(equal);
    if (depth === undefined) throw error;
    return compile(equal, start, depth);
  }
}

/** The depth at which the irregular rules derive all that they derive at any depth; null without such rules. */
function depthOf(grammar) {
  const names = [...components(grammar)].filter(([, kind]) => !kind.right && !kind.left).map(([rule]) => rule.name.toLowerCase());
  if (!names.length) return null;
  try {
    const at = (depth) => names.map((name) => compile(grammar, name, depth));
    let less = at(0);
    for (let depth = 1; depth <= MAX_DEPTH; depth++) {
      const more = at(depth);
      if (more.every((each, i) => shortestDifference(less[i], each) === null)) return depth - 1;
      less = more;
    }
  } catch (error) {
    if (!(error instanceof AbnfError)) throw error;
  }
  return undefined;
}

const inSequence = (items) => (items.length === 1 ? items[0] : { kind: "cat", items });
const asGroup = (items) => ({ kind: "rep", min: 1, max: 1, group: true, item: items.length === 1 ? items[0] : { kind: "alt", items } });
const anyNumber = (items) => (items.length ? [{ kind: "rep", min: 0, max: Infinity, item: asGroup(items) }] : []);

/** The body of *rule* as A* C B*, or as a run or list of these, where its alternatives use itself at their ends only. */
function solved(name, { body }) {
  const isOwn = (node) => node.kind === "ref" && node.name.toLowerCase() === name;
  const [before, after, rest, runs, separators] = [[], [], [], new Set(), []];
  for (const each of alternatives(body)) {
    const items = each.kind === "cat" ? each.items : [each];
    const uses = items.map(isOwn);
    const count = uses.filter(Boolean).length;
    if (count !== [...walk(each)].filter(isOwn).length) return body; // it is used within a group or an option
    const isLast = uses.at(-1);
    if (!count) rest.push(each);
    else if (count === items.length) count > 1 && runs.add(count - 1);
    else if (count === 1 && isLast) before.push(inSequence(items.slice(0, -1)));
    else if (count === 1 && uses[0]) after.push(inSequence(items.slice(1)));
    else if (count === 2 && uses[0] && isLast) separators.push(items.slice(1, -1));
    else return body;
  }
  const others = [...runs].some((run) => run > 1);
  if (!rest.length || !(runs.size || separators.length || (before.length && after.length)) || (separators.length && others)) return body;
  const once = inSequence([...anyNumber(before), asGroup(rest), ...anyNumber(after)]);
  if (!runs.size && !separators.length) return once;
  const group = asGroup([once]);
  const added = [...runs].sort((a, b) => a - b).map((run) => ({ kind: "rep", min: run, max: run, item: group }));
  return { kind: "cat", items: [group, ...anyNumber([...added, ...separators.map((items) => inSequence([...items, group]))])] };
}
