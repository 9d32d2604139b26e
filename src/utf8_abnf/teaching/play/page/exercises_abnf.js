// Writing and repairing ABNF. For a wrong grammar the page shows the shortest bytes on which it differs from the RFC's,
// and all differences as ABNF. Automata are compared, so every grammar of the same language is right.
import { AbnfError, codePointIn, hex, readGrammar } from "./abnf.js";
import { compile, differenceForms, firstWord, fromTable, shortestDifference, showForm } from "./automata.js";
import { h } from "./dom.js";
import { answerBox, button } from "./exercises.js";
import { toHex } from "./state.js";
import { t } from "./words.js";

/** UTF-8 as the exercises compare with it: its automaton, and its first rule in lower case. */
export function utf8Of(data) {
  return { ...fromTable(data.automaton), rule: data.automaton.places[0].path[0][0].toLowerCase() };
}

/**
 * The grammar *text*: {grammar, start, point, automaton}, or {problem} where it cannot be read. It starts at *rule*, or at
 * its first. *point* is a value above FF in it, or null: then its values are code points. *why*: it has no automaton.
 */
export function understood(text, rule) {
  try {
    const grammar = readGrammar(text);
    const start = grammar.rules.has(rule) ? rule : grammar.start;
    const found = { grammar, start, point: codePointIn(grammar, start), automaton: null };
    try {
      found.automaton = compile(grammar, start);
    } catch (error) {
      if (!error.irregular && error.key !== "abnf.too_large") throw error;
      found.why = error;
    }
    return found;
  } catch (error) {
    if (error instanceof RangeError) return { problem: new AbnfError("abnf.too_large") }; // the browser's stack is used up
    if (!(error instanceof AbnfError)) throw error;
    return { problem: error };
  }
}

/** What is wrong with the grammar *text* as one of the bytes of UTF-8: {equal}, {problem} or {word, extra, missing, ...}. */
export function judge(text, utf8) {
  const { automaton, problem, why, point } = understood(text, utf8.rule);
  if (!automaton || point) return { problem: problem ?? (point && new AbnfError("abnf.no_byte", point, point)) ?? why };
  return differenceOf(automaton, utf8);
}

export function differenceOf(mine, utf8) {
  const word = shortestDifference(mine, utf8);
  if (word === null) return { equal: true, states: mine.table.length };
  const extra = firstWord(mine, utf8, (a, b) => a && !b);
  const missing = firstWord(mine, utf8, (a, b) => !a && b);
  return { equal: false, word, extra, missing, difference: differenceForms(mine, utf8), states: mine.table.length };
}

export function problemWords({ key, facts, line, column }) {
  return `${t("abnf.at", { line, column })} ${t(key, facts)}`;
}

const showWord = (word) => (word.length ? toHex(word) : t("abnf.empty"));

export function differenceWords({ word, extra, missing, difference }, lookAtBytes) {
  const parts = [h("p", {}, t("abnf.shortest", { bytes: showWord(word) }), " ", word.length ? button(t("answer.look"), () => lookAtBytes(word)) : null)];
  if (extra) parts.push(h("p", {}, t("abnf.extra", { bytes: showWord(extra) })));
  if (missing) parts.push(h("p", {}, t("abnf.missing", { bytes: showWord(missing) })));
  if (difference) parts.push(formsList(difference));
  return parts;
}

function formsList({ extra, missing }) {
  const lines = [...extra.map((each) => `+ ${showForm(each)}`), ...missing.map((each) => `- ${showForm(each)}`)];
  return lines.length ? h("div", {}, h("p", { class: "aside" }, t("abnf.forms")), h("pre", { class: "forms", tabindex: "0", role: "group", "aria-label": t("abnf.forms") }, lines.join("\n"))) : null;
}

export function editor(text, label, keep) {
  const area = h("textarea", { rows: 11, spellcheck: "false", autocapitalize: "off", "aria-label": label, change: () => keep({ g: area.value }) }, text);
  return area;
}

// ---- Write or repair --------------------------------------------------------------------------------------------------

export function writing({ data, work, keep, lookAtBytes }) {
  const { box, tell } = answerBox();
  const utf8 = utf8Of(data);
  const starts = { empty: "UTF8-octets = \n", ...data.broken };
  const area = editor(work.g ?? starts[work.c] ?? starts.surrogates, t("write.area"), keep);
  const choice = h("select", { id: "broken", change: () => {
    keep({ c: choice.value, g: "" });
    area.value = starts[choice.value];
    tell(null);
  } }, [...Object.keys(data.broken), "empty"].map((name, i) => h("option", { value: name, selected: name === work.c }, name === "empty" ? t("write.empty") : t("write.repair", { number: i + 1 }))));
  const check = () => {
    const found = judge(area.value, utf8);
    if (found.problem) tell(false, problemWords(found.problem));
    else if (found.equal) tell(true, t("write.right", { states: found.states }));
    else tell(false, differenceWords(found, lookAtBytes));
  };
  const hint = () => {
    const found = judge(area.value, utf8);
    if (found.problem) tell(false, problemWords(found.problem));
    else if (found.equal) check();
    else tell(null, found.word.length ? t("write.hint", { byte: hex(found.word[0]) }) : t("write.hint.empty"));
  };
  return [h("label", { for: "broken" }, t("write.start")), h("div", { class: "row" }, choice), area,
    h("div", { class: "row" }, button(t("answer.check"), check, "primary check"), button(t("answer.hint"), hint, "hint"), button(t("answer.show"), () => {
      area.value = data.grammar;
      keep({ g: area.value });
      check();
    }, "show")), box];
}

// ---- The guided path: from the naive pattern to the right one ----------------------------------------------------------

const progress = { step: 0, text: null };

export function guided({ machine, data, work, keep, lookAtBytes }) {
  const { box, tell } = answerBox();
  const utf8 = utf8Of(data);
  const place = h("div", {});
  const area = editor(work.g ?? progress.text ?? data.naive, t("write.area"), keep);
  const steps = data.path;
  const ask = () => {
    const step = steps[progress.step];
    place.replaceChildren(
      h("ol", { class: "path" }, steps.map((each, i) => h("li", { class: i < progress.step ? "done" : i === progress.step ? "now" : "", "aria-current": i === progress.step ? "step" : null }, i < progress.step ? "✓ " : i === progress.step ? "▶ " : "", t(`guided.${each.name}`)))),
      step ? h("p", { class: "lesson" }, t(`guided.${step.name}.text`)) : h("p", { class: "lesson" }, t("guided.end")));
  };
  const check = () => {
    progress.text = area.value;
    const found = judge(area.value, utf8);
    if (found.problem) {
      tell(false, problemWords(found.problem));
      return;
    }
    const left = found.equal ? { extra: [], missing: [] } : found.difference;
    const open = (step) => !left || left.missing.length || left.extra.some(([[low, high]]) => step.ranges.some(([from, to]) => low <= to && from <= high));
    let advanced = 0;
    while (progress.step < steps.length && !open(steps[progress.step])) {
      progress.step++;
      advanced++;
    }
    ask();
    if (found.equal) tell(true, t("guided.done"));
    else if (advanced) tell(true, t("guided.onwards"), " ", t("guided.left"), formsList(left) ?? "");
    else tell(false, differenceWords(found, lookAtBytes));
  };
  const hint = () => tell(null, steps[progress.step] ? t("guided.hint", { rule: steps[progress.step].rule }) : t("guided.end"));
  const solve = () => {
    const name = steps[progress.step]?.rule ?? machine.charRule();
    tell(null, h("p", {}, t("guided.shown", { rule: name })), h("pre", { tabindex: "0", role: "group", "aria-label": name }, machine.ruleText(name)));
  };
  const restart = () => {
    Object.assign(progress, { step: 0, text: null });
    area.value = data.naive;
    keep({ g: "" });
    tell(null);
    ask();
  };
  ask();
  if (work.g) check(); // the steps that it has done
  return [place, area, h("div", { class: "row" }, button(t("answer.check"), check, "primary check"), button(t("answer.hint"), hint, "hint"), button(t("answer.show"), solve, "show"), button(t("guided.restart"), restart, "restart")), box];
}
