"""Node.js: the WHATWG TextDecoder, and Buffer's own validator."""

from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str) -> Decoder:
    return Decoder(
        f"node-{name}",
        about,
        "node",
        ("{program}", "{source}", name),
        source="node.js",
        version=("{program}", "--version"),
    )


DECODERS = (
    _row("textdecoder", "new TextDecoder('utf-8', {fatal: true}), and with fatal: false for mode r"),
    _row("isutf8", "require('buffer').isUtf8"),
    _row("buffer", "Buffer.toString('utf8'), judged by whether the text gives the same bytes again"),
)
