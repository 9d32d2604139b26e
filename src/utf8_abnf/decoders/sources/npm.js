// Packages of npm over the stream protocol: node npm.js FOLDER PACKAGE NAME; FOLDER is their node_modules, NAME a key of
// decoders below, and PACKAGE is asked for its version.
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

const throws = (call) => ({ accepts(data) { try { call(data); return true; } catch { return false; } } });

function marks(found, mark) {
  let count = 0;
  for (let at = found.indexOf(mark); at >= 0; at = found.indexOf(mark, at + mark.length)) count++;
  return count;
}

// It never throws: what it rejects it marks with U+FFFD. Those that were in the data are not its marks.
const unmarked = (text, data) => marks(text, "\ufffd") <= marks(data, Buffer.from("\ufffd"));
const marksErrors = (decode) => ({ accepts: (data) => unmarked(decode(data), data) });

// The same where what comes out is always text, without lone surrogates: then it can be shown.
const replaces = (decode) => ({ ...marksErrors(decode), replace: decode });

// A decoder with write(chunk) and end(), which marks errors.
function pieces(make) {
  return {
    ...replaces((data) => { const decoder = make(); return decoder.write(data) + (decoder.end() || ""); }),
    stream() {
      const decoder = make();
      const [chunks, texts] = [[], []];
      return {
        feed(chunk) { chunks.push(chunk); texts.push(decoder.write(chunk)); return true; },
        finish: () => unmarked(texts.join("") + (decoder.end() || ""), Buffer.concat(chunks)),
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

const decoders = {
  control: () => ({ accepts: (data) => data.reduce((sum, byte) => sum + byte, 0) % 256 < 128 }),
  "utf-8-validate"() {
    return { accepts: load("node-gyp-build")(path.join(folder, "utf-8-validate")) };
  },
  "utf-8-validate-fallback": () => ({ accepts: load("utf-8-validate/fallback.js") }),
  ws() {
    process.env.WS_NO_UTF_8_VALIDATE = "1";
    delete require("buffer").isUtf8;
    return { accepts: load("ws/lib/validation.js").isValidUTF8 };
  },
  "is-utf8": () => ({ accepts: load("is-utf8") }),
  isutf8: () => ({ accepts: load("isutf8") }),
  utf8() {
    const { decode } = load("utf8");
    return throws((data) => decode(data.toString("latin1")));
  },
  "wtf-8"() {
    const { decode } = load("wtf-8");
    return throws((data) => decode(data.toString("latin1")));
  },
  "text-encoding"() {
    hide("TextDecoder");
    return whatwg(load("text-encoding").TextDecoder);
  },
  "text-encoding-utf-8": () => whatwg(load("text-encoding-utf-8").TextDecoder),
  "iconv-lite-cesu8"() {
    const { replace, ...rest } = pieces(() => load("iconv-lite").getDecoder("cesu8", { stripBOM: false }));
    return rest; // it gives lone surrogates
  },
  "protobufjs-utf8"() {
    const { read } = load("@protobufjs/utf8");
    return marksErrors((data) => read(poisoned(data), 0, data.length));
  },
  msgpack() {
    const { utf8DecodeJs } = load("@msgpack/msgpack/dist.cjs/utils/utf8.cjs");
    return marksErrors((data) => utf8DecodeJs(poisoned(data), 0, data.length));
  },
  "cbor-x"() {
    process.env.CBOR_NATIVE_ACCELERATION_DISABLED = "true";
    hide("TextDecoder");
    const { decode } = load("cbor-x");
    // An array of a string and of 80, an empty array.
    return replaces((data) => decode(Buffer.concat([Buffer.from([0x82]), head32(0x7a, data), poisoned(data)]))[0]);
  },
  async pbf() {
    hide("TextDecoder");
    const { PbfReader, default: Pbf } = await import(pathToFileURL(path.join(folder, "pbf/index.js")));
    const Reader = PbfReader || Pbf;
    return replaces((data) => new Reader(Buffer.concat([leb128(data.length), poisoned(data)])).readString());
  },
  buffer() {
    const { Buffer: Other } = load("buffer/index.js");
    return replaces((data) => Other.from(data).toString("utf8"));
  },
  string_decoder() {
    const { StringDecoder } = load("string_decoder/lib/string_decoder.js");
    return pieces(() => new StringDecoder("utf8"));
  },
  "text-decoder"() {
    const Other = load("text-decoder");
    return pieces(() => new Other("utf8"));
  },
  b4a() {
    hide("TextDecoder");
    const { toString } = load("b4a/browser.js");
    const decoder = marksErrors((data) => toString(data, "utf8"));
    return throws((data) => assert(decoder.accepts(data))); // above 10FFFF it throws
  },
  utfx() {
    const { decodeUTF8toUTF16 } = load("utfx");
    return throws((data) => { let at = 0; decodeUTF8toUTF16(() => (at < data.length ? data[at++] : null), () => {}); });
  },
  ethers() {
    const { toUtf8String, Utf8ErrorFuncs } = load("ethers/lib.commonjs/utils/utf8.js");
    class Found extends Error {}
    return {
      ...throws((data) => toUtf8String(data)),
      firstError(data) {
        let offset = 0;
        const tell = (reason, where) => { offset = where; throw new Found(reason); };
        try { toUtf8String(data, tell); return null; } catch (error) { if (!(error instanceof Found)) throw error; return offset; }
      },
      replace: (data) => toUtf8String(data, Utf8ErrorFuncs.replace),
    };
  },
  async "stablelib-utf8"() {
    const { decode } = await import(pathToFileURL(path.join(folder, "@stablelib/utf8/lib/utf8.js")));
    return throws(decode);
  },
  "webassemblyjs-utf8": () => throws(load("@webassemblyjs/utf8").decode),
};

// -- the protocol -----------------------------------------------------------------------------------------------------

function streamed(decoder, frame) {
  const stream = decoder.stream();
  const count = frame.readUInt32LE(0);
  let [at, good, answers] = [4 + 4 * count, true, ""];
  for (let number = 1; number <= count; number++) {
    const end = at + frame.readUInt32LE(4 * number);
    good = good && stream.feed(frame.subarray(at, end));
    answers += good ? "?" : "0";
    at = end;
  }
  return Buffer.from(answers + (good && stream.finish() ? "1" : "0"));
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
    const text = Buffer.from(decoder.replace(data), "utf8");
    const size = Buffer.alloc(4);
    size.writeUInt32LE(text.length);
    return Buffer.concat([size, text]);
  }],
  s: ["stream", streamed],
};

async function main() {
  const decoder = await decoders[name]();
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
