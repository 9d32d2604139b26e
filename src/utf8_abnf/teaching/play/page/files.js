// A file of any size: all its ill-formed sequences, found piece by piece, and a window of its bytes for the views.
import { h } from "./dom.js";
import { beginning, MAX_BYTES } from "./state.js";
import { t } from "./words.js";

const CHUNK = 2 ** 20;
const MAX_LISTED = 1_000_000; // ill-formed sequences; more are counted only
const ROWS = 100;
const CONTEXT = 16; // bytes before an error

/** Finds ill-formed sequences in chunks of bytes; begins again after each maximal subpart. */
export class Scan {
  constructor(machine) {
    const { table } = machine;
    Object.assign(this, { machine, table, errors: [], count: 0, offset: 0, state: table.start, open: [] });
    this.codes = new Map();
  }

  feed(chunk) {
    const { next, class_of: classes, sink, start } = this.table;
    for (let i = 0; i < chunk.length; i++) {
      const after = next[this.state][classes[chunk[i]]];
      if (after !== sink) {
        if (after === start) this.open.length = 0;
        else this.open.push(chunk[i]);
        this.state = after;
        continue;
      }
      if (this.open.length) {
        this.add(this.offset + i - this.open.length, this.open.length, this.open[0], chunk[i]);
        i--; // this byte may begin a character
      } else this.add(this.offset + i, 1, chunk[i], chunk[i]);
      this.state = start;
      this.open.length = 0;
    }
    this.offset += chunk.length;
  }

  finish() {
    if (this.open.length) this.add(this.offset - this.open.length, this.open.length, this.open[0], null);
  }

  add(start, length, lead, byte) {
    this.count++;
    if (this.errors.length < MAX_LISTED) this.errors.push({ start, end: start + length, code: this.codeOf(lead, byte) });
  }

  codeOf(lead, byte) {
    const key = `${lead} ${byte === null ? byte : this.machine.isTail(byte)}`;
    if (!this.codes.has(key)) this.codes.set(key, this.machine.code(lead, this.machine.placeOf(this.table.start, lead, null), byte));
    return this.codes.get(key);
  }
}

let opened = null;

/** Shows the beginning of *file* at once and reads all of it; *showBytes* gets a window, *redraw* is called when facts change. */
export async function openFile(file, machine, showBytes, redraw) {
  const scan = new Scan(machine);
  const mine = { file, scan, showBytes, redraw, at: 0, length: 0, page: 0, done: 0, failed: false };
  opened = mine;
  try {
    await goTo(mine, 0);
    let told = performance.now();
    for (let at = 0; at < file.size && opened === mine; at += CHUNK) {
      scan.feed(new Uint8Array(await file.slice(at, at + CHUNK).arrayBuffer()));
      mine.done = scan.offset;
      if (performance.now() - told > 300) {
        redraw();
        told = performance.now();
      }
    }
    scan.finish();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    mine.failed = true; // a folder, or a file that has gone
  }
  if (opened === mine) redraw();
}

/** A window that begins with the character or the ill-formed sequence at *offset*. */
async function goTo(mine, offset, error = null) {
  const from = Math.max(0, offset - 3);
  const bytes = [...new Uint8Array(await mine.file.slice(from, offset + MAX_BYTES + 4).arrayBuffer())];
  let begin = offset - from;
  while (begin > 0 && mine.scan.machine.isTail(bytes[begin])) begin--;
  if (mine.scan.machine.isTail(bytes[begin])) begin = offset - from; // three tails before it: no character is open
  const shown = beginning(bytes.slice(begin), MAX_BYTES);
  Object.assign(mine, { at: from + begin, length: shown.length });
  mine.showBytes(shown, error ? error.start - mine.at + 1 : 0);
  mine.redraw();
}

/** Shows error *number* after as much of the well-formed text before it as fits. */
function goToError(mine, number) {
  const error = mine.scan.errors[number];
  return goTo(mine, Math.max(mine.scan.errors[number - 1]?.end ?? 0, error.start - CONTEXT), error);
}

/** What is known of the open file: its verdict, its errors, and the window; null when no file is open. */
export function fileView() {
  if (!opened) return null;
  const mine = opened;
  const { file: { name, size }, scan, done, at, length, page } = mine;
  const push = (key, click, off = false) => h("button", { type: "button", "data-key": `file-${key}`, disabled: off, click }, t(`file.${key}`));
  const close = push("close", () => {
    opened = null;
    mine.redraw();
  });
  if (mine.failed) return h("p", { class: "problem", role: "alert" }, t("file.failed", { name }), " ", close);
  const key = done < size ? "reading" : scan.count ? "bad" : "good";
  const first = page * ROWS;
  const rows = scan.errors.slice(first, first + ROWS);
  const turn = (by) => () => {
    mine.page += by;
    mine.redraw();
  };
  return h("section", { class: "file", "aria-label": name },
    h("p", { role: "status" }, key === "reading" ? "" : scan.count ? "✗ " : "✓ ", t(`file.${key}`, { name, done, total: size, count: scan.count })),
    h("p", { class: "row" }, t("file.window", { first: at, end: at + length }), push("back", () => goTo(mine, Math.max(0, at - MAX_BYTES)), !at), push("forward", () => goTo(mine, at + length), at + length >= size), close),
    rows.length ? h("ol", { class: "errors", "aria-label": t("file.errors"), tabindex: "0" }, rows.map((error, i) => h("li", {},
      h("button", { type: "button", "data-key": `error${first + i}`, click: () => goToError(mine, first + i) }, `${error.start}: ${error.code}`)))) : null,
    scan.errors.length > ROWS ? h("p", { class: "row" }, t("file.some", { first: first + 1, last: first + rows.length, count: scan.errors.length }), push("before", turn(-1), !page), push("more", turn(1), first + ROWS >= scan.errors.length)) : null);
}
