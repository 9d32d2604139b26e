// The exercises without writing a grammar: the verdict, coding by hand, fooling a decoder; and the list of all seven.
import { hex, readGrammar } from "./abnf.js";
import { compile, differenceForms, accepts, fromTable, shortestDifference, showForm } from "./automata.js";
import { h } from "./dom.js";
import { guided, writing } from "./exercises_abnf.js";
import { own } from "./exercises_own.js";
import { wordsOfOthers } from "./exercises_words.js";
import { isSurrogate, markers } from "./machine.js";
import { newScore, randomFrom, randomPoint, randomWord } from "./questions.js";
import { codePoint, encode, glyph, parseHex, toHex } from "./state.js";
import { bitDrawing } from "./view_bytes.js";
import { t } from "./words.js";

const VIEWS = { predict, guided, write: writing, code: coding, words: wordsOfOthers, fool, own };
export const EXERCISES = Object.keys(VIEWS);
export const LEVELS = { predict: 1, guided: 2, write: 3, code: 1, words: 2, fool: 2, own: 3 };

/**
 * The exercise's elements; *page* has machine, data, lookAtBytes(bytes) to step through an answer, *work*, what the
 * address says of the student's work, and keep(work), which puts it there.
 */
export function exerciseView(name, page) {
  return [h("h2", {}, t(`exercise.${name}`)), h("p", { class: "task" }, t(`${name}.task`)), VIEWS[name](page)];
}

export function answerBox() {
  const box = h("div", { class: "answer", role: "status", "aria-live": "polite" });
  const tell = (good, ...what) => {
    box.className = `answer ${good === null ? "" : good ? "good" : "bad"}`;
    const sign = good === null ? "" : good ? `✓ ${t("answer.right")} ` : `✗ ${t("answer.wrong")} `;
    box.replaceChildren(h("b", {}, sign), ...what.flat(Infinity).filter(Boolean));
  };
  return { box, tell };
}

export function button(label, click, name = "") {
  return h("button", { type: "button", class: name, click }, label);
}

// ---- Predict the verdict ----------------------------------------------------------------------------------------------

const score = newScore();

/** The number of the question that the address asks for, or *otherwise*. */
export function numberOf({ work }, otherwise) {
  return /^\d{1,5}$/.test(work.q ?? "") ? Number(work.q) : otherwise;
}

function predict(page) {
  const { machine } = page;
  const place = h("div", { class: "question" });
  const { box, tell } = answerBox();
  const ask = (number) => {
    const bytes = question(page, number);
    score.points.next = number;
    page.keep({ q: String(number || "") });
    let open = true;
    tell(null);
    const answer = (offset) => {
      const error = machine.error(bytes);
      const wanted = error ? error.offending : null;
      const first = open;
      open = false;
      if (first) {
        score.count(offset === wanted, wanted);
        if (offset !== wanted) {
          tell(false, t("predict.hint")); // the second attempt is answered with everything
          return;
        }
      }
      const truth = error ? `${error.code}: ${error.truncated ? t("verdict.ends", { offset: error.offending }) : t("verdict.byte", { byte: error.got, offset: error.offending })}. ${t("verdict.expected")}: ${error.expected}. ${t(`reason.${machine.reason(error, bytes).key}`)}.` : t("verdict.good");
      tell(offset === wanted, `${truth} `, t("predict.score", score.points), " ", button(t("answer.look"), () => page.lookAtBytes(bytes)), " ", button(t("answer.next"), () => ask(number + 1), "again"));
    };
    place.replaceChildren(
      h("div", { class: "cells" }, bytes.map((byte, offset) => h("button", { type: "button", class: "byte", "aria-label": t("predict.byte", { byte: hex(byte), number: offset + 1 }), click: () => answer(offset) }, hex(byte))),
        h("button", { type: "button", class: "byte end", click: () => answer(bytes.length) }, t("predict.end"))),
      h("div", { class: "row" }, button(t("predict.good"), () => answer(null), "primary")));
  };
  ask(numberOf(page, score.points.next));
  return [place, box];
}

/** Question *number*: the examples first, then what randomWord makes. */
function question({ data }, number) {
  const order = data.examples.length;
  if (number < order) return parseHex(data.examples[(number * 7 + 8) % order]);
  return randomWord(fromTable(data.automaton), number, randomFrom(`predict/${number}`));
}

// ---- Encode and decode by hand ----------------------------------------------------------------------------------------

const POINTS = [0xdf, 0x20ac, 0x41, 0x65e5, 0x1f600, 0x7ff, 0x800, 0x4f60, 0x10000, 0x10ffff, 0xd7ff, 0x80];
const coded = { number: 0 };

function coding(page) {
  const { machine, lookAtBytes } = page;
  const place = h("div", { class: "question" });
  const { box, tell } = answerBox();
  const ask = (asking, typed = "") => {
    tell(null);
    const half = Math.floor(asking / 2);
    const number = POINTS[half] ?? randomPoint(half, randomFrom(`code/${half}`));
    const encoding = asking % 2 === 0;
    coded.number = asking;
    page.keep({ q: String(asking || ""), a: typed });
    const bytes = encode(String.fromCodePoint(number));
    const field = h("input", { type: "text", id: "coded", autocomplete: "off", spellcheck: "false", value: typed, change: () => page.keep({ a: field.value }) });
    const drawing = () => h("div", { class: "drawing" }, bitDrawing(bytes, bytes.length, -1));
    const more = () => [" ", button(t("answer.look"), () => lookAtBytes(bytes)), " ", button(t("answer.next"), () => ask(asking + 1), "again"), drawing()];
    const check = (event) => {
      event.preventDefault();
      const right = encoding ? checkBytes(machine, field.value, number, bytes) : checkPoint(field.value, number, bytes);
      if (right === true) tell(true, t("code.right", { point: codePoint(number), glyph: glyph(number), bytes: toHex(bytes) }), more());
      else tell(false, right);
    };
    const showAnswer = () => {
      tell(null, h("p", {}, `${codePoint(number)} = ${toHex(bytes)}`), more());
    };
    const asked = encoding ? t("code.encode", { point: codePoint(number), glyph: glyph(number), binary: number.toString(2) }) : t("code.decode", { bytes: toHex(bytes), binary: bytes.map((byte) => byte.toString(2).padStart(8, "0")).join(" ") });
    place.replaceChildren(h("form", { submit: check }, h("label", { for: "coded" }, asked), h("div", { class: "row" }, field, h("button", { class: "primary check" }, t("answer.check")), button(t("answer.hint"), () => tell(null, t("code.hint", { row: rowOf(bytes) })), "hint"), button(t("answer.show"), showAnswer, "show"))));
  };
  ask(numberOf(page, coded.number), page.work.a);
  return [place, box];
}

function checkBytes(machine, said, number, bytes) {
  const given = parseBinary(said) ?? parseHex(said);
  if (!given?.length) return t("code.no_bytes");
  if (given.join() === bytes.join()) return true;
  const error = machine.error(given);
  if (error) return `${t("code.ill_formed", { code: error.code })} ${t(`reason.${machine.reason(error, given).key}`)}.`;
  if (given.length !== bytes.length) return t("code.length", { point: codePoint(number), count: bytes.length });
  const first = given.findIndex((byte, i) => byte !== bytes[i]);
  const other = new TextDecoder().decode(new Uint8Array(given)).codePointAt(0);
  return t("code.other", { bytes: toHex(given), point: codePoint(other), number: first + 1 });
}

/** The row of RFC 3629's table that *bytes* belong to, as 110xxxxx 10xxxxxx. */
function rowOf(bytes) {
  return bytes.map((byte) => byte.toString(2).padStart(8, "0").slice(0, markers(byte)).padEnd(8, "x")).join(" ");
}

/** Bytes from groups of eight binary digits, null for anything else. */
function parseBinary(said) {
  const groups = said.trim().split(/\s+/);
  return groups.every((each) => /^[01]{8}$/.test(each)) ? groups.map((each) => parseInt(each, 2)) : null;
}

/** A code point in hex, or in binary: 0b100001, or more digits than a code point has in hex. */
function readPoint(said) {
  const binary = /^(?:0b([01]+)|([01]{7,21}))$/i.exec(said.replace(/\s/g, ""));
  if (binary) return parseInt(binary[1] ?? binary[2], 2);
  const found = /^\s*(?:U\+|0x|\\u)?\{?([0-9a-f]{1,6})\}?\s*$/i.exec(said);
  return found ? parseInt(found[1], 16) : null;
}

function checkPoint(said, number, bytes) {
  const given = readPoint(said);
  if (given === null) return t("code.no_point");
  if (given === number) return true;
  if (given > 0x10ffff || isSurrogate(given)) return t("code.no_scalar");
  return t("code.point", { point: codePoint(given), bytes: toHex(encode(String.fromCodePoint(given))), wanted: toHex(bytes) });
}

// ---- Fool a decoder -----------------------------------------------------------------------------------------------------

function fool({ machine, data, work, keep }) {
  const { box, tell } = answerBox();
  const utf8 = fromTable(data.automaton);
  const compiled = new Map();
  const automaton = (name) => compiled.get(name) ?? compiled.set(name, compile(readGrammar(data.dialects[name]))).get(name);
  const choose = () => {
    keep({ c: choice.value });
    describe();
  };
  const choice = h("select", { id: "dialect", change: choose }, Object.keys(data.dialects).map((name) => h("option", { value: name, selected: name === work.c }, t(`dialect.${name}`))));
  const about = h("p", { class: "aside" });
  const field = h("input", { type: "text", id: "fooled", autocomplete: "off", spellcheck: "false", value: work.a ?? "", change: () => keep({ a: field.value }) });
  const describe = () => {
    about.textContent = t(`dialect.${choice.value}.about`);
    tell(null);
  };
  const check = (event) => {
    event.preventDefault();
    const bytes = parseHex(field.value);
    if (!bytes?.length) {
      tell(false, t("input.problem.hex"));
      return;
    }
    const [ours, theirs] = [machine.accepts(bytes), accepts(automaton(choice.value), bytes)];
    const verdicts = t("fool.verdicts", { rfc: t(ours ? "fool.accepts" : "fool.rejects"), decoder: t(theirs ? "fool.accepts" : "fool.rejects") });
    const error = machine.error(bytes);
    const why = ours !== theirs && error ? ` ${error.code}: ${t(`reason.${machine.reason(error, bytes).key}`)}.` : "";
    tell(ours !== theirs, verdicts + why, ours === theirs ? ` ${t("fool.same")}` : "");
  };
  const hint = () => tell(null, t("fool.hint", { byte: hex(shortestDifference(automaton(choice.value), utf8)[0]) }));
  const solve = () => {
    const other = automaton(choice.value);
    const found = differenceForms(other, utf8);
    const lines = found ? [...found.extra.map((each) => `${t("forms.extra")}  ${showForm(each)}`), ...found.missing.map((each) => `${t("forms.missing")}  ${showForm(each)}`)] : [];
    tell(null, h("p", {}, t("fool.shortest", { bytes: toHex(shortestDifference(other, utf8)) })), h("pre", { tabindex: "0" }, [...lines, "", data.dialects[choice.value]].join("\n")));
  };
  describe();
  return [h("form", { submit: check },
    h("label", { for: "dialect" }, t("fool.decoder")), h("div", { class: "row" }, choice), about,
    h("label", { for: "fooled" }, t("fool.bytes")), h("div", { class: "row" }, field, h("button", { class: "primary check" }, t("answer.check")), button(t("answer.hint"), hint, "hint"), button(t("answer.show"), solve, "show"))), box];
}
