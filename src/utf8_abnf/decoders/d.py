"""D: std.utf.validate and decode, foreach over dchar (the runtime's own decoder), std.encoding."""

from utf8_abnf.decoders.compiled import from_file
from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, code: str) -> Decoder:
    source = (
        "import std.stdio,std.utf,std.encoding;int main(){string d;foreach(b;stdin.byChunk(4096))d~=cast(string)b.idup;"
        f"try{{{code}}}catch(Exception){{return 11;}}return 10;}}"
    )
    return Decoder(
        f"d-{name}",
        about,
        "ldc2",
        ("{binary}", name),
        source="d.d",
        build=("{program}", "-O1", "-of={output}", "{source}"),
        version=("{program}", "--version"),
        install="apt:ldc",
        direct=from_file("a.d", source, "ldc2 -of=$t/a -od=$t $t/a.d&&$t/a"),
    )


DECODERS = (
    _row("utf-validate", "std.utf.validate(data)", "std.utf.validate(d);"),
    _row(
        "utf-decode",
        "std.utf.decode(data, index), again and again; byDchar for mode r",
        "size_t i;while(i<d.length)std.utf.decode(d,i);",
    ),
    _row("foreach", "foreach (dchar each; data)", "dchar l;foreach(dchar c;d)l=c;"),
    _row(
        "encoding-isvalid",
        "std.encoding.isValid(data), and sanitize for mode r",
        "if(!std.encoding.isValid(d))return 11;",
    ),
)
