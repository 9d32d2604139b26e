// Measures the WebAssembly kernel in node beside node's own validators: node tools/bench/wasm.mjs MODULE.wasm
//
// MODULE.wasm: clang --target=wasm32 -msimd128 -O2 -ffreestanding -fbuiltin -nostdlib -Wl,--no-entry,--export=room
//   -Itests/validator/wasm -Isrc/kernel tests/validator/wasm/module.c src/kernel/wasm.c src/kernel/scalar.c -o MODULE.wasm
// Prints GB/s: minima of interleaved rounds. `in place`: the text is in the module's memory already; `copied`: it is
// copied there first. node's buffer.isUtf8 is simdutf; TextDecoder with `fatal` makes a string as well.
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const { memory, room, simd_is_valid } = instance.exports;
const inside = new Uint8Array(memory.buffer, room.value, 1 << 17);
const decoder = new TextDecoder("utf-8", { fatal: true });
const words = {
  ascii: "plain words, as they stand in a text ",
  latin: "Müßige Grüße über Äpfel ",
  cjk: "你好世界漢字仮名交文",
  emoji: "😀🚀🎉",
  mixed: `${"x".repeat(397)}é`,
};

function text(word, size) {
  const whole = new TextEncoder().encode(word.repeat(size / word.length + 1));
  let end = size;
  while ((whole[end] & 0xc0) === 0x80) end--;
  return whole.slice(0, end);
}

function measured(functions, size) {
  const turns = Math.max(1, Math.floor(400_000 / size));
  const best = functions.map(() => Infinity);
  for (let round = 0; round < 60; round++) {
    functions.forEach((one, place) => {
      const begun = process.hrtime.bigint();
      for (let turn = 0; turn < turns; turn++) if (!one()) throw new Error("a right text is rejected");
      best[place] = Math.min(best[place], Number(process.hrtime.bigint() - begun) / turns);
    });
  }
  return best.map((time) => (size / time).toFixed(1).padStart(9));
}

console.log(`node ${process.version}\n` + "kind    size  in place   copied  isUtf8  TextDecoder");
for (const [kind, word] of Object.entries(words)) {
  for (const size of [64, 1024, 16384, 131000]) {
    const data = text(word, size);
    const functions = [
      () => simd_is_valid(room.value, data.length),
      () => (inside.set(data), simd_is_valid(room.value, data.length)),
      () => isUtf8(data),
      () => decoder.decode(data).length > 0,
    ];
    inside.set(data);
    console.log(kind.padEnd(6), String(size).padStart(6), ...measured(functions, data.length));
  }
}
