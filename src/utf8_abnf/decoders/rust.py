"""Rust: std::str::from_utf8, its error positions, and String::from_utf8_lossy."""

from utf8_abnf.decoders.decoder import Decoder

DECODERS = (
    Decoder(
        "rust-from-utf8",
        "std::str::from_utf8, Utf8Error::valid_up_to for mode p, String::from_utf8_lossy for mode r",
        "rustc",
        ("{binary}",),
        source="rust.rs",
        build=("{program}", "--edition", "2021", "-O", "-o", "{output}", "{source}"),
        version=("{program}", "--version"),
    ),
)
