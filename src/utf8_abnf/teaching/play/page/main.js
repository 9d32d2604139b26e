// The page: it has one state, and each change draws all views from it again.
import { byId, h, reveal, show } from "./dom.js";
import { EXERCISES, exerciseView, LEVELS } from "./exercises.js";
import { fileView, openFile } from "./files.js";
import { useHints } from "./hints.js";
import { light, linksOf } from "./links.js";
import { Machine, showRanges } from "./machine.js";
import { codePoint, encode, glyph, moveBits, parseEscapes, parseHex, readEscapes, State, toEscapes, toHex } from "./state.js";
import { byteEditor, bitsView, bytesView } from "./view_bytes.js";
import { briefVerdict, grammarView, nextView, treeView, verdictView } from "./view_grammar.js";
import { graphDrawing, lightGraph } from "./view_graph.js";
import { lightTrack, trackDrawing } from "./view_track.js";
import { lookAt, sentence, speak, t } from "./words.js";

const data = JSON.parse(byId("data").textContent);
useHints(data.hints);
const languages = Object.keys(data.strings);
const machine = new Machine(data.automaton, data.grammar, data.reasons);
const state = new State(data.language);
const folds = [...document.querySelectorAll("[data-fold]")];
const views = folds.map((each) => each.dataset.fold);
const track = { svg: null };
const graph = { svg: null };
const links = linksOf(machine);

// ---- What the controls do ---------------------------------------------------------------------------------------------

const actions = {
  go: (position) => state.set({ position }),
  change: (offset, byte) => state.set({ bytes: state.bytes.with(offset, byte) }),
  remove: (offset) => state.set({ bytes: state.bytes.toSpliced(offset, 1), position: offset }),
  insert: (offset, byte) => state.set({ bytes: state.bytes.toSpliced(offset, 0, byte), position: offset + 1 }),
  // The byte that is chosen to come next takes the place of the one that would have.
  put: (byte) => state.set({ bytes: [...state.bytes.slice(0, state.position), byte], position: state.position + 1 }),
  lookAtBytes: (bytes, position = 0) => state.set({ bytes, position, tab: "look" }),
  light: (name) => links.has(name) && state.set({ lit: name === state.lit ? "" : name }),
  // What a student has done in the exercise, for the address.
  keep: (work) => state.set({ work: { ...state.work, ...work } }),
  fold: (view) => state.set({ folded: views.filter((each) => state.folded.includes(each) !== (each === view)) }),
};

const PARSE = { text: encode, hex: parseHex, escapes: parseEscapes };

function fieldText() {
  if (state.kind === "text") {
    const text = new TextDecoder().decode(new Uint8Array(state.bytes));
    if (encode(text).join() === state.bytes.join() && !/\p{Cc}/u.test(text)) return text;
    state.kind = "hex";
  }
  return state.kind === "hex" ? toHex(state.bytes) : toEscapes(state.bytes);
}

/** Why *text* cannot be taken as it is written. Numbers that are not scalar values are a lesson of their own. */
function problem(text) {
  const read = state.kind === "escapes" ? readEscapes(text) : null;
  if (!read) return [h("span", {}, t(`input.problem.${state.kind}`))];
  const [first] = read.strange;
  const facts = { point: first > 0x10ffff ? first.toString(16).toUpperCase() : codePoint(first), bytes: toHex(moveBits(first)) };
  const step = (bytes) => [" ", h("button", { type: "button", class: "strange", click: () => state.set({ bytes, position: 0, kind: "hex" }) }, t("input.strange.step", { bytes: toHex(bytes.slice(0, 12)) }))];
  if (read.pair) {
    const pair = String.fromCodePoint(read.pair);
    return [h("span", {}, t("input.strange.pair", { ...facts, second: codePoint(read.strange[1]), whole: codePoint(read.pair), glyph: glyph(read.pair) })), step(encode(pair)), step(read.strange.slice(0, 2).flatMap(moveBits))];
  }
  return [h("span", {}, t(first > 0x10ffff ? "input.strange.large" : "input.strange.surrogate", facts)), step(read.bytes)];
}

function listen() {
  byId("input").addEventListener("input", ({ target }) => {
    const bytes = PARSE[state.kind](target.value);
    show(byId("input-problem"), ...(bytes ? [] : problem(target.value)));
    if (bytes) state.set({ bytes, position: bytes.length });
    else drawLook();
  });
  byId("kind").addEventListener("change", ({ target }) => state.set({ kind: target.value }));
  for (const [id, position] of [["first", () => 0], ["back", () => state.position - 1], ["forward", () => state.position + 1], ["last", () => state.bytes.length]]) {
    byId(id).addEventListener("click", () => actions.go(position()));
  }
  byId("tab-look").addEventListener("click", () => state.set({ tab: "look" }));
  byId("tab-exercises").addEventListener("click", () => state.set({ tab: "exercises" }));
  byId("large").addEventListener("click", () => state.set({ large: !state.large }));
  byId("undo").addEventListener("click", () => state.undo());
  byId("redo").addEventListener("click", () => state.undo(true));
  byId("lit").addEventListener("change", ({ target }) => state.set({ lit: target.value }));
  byId("file").addEventListener("change", ({ target }) => target.files[0] && take(target.files[0]));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) take(file);
  });
  for (const view of ["track", "graph", "abnf", "tree"]) byId(view).addEventListener("click", ({ target }) => pick(target));
  for (const each of folds) each.addEventListener("click", () => actions.fold(each.dataset.fold));
  addEventListener("hashchange", () => {
    if (location.hash === state.fragment() || location.hash === "#work") return;
    state.read(location.hash, languages, EXERCISES, views, [...links.keys()]);
    shownExercise = "";
    state.set({});
  });
  addEventListener("keydown", keys);
}

/** What was clicked in a view is lit in all views; a byte in the tree is stepped to. */
function pick(target) {
  const { rule, state: name, key, offset } = target.closest("[data-rule], [data-state], [data-key], [data-offset]")?.dataset ?? {};
  if (offset) actions.go(Number(offset) + 1);
  else if (name) actions.light(`state:${name}`);
  else if (rule) actions.light(`rule:${rule}`);
  else if (key) actions.light(`station:${key}`);
}

async function take(file) {
  state.set({ tab: "look" });
  await openFile(file, machine, (bytes, position) => state.set({ bytes, position, kind: "hex" }), drawFile);
}

function keys(event) {
  const { target, key } = event;
  if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(key) && state.tab === "look" && !target.matches("input, textarea")) {
    event.preventDefault();
    state.undo(key.toLowerCase() === "y" || event.shiftKey);
    return;
  }
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (target.role === "tab" && (key === "ArrowLeft" || key === "ArrowRight")) {
    state.set({ tab: state.tab === "look" ? "exercises" : "look" });
    byId(`tab-${state.tab}`).focus();
    return;
  }
  if (target.matches("input, textarea, select, [tabindex='0'][role=group]") || state.tab !== "look") return;
  const button = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[key];
  if (!button) return;
  event.preventDefault();
  byId(button).click();
}

// ---- Drawing --------------------------------------------------------------------------------------------------------

function drawTexts() {
  speak(state.language, data.strings);
  document.documentElement.lang = state.language;
  document.title = t("page.title");
  for (const each of document.querySelectorAll("[data-t]")) each.textContent = t(each.dataset.t);
  for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", t(each.dataset.label));
  for (const id of ["first", "back", "forward", "last", "undo", "redo"]) {
    byId(id).setAttribute("aria-label", t(`step.${id}`));
    byId(id).title = t(`step.${id}`);
  }
  show(document.querySelector(".languages"), languages.map((language) => h("button", {
    type: "button", lang: language, "data-key": language, "aria-pressed": String(language === state.language), click: () => state.set({ language }),
  }, data.strings[language].name)));
  show(byId("chips"), data.examples.map((example, i) => {
    const bytes = parseHex(example);
    const good = machine.accepts(bytes);
    const facts = { bytes: example, code: machine.error(bytes)?.code };
    const text = good ? new TextDecoder().decode(new Uint8Array(bytes)) : example;
    return h("button", { type: "button", "data-key": `chip${i}`, class: good ? "good" : "bad", "aria-label": t(good ? "input.example.good" : "input.example.bad", facts), title: facts.code ?? null, click: () => state.set({ bytes, position: Math.min(1, bytes.length), kind: good ? "text" : "hex" }) },
      h("span", { "aria-hidden": "true" }, good ? "✓ " : "✗ "), text);
  }));
  show(byId("lit"), h("option", { value: "" }, t("lit.none")), ["state", "rule", "station"].map((kind) => h("optgroup", { label: t(`lit.${kind}`) },
    [...links].filter(([, link]) => link.kind === kind).map(([name, link]) => h("option", { value: name }, linkName(link))))));
  track.svg = trackDrawing(machine);
  graph.svg = graphDrawing(machine);
  show(byId("track"), track.svg);
  show(byId("graph"), graph.svg);
}

/** How a link is called: a station by its alternative and the number of its byte. */
function linkName({ kind, name, stations: [station] }) {
  if (kind !== "station") return name;
  const rules = station.rules.filter((each) => !/tail/i.test(each));
  return t("lit.byte", { rule: rules.at(-1), number: Number(name.split("#")[1]) + 1 });
}

function drawLit(look) {
  const link = links.get(state.lit) ?? null;
  byId("lit").value = state.lit;
  const names = link && [...new Set(link.stations.map((station) => machine.table.states[station.state].name))];
  const ranges = link && [...new Set(link.stations.map(({ node }) => showRanges(node.seq[0])))].join(", ");
  const words = link ? t("lit.words", { name: linkName(link), count: link.stations.length, states: names.join(", "), ranges }) : "";
  if (byId("lit-words").textContent !== words) byId("lit-words").textContent = words;
  light(document, machine, link, look);
}

function drawFile() {
  show(byId("window"), fileView());
}

function drawLook() {
  const look = lookAt(machine, state.bytes, state.position);
  const input = byId("input");
  if (document.activeElement !== input) {
    input.value = fieldText();
    byId("input-problem").textContent = "";
  }
  const isRead = !byId("input-problem").textContent; // or else the views are of the input before, and grey
  byId("part-look").classList.toggle("unread", !isRead);
  for (const part of document.querySelectorAll(".controls, .linking, .views")) part.inert = !isRead;
  byId("kind").value = state.kind;
  for (const [id, moments] of [["undo", state.past], ["redo", state.future]]) byId(id).setAttribute("aria-disabled", String(!moments.length));
  const cut = state.cut ? t("input.cut", { most: state.bytes.length, total: state.cut }) : "";
  if (byId("input-cut").textContent !== cut) byId("input-cut").textContent = cut;
  byId("where").textContent = t("step.where", { position: look.position, total: state.bytes.length });
  for (const [id, off] of [["first", !look.position], ["back", !look.position], ["forward", look.atEnd], ["last", look.atEnd]]) byId(id).setAttribute("aria-disabled", String(off));
  const words = isRead ? sentence(machine, look) : t("say.unread");
  show(byId("brief"), isRead ? briefVerdict(machine, state.bytes) : "");
  if (byId("words").textContent !== words) byId("words").textContent = words;
  show(byId("bytes"), bytesView(machine, look, actions));
  show(byId("editor"), byteEditor(look, actions));
  show(byId("verdict"), ...verdictView(machine, state.bytes));
  show(byId("bits"), bitsView(look, machine));
  show(byId("next"), nextView(machine, look, actions));
  show(byId("abnf"), ...grammarView(machine, look));
  show(byId("tree"), treeView(machine, look));
  lightTrack(track.svg, machine, look);
  lightGraph(graph.svg, machine, look);
  drawLit(look);
  for (const view of ["bits", "abnf", "tree", "track", "graph"]) reveal(byId(view));
}

let spoken = "";
let shownExercise = "";

function draw() {
  if (spoken !== state.language) {
    drawTexts();
    drawFile();
  }
  spoken = state.language;
  for (const tab of ["look", "exercises"]) {
    const chosen = state.tab === tab;
    byId(`tab-${tab}`).setAttribute("aria-selected", String(chosen));
    byId(`tab-${tab}`).tabIndex = chosen ? 0 : -1;
    byId(`part-${tab}`).hidden = !chosen;
  }
  document.documentElement.classList.toggle("large", state.large);
  byId("large").setAttribute("aria-pressed", String(state.large));
  for (const each of folds) {
    const folded = state.folded.includes(each.dataset.fold);
    each.setAttribute("aria-expanded", String(!folded));
    byId(each.dataset.fold).hidden = folded;
  }
  byId("link").href = state.fragment();
  if (state.tab === "look") drawLook();
  show(byId("exercise-list"), EXERCISES.map((name) => h("button", {
    type: "button", "data-key": name, "aria-pressed": String(name === state.exercise), click: () => state.set({ exercise: name }),
  }, t(`exercise.${name}`), " ", h("small", {}, t("exercise.level", { level: LEVELS[name] })))));
  if (state.tab === "exercises" && shownExercise !== state.exercise + state.language) {
    shownExercise = state.exercise + state.language;
    show(byId("exercise"), exerciseView(state.exercise, { machine, data, work: state.work, keep: actions.keep, lookAtBytes: actions.lookAtBytes }));
  }
}

if (!state.read(location.hash, languages, EXERCISES, views, [...links.keys()])) Object.assign(state, { bytes: parseHex("E6 97 A5"), position: 0 });
listen();
state.listen(draw);
state.set({});
