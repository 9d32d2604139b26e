"""Rust: std::str::from_utf8 with its error positions, String::from_utf8_lossy, and read_to_string."""

from utf8_abnf.decoders.compiled import from_file
from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, condition: str) -> Decoder:
    start = "use std::io::Read;fn main(){let mut d=vec![];std::io::stdin().read_to_end(&mut d).unwrap();"
    source = f"{start}std::process::exit(if {condition}{{10}}else{{11}})}}"
    return Decoder(
        f"rust-{name}",
        about,
        "rustc",
        ("{binary}", name),
        source="rust.rs",
        build=("{program}", "--edition", "2021", "-O", "-o", "{output}", "{source}"),
        version=("{program}", "--version"),
        install="apt:rustc",
        direct=from_file("a.rs", source, "rustc -o $t/a $t/a.rs&&$t/a"),
    )


DECODERS = (
    _row(
        "from-utf8",
        "std::str::from_utf8, Utf8Error::valid_up_to and error_len for modes p and s",
        "std::str::from_utf8(&d).is_ok()",
    ),
    _row(
        "from-utf8-lossy",
        "String::from_utf8_lossy, judged by whether it had to make a new string",
        "String::from_utf8_lossy(&d).as_bytes()==d",
    ),
    _row(
        "read-to-string",
        "io::Read::read_to_string from a reader that gives three bytes at a time",
        "(&d[..]).take(u64::MAX).read_to_string(&mut String::new()).is_ok()",
    ),
)
