"""C# on Mono: UTF8Encoding that throws, and its replacement."""

from utf8_abnf.decoders.decoder import Decoder

DECODERS = (
    Decoder(
        "mono-utf8encoding",
        "new UTF8Encoding(false, true).GetCharCount(data), and GetString of Encoding.UTF8 for mode r",
        "mcs",
        ("mono", "{binary}"),
        source="csharp.cs",
        build=("{program}", "-optimize", "-out:{output}", "{source}"),
        version=("mono", "--version"),
    ),
)
