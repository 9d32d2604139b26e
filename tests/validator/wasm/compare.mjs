// Compares the kernel of a WebAssembly module with the module's scalar one: node compare.mjs MODULE.wasm
import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const { memory, room, simd_first_error, simd_is_valid, scalar_first_error } = instance.exports;
const start = room.value; // a multiple of 64, with 128 KiB behind it
const bytes = new Uint8Array(memory.buffer);
const characters = ["a", "plain words ", "é", "你", "😀", "\u0800", "\ud7ff", "\u{10ffff}", "߿"].map((each) => [
  ...new TextEncoder().encode(each),
]);
const edges = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff];

let state = 88172645463325252n; // xorshift: the same texts in every run
function below(limit) {
  for (const shift of [13n, -7n, 17n]) {
    state ^= BigInt.asUintN(64, shift > 0 ? state << shift : state >> -shift);
  }
  return Number(state % BigInt(limit));
}

function fill(at, size, kind) {
  for (let end = at + size, i = 0; at < end; i++) {
    let one = characters[kind < characters.length ? kind : (i * kind) % characters.length];
    if (one.length > end - at) one = [0x7a];
    for (const byte of one) bytes[at++] = byte;
  }
}

let texts = 0;
function judge(at, size) {
  const expected = scalar_first_error(at, size) >>> 0;
  const found = simd_first_error(at, size) >>> 0;
  if (found !== expected || simd_is_valid(at, size) !== Number(expected === size)) {
    console.log(`${size} bytes, ${at % 64} behind a line: first error at ${found}, but scalar says ${expected}`);
    process.exit(1);
  }
  texts++;
}

for (let size = 0; size <= 300; size++) {
  for (const edge of edges) {
    const at = start + below(64);
    fill(at, size, below(20));
    judge(at, size);
    for (const place of [size - 1 - below(3), below(size + 1)]) {
      if (place >= 0 && place < size) bytes[at + place] = edge;
      judge(at, size);
    }
  }
}
for (let round = 0; round < 4000; round++) {
  const at = start + below(64), size = below(round % 16 === 0 ? 40000 : 5000);
  fill(at, size, below(20));
  if (size > 0 && below(2)) bytes.fill(0x61, at + below(size), at + size); // ASCII behind it
  judge(at, size);
  for (let edits = below(3); edits > 0 && size > 0; edits--) bytes[at + below(size)] = edges[below(edges.length)];
  judge(at, size);
}
console.log(`${texts} texts: all agree`);
