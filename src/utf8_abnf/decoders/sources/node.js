// Decoders of Node.js over the stream protocol: node node.js textdecoder|isutf8|buffer
"use strict";
const buffer = require("buffer");
const { TextDecoder } = require("util");

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
const decoders = {
  textdecoder: {
    accepts(data) { try { strict.decode(data); return true; } catch { return false; } },
    replace(data) { return lenient.decode(data); },
  },
  isutf8: { accepts: (data) => buffer.isUtf8(data) },
  buffer: {
    accepts: (data) => Buffer.from(data.toString("utf8"), "utf8").equals(data),
    replace: (data) => data.toString("utf8"),
  },
};
const decoder = decoders[process.argv[2]];

const answers = {
  v: (data) => Buffer.from(decoder.accepts(data) ? "1" : "0"),
  r(data) {
    const text = Buffer.from(decoder.replace(data), "utf8");
    const size = Buffer.alloc(4);
    size.writeUInt32LE(text.length);
    return Buffer.concat([size, text]);
  },
};

let mode = null;
let pending = Buffer.alloc(0);
process.stdout.write(`utf8-abnf 1 modes=${decoder.replace ? "v,r" : "v"} name=node-${process.argv[2]} version=${process.version}\n`);
process.stdin.on("data", (chunk) => {
  pending = Buffer.concat([pending, chunk]);
  if (mode === null) {
    const end = pending.indexOf(10);
    if (end < 0) return;
    mode = pending.toString("latin1", 0, end).trim();
    pending = pending.subarray(end + 1);
  }
  const out = [];
  let at = 0;
  while (at + 4 <= pending.length && at + 4 + pending.readUInt32LE(at) <= pending.length) {
    const end = at + 4 + pending.readUInt32LE(at);
    out.push(answers[mode](pending.subarray(at + 4, end)));
    at = end;
  }
  pending = pending.subarray(at);
  if (out.length) process.stdout.write(Buffer.concat(out));
});
