// The page's state, and its form in the URL fragment: #b=EDA080&p=2&l=ja&t=exercises. Views are told of each change.
// Only values that are not the default: t the exercise (e while its tab is not open) and its WORK, f the views that are
// folded, i what is lit in all views, z=1 the projector's size.
import { hex } from "./abnf.js";

export const MAX_BYTES = 200;
const MAX_UNDO = 500; // changes of the bytes
const MAX_WORK = 8000; // characters; a longer grammar is not put into the address
const WORK = ["q", "c", "g", "a", "k", "y", "n"]; // of an exercise: question, choice, grammar, answer, its kind, examples

export class State {
  constructor(language) {
    Object.assign(this, { bytes: [], position: 0, language, tab: "look", kind: "text", exercise: "predict", work: {}, folded: [], large: false, cut: 0, lit: "" });
    this.past = [];
    this.future = [];
    this.listeners = [];
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  set(changes) {
    if ("exercise" in changes && changes.exercise !== this.exercise) this.work = {};
    if (changes.bytes && changes.bytes.join() !== this.bytes.join()) {
      this.past = [...this.past, this.moment()].slice(-MAX_UNDO);
      this.future = [];
    }
    Object.assign(this, changes);
    if (changes.bytes) this.take(changes.bytes);
    this.position = Math.max(0, Math.min(this.position, this.bytes.length));
    history.replaceState(null, "", this.fragment());
    for (const listener of this.listeners) listener(this);
  }

  moment() {
    const { bytes, position, cut } = this;
    return { bytes, position, cut };
  }

  /** Goes back to the bytes before the last change, or with *again* forward to those after it. */
  undo(again = false) {
    const [from, to] = again ? [this.future, this.past] : [this.past, this.future];
    if (!from.length) return;
    to.push(this.moment());
    Object.assign(this, from.pop());
    this.set({});
  }

  /** Longer input is cut, and ``cut`` then says how long it was. */
  take(bytes) {
    this.cut = bytes.length > MAX_BYTES ? bytes.length : 0;
    this.bytes = beginning(bytes, MAX_BYTES);
  }

  fragment() {
    const { bytes, position, language, tab, exercise, work, folded, large, lit } = this;
    const done = Object.entries(work).filter(([, value]) => value && value.length <= MAX_WORK);
    const open = tab === "exercises" ? "t" : (exercise !== "predict" || done.length) && "e";
    const rest = [open && `&${new URLSearchParams([[open, exercise], ...done])}`, folded.length && `&f=${folded.join()}`, lit && `&i=${lit}`, large && "&z=1"].filter(Boolean);
    return `#b=${bytes.map(hex).join("")}&p=${position}&l=${language}${rest.join("")}`;
  }

  /** Takes over what a fragment says; what it does not say, or says wrongly, stays as it is. */
  read(fragment, languages, exercises, views, links) {
    const said = new URLSearchParams(fragment.replace(/^#/, ""));
    const bytes = said.has("b") ? parseHex(said.get("b")) : null;
    if (bytes) this.take(bytes);
    if (/^\d+$/.test(said.get("p") ?? "")) this.position = Number(said.get("p"));
    if (languages.includes(said.get("l"))) this.language = said.get("l");
    this.tab = exercises.includes(said.get("t")) ? "exercises" : "look";
    const exercise = said.get("t") ?? said.get("e");
    if (exercises.includes(exercise)) this.exercise = exercise;
    this.work = Object.fromEntries(WORK.filter((key) => said.get(key)).map((key) => [key, said.get(key)]));
    this.folded = views.filter((view) => said.get("f")?.split(",").includes(view));
    this.lit = links.includes(said.get("i")) ? said.get("i") : "";
    this.large = said.get("z") === "1";
    return bytes !== null;
  }
}

/** At most the first *most* of the bytes; not the beginning of a character whose last bytes would be cut off. */
export function beginning(bytes, most) {
  const isTail = (byte) => byte >= 0x80 && byte <= 0xbf; // UTF8-tail
  let end = most;
  while (end > most - 3 && isTail(bytes[end])) end -= 1; // a character has three tails at most
  return bytes.slice(0, bytes[end] >= 0xc2 && bytes[end] <= 0xf4 ? end : most);
}

/** Bytes from hex digits in pairs, with spaces, commas, 0x, \x or % between them; null for anything else. */
export function parseHex(text) {
  const digits = text.replace(/0x|\\x|%|[\s,;·]/gi, "");
  if (digits.length % 2 || /[^0-9a-f]/i.test(digits)) return null;
  return (digits.match(/../g) ?? []).map((pair) => parseInt(pair, 16));
}

/** Bytes from text in which \xED, \uD55C, \u{1F600}, \n, \t, \0 and \\ stand for bytes and characters; null if malformed. */
export function parseEscapes(text) {
  const read = readEscapes(text);
  return read && !read.strange.length ? read.bytes : null;
}

/**
 * As parseEscapes, but numbers that no scalar value has are encoded by moving bits, and listed as *strange*: null or
 * {bytes, strange, pair}, where *pair* is the number that the first two of them mean in UTF-16, or null.
 */
export function readEscapes(text) {
  const bytes = [];
  const strange = [];
  let pair = null;
  let high = null; // a high surrogate that has just been read
  const pattern = /\\x([0-9a-f]{2})|\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\([ntr0\\])|([^\\])/giuy;
  for (let found; pattern.lastIndex < text.length; ) {
    found = pattern.exec(text);
    if (!found) return null;
    const [, byte, braced, four, letter, plain] = found;
    const number = parseInt(braced ?? four ?? "", 16);
    if (high && number >= 0xdc00 && number <= 0xdfff && strange.length === 1) pair = 0x10000 + ((high - 0xd800) << 10) + number - 0xdc00;
    high = number >= 0xd800 && number < 0xdc00 ? number : null;
    if (number > 0x10ffff || (number >= 0xd800 && number <= 0xdfff)) {
      strange.push(number);
      bytes.push(...moveBits(number));
    } else if (byte) bytes.push(parseInt(byte, 16));
    else bytes.push(...encode(plain ?? (letter ? { n: "\n", t: "\t", r: "\r", 0: "\0", "\\": "\\" }[letter.toLowerCase()] : String.fromCodePoint(number))));
  }
  return { bytes, strange, pair };
}

/** The bytes of a number of 12 bits or more when its bits are only moved, as RFC 2279 allowed: up to six bytes. */
export function moveBits(number) {
  const length = Math.max(3, Math.ceil((number.toString(2).length - 1) / 5));
  const tails = Array.from({ length: length - 1 }, (_, i) => 0x80 | (Math.floor(number / 64 ** (length - 2 - i)) % 64));
  return [((0xff << (8 - length)) & 0xff) | Math.floor(number / 64 ** (length - 1)), ...tails];
}

export function encode(text) {
  return [...new TextEncoder().encode(text)];
}

export function toHex(bytes) {
  return bytes.map(hex).join(" ");
}

export function toEscapes(bytes) {
  return bytes.map((byte) => (byte >= 0x20 && byte < 0x7f && byte !== 0x5c ? String.fromCharCode(byte) : `\\x${hex(byte)}`)).join("");
}

export function codePoint(number) {
  return `U+${number.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The byte as a character of ASCII, or in hex where it has no visible one. */
export function shown(byte) {
  return (byte < 0x7f && glyph(byte)) || hex(byte);
}

/** The character of a number in a visible form: controls by their pictures, combining marks on a circle. */
export function glyph(number) {
  if (number < 0x20) return String.fromCodePoint(0x2400 + number);
  if (number === 0x20 || number === 0x7f) return number === 0x20 ? "␠" : "␡";
  if (number > 0x10ffff || (number >= 0xd800 && number <= 0xdfff)) return "";
  const text = String.fromCodePoint(number);
  if (/\p{M}/u.test(text)) return `◌${text}`;
  return /[\p{C}\p{Z}]/u.test(text) ? "" : text;
}
