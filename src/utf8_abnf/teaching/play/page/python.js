// In the larger build only: Python, by Pyodide, in a worker; the real parsers check every answer of the page, and a
// command of a lesson can be run.
import { byId, h, lastAnswer } from "./dom.js";
import { t } from "./words.js";

// From file:// Chromium starts no worker that is a module, and Pyodide refuses a worker that has importScripts, which
// it does not need. So importScripts is removed.
const WORKER = `
self.importScripts = () => { throw new Error("no importScripts here"); };
self.onmessage = async ({ data }) => {
  const urls = {};
  for (const [name, type] of [["mjs", "text/javascript"], ["asm", "text/javascript"], ["stdlib", "application/zip"]]) {
    urls[name] = URL.createObjectURL(new Blob([data.parts[name]], { type }));
  }
  // Pyodide fetches its WebAssembly by this name; there is no server, so it gets it from here.
  const before = self.fetch;
  self.fetch = (url, options) => String(url).endsWith("pyodide.asm.wasm")
    ? Promise.resolve(new Response(data.parts.wasm, { headers: { "Content-Type": "application/wasm" } })) : before(url, options);
  try {
    const { loadPyodide } = await import(urls.mjs);
    const createPyodideModule = (await import(urls.asm)).default;
    const lock = new TextDecoder().decode(data.parts.lock);
    const python = await loadPyodide({ indexURL: "https://page.invalid/", createPyodideModule, stdLibURL: urls.stdlib, lockFileContents: lock });
    python.unpackArchive(data.parts.packages, "zip", { extractDir: "/packages" });
    python.runPython(data.program);
    const [check, run] = ["check", "run"].map((name) => python.globals.get(name));
    self.postMessage({ ready: python.runPython("import sys; sys.version.split()[0]") });
    self.onmessage = ({ data: question }) => self.postMessage("command" in JSON.parse(question) ? { ran: run(question) } : { problem: check(question) });
  } catch (error) {
    self.postMessage({ failed: String(error).split("\\n").at(-1) || String(error) });
  }
};
`;

const python = { version: "", agreed: 0, worker: null, say: () => t("python.loading") };

function tell() {
  byId("crosscheck").textContent = python.say();
  for (const [part, key] of [[command.name, "command"], [command.button, "run"]]) part.textContent = t(`python.${key}`);
  command.printed.setAttribute("aria-label", t("python.printed"));
}

// ---- A command of a lesson --------------------------------------------------------------------------------------------

const command = {
  name: h("span", {}),
  field: h("input", { type: "text", id: "command", spellcheck: "false", autocomplete: "off", autocapitalize: "off", value: "utf8-abnf explain E0 9F BF" }),
  button: h("button", { type: "submit", disabled: true }),
  status: h("p", { class: "aside", role: "status" }),
  printed: h("pre", { id: "printed", class: "scroll", tabindex: "0", role: "group" }),
};

function commandForm() {
  const form = h("form", { class: "row" }, h("label", {}, command.name, command.field), command.button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    command.button.disabled = true; // until it has run
    python.worker.postMessage(JSON.stringify({ command: command.field.value, language: document.documentElement.lang }));
  });
  return h("section", { class: "card" }, form, command.status, command.printed);
}

function showRun({ printed, status }) {
  command.button.disabled = false;
  command.printed.textContent = printed;
  command.status.textContent = t("python.status", { status });
}

async function unpacked(id) {
  const letters = atob(byId(id).textContent.trim());
  byId(id).remove();
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i); // Uint8Array.from takes 20 times as long
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

function ask(answer) {
  if (python.version && answer) python.worker.postMessage(JSON.stringify(answer));
}

function hear({ data }) {
  const { version } = python;
  if (data.ready) {
    python.version = data.ready;
    command.button.disabled = false;
    ask(lastAnswer());
  } else if (data.ran) {
    showRun(JSON.parse(data.ran));
  } else if (data.failed) {
    python.say = () => t("python.failed", { what: data.failed });
  } else if (data.problem) {
    python.say = () => t("python.differ", { version, what: data.problem });
    removeEventListener("answered", answered); // it stays to be read
  } else {
    const count = ++python.agreed;
    python.say = () => t("python.agree", { version, count });
  }
  tell();
}

const answered = ({ detail }) => ask(detail);

async function startPython() {
  document.querySelector("main").append(commandForm());
  tell();
  const names = ["mjs", "asm", "wasm", "stdlib", "lock", "packages"];
  const contents = await Promise.all(names.map((name) => unpacked(`python-${name}`)));
  const parts = Object.fromEntries(names.map((name, i) => [name, contents[i]]));
  python.worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })));
  python.worker.onmessage = hear;
  python.worker.onerror = ({ message }) => hear({ data: { failed: message ?? "worker" } });
  python.worker.postMessage({ parts, program: byId("python-program").textContent }, contents);
  addEventListener("answered", answered);
  new MutationObserver(tell).observe(document.documentElement, { attributeFilter: ["lang"] });
}

startPython().catch((error) => hear({ data: { failed: String(error) } }));
