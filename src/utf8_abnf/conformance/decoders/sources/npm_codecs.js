// Packages of npm that are codecs of UTF-8, or have one of their own. npm.js gives them the ways to judge.
"use strict";
const assert = require("assert");
const path = require("path");

// What a polyfill makes where nothing decodes yet.
function polyfill(load, hide, file) {
  const hidden = globalThis.Buffer;
  for (const what of ["TextDecoder", "TextEncoder", "Buffer"]) hide(what);
  load(file);
  globalThis.Buffer = hidden;
  const decoder = new globalThis.TextDecoder();
  return (data) => decoder.decode(new Uint8Array(data));
}

module.exports = (ways) => {
const { folder, load, hide, importing, percents, poisoned } = ways;
const { throws, marksErrors, judged, pieces, whatwg } = ways;
return {
  "utf-8-validate"() {
    return { accepts: load("node-gyp-build")(path.join(folder, "utf-8-validate")) };
  },
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
  "text-encoding"() {
    hide("TextDecoder");
    return whatwg(load("text-encoding").TextDecoder);
  },
  buffer() {
    const { Buffer: Other } = load("buffer/index.js");
    return marksErrors((data) => Other.from(data).toString("utf8"));
  },
  "text-decoder"() {
    const Other = load("text-decoder");
    return pieces(() => new Other("utf8"));
  },
  b4a() {
    hide("TextDecoder");
    const { toString } = load("b4a/browser.js");
    return judged((data) => toString(data, "utf8")); // above 10FFFF it throws
  },
  ethers() {
    const { toUtf8String, Utf8ErrorFuncs } = load("ethers/lib.commonjs/utils/utf8.js");
    class Found extends Error {}
    return {
      ...throws((data) => toUtf8String(data)),
      firstError(data) {
        let offset = 0;
        const tell = (reason, where) => { offset = where; throw new Found(reason); };
        try {
          toUtf8String(data, tell);
          return null;
        } catch (error) {
          if (!(error instanceof Found)) throw error;
          return offset;
        }
      },
      replace: (data) => toUtf8String(data, Utf8ErrorFuncs.replace),
    };
  },
  async "stablelib-utf8"() {
    const { decode } = await importing("@stablelib/utf8/lib/utf8.js");
    return throws(decode);
  },
  "webassemblyjs-utf8": () => throws(load("@webassemblyjs/utf8").decode),
  "fast-text-encoding": () => throws(polyfill(load, hide, "fast-text-encoding/text.min.js")),
  fastestsmallesttextencoderdecoder() {
    return marksErrors(polyfill(load, hide, "fastestsmallesttextencoderdecoder/EncoderDecoderTogether.min.js"));
  },
  async "borewit-text-codec"() {
    hide("TextDecoder");
    const { textDecode } = await importing("@borewit/text-codec/lib/index.js");
    return marksErrors((data) => textDecode(data, "utf-8"));
  },
  "decode-utf8": () => throws(load("decode-utf8")),
  async "exodus-bytes"() {
    const { decode } = await importing("@exodus/bytes/fallback/utf8.js");
    return { ...throws((data) => decode(data, false)), replace: (data) => decode(data, true) };
  },
  "encoding-japanese"() {
    const { convert } = load("encoding-japanese");
    return throws((data) => convert([...data], { to: "UNICODE", from: "UTF8", type: "string" }));
  },
  "js-base64": () => throws((data) => load("js-base64").btou(data.toString("latin1"))),
  "aws-util-utf8-browser": () => throws(load("@aws-sdk/util-utf8-browser/dist-cjs/pureJs.js").toUtf8),
  "hi-base32"() {
    const { decode, encode } = load("hi-base32");
    return throws((data) => decode(encode([...data])));
  },
  lib0() {
    const { _decodeUtf8Polyfill } = load("lib0/dist/string.cjs");
    return throws(_decodeUtf8Polyfill);
  },
  fflate() {
    hide("TextDecoder");
    return throws((data) => load("fflate").strFromU8(data));
  },
  "fast-decode-uri-component"() {
    const decode = load("fast-decode-uri-component");
    return {
      ...throws((data) => assert(decode(percents(data)) !== null)),
      replace: (data) => decode(percents(data)),
    };
  },
  "uri-js"() {
    const { unescapeComponent } = load("uri-js");
    // What it rejects it leaves as it is, %XX. No such text may come from the data, so z stands for % and all digits.
    const blank = (data) => Buffer.from(data.toString("latin1").replace(/[%0-9a-f]/gi, "z"), "latin1");
    const replace = (data) => unescapeComponent(percents(data)).replace(/%[0-9a-f]{2}/gi, "\ufffd");
    return { accepts: (data) => !/%[0-9a-f]{2}/.test(unescapeComponent(percents(blank(data)))), replace };
  },
  "jsonjoy-decode-utf8"() {
    const { decodeUtf8 } = load("@jsonjoy.com/buffers/lib/utf8/decodeUtf8");
    return judged((data) => decodeUtf8(poisoned(data), 0, data.length));
  },
  "aes-js": () => throws(load("aes-js").utils.utf8.fromBytes),
};
};
