// The automaton: states and moves come from the table, and only the places of the states are written here.
import { s } from "./dom.js";
import { showRanges } from "./machine.js";
import { stateWords, t } from "./words.js";

// Columns by how many bytes are still to come: 3, 2, 1. The start is on the left; a path above leads back to it.
const PLACES = {
  start: [52, 250], after_F0: [245, 85], tail3: [245, 168], after_F4: [245, 251], tail2: [430, 168],
  after_E0: [430, 312], after_ED: [430, 392], tail1: [618, 250], reject: [618, 420],
};
// Moves that do not run straight: the middle of the curve.
const BENDS = {
  "start>tail2": [262, 425], "start>after_E0": [235, 412], "start>after_ED": [225, 490], "start>tail1": [300, 715], "tail1>start": [335, -205],
};
const RADIUS = 33;

export function graphDrawing(machine) {
  const { table } = machine;
  const svg = s("svg", { viewBox: "0 -16 664 530", role: "img", style: "min-width:500px" }, s("title", {}, t("view.graph")), s("desc", {}, ""));
  svg.append(s("defs", {}, ["", "lit", "bad"].map((name) => s("marker", { id: `head${name}`, class: `head ${name}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: name ? 5 : 7, markerHeight: name ? 5 : 7, orient: "auto-start-reverse" }, s("path", { d: "M0 0 L10 5 L0 10 z" })))));
  const nodes = [];
  table.states.forEach((state, number) => {
    if (number !== table.sink) {
      const byTarget = new Map();
      for (const [low, high, target] of machine.expected(number)) byTarget.set(target, [...(byTarget.get(target) ?? []), [low, high]]);
      for (const [target, ranges] of byTarget) svg.append(move(table, number, target, showRanges(ranges)));
    }
    nodes.push(node(state, number === table.sink));
  });
  svg.append(s("g", { class: "move reject", "data-move": "reject" }, s("path", {})), ...nodes);
  return svg;
}

function node({ name, accepting }, sink) {
  const [x, y] = PLACES[name];
  return s("g", { class: `state${sink ? " sink" : ""}`, "data-state": name },
    sink ? s("rect", { x: x - 34, y: y - 20, width: 68, height: 40 }) : s("circle", { cx: x, cy: y, r: RADIUS }),
    accepting ? s("circle", { cx: x, cy: y, r: RADIUS - 5, class: "inner" }) : null,
    s("text", { x, y: y + 5 }, name),
    s("text", { x: x + 28, y: y - 24, class: "sign" }));
}

function move(table, from, to, label) {
  const [a, b] = [table.states[from].name, table.states[to].name];
  const [x, y] = PLACES[a];
  const group = s("g", { class: "move", "data-move": `${from}>${to}` });
  if (from === to) {
    group.append(s("path", { d: `M${x - 20} ${y + 25} C${x - 55} ${y + 88} ${x + 35} ${y + 88} ${x + 20} ${y + 25}` }));
    group.append(s("text", { x: x - 8, y: y + 88 }, label));
    return group;
  }
  const bend = BENDS[`${a}>${b}`];
  const [u, v] = PLACES[b];
  const [cx, cy] = bend ?? [(x + u) / 2, (y + v) / 2];
  const [x1, y1] = edge(x, y, cx, cy);
  const [x2, y2] = edge(u, v, cx, cy);
  group.append(s("path", { d: `M${x1} ${y1} Q${cx} ${cy} ${x2} ${y2}` }));
  // The middle of the curve is a quarter of its ends and half of its bend.
  const [mx, my] = [(x1 + 2 * cx + x2) / 4, (y1 + 2 * cy + y2) / 4];
  const lines = label.split(", ");
  lines.forEach((line, i) => group.append(s("text", { x: mx, y: my - 5 - 14 * (lines.length - 1 - i) }, i + 1 < lines.length ? `${line},` : line)));
  return group;
}

function edge(x, y, towardsX, towardsY) {
  const far = Math.hypot(towardsX - x, towardsY - y);
  return [x + ((towardsX - x) / far) * (RADIUS + 2), y + ((towardsY - y) / far) * (RADIUS + 2)];
}

/** Marks the current state, the move just made and the moves that may come. */
export function lightGraph(svg, machine, look) {
  const { table } = machine;
  const { step } = look;
  const current = table.states[look.state].name;
  for (const each of svg.querySelectorAll("[data-state]")) {
    const here = each.dataset.state === current;
    each.classList.toggle("here", here);
    each.querySelector(".sign").textContent = here ? (look.state === table.sink ? "✗" : "●") : "";
  }
  const taken = step ? `${step.before}>${step.after}` : "";
  const ahead = new Set(look.expected.map(([, , target]) => `${look.state}>${target}`));
  for (const each of svg.querySelectorAll("[data-move]")) {
    const path = each.querySelector("path");
    const rejects = each.dataset.move === "reject";
    if (rejects) {
      const bad = step && !step.fits;
      const [x, y] = PLACES[bad ? table.states[step.before].name : "reject"];
      const [u, v] = PLACES.reject;
      each.classList.toggle("taken", Boolean(bad));
      if (bad) path.setAttribute("d", `M${edge(x, y, u, v).join(" ")} L${u - 36} ${v}`);
      else path.removeAttribute("d");
      path.setAttribute("marker-end", bad ? "url(#headbad)" : "");
      continue;
    }
    each.classList.toggle("taken", each.dataset.move === taken);
    each.classList.toggle("ahead", ahead.has(each.dataset.move));
    path.setAttribute("marker-end", each.dataset.move === taken ? "url(#headlit)" : "url(#head)");
  }
  svg.querySelector("title").textContent = `${t("view.graph")}: ${t("graph.words", { state: current, words: stateWords(machine, look) })}`;
}
