// The railroad track of a whole grammar, drawn from its text: rules that are a single range are stations, all other
// rules are written out in frames, but for those that use themselves, and for what would be too much. As in all railroad diagrams of the project, bytes are round and rules are square.
// Measured and drawn in two passes: each node gives width, height above and below.
import { alternatives, hex } from "./abnf.js";
import { s } from "./dom.js";
import { t } from "./words.js";

const GAP = 14;
const RAIL = 26;
const HIGH = 17; // half of a station's height
const MAX_STATIONS = 150; // before rules are no longer written out
const MAX_WRITTEN = 5; // that are written out
const MAX_LETTERS = 24; // of a station

/**
 * Returns the drawing; show it with ``lightTrack``. Stations have data-key: path of their alternative, "#", which byte.
 * *show* writes a value.
 */
export function trackDrawing({ grammar }, show = hex) {
  const start = grammar.rules.get(grammar.start);
  const body = layOut(grammar, start.body, { path: [[start.name, 0]], at: { number: 0 }, drawn: { stations: 0, show } });
  const wide = body.width + 60;
  const up = body.up + 12;
  const svg = s("svg", { viewBox: `0 0 ${wide} ${up + body.down + 12}`, role: "img", style: `min-width:${Math.round(wide * 0.72)}px` });
  const title = s("title", {}, t("view.track"));
  svg.append(title, s("desc", {}, grammar.text));
  svg.append(s("path", { class: "rail", d: `M14 ${up} H30 M${30 + body.width} ${up} H${wide - 14}` }));
  for (const x of [14, wide - 14]) svg.append(s("path", { class: "rail stop", d: `M${x} ${up - 9} v18` }));
  body.draw(svg, 30, up);
  return svg;
}

/** Marks the stations of the cursor: read, being read, wrong, next. */
export function lightTrack(svg, machine, look) {
  const { step, lead, index } = look;
  const key = (place, number) => `${place.path.join("/")}#${number}`;
  const classes = new Map();
  if (lead) {
    for (let i = 0; i < index; i++) classes.set(key(lead, i), "done");
    classes.set(key(lead, index), step.fits ? "now" : "wrong");
    if (step.fits && !look.accepting) classes.set(key(lead, index + 1), "next");
  }
  const marks = { done: "✓", now: "▲", wrong: "✗", next: "?", "": "" };
  const fresh = !lead ? (step && !step.fits ? "wrong" : "next") : look.accepting ? "next" : "";
  for (const station of svg.querySelectorAll("[data-key]")) {
    const first = station.dataset.key.endsWith("#0");
    const name = classes.get(station.dataset.key) ?? (first ? fresh : "");
    station.setAttribute("class", `station ${name}`); // and linked, which links.js adds
    station.querySelector(".sign").textContent = marks[name];
  }
  const title = svg.querySelector("title");
  title.textContent = `${t("view.track")}: ${lead ? t("track.words", { rule: machine.alternative(lead).text, number: index + 1 }) : t("track.none")}`;
}

function layOut(grammar, node, context) {
  if (node.kind === "alt") return junction(node.items.map((item, i) => layOut(grammar, item, numbered(context, i + 1))));
  if (node.kind === "cat") return sequence(node.items.map((item) => layOut(grammar, item, context)));
  if (node.kind === "bytes") return station(node, "", context);
  if (node.kind === "ref") {
    const rule = grammar.rules.get(node.name.toLowerCase());
    if (context.drawn.stations > MAX_STATIONS || context.path.some(([name]) => name === rule.name)) return box(rule.name, "", 3, context);
    const count = alternatives(rule.body).length;
    if (rule.body.kind === "bytes" && count === 1) {
      const opens = context.at.number === 0;
      return station(rule.body, rule.name, opens ? { ...context, path: [...context.path, [rule.name, 0]] } : context);
    }
    return frame(rule.name, layOut(grammar, rule.body, { ...context, path: [...context.path, [rule.name, 0]], at: { number: 0 } }));
  }
  if (node.kind === "prose") return box(node.text, "", 3, context);
  if (!node.max) return NOTHING;
  if (node.min === node.max && node.max <= MAX_WRITTEN && context.drawn.stations < MAX_STATIONS) return sequence(Array.from({ length: node.min }, () => layOut(grammar, node.item, context)));
  const item = layOut(grammar, node.item, context);
  if (node.max === 1) return junction([NOTHING, item]);
  const times = node.max === Infinity ? node.min || "" : node.min === node.max ? node.max : `${node.min}..${node.max}`;
  return loop(item, node.min === 0, times && `×${times}${node.max === Infinity ? ".." : ""}`);
}

/** The context inside alternative *number*: the path's last rule carries it, and bytes are counted afresh. */
function numbered({ path, drawn }, number) {
  const [name] = path.at(-1);
  return { path: [...path.slice(0, -1), [name, number]], at: { number: 0 }, drawn };
}

function station(node, name, context) {
  if (!node.seq.length) return NOTHING;
  const values = node.seq.map((ranges) => ranges.map(([low, high]) => (low === high ? context.drawn.show(low) : `${context.drawn.show(low)}..${context.drawn.show(high)}`)).join(" "));
  return box(node.text ?? values.join(" "), name, name ? 3 : HIGH, context);
}

/** A station with *text* in it, under the *name* of its rule if it has one; *rx* is 3 for rules, which are square. */
function box(text, name, rx, { path, at, drawn }) {
  const range = text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text;
  const width = Math.max(name.length * 8, range.length * 8.2) + 38;
  const key = `${path.join("/")}#${at.number++}`;
  drawn.stations++;
  const draw = (svg, x, y) => {
    const words = name ? [s("text", { x: x + width / 2 + 5, y: y - 3, class: "name" }, name), s("text", { x: x + width / 2 + 5, y: y + 11 }, range)]
      : [s("text", { x: x + width / 2 + 5, y: y + 5 }, range)];
    svg.append(s("g", { class: "station", "data-key": key },
      s("rect", { x, y: y - HIGH, width, height: 2 * HIGH, rx }), words, s("text", { x: x + 11, y: y + 5, class: "sign" })));
  };
  return { width, up: HIGH + 3, down: HIGH + 3, draw };
}

function sequence(items) {
  if (items.length === 1) return items[0];
  const width = items.reduce((sum, item) => sum + item.width + GAP, -GAP);
  const draw = (svg, x, y) => {
    items.forEach((item, i) => {
      item.draw(svg, x, y);
      x += item.width;
      if (i + 1 < items.length) svg.append(s("path", { class: "rail", d: `M${x} ${y} h${GAP}` }));
      x += GAP;
    });
  };
  return { width, up: Math.max(...items.map((item) => item.up)), down: Math.max(...items.map((item) => item.down)), draw };
}

function junction(items) {
  const inner = Math.max(...items.map((item) => item.width));
  const width = inner + 2 * RAIL;
  const offsets = [0];
  for (let i = 1; i < items.length; i++) offsets.push(offsets[i - 1] + items[i - 1].down + items[i].up + 4);
  const draw = (svg, x, y) => {
    items.forEach((item, i) => {
      const at = y + offsets[i];
      const bend = i ? `M${x} ${y} q${RAIL / 2} 0 ${RAIL / 2} ${RAIL / 2} V${at - RAIL / 2} q0 ${RAIL / 2} ${RAIL / 2} ${RAIL / 2}` : `M${x} ${y} h${RAIL}`;
      const right = x + width;
      const back = i ? `M${right} ${y} q${-RAIL / 2} 0 ${-RAIL / 2} ${RAIL / 2} V${at - RAIL / 2} q0 ${RAIL / 2} ${-RAIL / 2} ${RAIL / 2}` : `M${right} ${y} h${-RAIL}`;
      svg.append(s("path", { class: "rail", d: `${bend} ${back} M${x + RAIL + item.width} ${at} H${right - RAIL}` }));
      item.draw(svg, x + RAIL, at);
    });
  };
  return { width, up: items[0].up, down: offsets.at(-1) + items.at(-1).down, draw };
}

function frame(name, item) {
  const draw = (svg, x, y) => {
    svg.append(s("rect", { class: "frame", x: x + 4, y: y - item.up - 16, width: item.width + 12, height: item.up + item.down + 20, rx: 3 }));
    svg.append(s("text", { class: "framename", "data-rule": name, x: x + 12, y: y - item.up - 3 }, name));
    svg.append(s("path", { class: "rail", d: `M${x} ${y} h10 M${x + 10 + item.width} ${y} h10` }));
    item.draw(svg, x + 10, y);
  };
  return { width: item.width + 20, up: item.up + 18, down: item.down + 8, draw };
}

const NOTHING = { width: 0, up: HIGH + 3, down: HIGH + 3, draw: () => {} };

/** *( item ): a way past it above, if it may be left out, and a way back below, with how often if there is a limit. */
function loop(item, past, times) {
  const width = item.width + 2 * RAIL;
  const up = item.up + 18;
  const down = item.down + (times ? 30 : 18);
  const draw = (svg, x, y) => {
    const r = 10;
    const right = x + width;
    const top = y - up + 6;
    const foot = y + item.down + 12;
    svg.append(s("path", { class: "rail", d: `M${x} ${y} h${RAIL} M${right} ${y} h${-RAIL}` }));
    if (past) svg.append(s("path", { class: "rail", d: `M${x} ${y} q${r} 0 ${r} ${-r} V${top + r} q0 ${-r} ${r} ${-r} H${right - 2 * r} q${r} 0 ${r} ${r} V${y - r} q0 ${r} ${r} ${r}` }));
    svg.append(s("path", { class: "rail", d: `M${right - RAIL} ${y} q${r} 0 ${r} ${r} V${foot - r} q0 ${r} ${-r} ${r} H${x + RAIL} q${-r} 0 ${-r} ${-r} V${y + r} q0 ${-r} ${r} ${-r}` }));
    svg.append(s("path", { class: "rail", d: `M${x + width / 2 + 6} ${foot - 5} l-8 5 l8 5` }));
    if (past) svg.append(s("path", { class: "rail", d: `M${x + width / 2 - 4} ${top - 5} l8 5 l-8 5` }));
    if (times) svg.append(s("text", { class: "framename", x: x + RAIL + 4, y: foot + 14 }, times));
    item.draw(svg, x + RAIL, y);
  };
  return { width, up, down, draw };
}
