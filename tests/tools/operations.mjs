// Runs the operations of a WebAssembly module on the operands of standard input: node operations.mjs MODULE.wasm
import { readFileSync, writeSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const { memory, operands, results, size, run } = instance.exports;
const bytes = new Uint8Array(memory.buffer);
const read = readFileSync(0);
const written = [];
for (let at = 0; at + 320 <= read.length; at += 320) {
  bytes.set(read.subarray(at, at + 320), operands.value);
  run();
  written.push(Buffer.from(bytes.slice(results.value, results.value + size())));
}
let rest = Buffer.concat(written);
while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
