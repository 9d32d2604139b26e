// A parser for ABNF (RFC 5234, RFC 7405), from text to rules as nodes with their places. Students write the text, so it
// accepts any indentation and line ends, and every error has a line and a column.
//
// Nodes: {kind: "alt" | "cat", items}, {kind: "rep", min, max, item}, {kind: "ref", name}, {kind: "prose", text}, {kind: "bytes", seq}
// where seq has for each value its ranges [[low, high], ...]. Each has start, end (offsets in the text), line, column.
// A value is a byte, or a code point where the grammar reaches one above FF: nfa.js makes bytes of it.

export class AbnfError extends Error {
  constructor(key, facts) {
    super(key);
    this.key = key; // a key of the strings: "abnf.…"
    this.facts = facts;
  }
}

const HEAD = /^[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*(=\/|=)/gm;
const BASES = { b: [2, /[01]+/y], d: [10, /[0-9]+/y], x: [16, /[0-9A-Fa-f]+/y] };
const MAX_REPEATS = 256;
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
  const heads = [...text.matchAll(HEAD)];
  if (!heads.length) throw new AbnfError("abnf.no_rule", { line: 1, column: 1 });
  const before = text.slice(0, heads[0].index).replace(/;[^\n]*/g, "").trim();
  if (before) throw new AbnfError("abnf.no_rule", place(text, text.search(/\S/)));
  const rules = new Map();
  heads.forEach((head, i) => {
    const end = i + 1 < heads.length ? heads[i + 1].index : text.length;
    const at = head.index + head[0].indexOf(head[1]);
    const body = new Reader(text, head.index + head[0].length, end).wholeBody();
    const key = head[1].toLowerCase();
    const known = rules.get(key);
    if (head[2] === "=/") {
      if (!known) throw new AbnfError("abnf.nothing_to_extend", { name: head[1], ...place(text, at) });
      known.body = { ...known.body, kind: "alt", items: [...alternatives(known.body), ...alternatives(body)] };
    } else if (known) {
      throw new AbnfError("abnf.twice", { name: head[1], ...place(text, at) });
    } else {
      rules.set(key, { name: head[1], body, start: at, end });
    }
  });
  if (core) {
    for (const [key, rule] of readGrammar(CORE, { core: false }).rules) {
      if (!rules.has(key)) rules.set(key, { ...rule, core: true });
    }
  }
  return { text, start: heads[0][1].toLowerCase(), rules };
}

export function alternatives(node) {
  return node.kind === "alt" ? node.items : [node];
}

export function place(text, offset) {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: lines.at(-1).length + 1 };
}

class Reader {
  constructor(text, at, end) {
    Object.assign(this, { text, at, end });
  }

  wholeBody() {
    const node = this.alternation();
    if (this.at < this.end) this.fail("abnf.unexpected", { what: this.text[this.at] });
    return node;
  }

  fail(key, facts = {}) {
    throw new AbnfError(key, { ...facts, ...place(this.text, this.at) });
  }

  space() {
    const found = this.match(/(?:[ \t\r\n]+|;[^\n]*)+/y);
    return found !== null;
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found || this.at + found[0].length > this.end) return null;
    this.at += found[0].length;
    return found[0];
  }

  node(start, fields) {
    return { ...fields, start, end: this.at, ...place(this.text, start) };
  }

  alternation() {
    this.space();
    const start = this.at;
    const items = [this.concatenation()];
    let end = this.at;
    while ((this.space(), this.match(/\//y))) {
      this.space();
      items.push(this.concatenation());
      end = this.at;
    }
    return items.length === 1 ? items[0] : { ...this.node(start, { kind: "alt", items }), end };
  }

  concatenation() {
    const start = this.at;
    const items = [this.repetition()];
    let end = this.at;
    for (this.space(); this.at < this.end && !"/)]".includes(this.text[this.at]); this.space()) {
      items.push(this.repetition());
      end = this.at;
    }
    return items.length === 1 ? items[0] : { ...this.node(start, { kind: "cat", items }), end };
  }

  repetition() {
    const start = this.at;
    const low = this.match(/[0-9]+/y);
    const star = this.match(/\*/y);
    if (low === null && star === null) return this.element();
    const high = star ? this.match(/[0-9]+/y) : low;
    const min = Number(low ?? 0);
    const max = high === null ? Infinity : Number(high);
    if (min > MAX_REPEATS || (max !== Infinity && max > MAX_REPEATS)) this.fail("abnf.too_many", { most: MAX_REPEATS });
    if (max < min) this.fail("abnf.order", { low: min, high: max });
    return this.node(start, { kind: "rep", min, max, item: this.element() });
  }

  element() {
    const start = this.at;
    const next = this.at < this.end ? this.text[this.at] : "";
    if (next === "(" || next === "[") {
      this.at++;
      const item = this.alternation();
      const close = next === "(" ? ")" : "]";
      if (this.text[this.at] !== close || this.at >= this.end) this.fail("abnf.unclosed", { what: close });
      this.at++;
      return next === "(" ? this.node(start, { kind: "rep", min: 1, max: 1, item, group: true })
        : this.node(start, { kind: "rep", min: 0, max: 1, item });
    }
    if (next === "%") return this.number(start);
    if (next === '"') return this.string(start, true);
    const text = this.match(/<[\x20-\x3D\x3F-\x7E]*>/y);
    if (text !== null) return this.node(start, { kind: "prose", text });
    const name = this.match(/[A-Za-z][A-Za-z0-9-]*/y);
    if (name === null) this.fail(next ? "abnf.unexpected" : "abnf.ends", { what: next });
    return this.node(start, { kind: "ref", name });
  }

  string(start, folds) {
    const found = this.match(/"[\x20-\x21\x23-\x7E]*"/y);
    if (found === null) this.fail("abnf.string");
    const seq = [...found.slice(1, -1)].map((letter) => {
      const both = folds ? new Set([letter.toLowerCase(), letter.toUpperCase()]) : [letter];
      return [...both].map((each) => [each.charCodeAt(0), each.charCodeAt(0)]).sort((a, b) => a[0] - b[0]);
    });
    return this.node(start, { kind: "bytes", seq, text: found });
  }

  number(start) {
    this.at++;
    const letter = (this.text[this.at++] ?? "").toLowerCase();
    if (letter === "s" || letter === "i") return this.string(start, letter === "i");
    if (!(letter in BASES)) this.fail("abnf.base");
    const [base, digits] = BASES[letter];
    const value = () => {
      const found = this.match(digits);
      if (found === null) this.fail("abnf.digits");
      const number = parseInt(found, base);
      if (number > MAX_CODE_POINT) this.fail("abnf.no_point", { what: found });
      return number;
    };
    const first = value();
    if (this.match(/-/y)) {
      const last = value();
      if (last < first) this.fail("abnf.order", { low: hex(first), high: hex(last) });
      return this.node(start, { kind: "bytes", seq: [[[first, last]]] });
    }
    const seq = [[[first, first]]];
    while (this.match(/\./y)) {
      const more = value();
      seq.push([[more, more]]);
    }
    return this.node(start, { kind: "bytes", seq });
  }
}

export function hex(byte) {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}
