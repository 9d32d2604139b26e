// Adapter for `utf8-abnf test stream:'node adapter.js'`.
// Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
"use strict";

function accepts(data) {
  // TODO: call your decoder; return whether it accepts the Buffer data as UTF-8. This example accepts ASCII only.
  return data.every((byte) => byte <= 0x7f);
}

process.stdout.write("utf8-abnf 1 modes=v name=mydecoder version=1\n");
let started = false;
let pending = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  pending = Buffer.concat([pending, chunk]);
  let at = 0;
  if (!started) {
    at = pending.indexOf(10) + 1;
    if (at === 0) return;
    started = true;
  }
  let answers = "";
  while (at + 4 <= pending.length && at + 4 + pending.readUInt32LE(at) <= pending.length) {
    const end = at + 4 + pending.readUInt32LE(at);
    answers += accepts(pending.subarray(at + 4, end)) ? "1" : "0";
    at = end;
  }
  pending = pending.subarray(at);
  if (answers) process.stdout.write(answers);
});
