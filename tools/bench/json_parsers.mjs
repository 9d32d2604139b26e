// Time apg-js on a grammar and files: node tools/bench/json_parsers.mjs FOLDER GRAMMAR FILE...
// FOLDER is where `npm install apg-js` was run. tools/bench/json_parsers.py calls this.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [folder, grammarFile, ...files] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
const Api = require("apg-js/src/apg-api/api");
const lib = require("apg-js/src/apg-lib/node-exports");

const api = new Api(readFileSync(grammarFile, "latin1").replace(/\r?\n/g, "\r\n"));
api.generate();
if (api.errors.length) throw new Error(api.errorsToAscii());
const grammar = api.toObject();
for (const file of files) {
  const input = lib.utils.stringToChars(readFileSync(file, "utf8"));
  const begin = process.cpuUsage();
  const found = new lib.parser().parse(grammar, 0, input, []);
  const { user, system } = process.cpuUsage(begin);
  console.log(JSON.stringify({ accepted: found.success, seconds: (user + system) / 1e6 }));
}
