// A button on each block of code copies it: of what is typed after a prompt, that alone; of anything else, all.
const WORDS = { de: ["Kopieren", "Kopiert"], ja: ["コピー", "コピーしました"] };
const [copy, copied] = WORDS[document.documentElement.lang] ?? ["Copy", "Copied"];

/** What is typed in the lines of *text*: after $, >>> and ...; all of it where there is no prompt. */
function typed(text) {
  const lines = [...text.matchAll(/^(?:\$|>>>|\.\.\.)(?: (.*))?$/gm)].map(([, line]) => line ?? "");
  return lines.length ? `${lines.join("\n")}\n` : text;
}

const blocks = navigator.clipboard ? document.querySelectorAll(".content .highlight") : []; // there is none without https

for (const block of blocks) {
  const button = document.createElement("button");
  button.className = "copy";
  button.textContent = copy;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(typed(block.querySelector("pre").textContent));
    button.textContent = copied;
  });
  block.append(button);
}
