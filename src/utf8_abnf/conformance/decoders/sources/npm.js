// Packages of npm over the stream protocol: node npm.js FOLDER PACKAGE NAME; FOLDER is their node_modules, PACKAGE is
// asked for its version, and NAME is a key of npm_codecs.js or npm_formats.js.
// Where a package would hand the work to Node's own decoder, that is taken away before it is loaded: its own remains.
"use strict";
const assert = require("assert");
const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");

const [folder, package_, name] = process.argv.slice(2);
const load = (file) => require(path.join(folder, file));
const hide = (what) => { delete globalThis[what]; };

// -- ways to judge ----------------------------------------------------------------------------------------------------

// What a call gives is shown where it is text, and null stands for an error.
const shown = (call) => (data) => { try { return call(data) ?? null; } catch { return null; } };
const throws = (call) => ({
  accepts(data) { try { call(data); return true; } catch { return false; } },
  replace: shown(call),
});

// With U+FFFC for each U+FFFD of the data, every U+FFFD that comes out marks an error. A count would not do: a decoder
// that swallows bytes may lose a U+FFFD of the data, and one mark more would look like it.
const plain = (data) => Buffer.from(data.toString("latin1").replaceAll("\xef\xbf\xbd", "\xef\xbf\xbc"), "latin1");
const unmarked = (text) => !text.includes("\ufffd");

// It never throws: what it rejects it marks with U+FFFD.
const marksErrors = (decode) => ({ accepts: (data) => unmarked(decode(plain(data))), replace: shown(decode) });

// It throws, at U+FFFD perhaps, or it marks with U+FFFD what it rejects.
const judged = (decode) => ({
  ...throws((data) => { decode(data); assert(unmarked(decode(plain(data)))); }),
  replace: shown(decode),
});

// A decoder with write(chunk) and end(), which marks errors.
function pieces(make) {
  return {
    ...marksErrors((data) => { const decoder = make(); return decoder.write(data) + (decoder.end() || ""); }),
    stream() {
      const decoder = make();
      const texts = [];
      return {
        feed(chunk) { texts.push(decoder.write(chunk)); return true; },
        finish: () => unmarked(texts.join("") + (decoder.end() || "")),
      };
    },
  };
}

// A TextDecoder, as the WHATWG has it.
function whatwg(TextDecoder) {
  const make = (fatal) => new TextDecoder("utf-8", { fatal, ignoreBOM: true });
  return {
    ...throws((data) => make(true).decode(data)),
    replace: (data) => make(false).decode(data),
    stream() {
      const decoder = make(true);
      const tell = (...words) => { try { decoder.decode(...words); return true; } catch { return false; } };
      return { feed: (chunk) => tell(chunk, { stream: true }), finish: () => tell() };
    },
  };
}

// Data with one byte 80 behind it, for decoders that are told where to end.
const poisoned = (data) => Buffer.concat([data, Buffer.from([0x80])]);

function leb128(number) {
  const bytes = [];
  for (; number > 127; number >>>= 7) bytes.push((number & 127) | 128);
  return Buffer.from([...bytes, number]);
}

function head32(first, data) {
  const head = Buffer.alloc(5, first);
  head.writeUInt32BE(data.length, 1);
  return head;
}

// -- the packages -----------------------------------------------------------------------------------------------------

const percents = (data) => data.toString("hex").replace(/../g, "%$&");
const importing = (file) => import(pathToFileURL(path.join(folder, file)));
const ways = {
  ...{ folder, load, hide, importing, percents, poisoned, leb128, head32 },
  ...{ throws, marksErrors, judged, pieces, whatwg },
};

const decoders = {
  control: () => ({ accepts: (data) => data.reduce((sum, byte) => sum + byte, 0) % 256 < 128 }),
  ...require("./npm_codecs.js")(ways),
  ...require("./npm_formats.js")(ways),
};

// -- the protocol -----------------------------------------------------------------------------------------------------

function streamed(decoder, frame) {
  const stream = decoder.stream();
  const count = frame.readUInt32LE(0);
  const data = plain(frame.subarray(4 + 4 * count));
  let [at, good, answers] = [0, true, ""];
  for (let number = 1; number <= count; number++) {
    const end = at + frame.readUInt32LE(4 * number);
    good = good && stream.feed(data.subarray(at, end));
    answers += good ? "?" : "0";
    at = end;
  }
  return Buffer.from(answers + (good && stream.finish() ? "1" : "0"));
}

// Return the text as UTF-8. A lone surrogate, of which Buffer.from makes U+FFFD, becomes three bytes: so it is seen.
function encoded(text) {
  const parts = text.split(/(\p{Surrogate})/u).map((part, index) => {
    const unit = part.charCodeAt(0);
    return Buffer.from(index % 2 ? [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63)] : part);
  });
  return Buffer.concat(parts);
}

const modes = {
  v: ["accepts", (decoder, data) => Buffer.from(decoder.accepts(data) ? "1" : "0")],
  p: ["firstError", (decoder, data) => {
    const offset = decoder.firstError(data);
    const answer = Buffer.alloc(5);
    answer.writeUInt32LE(offset ?? 0xffffffff);
    answer[4] = offset === null ? 0 : 1; // no package tells a length
    return answer;
  }],
  r: ["replace", (decoder, data) => {
    const text = decoder.replace(data);
    const bytes = encoded(text ?? "");
    const size = Buffer.alloc(4);
    size.writeUInt32LE(text === null ? 0xffffffff : bytes.length);
    return Buffer.concat([size, bytes]);
  }],
  s: ["stream", streamed],
};

async function main() {
  const decoder = await decoders[name]();
  if (typeof decoder.replace?.(Buffer.from("a")) !== "string") delete decoder.replace; // it gives no text
  const known = Object.keys(modes).filter((mode) => decoder[modes[mode][0]]);
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, package_, "package.json")));
  process.stdout.write(`utf8-abnf 1 modes=${known} name=${name} version=${version}\n`);
  let answer = null;
  let pending = Buffer.alloc(0);
  process.stdin.on("data", (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    let at = 0;
    if (!answer) {
      at = pending.indexOf(10) + 1;
      if (at === 0) return;
      answer = modes[pending.toString("latin1", 0, at).trim()][1];
    }
    const out = [];
    while (at + 4 <= pending.length && at + 4 + pending.readUInt32LE(at) <= pending.length) {
      const end = at + 4 + pending.readUInt32LE(at);
      out.push(answer(decoder, pending.subarray(at + 4, end)));
      at = end;
    }
    pending = pending.subarray(at);
    if (out.length) process.stdout.write(Buffer.concat(out));
  });
}

main();
