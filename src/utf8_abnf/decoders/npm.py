"""Packages of npm that decode UTF-8 in JavaScript (or C, one of them) of their own, run by Node.

Many of them use Node's decoder where there is one: it is taken away from those, and ``about`` says so. One that only
hands its bytes to Node is not here. The packages are in ``packages.node_modules()``, their versions are pinned, and
``tools/decoders.py`` installs them.
"""

from __future__ import annotations

import shlex

from utf8_abnf.decoders.decoder import Decoder
from utf8_abnf.decoders.packages import in_shell, node_modules

MODULES = node_modules()
MARKS = "judged by whether U+FFFD comes out that was not in the data"
# In the direct ways, t is the text.
MARKED = 'c=(s,m)=>s.split(m).length;process.exit(c(t,"\\ufffd")>c(d.toString("latin1"),"\\xef\\xbf\\xbd")?1:0)'


def _row(name: str, package: str, script: str, about: str, *, claim: str = "UTF-8") -> Decoder:
    """Return a row. *script* is JavaScript that decodes the Buffer ``d``; it rejects by leaving with status 1."""
    module = package.rpartition("@")[0]
    code = f'd=require("fs").readFileSync(0);{script}'
    return Decoder(
        f"npm-{name}",
        about,
        "node",
        ("{program}", "{source}", str(MODULES), module, name),
        source="npm.js",
        claim=claim,
        install=f"apt:nodejs apt:npm npm:{package}",
        probe=("test", "-e", str(MODULES / module / "package.json")),
        direct=f"cd {in_shell(MODULES.parent)} && node -e {shlex.quote(code)}",
    )


def _predicate(name: str, package: str, call: str, about: str, *, before: str = "") -> Decoder:
    return _row(name, package, f"{before}process.exit({call}?0:1)", about)


def _throws(name: str, package: str, call: str, about: str, *, claim: str = "UTF-8", before: str = "") -> Decoder:
    return _row(name, package, f"{before}try{{{call}}}catch{{process.exit(1)}}", about, claim=claim)


def _replaces(name: str, package: str, text: str, about: str, *, claim: str = "UTF-8", before: str = "") -> Decoder:
    return _row(name, package, f"{before}t={text};{MARKED}", f"{about}, {MARKS}", claim=claim)


NO_TEXT_DECODER = "delete globalThis.TextDecoder;"

DECODERS = (
    _predicate(
        "utf-8-validate",
        "utf-8-validate@6.0.6",
        'require("node-gyp-build")("node_modules/utf-8-validate")(d)',
        "utf-8-validate, its binary: is_utf8, C",
    ),
    _predicate(
        "utf-8-validate-fallback",
        "utf-8-validate@6.0.6",
        'require("utf-8-validate/fallback")(d)',
        "utf-8-validate/fallback.js, where its binary does not run",
    ),
    _predicate(
        "ws",
        "ws@8.23.0",
        'require("./node_modules/ws/lib/validation.js").isValidUTF8(d)',
        "isValidUTF8 of ws/lib/validation.js, without buffer.isUtf8 and utf-8-validate",
        before='delete require("buffer").isUtf8;process.env.WS_NO_UTF_8_VALIDATE=1;',
    ),
    _predicate("is-utf8", "is-utf8@0.2.1", 'require("is-utf8")(d)', "is-utf8"),
    _predicate("isutf8", "isutf8@4.0.4", 'require("isutf8")(d)', "isutf8"),
    _throws("utf8", "utf8@3.0.0", 'require("utf8").decode(d.toString("latin1"))', "utf8.decode of utf8.js"),
    _throws(
        "wtf-8",
        "wtf-8@1.0.1",
        'require("wtf-8").decode(d.toString("latin1"))',
        "decode of wtf-8",
        claim="WTF-8: UTF-8 and surrogates",
    ),
    _throws(
        "text-encoding",
        "text-encoding@0.7.0",
        'new (require("text-encoding").TextDecoder)("utf-8",{fatal:true}).decode(d)',
        "the TextDecoder of text-encoding, without Node's",
        before=NO_TEXT_DECODER,
    ),
    _throws(
        "text-encoding-utf-8",
        "text-encoding-utf-8@1.0.2",
        'new (require("text-encoding-utf-8").TextDecoder)("utf-8",{fatal:true}).decode(d)',
        "the TextDecoder of text-encoding-utf-8",
    ),
    _replaces(
        "iconv-lite-cesu8",
        "iconv-lite@0.7.3",
        'require("iconv-lite").decode(d,"cesu8",{stripBOM:false})',
        "iconv-lite, the encoding cesu8",
        claim="CESU-8",
    ),
    _replaces(
        "protobufjs-utf8",
        "@protobufjs/utf8@1.1.2",
        'require("@protobufjs/utf8").read(d,0,d.length)',
        "read of @protobufjs/utf8, the decoder of protobufjs",
    ),
    _replaces(
        "msgpack",
        "@msgpack/msgpack@3.1.3",
        'require("./node_modules/@msgpack/msgpack/dist.cjs/utils/utf8.cjs").utf8DecodeJs(d,0,d.length)',
        "utf8DecodeJs of @msgpack/msgpack, which it uses up to 200 bytes",
    ),
    _replaces(
        "cbor-x",
        "cbor-x@1.6.8",
        'require("cbor-x").decode(Buffer.concat([Buffer.from([122,0,0,0,d.length]),d]))',  # of up to 255 bytes
        "decode of cbor-x, a text string, without its binary and Node's TextDecoder",
        before=f"process.env.CBOR_NATIVE_ACCELERATION_DISABLED=true;{NO_TEXT_DECODER}",
    ),
    _row(
        "pbf",
        "pbf@5.1.2",
        f'{NO_TEXT_DECODER}import("./node_modules/pbf/index.js").then(m=>{{'
        f"t=new m.PbfReader(Buffer.concat([Buffer.from([d.length]),d])).readString();{MARKED}}})",  # of up to 127 bytes
        f"readString of pbf, without Node's TextDecoder, {MARKS}",
    ),
    _replaces(
        "buffer",
        "buffer@6.0.3",
        'require("buffer/").Buffer.from(d).toString("utf8")',
        "Buffer.toString of the package buffer, for browsers",
    ),
    _replaces(
        "string_decoder",
        "string_decoder@1.3.0",
        '(s=new (require("string_decoder/").StringDecoder)("utf8"),s.write(d)+s.end())',
        "StringDecoder of the package string_decoder, whole characters by Node's Buffer",
    ),
    _replaces(
        "text-decoder",
        "text-decoder@1.2.7",
        '(s=new (require("text-decoder"))("utf8"),s.push(d)+s.end())',
        "text-decoder, whole characters by Node's Buffer",
    ),
    _row(
        "b4a",
        "b4a@1.9.0",
        f'{NO_TEXT_DECODER}try{{t=require("./node_modules/b4a/browser.js").toString(d,"utf8")}}catch{{process.exit(1)}}'
        f"{MARKED}",
        f"toString of b4a/browser.js, without Node's TextDecoder, {MARKS}",
    ),
    _throws(
        "utfx",
        "utfx@1.0.1",
        'i=0;require("utfx").decodeUTF8toUTF16(()=>i<d.length?d[i++]:null,()=>{})',
        "utfx.decodeUTF8toUTF16",
    ),
    _throws("ethers", "ethers@6.17.0", 'require("ethers").toUtf8String(d)', "toUtf8String of ethers"),
    _row(
        "stablelib-utf8",
        "@stablelib/utf8@2.1.0",
        'import("@stablelib/utf8").then(m=>{try{m.decode(d)}catch{process.exit(1)}})',
        "decode of @stablelib/utf8",
    ),
    _throws(
        "webassemblyjs-utf8",
        "@webassemblyjs/utf8@1.14.1",
        'require("@webassemblyjs/utf8").decode(d)',
        "decode of @webassemblyjs/utf8",
    ),
)
