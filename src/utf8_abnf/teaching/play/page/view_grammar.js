// The ABNF with what is being read marked in it, the parse tree as it grows, what may come next, and what is wrong.
import { hex } from "./abnf.js";
import { h } from "./dom.js";
import { isSurrogate, showRanges } from "./machine.js";
import { codePoint, glyph, toHex } from "./state.js";
import { t } from "./words.js";

/** The kinds of the pieces of the grammar's text: {start, end, name}. */
function marks(machine, look) {
  const found = [];
  const add = (node, name) => found.push({ start: node.start, end: node.end, name });
  const { step, lead, index } = look;
  const open = lead && (step.fits ? !look.accepting : true);
  if (lead) {
    const { node } = machine.alternative(lead);
    add(node, "alternative");
    const elements = machine.elements(lead);
    add(elements[index] ?? node, step.fits ? "now" : "wrong");
    if (step.fits && step.place.node !== elements[index]) add(step.place.node, "now");
    if (step.fits && open) add(elements[index + 1], "next");
  }
  if (step && !step.fits && !lead) {
    for (const rule of machine.grammar.rules.values()) {
      if (rule.name === machine.charRule()) add(rule.body, "wrong");
    }
  } else if (!lead || !open) {
    for (const place of machine.places) if (place.path.length === machine.places[0].path.length && firstOf(machine, place)) add(place.node, "next");
  }
  return found;
}

function firstOf(machine, place) {
  return machine.elements(place)[0] === place.node;
}

export function grammarView(machine, look) {
  const { text } = machine.grammar;
  const names = Array.from(text, () => new Set());
  for (const { start, end, name } of marks(machine, look)) for (let i = start; i < end; i++) names[i].add(name);
  const nodes = new Map(); // for each place in the text: where the terminal begins that covers it
  for (const { node } of machine.places) for (let i = node.start; i < node.end; i++) nodes.set(i, node.start);
  const active = look.lead ? machine.alternative(look.lead).name : null;
  const lines = [];
  let at = 0;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const parts = [];
    for (let i = 0, from = 0; i < line.length; i++) {
      if (i + 1 < line.length && sameNames(names[at + i], names[at + i + 1]) && nodes.get(at + i) === nodes.get(at + i + 1)) continue;
      const piece = line.slice(from, i + 1);
      const classes = [...names[at + from]].join(" ");
      parts.push(piece.trim() && (classes || nodes.has(at + from)) ? h("span", { class: classes || null, "data-node": nodes.get(at + from) ?? null }, piece) : piece);
      from = i + 1;
    }
    const here = [...line].some((_, i) => names[at + i].has("now") || names[at + i].has("wrong"));
    const name = /^\S+/.exec(line)?.[0];
    if (name && typeof parts[0] === "string") parts.splice(0, 1, h("span", { class: "rulename", "data-rule": name }, name), parts[0].slice(name.length));
    lines.push(h("span", { class: `line${here ? " here" : ""}` }, h("span", { class: "arrow", "aria-hidden": "true" }, here ? "▶ " : "  "), parts, "\n"));
    at += line.length + 1;
  }
  const words = active ? t("abnf.active", { rule: active, abnf: machine.alternative(look.lead).text }) : t("abnf.none");
  return [h("p", { class: "aside" }, words), h("pre", { class: "abnf", tabindex: "0", role: "group", "aria-label": t("view.abnf") }, h("code", {}, lines))];
}

function sameNames(left, right) {
  return left.size === right.size && [...left].every((each) => right.has(each));
}

// ---- What may come next -------------------------------------------------------------------------------------------

/** Every range that may follow, the place that would read it and the state it leads to; each can be added to the input. */
export function nextView(machine, look, { put }) {
  if (look.state === machine.table.sink) return h("p", {}, t("next.nothing"));
  const rows = [];
  for (const [low, high, target] of look.expected) {
    const byPlace = new Map();
    for (let byte = low; byte <= high; byte++) {
      const place = machine.placeOf(look.state, byte, look.accepting ? null : look.lead);
      const key = place.path.join("/");
      if (!byPlace.has(key)) byPlace.set(key, { place, low: byte, high: byte });
      byPlace.get(key).high = byte;
    }
    for (const each of byPlace.values()) rows.push({ ...each, target });
  }
  const end = look.accepting ? h("li", { class: "end" }, h("b", {}, t("next.end")), h("span", { class: "leads" }, t("next.end.words"))) : null;
  return h("ul", { class: "follow" }, end, rows.map(({ place, low, high, target }) => {
    const range = showRanges([[low, high]]);
    return h("li", {},
      h("button", { type: "button", class: "range", "data-key": `put${low}`, "aria-label": t("next.put", { range, byte: hex(low) }), title: t("next.put", { range, byte: hex(low) }), click: () => put(low) }, range),
      h("span", { class: "leads" }, `${machine.ruleOf(place)} → `, h("span", { class: "statename" }, machine.table.states[target].name)));
  }));
}

// ---- The parse tree ------------------------------------------------------------------------------------------------

/** The tree of what is read so far: rules with their alternatives, bytes as leaves; with the error in its place. */
export function treeView(machine, look) {
  const read = look.past ? look.steps : look.steps.slice(0, look.position);
  const root = { label: machine.places[0].path[0][0], first: -1, children: [] };
  for (const step of read) {
    const lead = look.steps[step.first].place;
    const path = (step.place ?? lead)?.path ?? machine.places[0].path.slice(0, 2).map(([name]) => [name, 0]);
    let node = root;
    path.slice(1).forEach(([rule, number], depth) => {
      const label = number ? `${rule}/${number}` : rule;
      const first = depth + 2 > (lead?.path.length ?? 2) ? step.offset : step.first; // each UTF8-tail is a node of its own
      const last = node.children.at(-1);
      if (last?.label !== label || last.first !== first) node.children.push({ label, first, children: [] });
      node = node.children.at(-1);
    });
    const wrong = step.fits ? "" : t("tree.wrong", { expected: showRanges(machine.expected(step.before)) });
    node.children.push({ byte: step.byte, offset: step.offset, wrong, now: step.offset === look.position - 1, children: [] });
  }
  if (!look.accepting && look.step?.fits) deepest(root, look.lead.path.length).children.push({ waits: showRanges(look.expected), children: [] });
  return h("div", { class: "treebox", tabindex: "0", role: "group", "aria-label": t("view.tree") }, h("ul", { class: "tree" }, branch(root)));
}

function deepest(node, depth) {
  return depth > 1 && node.children.length ? deepest(node.children.at(-1), depth - 1) : node;
}

/** A node as an item of a list; a leaf is its *text*, or its byte in hex. */
export function branch({ label, byte, text, offset, wrong, now, waits, children }) {
  if (waits) return h("li", { class: "waits" }, `… ${waits}`);
  if (byte === undefined) return h("li", {}, h("span", { class: "rule", "data-rule": label }, label), children.length ? h("ul", {}, children.map(branch)) : null);
  return h("li", { class: wrong ? "wrong" : now ? "now" : "" }, h("span", { class: "leaf", "data-offset": offset }, `${wrong ? "✗ " : now ? "▶ " : ""}${text ?? hex(byte)}`), wrong ? ` ${wrong}` : "");
}

// ---- The verdict ---------------------------------------------------------------------------------------------------

/** The verdict in one line: it stands beside the stepper. */
export function briefVerdict(machine, bytes) {
  const error = machine.error(bytes);
  if (!error) return h("p", { class: "verdict good" }, h("b", {}, `✓ ${t("verdict.good")}`));
  const at = error.truncated ? t("verdict.ends", { offset: error.offending }) : t("verdict.byte", { byte: error.got, offset: error.offending });
  return h("p", { class: "verdict bad" }, h("b", {}, `✗ ${t("verdict.bad")}`), ` ${error.code}: ${at}`);
}

export function verdictView(machine, bytes) {
  const error = machine.error(bytes);
  if (!error) return [h("p", { class: "verdict good" }, bytes.length ? t("verdict.good.words", { count: bytes.length }) : t("say.empty"))];
  const reason = machine.reason(error, bytes);
  const row = (key, ...value) => h("div", {}, h("dt", {}, t(`verdict.${key}`)), h("dd", {}, value));
  const rule = error.place ? machine.alternative(error.place) : null;
  const { naive, joined } = machine.pieces(bytes).find((piece) => piece.error);
  return [
    h("p", { class: "verdict bad" }, error.code),
    h("dl", {},
      row("expected", error.expected),
      row("rule", h("code", {}, rule ? `${error.rule} = … ${rule.text} …` : error.rule)),
      row("why", t(`reason.${reason.key}`)),
      row("fix", t(`advice.${error.code}`)),
      row("naive", naiveWords(naive, t("naive.none"))),
      joined ? row("joined", t("naive.joined", { bytes: toHex(joined.data), point: codePoint(joined.number), glyph: glyph(joined.number) })) : null,
      row("pieces", machine.pieces(bytes).map((piece) => (piece.error ? "\u{FFFD}" : glyph(piece.number) || codePoint(piece.number))).join(" "))),
  ];
}

function naiveWords(naive, none) {
  if (!naive) return none;
  const { data, number } = naive;
  const facts = { bytes: toHex(data), point: number > 0x10ffff ? number.toString(16).toUpperCase() : codePoint(number), glyph: glyph(number) };
  if (number > 0x10ffff) return t("naive.large", facts);
  return t(isSurrogate(number) ? "naive.surrogate" : "naive.character", facts);
}
