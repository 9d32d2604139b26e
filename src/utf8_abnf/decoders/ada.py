"""Ada (GNAT): Ada.Strings.UTF_Encoding and GNAT.Decode_UTF8_String."""

from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, unit: str, function: str, error: str, claim: str = "UTF-8") -> Decoder:
    source = (
        f"with Ada.Text_IO,GNAT.OS_Lib,{unit};use GNAT.OS_Lib;procedure A is D:String(1..9999);"
        "N:Natural:=Read(Standin,D(1)Address,9999);begin "
        f"if {unit}.{function}(D(1..N))Length<=N then OS_Exit(10);end if;exception when {error}=>OS_Exit(11);end;"
    )
    # No apostrophes in a text that stands between them: the shell puts them in.
    source = source.replace("Address", "'\\''Address").replace("Length", "'\\''Length")
    return Decoder(
        f"ada-{name}",
        f"{unit}.{function}(Data)",
        "gnatmake",
        ("{binary}", name),
        claim=claim,
        source="ada_utf8.adb",
        build=("{program}", "-q", "-O2", "-o", "{output}", "{source}"),
        version=("{program}", "--version"),
        install="apt:gnat",
        direct=f"t=$(mktemp -d);cd $t;echo '{source}'>a.adb;gnatmake -q a.adb&&./a;s=$?;rm -r $t;exit $((s-10))",
    )


ENCODING = "Ada.Strings.UTF_Encoding"

DECODERS = (
    _row("wide-wide-strings", f"{ENCODING}.Wide_Wide_Strings", "Decode", f"{ENCODING}.Encoding_Error"),
    _row("wide-strings", f"{ENCODING}.Wide_Strings", "Decode", f"{ENCODING}.Encoding_Error", "UTF-8 of the BMP"),
    _row("gnat", "GNAT.Decode_UTF8_String", "Decode_Wide_Wide_String", "Constraint_Error"),
)
