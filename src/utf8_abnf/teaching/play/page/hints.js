// What to write instead of what is not ABNF. The tables are those of utf8_abnf/grammar/remedies.py, as data.
let tables = null;

export function useHints(all) {
  const pattern = ([source, key]) => [new RegExp(source.replaceAll("(?P<", "(?<"), "my"), key];
  tables = { ...all, rule: all.rule.map(pattern), defined_as: all.defined_as.map(pattern), element: all.element.map(pattern) };
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
  return say(pasted ?? (/[\p{C}\p{Z}]/u.test(char) ? "OTHER_BYTES" : "CODE_POINT"), { hex: number.toString(16).toUpperCase() });
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
  if (text.startsWith("=", at) && text.slice(0, at).replace(/[ \t]+$/, "").endsWith("=")) return say("ONE_EQUALS");
  return first(tables.element, text, at);
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
