// Any grammar: its automaton beside that of UTF-8, and the same bytes stepped through both; its track, and its tree of
// the bytes. The grammar is pasted, chosen, or read from a file; the address keeps it, the bytes and the position.
import { codePointIn, hex, readGrammar } from "./abnf.js";
import { accepts, dead, fromTable, moves } from "./automata.js";
import { derive } from "./deriving.js";
import { h } from "./dom.js";
import { answerBox, button } from "./exercises.js";
import { differenceWords, editor, judge, problemWords, utf8Of } from "./exercises_abnf.js";
import { compileSolved } from "./solving.js";
import { encode, parseHex, toHex } from "./state.js";
import { branch } from "./view_grammar.js";
import { trackDrawing } from "./view_track.js";
import { t } from "./words.js";

const MAX_ROWS = 60; // states of an automaton that are shown
const MAX_FILE = 200000; // bytes

/** The states that can still accept, in the order in which they are reached: [number, {name, live, moves}]. */
function liveStates(automaton, name) {
  const gone = dead(automaton);
  const rows = new Map();
  const todo = gone.has(automaton.start) ? [] : [[automaton.start, []]];
  for (const [state, word] of todo) {
    if (rows.has(state)) continue;
    const steps = moves(automaton, state).filter(([, , target]) => !gone.has(target));
    rows.set(state, { name: name?.(state) ?? (word.length ? t("own.after", { bytes: toHex(word) }) : "start"), steps });
    for (const [low, , target] of steps) todo.push([target, [...word, low]]);
  }
  return rows;
}

/** The automaton as a table of its states, with the one marked that it is in after *read*. */
function statesTable(title, automaton, rows, read) {
  let state = automaton.start;
  let at = 0;
  for (; at < read.length && rows.has(state); at++) state = automaton.table[state][automaton.classes[read[at]]];
  const here = rows.get(state);
  const words = !here ? t("own.dead", { number: at }) : t(automaton.accepting.has(state) ? "own.accepts" : "own.waits", { state: here.name });
  const shown = [...rows].slice(0, MAX_ROWS);
  const lines = shown.map(([number, { name, steps }]) => h("tr", { class: number === state ? "now" : "", "aria-current": number === state ? "step" : null },
    h("th", { scope: "row" }, number === state ? "▶ " : "", name, automaton.accepting.has(number) ? " *" : ""),
    h("td", {}, steps.map(([low, high, target]) => h("div", {}, `${hex(low)}${high > low ? `..${hex(high)}` : ""} → ${rows.get(target).name}`)))));
  return h("section", { class: "states" }, h("h3", {}, title), h("p", { role: "status" }, `${here && automaton.accepting.has(state) ? "✓" : here ? "…" : "✗"} ${words}`),
    h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": title }, h("table", {}, h("tbody", {}, lines))),
    rows.size > shown.length ? h("p", { class: "aside" }, t("own.more", { shown: shown.length, total: rows.size })) : null);
}

/** The parse tree of all bytes, with the byte before *at* as the one that was read last. */
function treeOf({ tree, steps }, at) {
  const mark = (node) => ({ ...node, wrong: "", now: node.offset === at - 1, children: node.children.map(mark) });
  return h("section", {}, h("h3", {}, t("own.tree")), tree
    ? h("div", { class: "treebox", tabindex: "0", role: "group", "aria-label": t("own.tree") }, h("ul", { class: "tree" }, branch(mark(tree))))
    : h("p", {}, steps ? t("own.no_search", { steps }) : t("own.no_tree")));
}

function trackOf({ grammar, start }) {
  return h("section", {}, h("h3", {}, t("own.track")),
    h("div", { class: "drawing", tabindex: "0", role: "group", "aria-label": t("own.track") }, trackDrawing({ grammar: { ...grammar, start } })));
}

export function own({ machine, data, work, keep, lookAtBytes }) {
  const { box, tell } = answerBox();
  const utf8 = utf8Of(data);
  const right = fromTable(data.automaton);
  const rightRows = liveStates(right, (state) => machine.table.states[state].name);
  const grammars = { naive: data.naive, utf8: data.grammar, ...data.dialects };
  const tables = h("div", { class: "machines" });
  const track = h("div", {});
  const where = h("output", {});
  let mine = null;
  let at = Number(work.q) || 0;
  const area = editor(work.g ?? grammars[work.c] ?? data.naive, t("own.area"), keep);
  const field = h("input", { type: "text", id: "own-bytes", autocomplete: "off", spellcheck: "false", value: work.a ?? "ED A0 80", input: () => go(0) });
  const kind = h("select", { id: "own-kind", change: () => go(0) }, h("option", { value: "hex" }, t("own.bytes")), h("option", { value: "text" }, t("own.text")));
  const typed = () => (kind.value === "text" ? encode(field.value) : parseHex(field.value));
  // The student's own examples, one on a line; each is green or red while they type.
  const lists = [[true, t("own.good")], [false, t("own.bad")]].map(([wanted, label]) => ({ wanted, label,
    words: h("textarea", { rows: 3, spellcheck: "false", "aria-label": label, input: () => examples() }), told: h("ul", { class: "examples" }) }));
  const examples = () => {
    for (const { wanted, words, told } of lists) {
      const lines = words.value.split("\n").filter((line) => line);
      told.replaceChildren(...lines.map((line) => {
        const right = mine && accepts(mine.automaton, encode(line)) === wanted;
        return h("li", { class: `answer ${right ? "good" : "bad"}` }, `${right ? "✓" : "✗"} ${line}`);
      }));
    }
  };
  const derived = (bytes) => {
    if (mine.read !== String(bytes)) Object.assign(mine, { read: String(bytes), found: derive(mine.grammar, mine.start, bytes, mine.point !== null) });
    return mine.found;
  };
  const go = (position) => {
    const bytes = typed();
    if (!bytes) {
      where.textContent = t("input.problem.hex");
      return;
    }
    at = Math.max(0, Math.min(position, bytes.length));
    keep({ a: field.value, q: String(at || "") });
    where.textContent = t("step.where", { position: at, total: bytes.length });
    const read = bytes.slice(0, at);
    tables.replaceChildren(...(mine ? [statesTable(t("own.mine"), mine.automaton, mine.rows, read)] : []), statesTable("UTF-8", right, rightRows, read),
      ...(mine ? [treeOf(derived(bytes), at)] : []));
  };
  const load = (text, name = "") => {
    area.value = text;
    keep({ c: name, g: name ? "" : text });
    check();
  };
  const check = () => {
    const found = judge(area.value, utf8, true);
    mine = null;
    if (found.problem) tell(false, problemWords(found.problem));
    else {
      const grammar = readGrammar(area.value);
      const start = grammar.rules.has(utf8.rule) ? utf8.rule : grammar.start;
      const automaton = compileSolved(grammar, start);
      const point = codePointIn(grammar, start);
      const note = point ? [h("p", {}, t("own.code_points", point))] : [];
      mine = { automaton, rows: liveStates(automaton), grammar, start, point };
      if (found.equal) tell(null, ...note, t("own.equal"));
      else tell(null, ...note, differenceWords(found, lookAtBytes), button(t("own.step"), () => {
        kind.value = "hex";
        field.value = toHex(found.word);
        go(found.word.length);
      }, "step"));
    }
    track.replaceChildren(...(mine ? [trackOf(mine)] : []));
    examples();
    go(at);
  };
  const choice = h("select", { id: "own-choice", change: () => load(grammars[choice.value], choice.value) },
    Object.keys(grammars).map((name) => h("option", { value: name, selected: name === work.c }, { naive: t("own.naive"), utf8: "UTF-8" }[name] ?? t(`dialect.${name}`))));
  const file = h("input", { type: "file", id: "own-file", accept: ".abnf,.txt", change: async () => {
    const [chosen] = file.files;
    if (chosen) load(await chosen.slice(0, MAX_FILE).text());
  } });
  check();
  return [h("div", { class: "row" }, h("label", {}, h("span", {}, t("own.choice")), choice), h("label", {}, h("span", {}, t("own.file")), file)), area,
    h("div", { class: "row" }, button(t("own.load"), check, "primary check")), box,
    h("div", { class: "row" }, lists.map(({ label, words, told }) => h("div", {}, h("span", {}, label), words, told))),
    h("label", { for: "own-bytes" }, t("own.input")), h("div", { class: "row" }, h("label", {}, h("span", {}, t("own.kind")), kind), field,
      h("button", { type: "button", class: "back", "aria-label": t("own.back"), click: () => go(at - 1) }, "◀"), where,
      h("button", { type: "button", class: "forward", "aria-label": t("own.forward"), click: () => go(at + 1) }, "▶")), tables, track];
}
