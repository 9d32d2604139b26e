"""Java: the charset UTF-8, CESU-8, and the modified UTF-8 of DataInputStream and class files."""

from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, claim: str = "UTF-8") -> Decoder:
    # Single-file source launch: needs the compiler in the JDK, but leaves nothing behind.
    command = ("{program}", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "{source}", name)
    version = ("{program}", "-version")
    return Decoder(f"java-{name}", about, "java", command, claim=claim, source="Java.java", version=version)


DECODERS = (
    _row("utf-8", "Charset UTF-8, newDecoder() that REPORTs; new String(data, UTF_8) for mode r"),
    _row("cesu-8", "Charset CESU-8, newDecoder() that REPORTs", "CESU-8"),
    _row("readutf", "DataInputStream.readUTF", "modified UTF-8"),
)
