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

function seconds(work) {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1e6;
}

// Its tree, called AST, has a node for each rule with a callback; each node is visited once as it begins and as it ends.
function treeNodes(input) {
  const parser = new lib.parser();
  let nodes = 0;
  parser.ast = new lib.ast();
  for (const rule of grammar.rules) {
    parser.ast.callbacks[rule.name] = (state) => {
      nodes += state === lib.ids.SEM_PRE;
      return lib.ids.SEM_OK;
    };
  }
  parser.parse(grammar, 0, input, []);
  parser.ast.translate({});
  return nodes;
}

for (const file of files) {
  const input = lib.utils.stringToChars(readFileSync(file, "utf8"));
  let accepted, nodes;
  const verdict = seconds(() => (accepted = new lib.parser().parse(grammar, 0, input, []).success));
  const tree = seconds(() => (nodes = treeNodes(input)));
  console.log(JSON.stringify({ accepted, verdict, tree, nodes }));
}
