"""Pike: utf8_to_string, strict and extended, the module Charset, and the UTF-8 of its JSON."""

from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, condition: str, claim: str = "UTF-8") -> Decoder:
    return Decoder(
        f"pike-{name}",
        about,
        "pike",
        ("{program}", "{source}", name),
        claim=claim,
        source="pike.pike",
        install="apt:pike8.0",
        direct=f"pike -e 'string d=Stdio.stdin->read();exit({condition})'",
    )


DECODERS = (
    _row("utf8-to-string", "utf8_to_string(data)", "!!catch(utf8_to_string(d))"),
    _row(
        "utf8-to-string-extended",
        "utf8_to_string(data, 1)",
        "!!catch(utf8_to_string(d,1))",
        "UTF-8, surrogates, and numbers of up to 36 bits (Pike's manual, utf8_to_string)",
    ),
    _row(
        "charset",
        'Charset.decoder("utf-8")->feed(data)->drain()',
        '!!catch(Charset.decoder("utf-8")->feed(d)->drain())',
        "UTF-8 in pieces, without a call for the end: what is cut there waits for more",
    ),
    _row(
        "json",
        "Standards.JSON.validate_utf8 of the data as a JSON string",
        'Standards.JSON.validate_utf8("\\""+replace(d,(["\\"":"","\\\\":"","\\n":""])) + "\\"")>=0',
    ),
)
