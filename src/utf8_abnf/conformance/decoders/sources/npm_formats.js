// Packages of npm that decode messages and files with UTF-8 in them. npm.js gives them the ways to judge.
"use strict";

// JSON forbids these in a string.
function jsonEscaped(data) {
  const escape = (found) => "\\u" + found.charCodeAt(0).toString(16).padStart(4, "0");
  return Buffer.from(data.toString("latin1").replace(/[\0-\x1f"\\]/g, escape), "latin1");
}

module.exports = ({ load, hide, importing, throws, marksErrors, judged, poisoned, leb128, head32 }) => ({
  "protobufjs-utf8"() {
    const { read } = load("@protobufjs/utf8");
    return marksErrors((data) => read(poisoned(data), 0, data.length));
  },
  msgpack() {
    const { utf8DecodeJs } = load("@msgpack/msgpack/dist.cjs/utils/utf8.cjs");
    return throws((data) => utf8DecodeJs(poisoned(data), 0, data.length));
  },
  async pbf() {
    hide("TextDecoder");
    const { PbfReader, default: Pbf } = await importing("pbf/index.js");
    const Reader = PbfReader || Pbf;
    return marksErrors((data) => new Reader(Buffer.concat([leb128(data.length), poisoned(data)])).readString());
  },
  "msgpack-lite"() {
    const { toString } = load("msgpack-lite/lib/buffer-lite.js"); // for browsers: an array is no Buffer
    return throws((data) => toString.call([...poisoned(data)], "utf8", 0, data.length));
  },
  "notepack.io"() {
    const decode = load("notepack.io/browser/decode.js");
    return throws((data) => decode(Uint8Array.from([0x92, ...head32(0xdb, data), ...data, 0x80]))[0]);
  },
  msgpackr() {
    process.env.MSGPACKR_NATIVE_ACCELERATION_DISABLED = "true";
    hide("TextDecoder");
    const { unpack } = load("msgpackr");
    return marksErrors((data) => unpack(Buffer.concat([Buffer.from([0x92]), head32(0xdb, data), poisoned(data)]))[0]);
  },
  "google-protobuf"() {
    hide("TextDecoder");
    const { BinaryReader } = load("google-protobuf");
    return throws((data) => {
      // Field 1, and after it an unknown field whose tag begins with 80.
      const bytes = Buffer.concat([Buffer.from([10]), leb128(data.length), poisoned(data), Buffer.from([1, 0])]);
      const reader = new BinaryReader(new Uint8Array(bytes));
      reader.nextField();
      return reader.readString();
    });
  },
  "colyseus-schema"() {
    const { string } = load("@colyseus/schema").decode;
    const head = (data) => [0xdb, data.length & 255, (data.length >> 8) & 255, data.length >> 16, 0];
    console.error = (text) => {
      throw new Error(text); // it says so when a byte cannot begin a character
    };
    return throws((data) => string([...head(data), ...data, 0x80], { offset: 0 }));
  },
  "paho-mqtt"() {
    const { Message } = load("paho-mqtt");
    return throws((data) => new Message(data).payloadString);
  },
  jszip() {
    const { utf8decode } = load("jszip/lib/utf8.js");
    return marksErrors((data) => utf8decode([...data]));
  },
  jsonparse() {
    const Parser = load("jsonparse");
    const read = (chunks) => {
      const [parser, values] = [new Parser(), []];
      parser.onValue = (value) => values.push(value);
      parser.onError = (error) => { throw error; };
      for (const chunk of [Buffer.from('["'), ...chunks.map(jsonEscaped), Buffer.from('"]')]) parser.write(chunk);
      return values[0];
    };
    return {
      ...judged((data) => read([data])),
      stream() {
        const chunks = [];
        return {
          feed(chunk) { chunks.push(chunk); return true; },
          finish() { try { return !read(chunks).includes("\ufffd"); } catch { return false; } },
        };
      },
    };
  },
});
