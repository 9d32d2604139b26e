"""Node.js: the WHATWG TextDecoder, Buffer's own decoder and validator, and V8's of URIs and WebAssembly."""

from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, script: str) -> Decoder:
    return Decoder(
        f"node-{name}",
        about,
        "node",
        ("{program}", "{source}", name),
        source="node.js",
        version=("{program}", "--version"),
        install="apt:nodejs",
        direct=f"node -e '{READ}{script}'",
    )


READ = 'd=require("fs").readFileSync(0);'
SAME = "process.exit(Buffer.from(t).equals(d)?0:1)"

DECODERS = (
    _row(
        "textdecoder",
        "new TextDecoder('utf-8', {fatal: true}), with fatal: false for mode r, stream: true for mode s",
        'try{new TextDecoder("utf-8",{fatal:true}).decode(d)}catch{process.exit(1)}',
    ),
    _row("isutf8", "require('buffer').isUtf8", 'process.exit(require("buffer").isUtf8(d)?0:1)'),
    _row(
        "buffer",
        "Buffer.toString('utf8'), judged by whether the text gives the same bytes again",
        f't=d.toString("utf8");{SAME}',
    ),
    _row(
        "string-decoder",
        "require('string_decoder').StringDecoder, judged by whether the text gives the same bytes again",
        f's=new (require("string_decoder").StringDecoder)("utf8");t=s.write(d)+s.end();{SAME}',
    ),
    _row(
        "decode-uri-component",
        "decodeURIComponent of the bytes, each written as %XX",
        'try{decodeURIComponent(d.toString("hex").replace(/../g,"%$&"))}catch{process.exit(1)}',
    ),
    _row(
        "webassembly-validate",
        "WebAssembly.validate of a module with a custom section that is called so",
        "n=d.length;process.exit(n>99?2:WebAssembly.validate(Buffer.concat(["
        "Buffer.from([0,97,115,109,1,0,0,0,0,n+1,n]),d]))?0:1)",
    ),
)
