// Adapter for `utf8-abnf test stream:'node adapter.js'`.
// Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
"use strict";

// [v]
function accepts(data) {
  // TODO: call your decoder; return whether it accepts the Buffer data as UTF-8. This example accepts ASCII only.
  return data.every((byte) => byte <= 0x7f);
}

// [p]
function firstError(data) {
  // TODO: return the offset and the length (0: not told) of the first error; null if there is none.
  const offset = data.findIndex((byte) => byte > 0x7f);
  return offset < 0 ? null : [offset, 1];
}

// [r]
function replace(data) {
  // TODO: return the text, with U+FFFD for errors; null to reject and not replace.
  return Array.from(data, (byte) => (byte > 0x7f ? "\uFFFD" : String.fromCharCode(byte))).join("");
}

// Return the text as UTF-8. A lone surrogate, of which Buffer.from makes U+FFFD, becomes three bytes: so it is seen.
function encoded(text) {
  const parts = text.split(/(\p{Surrogate})/u).map((part, index) => {
    const unit = part.charCodeAt(0);
    return Buffer.from(index % 2 ? [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63)] : part);
  });
  return Buffer.concat(parts);
}

// [s]
class Stream {
  // TODO: a stream of your decoder: feed returns false if the data are certainly wrong by now, finish if they were.
  wrong = false;
  feed(data) {
    this.wrong ||= data.some((byte) => byte > 0x7f);
    return !this.wrong;
  }
  finish() {
    return !this.wrong;
  }
}

// [pr]
function number(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

// [end]
const answers = {
  // [v]
  v: (data) => Buffer.from(accepts(data) ? "1" : "0"),
  // [p]
  p(data) {
    const [offset, length] = firstError(data) ?? [-1, 0];
    return Buffer.concat([number(offset), Buffer.from([length])]);
  },
  // [r]
  r(data) {
    const text = replace(data);
    const bytes = encoded(text ?? "");
    return Buffer.concat([number(text === null ? -1 : bytes.length), bytes]);
  },
  // [s]
  s(data) {
    const stream = new Stream();
    const count = data.readUInt32LE(0);
    let said = "";
    let at = 4 + 4 * count;
    for (let index = 1; index <= count; index += 1) {
      const end = at + data.readUInt32LE(4 * index);
      said += stream.feed(data.subarray(at, end)) ? "?" : "0";
      at = end;
    }
    return Buffer.from(said + (stream.finish() ? "1" : "0"));
  },
  // [end]
};

process.stdout.write("utf8-abnf 1 modes=v,p,r,s name=mydecoder version=1\n");
let mode = "";
let pending = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  pending = Buffer.concat([pending, chunk]);
  let at = 0;
  if (!mode) {
    at = pending.indexOf(10) + 1;
    if (at === 0) return;
    mode = pending.toString("latin1", 0, 1);
  }
  const out = [];
  while (at + 4 <= pending.length && at + 4 + pending.readUInt32LE(at) <= pending.length) {
    const end = at + 4 + pending.readUInt32LE(at);
    out.push(answers[mode](pending.subarray(at + 4, end)));
    at = end;
  }
  pending = pending.subarray(at);
  if (out.length) process.stdout.write(Buffer.concat(out));
});
