// What to write instead of what is not ABNF. The tables are those of utf8_abnf/grammar/remedies.py, as data.
let tables = null;

export function useHints(all) {
  const expression = (source, flags) => new RegExp(source.replaceAll("(?P<", "(?<"), flags);
  const pattern = ([source, key]) => [expression(source, "my"), key];
  const cut = { cutValue: expression(all.cut_value, ""), rest: expression(all.rest, "y") };
  tables = { ...all, ...cut, rule: all.rule.map(pattern), defined_as: all.defined_as.map(pattern), element: all.element.map(pattern) };
}

/** A message that is a fact of another message; words.js puts it into words. */
export function say(key, facts = {}) {
  return { key: `syntax.${key}`, facts };
}

function first(table, text, at) {
  for (const [pattern, key] of table) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) return say(key, { found: found[0], ...found.groups });
  }
  return null;
}

const upper = (number) => number.toString(16).toUpperCase();
const lineOf = (text, at) => text.slice(text.lastIndexOf("\n", at - 1) + 1).split("\n", 1)[0];

export function forCharacter(text, at) {
  const number = text.codePointAt(at);
  const char = String.fromCodePoint(number);
  const pasted = Object.hasOwn(tables.pasted, char) ? tables.pasted[char] : null;
  if (number >= 0xff01 && number < 0xff5f) return say(pasted ?? "OF_ASCII", { character: String.fromCharCode(number - 0xfee0) });
  const before = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  if ((before.split('"').length - 1) % 2 === 0) {
    if (tables.empty.includes(char)) return say("EMPTY_STRING");
    if (/\p{Nd}/u.test(char)) return say("OF_ASCII", { character: String(digit(number)) });
    if (/\p{L}/u.test(char) && !/^\s/.test(before) && !before.includes("=")) return say("LETTERS");
  }
  const otherwise = /[\p{C}\p{Z}]/u.test(char) ? "OTHER_BYTES" : number <= 0xff ? "BYTES_OR_CODE_POINT" : "CODE_POINT";
  return say(pasted ?? otherwise, { hex: upper(number), bytes: Array.from(new TextEncoder().encode(char), upper).join(".") });
}

/** The value of a decimal digit: Unicode has them ten by ten. */
function digit(number) {
  let zero = number;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return (number - zero) % 10;
}

export function forRule(text, at) {
  const isFirst = !text.slice(0, at).replace(/;[^\n]*/g, "").trim();
  return first(tables.rule, text, at) ?? say(isFirst ? "FIRST" : "INDENT");
}

export function forDefinedAs(text, at) {
  const line = lineOf(text, at).trimEnd();
  if (/\[Page \w+\]$|^RFC \d+ /.test(line.trim())) return say("PAGE");
  if (text.startsWith("=", at) || text.startsWith("/", at) || !line) return null;
  return first(tables.defined_as, text, at) ?? ((text[at] ?? "").trim() ? say("PROSE_COMMENT") : null);
}

export function forElement(text, at) {
  const before = text.slice(0, at).replace(/[ \t]+$/, "");
  if (text.startsWith("=", at) && before.endsWith("=")) return say("ONE_EQUALS");
  const found = forValue(before, text, at);
  return found || (tables.cutValue.test(text.slice(0, at)) && /^[\p{L}\p{N}]/u.test(text.slice(at, at + 2))) ? found : first(tables.element, text, at);
}

/** What to write instead of a value of which *before* has a part, and *text* from *at* on the rest. */
function forValue(before, text, at) {
  tables.rest.lastIndex = at;
  const [value, rest] = [tables.cutValue.exec(before), tables.rest.exec(text)?.[0]];
  if (!value || !rest || before.length < at) return null;
  const { base } = value.groups, digits = value[0].slice(2) + rest;
  if (/d/i.test(base) && /[A-F]/i.test(rest)) return say("IN_HEX", { digits });
  if (digits.includes(".") && /^[0-9A-Fa-f]+([-.][0-9A-Fa-f]+)+$/.test(digits)) {
    const parts = digits.match(/[^.-]+-[^.]+|[^.-]+(?:\.[^.-]+(?![^.]*-))*/g); // ranges, and series between them
    return say("NO_MIX", { instead: parts.map((part) => `%${base}${part}`).join(" ") });
  }
  return /^-[0-9A-Fa-f]/.test(rest) ? say("NUMBER") : null;
}

export function forNothing(text, at) {
  const before = text.slice(0, at).replace(/[ \t]+$/, "");
  return before.endsWith("=") ? say("EMPTY_STRING") : before.endsWith("/") ? say("NO_SLASH") : null;
}

/** What to write instead of *name*, which is none of the rules *own*. */
export function similar(name, own) {
  const value = new RegExp(`^(?:${tables.value})$`).exec(name);
  if (value) return say("WRITE_VALUE", { name: value.slice(1).filter(Boolean).join("-") });
  if (/^[A-Za-z]-[A-Za-z]$/.test(name)) return say("RANGE");
  const scored = own.map((each) => [alike(each.toLowerCase(), name.toLowerCase()), each.toLowerCase(), each]).filter(([score]) => score >= 0.6);
  scored.sort(([a, left], [b, right]) => b - a || (left < right ? 1 : -1));
  return scored.length ? say("DID_YOU_MEAN", { name: scored[0][2] }) : say("DEFINE_IT");
}

/** How alike two names are, from 0 to 1, as difflib of Python counts it (Ratcliff and Obershelp). */
function alike(a, b) {
  const matching = (from, to, low, high) => {
    let [size, left, right] = [0, from, low];
    for (let i = from; i < to; i++) {
      for (let j = low; j < high; j++) {
        let k = 0;
        while (i + k < to && j + k < high && a[i + k] === b[j + k]) k++;
        if (k > size) [size, left, right] = [k, i, j];
      }
    }
    return size && size + matching(from, left, low, right) + matching(left + size, to, right + size, high);
  };
  return (2 * matching(0, a.length, 0, b.length)) / (a.length + b.length);
}
