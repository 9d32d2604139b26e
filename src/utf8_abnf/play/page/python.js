// In the larger build only: Python, by Pyodide, in a worker; the real parsers check every answer of the page.
import { byId, lastAnswer } from "./dom.js";
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
    const check = python.globals.get("check");
    self.postMessage({ ready: python.runPython("import sys; sys.version.split()[0]") });
    self.onmessage = ({ data: question }) => self.postMessage({ question, problem: check(question) });
  } catch (error) {
    self.postMessage({ failed: String(error).split("\\n").at(-1) || String(error) });
  }
};
`;

const python = { version: "", agreed: 0, worker: null, say: () => t("python.loading") };

function tell() {
  byId("crosscheck").textContent = python.say();
}

async function unpacked(id) {
  const bytes = Uint8Array.from(atob(byId(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  byId(id).remove();
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

function ask(answer) {
  if (python.version && answer) python.worker.postMessage(JSON.stringify(answer));
}

function hear({ data }) {
  const { version } = python;
  if (data.ready) {
    python.version = data.ready;
    ask(lastAnswer());
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
