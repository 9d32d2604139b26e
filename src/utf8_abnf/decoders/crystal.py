"""Crystal: String#valid_encoding? and scrub, and the characters of a string."""

from utf8_abnf.decoders.compiled import from_file
from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, condition: str) -> Decoder:
    source = f"d=STDIN.gets_to_end;exit({condition} ? 10 : 11)"
    return Decoder(
        f"crystal-{name}",
        about,
        "crystal",
        ("{binary}", name),
        source="crystal.cr",
        build=("{program}", "build", "-o", "{output}", "{source}"),
        version=("{program}", "--version"),
        install="apt:crystal",
        direct=from_file("a.cr", source, "crystal build -o $t/a $t/a.cr&&$t/a"),
    )


DECODERS = (
    _row("valid-encoding", "String#valid_encoding?, and String#scrub for mode r", "d.valid_encoding?"),
    _row(
        "each-char",
        "String#each_char, judged by whether the characters give the same bytes again",
        "String.build{|t|d.each_char{|c|t<<c}}==d",
    ),
)
