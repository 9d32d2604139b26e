// Let apg-js and node-abnf judge words: node tools/measure/public_grammars.mjs FOLDER JOB
// FOLDER is where `npm install apg-js abnf` was run. JOB is JSON: the text of a grammar, its start rule and the words.
// tools/measure/public_grammars.py calls this.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, job] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
const { text, start, words } = JSON.parse(readFileSync(job, "utf8"));
const CORE = [
  "ALPHA = %x41-5A / %x61-7A", 'BIT = "0" / "1"', "CHAR = %x01-7F", "CR = %x0D", "CRLF = CR LF", "CTL = %x00-1F / %x7F",
  "DIGIT = %x30-39", "DQUOTE = %x22", 'HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"', "HTAB = %x09", "LF = %x0A",
  "LWSP = *(WSP / CRLF WSP)", "OCTET = %x00-FF", "SP = %x20", "VCHAR = %x21-7E", "WSP = SP / HTAB",
];
const own = new Set([...text.matchAll(/^([A-Za-z][\w-]*)[ \t]*=/gm)].map((found) => found[1].toUpperCase()));
const whole = text + CORE.filter((line) => !own.has(line.split(" ")[0])).join("\n") + "\n";

function judged(make) {
  try {
    const accepts = make();
    const begin = process.cpuUsage();
    const verdicts = words.map(accepts);
    const { user, system } = process.cpuUsage(begin);
    return { verdicts, seconds: (user + system) / 1e6 };
  } catch (error) {
    return String(error).slice(0, 200);
  }
}

function apg() {
  const Api = require("apg-js/src/apg-api/api");
  const lib = require("apg-js/src/apg-lib/node-exports");
  const api = new Api(whole.replace(/\n/g, "\r\n"));
  api.generate();
  if (api.errors.length) throw new Error(api.errorsToAscii());
  const grammar = api.toObject();
  return (word) => {
    try {
      return new lib.parser().parse(grammar, start, lib.utils.stringToChars(word), []).success;
    } catch {
      return null;
    }
  };
}

const { parseString } = await import(pathToFileURL(require.resolve("abnf")));
const peggy = require("peggy");
let rules = null;
try {
  rules = await parseString(whole, "grammar");
} catch {
  rules = null;
}

function nodeAbnf() {
  if (rules === null) throw new Error("not read");
  const parser = peggy.generate(rules.toFormat({ format: "peggy", startRule: start }));
  return (word) => {
    try {
      parser.parse(word);
      return true;
    } catch (error) {
      return error.name === "SyntaxError" || error instanceof parser.SyntaxError ? false : null;
    }
  };
}

console.log(JSON.stringify({ "apg-js": judged(apg), "node-abnf": judged(nodeAbnf) }));
