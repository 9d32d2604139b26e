// Other languages than UTF-8: is a word derived by a rule of a grammar that ships, and if not, where does it go wrong?
import { readGrammar } from "./abnf.js";
import { accepts, compile, dead, moves } from "./automata.js";
import { h } from "./dom.js";
import { answerBox, button, numberOf } from "./exercises.js";
import { newScore, randomFrom, randomWord } from "./questions.js";
import { shown } from "./state.js";
import { t } from "./words.js";

const compiled = new Map(); // by the names of data.languages, as scores
const scores = new Map();

/** What may stand after *bytes*: ranges of characters, and the end of the input if *automaton* accepts them. */
function expected(automaton, bytes) {
  const gone = dead(automaton);
  const state = bytes.reduce((at, byte) => automaton.table[at][automaton.classes[byte]], automaton.start);
  const ranges = moves(automaton, state).filter(([, , target]) => !gone.has(target));
  const words = ranges.map(([low, high]) => (low === high ? shown(low) : `${shown(low)}..${shown(high)}`));
  return [...words, ...(automaton.accepting.has(state) ? [t("next.end")] : [])].join(", ");
}

/** The offset of the first byte that cannot be right, their number if bytes are missing at the end, or null. */
function mistakeIn(automaton, bytes) {
  if (accepts(automaton, bytes)) return null;
  const gone = dead(automaton);
  let state = automaton.start;
  const wrong = bytes.findIndex((byte) => gone.has((state = automaton.table[state][automaton.classes[byte]])));
  return wrong < 0 ? bytes.length : wrong;
}

export function wordsOfOthers(page) {
  const { data, work, keep } = page;
  const { box, tell } = answerBox();
  const place = h("div", { class: "question" });
  const rules = h("pre", { class: "scroll", tabindex: "0", role: "group", "aria-label": t("words.grammar") });
  const names = Object.keys(data.languages);
  const choice = h("select", { id: "language", change: () => ask(scoreOf(choice.value).points.next) },
    names.map((name, i) => h("option", { value: name, selected: name === work.c }, t("words.level", { level: i + 1, name: t(`words.${name}`) }))));
  const scoreOf = (name) => scores.get(name) ?? scores.set(name, newScore()).get(name);
  const ask = (number) => {
    const name = choice.value;
    const { grammar, rule } = data.languages[name];
    if (!compiled.has(name)) compiled.set(name, compile(readGrammar(grammar), rule.toLowerCase()));
    const automaton = compiled.get(name);
    const bytes = randomWord(automaton, number, randomFrom(`/${name}/${number}`));
    const wanted = mistakeIn(automaton, bytes);
    const score = scoreOf(name);
    score.points.next = number;
    keep({ c: name, q: String(number) });
    tell(null);
    const solution = () => {
      const at = wanted ?? bytes.length;
      const truth = wanted === null ? t("words.good", { rule }) : t(at < bytes.length ? "words.bad" : "words.ends", { byte: shown(bytes[at] ?? 0), number: at + 1, rule, expected: expected(automaton, bytes.slice(0, at)) });
      return [`${truth} `, t("predict.score", score.points), " ", button(t("answer.next"), () => ask(number + 1), "again")];
    };
    let [tries, open] = [0, true]; // until there is an answer
    const answer = (offset) => {
      if (open) score.count(offset === wanted, wanted);
      open = false;
      if (offset === wanted || tries++) tell(offset === wanted, solution());
      else tell(false, t("words.again"));
    };
    const show = () => {
      open = false;
      tell(null, solution());
    };
    const half = Math.floor((wanted ?? bytes.length) / 2);
    place.replaceChildren(
      h("p", {}, t("words.question", { number: number + 1, rule })),
      h("div", { class: "cells" }, bytes.map((byte, offset) => h("button", { type: "button", class: "byte", "aria-label": t("predict.byte", { byte: shown(byte), number: offset + 1 }), click: () => answer(offset) }, shown(byte))),
        h("button", { type: "button", class: "byte end", click: () => answer(bytes.length) }, t("predict.end"))),
      h("div", { class: "row" }, button(t("words.accepted"), () => answer(null), "primary"),
        button(t("answer.hint"), () => tell(null, t("words.hint", { count: half, expected: expected(automaton, bytes.slice(0, half)) })), "hint"), button(t("answer.show"), show, "show")));
    rules.textContent = grammar;
  };
  ask(numberOf(page, scoreOf(choice.value).points.next));
  return [h("div", { class: "row" }, h("label", {}, h("span", {}, t("words.choice")), choice)), place, box, h("details", {}, h("summary", {}, t("words.grammar")), rules)];
}
