"""Free Pascal: UTF8Decode, which writes '?' for what is wrong, and Utf8CodePointLen."""

from utf8_abnf.decoders.compiled import from_file
from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, variables: str, code: str) -> Decoder:
    source = (
        f"uses BaseUnix;var d:rawbytestring;n,{variables};begin setlength(d,9999);n:=fpread(0,d[1],9999);"
        f"setlength(d,n);{code}end."
    )
    return Decoder(
        f"fpc-{name}",
        about,
        "fpc",
        ("{binary}", name),
        source="fpc.pas",
        build=("{program}", "-O2", "-v0", "-o{output}", "-FU.", "{source}"),
        version=("{program}", "-iV"),
        install="apt:fp-compiler",
        direct=from_file("a.pas", source, "fpc -Sh -v0 $t/a.pas>&2&&$t/a"),
    )


DECODERS = (
    _row(
        "utf8-decode",
        "UTF8Decode(Data), judged by whether UTF8Encode gives the same bytes again; mode r the same",
        "i:longint;t:rawbytestring",
        "t:=utf8encode(utf8decode(d));setcodepage(t,$ffff,false);setcodepage(d,$ffff,false);"
        "if t=d then halt(10);halt(11);",
    ),
    _row(
        "utf8-codepoint-len",
        "Utf8CodePointLen(P, MaxLookAhead, False), again and again",
        "i,k:longint",
        "i:=0;while i<n do begin k:=utf8codepointlen(pansichar(d)+i,n-i,false);if k<=0 then halt(11);i:=i+k;end;"
        "halt(10);",
    ),
)
