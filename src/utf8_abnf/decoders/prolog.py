"""SWI-Prolog: the grammar utf8_codes//1 of its library(utf8)."""

from utf8_abnf.decoders.decoder import Decoder

DECODERS = (
    Decoder(
        "swipl-utf8-codes",
        "phrase(utf8_codes(Codes), Bytes) of library(utf8)",
        "swipl",
        ("{program}", "{source}", "utf8-codes"),
        source="prolog.pl",
        version=("{program}", "--version"),
        install="apt:swi-prolog-core-packages",
        direct=(
            "swipl -g 'set_stream(user_input,encoding(octet)),read_stream_to_codes(user_input,D),"
            "(phrase(utf8_codes(_),D)->halt(0);halt(1))'"
        ),
    ),
)
