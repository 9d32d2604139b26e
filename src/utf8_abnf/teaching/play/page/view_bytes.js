// The bytes in hex, a byte that can be changed, and the bits on their way into the code point.
import { hex } from "./abnf.js";
import { h, s } from "./dom.js";
import { isSurrogate, markers, payload } from "./machine.js";
import { codePoint, glyph } from "./state.js";
import { t } from "./words.js";

export function bytesView(machine, look, { go, change }) {
  const { bytes, steps, position } = look;
  const pieces = machine.pieces(bytes);
  const cell = (byte, offset) => {
    const step = steps[offset];
    const wrong = step && !step.fits && offset < position;
    const status = wrong ? "wrong" : offset === position - 1 && !look.past ? "now" : offset < position ? (step ? "done" : "lost") : "ahead";
    const mark = { wrong: "✗", now: "▲", done: "✓", lost: "–", ahead: "" }[status];
    return h("button", {
      type: "button", class: `byte ${status}`, "data-key": `byte${offset}`, "data-offset": offset,
      "aria-label": t("bytes.one", { number: offset + 1, total: bytes.length, byte: hex(byte), status: t(`status.${status}`) }),
      "aria-current": offset === position - 1 ? "step" : null,
      click: () => go(offset + 1),
      keydown: (event) => {
        const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        change(offset, (byte + by + 256) % 256);
      },
    }, h("span", { class: "hex" }, hex(byte)), h("span", { class: "mark", "aria-hidden": "true" }, mark));
  };
  const groups = pieces.map((piece) => h("div", { class: `piece ${piece.error ? "bad" : "good"}` },
    h("div", { class: "cells" }, bytes.slice(piece.start, piece.end).map((byte, i) => cell(byte, piece.start + i))),
    h("div", { class: "under" }, piece.error ? t("bytes.bad") : h("span", {}, h("b", {}, glyph(piece.number)), ` ${codePoint(piece.number)}`))));
  return h("div", { class: "pieces" }, groups.length ? groups : h("p", { class: "quiet" }, t("say.empty")));
}

/** Eight switches, and steps of one, for the byte at the cursor. */
export function byteEditor(look, { change, remove, insert }) {
  const offset = look.position - 1;
  if (offset < 0) return h("p", { class: "quiet" }, t("edit.none"));
  const byte = look.bytes[offset];
  const bit = (number) => {
    const on = (byte >> number) & 1;
    return h("button", {
      type: "button", class: `bit ${8 - markers(byte) > number ? "x" : "marker"}`, "aria-pressed": String(Boolean(on)), "data-key": `bit${number}`,
      "aria-label": t("edit.bit", { number }), click: () => change(offset, byte ^ (1 << number)),
    }, String(on));
  };
  const button = (key, label, run) => h("button", { type: "button", "data-key": key, "aria-label": t(`edit.${key}`), title: t(`edit.${key}`), click: run }, label);
  return h("div", { class: "editor", role: "group", "aria-label": t("edit.title", { number: look.position }) },
    h("span", { class: "label" }, t("edit.title", { number: look.position })),
    h("span", { class: "switches" }, [7, 6, 5, 4, 3, 2, 1, 0].map(bit)),
    h("span", { class: "steps" }, button("less", "−1", () => change(offset, (byte + 255) % 256)), button("more", "+1", () => change(offset, (byte + 1) % 256)),
      button("mutate", t("edit.mutate.label"), () => change(offset, mutated(byte))), button("insert", t("edit.insert.label"), () => insert(look.position, 0x80)),
      button("remove", t("edit.remove.label"), () => remove(offset))));
}

/** Another byte each time: the next in an order that visits all 256 in large steps. */
function mutated(byte) {
  return (byte * 5 + 0x5b) % 256;
}

const LETTERS = "abcdefgh";
const CELL = 17;

/** The bits of one sequence above, the code point's below, and lines between them; bytes not yet read are pale. */
export function bitsView(look, machine) {
  const { step, lead, bytes } = look;
  if (!step) return h("p", { class: "quiet" }, t("bits.none"));
  const length = lead ? machine.elements(lead).length : 1;
  const data = Array.from({ length }, (_, i) => bytes[step.first + i] ?? null);
  const bad = step.fits ? -1 : look.index;
  return [bitDrawing(data, step.fits ? look.index + 1 : look.index, bad), h("p", { class: "aside" }, t("bits.legend"))];
}

/** *read* of the bytes are read; byte *bad*, if not -1, cannot be right; a byte that is null is missing. */
export function bitDrawing(data, read, bad) {
  const signs = (byte) => (byte === null ? 2 : markers(byte));
  const digits = (byte) => (byte === null ? "10xxxxxx" : byte.toString(2).padStart(8, "0"));
  const widths = data.map((byte) => 8 - signs(byte));
  const total = Math.max(1, widths.reduce((a, b) => a + b, 0));
  const wide = Math.max(data.length * (8 * CELL + 14), total * CELL) + 24;
  const parts = [];
  const left = (wide - data.length * (8 * CELL + 14) + 14) / 2;
  const below = (wide - total * CELL) / 2;
  let column = 0;
  data.forEach((byte, i) => {
    const kind = i === bad ? "wrong" : i < read ? "read" : "ahead";
    const x0 = left + i * (8 * CELL + 14);
    const current = i === (bad < 0 ? read - 1 : bad);
    const group = s("g", { class: `bits ${kind} part${i % 4}${current ? " here" : ""}` });
    group.append(s("text", { x: x0 + 4 * CELL, y: 16, class: "name" }, byte === null ? "…" : `${hex(byte)}${kind === "wrong" ? " ✗" : ""}`));
    for (let bit = 0; bit < 8; bit++) {
      const marker = bit < signs(byte);
      const value = digits(byte)[bit];
      const x = x0 + bit * CELL;
      group.append(s("rect", { x: x + 1, y: 24, width: CELL - 2, height: 22, class: marker ? "marker" : "payload" }));
      group.append(s("text", { x: x + CELL / 2, y: 40, class: marker ? "markertext" : "" }, value));
      if (!marker) {
        const end = below + column++ * CELL;
        group.append(s("text", { x: x + CELL / 2, y: 58, class: "letter" }, LETTERS[i]));
        group.append(s("path", { class: "flow", d: `M${x + CELL / 2} 62 C${x + CELL / 2} 84 ${end + CELL / 2} 84 ${end + CELL / 2} 106` }));
        group.append(s("rect", { x: end + 1, y: 108, width: CELL - 2, height: 22, class: "payload" }));
        group.append(s("text", { x: end + CELL / 2, y: 124 }, i < read ? value : "·"));
      }
    }
    parts.push(group);
  });
  const whole = read === data.length && bad < 0;
  const number = whole ? payload(data) : 0;
  const caption = whole && !isSurrogate(number) ? `${codePoint(number)} ${glyph(number)}` : "";
  const what = t("bits.words", { bytes: data.map(digits).join(" "), count: read, result: caption || t("bits.open") });
  const svg = s("svg", { viewBox: `0 0 ${wide} 162`, role: "img", "aria-label": what, style: `min-width:${Math.round(wide * 0.8)}px;max-width:${wide * 1.5}px` },
    s("title", {}, what), parts, s("text", { x: wide / 2, y: 154, class: "result" }, caption || "…"));
  return svg;
}
