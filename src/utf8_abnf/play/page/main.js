// The page: it has one state, and each change draws all views from it again.
import { announce, byId, h, reveal, show } from "./dom.js";
import { EXERCISES, exerciseView } from "./exercises.js";
import { Machine } from "./machine.js";
import { encode, parseEscapes, parseHex, State, toEscapes, toHex } from "./state.js";
import { byteEditor, bitsView, bytesView } from "./view_bytes.js";
import { grammarView, nextView, treeView, verdictView } from "./view_grammar.js";
import { graphDrawing, lightGraph } from "./view_graph.js";
import { lightTrack, trackDrawing } from "./view_track.js";
import { lookAt, sentence, speak, t } from "./words.js";

const data = JSON.parse(byId("data").textContent);
const languages = Object.keys(data.strings);
const machine = new Machine(data.automaton, data.grammar, data.reasons);
const state = new State(data.language);
const folds = [...document.querySelectorAll("[data-fold]")];
const views = folds.map((each) => each.dataset.fold);
const track = { svg: null };
const graph = { svg: null };

// ---- What the controls do ---------------------------------------------------------------------------------------------

const actions = {
  go: (position) => state.set({ position }),
  change: (offset, byte) => state.set({ bytes: state.bytes.with(offset, byte) }),
  remove: (offset) => state.set({ bytes: state.bytes.toSpliced(offset, 1), position: offset }),
  insert: (offset, byte) => state.set({ bytes: state.bytes.toSpliced(offset, 0, byte), position: offset + 1 }),
  // The byte that is chosen to come next takes the place of the one that would have.
  put: (byte) => state.set({ bytes: [...state.bytes.slice(0, state.position), byte], position: state.position + 1 }),
  lookAtBytes: (bytes, position = 0) => state.set({ bytes, position, tab: "look" }),
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

function listen() {
  byId("input").addEventListener("input", ({ target }) => {
    const bytes = PARSE[state.kind](target.value);
    byId("input-problem").textContent = bytes ? "" : t(`input.problem.${state.kind}`);
    if (bytes) state.set({ bytes, position: bytes.length });
  });
  byId("kind").addEventListener("change", ({ target }) => state.set({ kind: target.value }));
  for (const [id, position] of [["first", () => 0], ["back", () => state.position - 1], ["forward", () => state.position + 1], ["last", () => state.bytes.length]]) {
    byId(id).addEventListener("click", () => actions.go(position()));
  }
  byId("tab-look").addEventListener("click", () => state.set({ tab: "look" }));
  byId("tab-exercises").addEventListener("click", () => state.set({ tab: "exercises" }));
  byId("large").addEventListener("click", () => state.set({ large: !state.large }));
  for (const each of folds) each.addEventListener("click", () => actions.fold(each.dataset.fold));
  addEventListener("hashchange", () => {
    if (location.hash === state.fragment() || location.hash === "#work") return;
    state.read(location.hash, languages, EXERCISES, views);
    shownExercise = "";
    state.set({});
  });
  addEventListener("keydown", keys);
}

function keys(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const { target, key } = event;
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
  for (const id of ["first", "back", "forward", "last"]) {
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
  track.svg = trackDrawing(machine);
  graph.svg = graphDrawing(machine);
  show(byId("track"), track.svg);
  show(byId("graph"), graph.svg);
}

function drawLook() {
  const look = lookAt(machine, state.bytes, state.position);
  const input = byId("input");
  if (document.activeElement !== input) {
    input.value = fieldText();
    byId("input-problem").textContent = "";
  }
  byId("kind").value = state.kind;
  const cut = state.cut ? t("input.cut", { most: state.bytes.length, total: state.cut }) : "";
  if (byId("input-cut").textContent !== cut) byId("input-cut").textContent = cut;
  byId("where").textContent = t("step.where", { position: look.position, total: state.bytes.length });
  for (const [id, off] of [["first", !look.position], ["back", !look.position], ["forward", look.atEnd], ["last", look.atEnd]]) byId(id).setAttribute("aria-disabled", String(off));
  const words = sentence(machine, look);
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
  for (const view of ["bits", "abnf", "tree", "track", "graph"]) reveal(byId(view));
  announce({ bytes: state.bytes, accepted: machine.accepts(state.bytes) });
}

let spoken = "";
let shownExercise = "";

function draw() {
  const fresh = spoken !== state.language;
  if (fresh) drawTexts();
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
  }, t(`exercise.${name}`))));
  if (shownExercise !== state.exercise + state.language) {
    shownExercise = state.exercise + state.language;
    show(byId("exercise"), exerciseView(state.exercise, { machine, data, work: state.work, keep: actions.keep, lookAtBytes: actions.lookAtBytes }));
  }
}

if (!state.read(location.hash, languages, EXERCISES, views)) Object.assign(state, { bytes: parseHex("E6 97 A5"), position: 2 });
listen();
state.listen(draw);
state.set({});
