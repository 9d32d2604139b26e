// The ABNF reader: the same one as utf8_abnf/grammar/reader.py, with the same errors at the same places; a test runs one
// table of grammars through both. Comments there give the reasons. The messages and hints are the package's own.
//
// Nodes: {kind: "alt" | "cat", items}, {kind: "rep", min, max, item}, {kind: "ref", name}, {kind: "prose", text},
// {kind: "bytes", seq, base}, where seq has for each value its ranges [[low, high], ...], and base is "" for a string.
// Each has start, end (offsets in the text), line, column. A value is a byte, or a code point: nfa.js makes bytes of it.
import { forCharacter, forDefinedAs, forElement, forNothing, forRule, say, similar } from "./hints.js";

export class AbnfError extends Error {
  /** The text *key* of the strings with *facts*, at *place*, which has line and column. */
  constructor(key, facts = {}, { line, column } = { line: 1, column: 1 }) {
    super(key);
    Object.assign(this, { key, facts, line, column });
  }
}

const BASES = { x: [16, "[0-9A-Fa-f]+"], d: [10, "[0-9]+"], b: [2, "[01]+"] };
const NUMBERS = Object.fromEntries(Object.entries(BASES).map(([base, [, digits]]) => [base, new RegExp(`(${digits})(?:((?:[.]${digits})+)|-(${digits}))?`, "y")]));
const BLANK = /[ \t]*(?:;[^\r\n]*)?(?:\r?\n|$)/y;
const LINE_END = /(?:;[^\r\n]*)?(?:\r?\n|$)/y;
const WHITE = /[ \t]*/y;
const NAME = /[A-Za-z][A-Za-z0-9-]*/y;
const BEGINS_A_RULE = /[ \t]*[A-Za-z][A-Za-z0-9-]*[ \t]*=/y;
const MAYBE_COMMENT = /"[^"\r\n]*"?|<[^>\r\n]*>?|;[^\r\n]*/g;
const MAX_NESTING = 64;
const MAX_DIGITS = 18;
const MAX_CODE_POINT = 0x10ffff;

// RFC 5234 appendix B.1, for rules that a grammar uses and does not define.
const CORE = `ALPHA = %x41-5A / %x61-7A
BIT = "0" / "1"
CHAR = %x01-7F
CR = %x0D
CRLF = CR LF
CTL = %x00-1F / %x7F
DIGIT = %x30-39
DQUOTE = %x22
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
HTAB = %x09
LF = %x0A
LWSP = *(WSP / CRLF WSP)
OCTET = %x00-FF
SP = %x20
VCHAR = %x21-7E
WSP = SP / HTAB
`;

/** Returns {text, start, rules: Map of the lower-case name to {name, body, start, end}}; throws AbnfError. */
export function readGrammar(text, { core = true } = {}) {
  const found = new Reader(text).definitions();
  if (!found.length) throw new AbnfError("syntax.NO_RULES");
  const rules = new Map();
  found.forEach(({ name, adds, body, start }, i) => {
    const key = name.toLowerCase();
    const known = rules.get(key);
    const twice = known?.name === name ? "syntax.DEFINED_TWICE" : "syntax.DEFINED_IN_ANOTHER_CASE";
    if (known && !adds) throw new AbnfError(twice, { name, line: place(text, known.start).line, other: known.name }, place(text, start));
    if (adds && !known) throw new AbnfError("syntax.ADDED_FIRST", { name }, place(text, start));
    if (known) known.body = { ...known.body, kind: "alt", items: [...alternatives(known.body), ...alternatives(body)] };
    else rules.set(key, { name, body, start, end: found[i + 1]?.start ?? text.length });
  });
  const own = [...rules.values()].map(({ name }) => name);
  for (const rule of rules.values()) rule.body = withNames(rule.body, rules);
  if (core) {
    for (const [key, rule] of readGrammar(CORE, { core: false }).rules) {
      if (!rules.has(key)) rules.set(key, { ...rule, core: true });
    }
  }
  return { text, start: found[0].name.toLowerCase(), rules, own };
}

/** Prose that is the name of a rule is a reference to it. */
function withNames(node, rules) {
  if (node.kind === "prose" && rules.has(node.text.toLowerCase())) return { ...node, kind: "ref", name: node.text };
  if (node.items) return { ...node, items: node.items.map((item) => withNames(item, rules)) };
  return node.item ? { ...node, item: withNames(node.item, rules) } : node;
}

/** Throws AbnfError if bytes cannot be parsed from the rule *start*; with *ofCodePoints*, values are code points. */
export function checkGrammar(grammar, start, ofCodePoints) {
  for (const rule of reachable(grammar, start)) {
    let whole = rule.body;
    while (whole.group) whole = whole.item;
    const { kind, name } = whole;
    const isItself = kind === "ref" && name !== rule.name && name.toLowerCase() === rule.name.toLowerCase();
    if (isItself) throw new AbnfError("syntax.DEFINED_AS_ITSELF", { name: rule.name, other: name }, place(grammar.text, rule.start));
    for (const node of walk(rule.body)) {
      const fail = (key, facts) => { throw new AbnfError(key, facts, node); };
      if (node.kind === "ref" && !grammar.rules.has(node.name.toLowerCase())) fail("syntax.UNKNOWN_RULE", { name: node.name, remedy: similar(node.name, grammar.own) });
      if (node.kind === "prose") fail("syntax.PROSE", { text: node.text });
      if (node.kind !== "bytes" || !node.base) continue;
      const greatest = Math.max(...node.seq.flat(2));
      if (!ofCodePoints && greatest > 0xff) fail("syntax.BEYOND_BYTE", { value: hex(greatest) });
      if (greatest > MAX_CODE_POINT) fail("syntax.BEYOND_UNICODE", { value: hex(greatest) });
      if (ofCodePoints && node.seq.some(([[low, high]]) => low >= 0xd800 && high <= 0xdfff)) fail("syntax.ONLY_SURROGATES", { values: showNumber(node) });
    }
  }
}

function showNumber({ seq, base }) {
  const digits = (value) => (base === "x" ? hex(value) : value.toString(BASES[base][0]));
  const [[low, high]] = seq[0];
  return `%${base}${seq.length > 1 ? seq.map(([[value]]) => digits(value)).join(".") : digits(low) + (high > low ? `-${digits(high)}` : "")}`;
}

/** The rules that *start* reaches, itself first, each before those that it uses. */
function reachable(grammar, start) {
  const first = grammar.rules.get(start);
  const found = new Set([first].filter(Boolean));
  const todo = [...found];
  while (todo.length) {
    const used = [...walk(todo.pop().body)].map((node) => node.kind === "ref" && grammar.rules.get(node.name.toLowerCase()));
    const fresh = [...new Set(used)].filter((rule) => rule && !found.has(rule));
    for (const rule of fresh) found.add(rule);
    todo.push(...fresh.reverse());
  }
  return found;
}

/** The node and all below it, in the order of the text. */
export function* walk(node) {
  yield node;
  for (const child of node.items ?? (node.item ? [node.item] : [])) yield* walk(child);
}

/** {what, line, column} of the greatest value that *start* reaches, if it is above FF: a grammar of code points; or null. */
export function codePointIn(grammar, start) {
  const numbers = [...reachable(grammar, start)].flatMap((rule) => [...walk(rule.body)]).filter((node) => node.kind === "bytes" && node.base);
  const found = numbers.find(({ seq }) => seq.flat(2).some((value) => value > 0xff));
  return found ? { what: hex(Math.max(...found.seq.flat(2))), line: found.line, column: found.column } : null;
}

export function alternatives(node) {
  return node.kind === "alt" ? node.items : [node];
}

/** Line and column, both from 1 and in characters. */
export function place(text, offset) {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: [...lines.at(-1)].length + 1 };
}

class Reader {
  constructor(text) {
    Object.assign(this, { text, at: 0, depth: 0 });
    this.onlyAscii();
    let start = 0;
    while (start < text.length && this.matchAt(BLANK, start)) start = BLANK.lastIndex;
    this.margin = this.matchAt(WHITE, start)[0];
    this.white = new RegExp(`(?:[ \\t]+|(?:;[^\\r\\n]*)?\\r?\\n${this.margin}(?=[ \\t]))*`, "y");
  }

  definitions() {
    const found = [];
    while (this.at < this.text.length) if (!this.match(BLANK)) found.push(this.rule());
    return found;
  }

  onlyAscii() {
    const { text } = this;
    const found = /[^\t\r\n\x20-\x7E]|\r(?!\n)/.exec(text.replace(MAYBE_COMMENT, (part) => (part[0] === ";" ? part.replace(/[^\x00-\x7F]/g, "?") : part)));
    if (!found) return;
    const char = String.fromCodePoint(text.codePointAt(found.index));
    const known = { "\ufeff": "BYTE_ORDER_MARK", "\f": "FORM_FEED", "\r": "LONE_CR" }[char];
    const shown = `U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    this.fail(found.index, known ?? "NOT_ASCII", known ? {} : { character: shown, remedy: forCharacter(text, found.index) });
  }

  rule() {
    const indent = this.matchAt(WHITE, this.at)[0];
    const start = this.at + indent.length;
    if (indent !== this.margin) {
      const why = indent.startsWith(this.margin) ? say("CONTINUES_NOTHING") : say("SAME_MARGIN", { margin: quoted(this.margin) });
      this.fail(start, "INDENTATION", { white: quoted(indent), why });
    }
    const name = this.matchAt(NAME, start)?.[0];
    if (name === undefined) this.fail(start, "EXPECTED_RULE", { got: this.got(start), remedy: forRule(this.text, start) });
    this.at = start + name.length;
    this.skip();
    const definedAs = this.match(/=\/?/y);
    if (!definedAs) this.failWith(say("EXPECTED_DEFINED_AS", { name }), forDefinedAs(this.text, this.at) ?? this.whyTheRuleEnds());
    this.skip();
    const body = this.alternation();
    if (!this.match(LINE_END)) this.failAtElement(say("EXPECTED_END"));
    return { name, adds: definedAs[0] === "=/", body, start };
  }

  alternation() {
    const items = [this.concatenation()];
    while (this.match(/\//y)) {
      this.skip();
      items.push(this.concatenation());
    }
    return items.length === 1 ? items[0] : this.node(items[0].start, { kind: "alt", items }, items.at(-1).end);
  }

  concatenation() {
    const items = [this.repetition()];
    let white = this.skip();
    while (this.at < this.text.length && !"/)];\r\n".includes(this.text[this.at])) {
      if (!white) this.failAtElement(say("EXPECTED_WHITE_SPACE"));
      items.push(this.repetition());
      white = this.skip();
    }
    return items.length === 1 ? items[0] : this.node(items[0].start, { kind: "cat", items }, items.at(-1).end);
  }

  repetition() {
    const start = this.at;
    const repeat = this.match(/([0-9]*)\*([0-9]*)|([0-9]+)/y);
    if (!repeat) return this.element();
    const [whole, low, high, exact] = repeat;
    const min = this.count(exact ?? low, 10, start);
    const most = exact ?? high;
    const max = most ? this.count(most, 10, exact ? start : start + low.length + 1) : Infinity;
    if (max < min) this.fail(start, "BAD_REPEAT", { repeat: whole, least: min, most: max });
    if (this.at === this.text.length || " \t\r\n/)];".includes(this.text[this.at])) this.fail(this.at, "NO_WHITE_SPACE", { repeat: whole, got: this.got(this.at) });
    return this.node(start, { kind: "rep", min, max, item: this.element() });
  }

  element() {
    const start = this.at;
    const char = this.text[start] ?? "";
    if (char === "(" || char === "[") return this.nested(char);
    if (char === "<") {
      const prose = this.match(/<([^>\r\n]*)>/y) ?? this.fail(start, "OPEN_PROSE");
      return this.node(start, { kind: "prose", text: prose[1] });
    }
    if (/["]|%[siSI]/y.test(this.text.slice(start, start + 2))) return this.string();
    if (char === "%") return this.number();
    const name = this.match(NAME) ?? this.failAtElement(say("EXPECTED_ELEMENT"));
    return this.node(start, { kind: "ref", name: name[0] });
  }

  nested(opening) {
    const start = this.at;
    const closing = opening === "(" ? ")" : "]";
    if (this.depth === MAX_NESTING) this.fail(start, "TOO_DEEP", { most: MAX_NESTING });
    this.depth++;
    this.at++;
    this.skip();
    if (this.text[this.at] === closing) this.fail(start, "EMPTY_GROUP");
    const item = this.alternation();
    if (this.text[this.at] !== closing) this.failAtElement(say("EXPECTED_CLOSING", { closing, opening, ...place(this.text, start) }));
    this.at++;
    this.depth--;
    return this.node(start, { kind: "rep", min: opening === "(" ? 1 : 0, max: 1, item, group: opening === "(" });
  }

  string() {
    const start = this.at;
    const found = this.match(/(%[siSI])?"([^"\r\n]*)"/y);
    if (!found) {
      if (this.text[start] === "%" && this.text[start + 2] !== '"') this.fail(start + 2, "NO_STRING", { prefix: this.text.slice(start, start + 2) });
      this.fail(start, "OPEN_STRING");
    }
    const [whole, prefix, letters] = found;
    if (letters.includes("\t")) this.fail(start + whole.indexOf("\t"), "TAB_IN_STRING");
    const seq = [...letters].map((letter) => {
      const both = prefix?.toLowerCase() === "%s" ? [letter] : [...new Set([letter.toUpperCase(), letter.toLowerCase()])];
      return both.map((each) => [each.charCodeAt(0), each.charCodeAt(0)]);
    });
    return this.node(start, { kind: "bytes", seq, base: "", text: whole.slice(prefix?.length ?? 0) });
  }

  number() {
    const start = this.at;
    const base = (this.text[start + 1] ?? "").toLowerCase();
    if (!(base in BASES)) this.fail(start, "EXPECTED_BASE", { got: this.got(start + 1), remedy: say("NUMBER") });
    const found = this.matchAt(NUMBERS[base], start + 2);
    if (!found) this.fail(start + 2, "EXPECTED_DIGIT", { digit: say(`DIGITS.${base}`), base, got: this.got(start + 2) });
    this.at = start + 2 + found[0].length;
    const [, first, more, last] = found;
    const value = (digits) => this.count(digits, BASES[base][0], start);
    const low = value(first);
    if (more) return this.node(start, { kind: "bytes", base, seq: [low, ...more.slice(1).split(".").map(value)].map((each) => [[each, each]]) });
    const high = last ? value(last) : low;
    if (high < low && !/[0-9A-Za-z]/.test(this.text[this.at] ?? "")) this.fail(start, "REVERSED", { range: this.text.slice(start, this.at), base, last, first });
    return this.node(start, { kind: "bytes", base, seq: [[[low, high]]] });
  }

  // ---- Helpers

  matchAt(pattern, at) {
    pattern.lastIndex = at;
    return pattern.exec(this.text);
  }

  match(pattern) {
    const found = this.matchAt(pattern, this.at);
    if (found) this.at += found[0].length;
    return found;
  }

  skip() {
    return this.match(this.white)[0] !== "";
  }

  node(start, fields, end = this.at) {
    return { ...fields, start, end, ...place(this.text, start) };
  }

  count(digits, radix, where) {
    if (digits.replace(/^0+/, "").length > MAX_DIGITS) this.fail(where, "MANY_DIGITS", { most: MAX_DIGITS });
    return parseInt(digits || "0", radix);
  }

  got(where) {
    if (where >= this.text.length) return say("END_OF_GRAMMAR");
    const char = this.text[where];
    return char === "\t" ? say("TAB") : "\r\n".includes(char) ? say("END_OF_LINE") : quoted(char);
  }

  whyTheRuleEnds() {
    const end = this.matchAt(LINE_END, this.at);
    if (!end) return null;
    const start = this.at + end[0].length;
    let follows = start;
    while (follows < this.text.length && this.matchAt(BLANK, follows)) follows = BLANK.lastIndex;
    if (follows === this.text.length || this.matchAt(BEGINS_A_RULE, follows)) return null;
    const isIndented = [" ", "\t"].some((white) => this.text.startsWith(this.margin + white, follows));
    if (!isIndented) return say("MAY_CONTINUE", { line: place(this.text, follows).line });
    const isBlank = !this.text.slice(start).split("\n", 1)[0].trim();
    return say(isBlank ? "CUT_BY_BLANK" : "CUT_BY_MARGIN", { line: place(this.text, start).line });
  }

  failAtElement(expected) {
    const ends = ["", "\r", "\n"].includes(this.text[this.at] ?? "");
    this.failWith(expected, forElement(this.text, this.at) ?? this.whyTheRuleEnds() ?? (ends ? forNothing(this.text, this.at) : null));
  }

  failWith(expected, hint) {
    this.fail(this.at, hint ? "GOT_HINT" : "GOT", { expected, got: this.got(this.at), hint });
  }

  fail(where, key, facts = {}) {
    throw new AbnfError(`syntax.${key}`, facts, place(this.text, where));
  }
}

/** *text* in quotation marks, as Python shows it. */
function quoted(text) {
  const mark = text.includes("'") ? '"' : "'";
  return mark + text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t") + mark;
}

export function hex(byte) {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}
