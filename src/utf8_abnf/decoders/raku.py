"""Raku (Rakudo on MoarVM): Blob.decode."""

from utf8_abnf.decoders.decoder import Decoder

DECODERS = (
    Decoder(
        "raku-blob-decode",
        "Blob.decode('utf-8')",
        "raku",
        ("{program}", "{source}", "blob-decode"),
        source="raku.raku",
        version=("{program}", "--version"),
        install="apt:rakudo",
        direct="raku -e 'exit try { $*IN.slurp(:bin).decode(\"utf-8\"); 0 } // 1'",
    ),
)
