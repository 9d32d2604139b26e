// A sandbox for ABNF: a grammar that is pasted, chosen, or read from a file, and read anew while it is typed; examples that
// it has to accept and to reject; and an input that its automaton, its tree and its track read step by step.
import { hex } from "./abnf.js";
import { accepts, dead, fromTable, moves } from "./automata.js";
import { derive } from "./deriving.js";
import { h } from "./dom.js";
import { answerBox, button } from "./exercises.js";
import { differenceOf, differenceWords, editor, problemWords, understood, utf8Of } from "./exercises_abnf.js";
import { encode, parseHex, shown, toHex } from "./state.js";
import { branch } from "./view_grammar.js";
import { trackDrawing } from "./view_track.js";
import { t } from "./words.js";

const MAX_ROWS = 60; // states of an automaton that are shown
const MAX_FILE = 200000; // bytes
const EMPTY = "ε"; // as an example: the empty text
const SAMPLE = { g: 'greeting = "hello" 1*( SP name ) ; what is said\nname     = 1*ALPHA\n', a: "hello Ana", y: "hello Ana\nHELLO Bob Cy", n: "hello\nhello 42" };

/** The states that can still accept, in the order in which they are reached: [number, {name, word, steps}]. */
function liveStates(automaton, name = () => "") {
  const gone = dead(automaton);
  const rows = new Map();
  const todo = gone.has(automaton.start) ? [] : [[automaton.start, []]];
  for (const [state, word] of todo) {
    if (rows.has(state)) continue;
    const steps = moves(automaton, state).filter(([, , target]) => !gone.has(target));
    rows.set(state, { name: name(state) || (word.length ? "" : "start"), word, steps });
    for (const [low, , target] of steps) todo.push([target, [...word, low]]);
  }
  return rows;
}

/** The automaton as a table of its states, with the one marked that it is in after *read*; *show* writes a byte. */
function statesTable(title, automaton, rows, read, show) {
  let state = automaton.start;
  let at = 0;
  for (; at < read.length && rows.has(state); at++) state = automaton.table[state][automaton.classes[read[at]]];
  const here = rows.get(state);
  const nameOf = ({ name, word }) => name || t("own.after", { bytes: word.map(show).join(" ") });
  const words = !here ? t("own.dead", { number: at }) : t(automaton.accepting.has(state) ? "own.accepts" : "own.waits", { state: nameOf(here) });
  const some = [...rows].slice(0, MAX_ROWS);
  const lines = some.map(([number, row]) => h("tr", { class: number === state ? "now" : "", "aria-current": number === state ? "step" : null },
    h("th", { scope: "row" }, number === state ? "▶ " : "", nameOf(row), automaton.accepting.has(number) ? " *" : ""),
    h("td", {}, row.steps.map(([low, high, target]) => h("div", {}, `${show(low)}${high > low ? `..${show(high)}` : ""} → ${nameOf(rows.get(target))}`)))));
  return h("section", { class: "states" }, h("h3", {}, title), h("p", { role: "status" }, `${here && automaton.accepting.has(state) ? "✓" : here ? "…" : "✗"} ${words}`),
    h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": title }, h("table", {}, h("tbody", {}, lines))),
    rows.size > some.length ? h("p", { class: "aside" }, t("own.more", { shown: some.length, total: rows.size })) : null);
}

/** The parse tree of all bytes, with the byte before *at* as the one that was read last. */
function treeOf({ tree, steps }, at, show) {
  const mark = (node) => ({ ...node, text: node.label ? "" : show(node.byte), wrong: "", now: node.offset === at - 1, children: node.children.map(mark) });
  return h("section", {}, h("h3", {}, t("own.tree")), tree
    ? h("div", { class: "treebox", tabindex: "0", role: "group", "aria-label": t("own.tree") }, h("ul", { class: "tree" }, branch(mark(tree))))
    : h("p", {}, steps ? t("own.no_search", { steps }) : t("own.no_tree")));
}

function trackOf({ grammar, start }, show) {
  return h("section", {}, h("h3", {}, t("own.track")),
    h("div", { class: "drawing", tabindex: "0", role: "group", "aria-label": t("own.track") }, trackDrawing({ grammar: { ...grammar, start } }, show)));
}

export function own({ machine, data, work, keep, lookAtBytes }) {
  const { box, tell } = answerBox();
  const utf8 = utf8Of(data);
  const right = fromTable(data.automaton);
  const rightRows = liveStates(right, (state) => machine.table.states[state].name);
  const grammars = { sample: SAMPLE.g, naive: data.naive, utf8: data.grammar, ...data.dialects };
  const given = work.g || work.c ? work : { ...SAMPLE, ...work };
  const [tables, track, where, verdict] = [h("div", { class: "machines" }), h("div", {}), h("output", {}), h("p", { id: "own-verdict", role: "status" })];
  let mine = null; // what is understood of the grammar
  let at = Number(work.q) || 0;
  const area = editor(given.g ?? grammars[work.c] ?? SAMPLE.g, t("own.area"), keep);
  area.rows = 7;
  area.addEventListener("input", () => check());
  const field = h("input", { type: "text", id: "own-input", autocomplete: "off", autocapitalize: "off", spellcheck: "false", value: given.a ?? "", input: () => go(0) });
  const kind = h("select", { id: "own-kind", change: () => {
    keep({ k: kind.value });
    check();
  } }, ["text", "hex"].map((name) => h("option", { value: name, selected: name === work.k }, t(`own.${name}`))));
  const bytesOf = (text) => (kind.value === "hex" ? parseHex(text) : encode(text));
  const show = (value) => (kind.value === "hex" ? hex(value) : shown(value));
  const isDerived = (bytes) => (mine.automaton ? accepts(mine.automaton, bytes) : Boolean(derive(mine.grammar, mine.start, bytes, mine.point !== null).tree));
  // The student's own examples, one on a line; each is green or red while they type.
  const lists = [[true, "y", t("own.good")], [false, "n", t("own.bad")]].map(([wanted, key, label]) => ({ wanted,
    words: h("textarea", { rows: 3, spellcheck: "false", autocapitalize: "off", id: `own-${key}`, input: () => examples(), change: ({ target }) => keep({ [key]: target.value }) }, given[key] ?? ""),
    label: h("label", { for: `own-${key}` }, label), told: h("ul", { class: "examples" }) }));
  const examples = () => {
    for (const { wanted, words, told } of lists) {
      told.replaceChildren(...words.value.split("\n").filter(Boolean).map((line) => {
        const bytes = line === EMPTY ? [] : bytesOf(line);
        const sign = !bytes || mine.problem ? "?" : isDerived(bytes) === wanted ? "✓" : "✗";
        return h("li", { class: { "✓": "answer good", "✗": "answer bad" }[sign] ?? "" }, `${sign} ${line}`);
      }));
    }
  };
  const go = (position) => {
    const bytes = bytesOf(field.value);
    const isRead = bytes && !mine.problem;
    verdict.textContent = !bytes ? t("input.problem.hex") : mine.problem ? "" : t(isDerived(bytes) ? "own.yes" : "own.no", { rule: mine.grammar.rules.get(mine.start).name });
    verdict.className = !isRead ? "" : isDerived(bytes) ? "answer good" : "answer bad";
    at = Math.max(0, Math.min(position, bytes?.length ?? 0));
    keep({ a: field.value, q: String(at || "") });
    where.textContent = t("step.where", { position: at, total: bytes?.length ?? 0 });
    const read = (bytes ?? []).slice(0, at);
    tables.replaceChildren(...(isRead && mine.automaton ? [statesTable(t("own.mine"), mine.automaton, mine.rows, read, show)] : []),
      ...(bytes && comparing() ? [statesTable("UTF-8", right, rightRows, read, hex)] : []),
      ...(isRead ? [treeOf(derive(mine.grammar, mine.start, bytes, mine.point !== null), at, show)] : []));
  };
  const load = (text, name = "") => {
    area.value = text;
    keep({ c: name, g: name ? "" : text });
    check();
  };
  const compare = h("button", { type: "button", class: "compare", "aria-pressed": "false", click: () => {
    compare.setAttribute("aria-pressed", String(!comparing()));
    check();
  } }, t("own.compare"));
  const comparing = () => compare.getAttribute("aria-pressed") === "true";
  const difference = () => {
    const found = differenceOf(mine.automaton, utf8);
    if (found.equal) return [h("p", {}, t("own.equal"))];
    return [differenceWords(found, lookAtBytes), button(t("own.step"), () => {
      kind.value = "hex";
      field.value = toHex(found.word);
      check();
      go(found.word.length);
    }, "step")];
  };
  const check = () => {
    mine = understood(area.value, utf8.rule);
    if (mine.problem) tell(false, problemWords(mine.problem));
    else {
      const { grammar, start, point, automaton, why } = mine;
      if (automaton) mine.rows = liveStates(automaton);
      const notes = [point && t("own.code_points", point), ...(why ? [problemWords(why), t("own.no_automaton")] : [])].filter(Boolean);
      tell(null, h("p", {}, t("own.read", { rule: grammar.rules.get(start).name })), notes.map((each) => h("p", {}, each)), comparing() && automaton ? difference() : []);
    }
    track.replaceChildren(...(mine.problem ? [] : [trackOf(mine, show)]));
    examples();
    go(at);
  };
  const names = { sample: t("own.sample"), naive: t("own.naive"), utf8: "UTF-8" };
  const choice = h("select", { id: "own-choice", change: () => load(grammars[choice.value], choice.value) },
    Object.keys(grammars).map((name) => h("option", { value: name, selected: name === work.c }, names[name] ?? t(`dialect.${name}`))));
  const file = h("input", { type: "file", id: "own-file", accept: ".abnf,.txt", change: async () => {
    const [chosen] = file.files;
    if (chosen) load(await chosen.slice(0, MAX_FILE).text());
  } });
  check();
  return [area, box,
    h("div", { class: "row pair" }, lists.map(({ label, words, told }) => h("div", { class: "grow" }, label, words, told))),
    h("label", { for: "own-input" }, t("own.input")), h("div", { class: "row" }, h("label", {}, h("span", {}, t("own.kind")), kind), field,
      h("span", { class: "steps" }, h("button", { type: "button", class: "back", "aria-label": t("own.back"), click: () => go(at - 1) }, "◀"), where,
        h("button", { type: "button", class: "forward", "aria-label": t("own.forward"), click: () => go(at + 1) }, "▶"))), verdict, tables, track,
    h("div", { class: "row" }, h("label", {}, h("span", {}, t("own.choice")), choice), h("label", {}, h("span", {}, t("own.file")), file), compare)];
}
