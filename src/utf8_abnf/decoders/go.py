"""Go: unicode/utf8.Valid, and the conversion of a string to runes and back."""

from utf8_abnf.decoders.decoder import Decoder

DECODERS = (
    Decoder(
        "go-utf8-valid",
        "utf8.Valid, and string([]rune(data)) for mode r",
        "go",
        ("{binary}",),
        source="go_utf8.go",
        build=("{program}", "build", "-o", "{output}", "{source}"),
        version=("{program}", "version"),
    ),
)
