// The texts of the page in one language, by key, with {names} for the facts; and the sentence for a step.
import { hex } from "./abnf.js";
import { showRanges } from "./machine.js";

let texts = {};

export function speak(language, all) {
  texts = all[language];
}

export function t(key, facts = {}) {
  const text = texts[key];
  if (text === undefined) throw new Error(`no text for ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, name) => (facts[name]?.key ? t(facts[name].key, facts[name].facts) : facts[name]));
}

/** What is at the cursor: the byte just read, its place in the grammar, the state after it, and what may follow. */
export function lookAt(machine, bytes, position) {
  const steps = machine.run(bytes);
  const step = steps[Math.min(position, steps.length) - 1] ?? null;
  const state = step ? step.after : machine.table.start;
  const lead = step ? steps[step.first].place : null;
  return {
    bytes, position, steps, step, state, lead,
    past: position > steps.length, // after the byte that cannot be right
    index: step ? step.offset - step.first : -1,
    name: machine.table.states[state].name,
    expected: machine.expected(state),
    atEnd: position === bytes.length,
    accepting: machine.table.states[state].accepting,
  };
}

export function stateWords(machine, look) {
  if (look.state === machine.table.sink) return t("state.reject");
  const known = `state.${look.name}`;
  return t(known in texts ? known : "state.other", { next: showRanges(look.expected) });
}

/** The state of the page in one or two sentences, which a screen reader speaks at each step. */
export function sentence(machine, look) {
  return sentences(machine, look).join(" ").replaceAll("。 ", "。"); // the Japanese full stop has its space in it
}

function sentences(machine, look) {
  const { bytes, step, lead, index } = look;
  if (!bytes.length) return [t("say.empty")];
  if (!step) return [t("say.start", { total: bytes.length, next: showRanges(look.expected) })];
  const facts = { number: step.offset + 1, total: bytes.length, byte: hex(step.byte), state: look.name };
  const next = showRanges(look.expected);
  if (!step.fits) {
    const wanted = showRanges(machine.expected(step.before));
    const where = lead ? t("say.wrong.within", { rule: lead.path.at(-1)[0] }) : t("say.wrong.first");
    const wrong = t("say.wrong", { ...facts, expected: wanted, before: machine.table.states[step.before].name, where });
    return look.past ? [wrong, t("say.past")] : [wrong];
  }
  const alternative = machine.alternative(lead);
  const element = machine.elements(lead)[index];
  const read = machine.grammar.text.slice(element.start, element.end);
  const rule = alternative.number ? t("rule.alternative", { rule: alternative.name, number: alternative.number }) : alternative.name;
  const said = t("say.read", { ...facts, element: read, rule, abnf: alternative.text, words: stateWords(machine, look) });
  return [said, t(!look.atEnd ? "say.next" : look.accepting ? "say.end.good" : "say.end.open", { next })];
}
