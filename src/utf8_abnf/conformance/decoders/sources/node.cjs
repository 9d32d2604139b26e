// Decoders of Node.js over the stream protocol: node node.cjs NAME, a key of decoders below.
"use strict";
const buffer = require("buffer");
const { TextDecoder } = require("util");

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
// What a decoder that throws nothing rejects becomes U+FFFD; those that were in the data are no such marks.
const unmarked = (text, data) => text.split("\ufffd").length <= data.toString("latin1").split("\xef\xbf\xbd").length;

const decoders = {
  control: { accepts: (data) => data.reduce((sum, byte) => sum + byte, 0) % 256 < 128 },
  textdecoder: {
    accepts(data) { try { strict.decode(data); return true; } catch { return false; } },
    replace(data) { return lenient.decode(data); },
    stream() {
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      return { feed: (chunk) => { decoder.decode(chunk, { stream: true }); }, finish: () => { decoder.decode(); return true; } };
    },
    incremental() {
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      return { feed: (chunk) => decoder.decode(chunk, { stream: true }), finish: () => decoder.decode() };
    },
  },
  isutf8: { accepts: (data) => buffer.isUtf8(data) },
  buffer: {
    accepts: (data) => unmarked(data.toString("utf8"), data),
    replace: (data) => data.toString("utf8"),
  },
  "decode-uri-component": {
    accepts(data) {
      try { decodeURIComponent(data.toString("hex").replace(/../g, "%$&")); return true; } catch { return false; }
    },
  },
};
const name = process.argv[2];
const decoder = decoders[name];

function streamed(frame) {
  const count = frame.readUInt32LE(0);
  const stream = decoder.stream();
  const answers = [];
  let at = 4 + 4 * count;
  let wrong = false;
  for (let index = 0; index < count; index += 1) {
    const end = at + frame.readUInt32LE(4 + 4 * index);
    try { if (!wrong) stream.feed(frame.subarray(at, end)); } catch { wrong = true; }
    answers.push(wrong ? "0" : "?");
    at = end;
  }
  try { wrong = wrong || !stream.finish(); } catch { wrong = true; }
  return Buffer.from(answers.join("") + (wrong ? "0" : "1"));
}

// Return the text as UTF-8. A lone surrogate, of which Buffer.from makes U+FFFD, becomes three bytes: so it is seen.
function encoded(text) {
  const parts = text.split(/(\p{Surrogate})/u).map((part, index) => {
    const unit = part.charCodeAt(0);
    return Buffer.from(index % 2 ? [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63)] : part);
  });
  return Buffer.concat(parts);
}

// One answer in mode i: a state, an offset that is never told, and the text.
function step(state, text) {
  const bytes = encoded(text ?? "");
  const head = Buffer.alloc(9, 0xff);
  head.write(state, 0, "latin1");
  if (text !== undefined) head.writeUInt32LE(bytes.length, 5);
  return Buffer.concat([head, bytes]);
}

// A TextDecoder has no reset; after an error it is fed no more until the stream ends.
function inSteps(frame) {
  const [FINISH, RESET] = [0xffffffff, 0xfffffffe];
  const count = frame.readUInt32LE(0);
  const stream = decoder.incremental();
  const answers = [];
  let at = 4 + 4 * count;
  let wrong = false;
  for (let index = 1; index <= count; index += 1) {
    const size = frame.readUInt32LE(4 * index);
    const last = size === FINISH;
    if (size === RESET) { answers.push(step("u")); continue; }
    const chunk = last ? null : frame.subarray(at, (at += size));
    let text;
    try { text = last ? stream.finish() : wrong ? undefined : stream.feed(chunk); } catch { wrong = true; }
    answers.push(step(wrong ? "0" : last ? "1" : "?", wrong ? undefined : text));
    if (last) wrong = false;
  }
  return Buffer.concat(answers);
}

const answers = {
  i: inSteps,
  v: (data) => Buffer.from(decoder.accepts(data) ? "1" : "0"),
  r(data) {
    const text = encoded(decoder.replace(data));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(text.length);
    return Buffer.concat([size, text]);
  },
  s: streamed,
};

let mode = null;
let pending = Buffer.alloc(0);
const modes = ["v", ...(decoder.replace ? ["r"] : []), ...(decoder.stream ? ["s"] : []), ...(decoder.incremental ? ["i"] : [])];
process.stdout.write(`utf8-abnf 1 modes=${modes} name=${name} version=${process.version}\n`);
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
