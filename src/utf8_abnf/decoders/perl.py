"""Perl: the strict encoding UTF-8, and the laxer ``utf8`` that Perl uses inside."""

from utf8_abnf.decoders.decoder import Decoder

VERSION = ("{program}", "-e", "print $^V")
LAX = "Perl's own utf8: surrogates, and numbers above 10FFFF"


def _row(name: str, about: str, claim: str = "UTF-8") -> Decoder:
    command = ("{program}", "{source}", name)
    return Decoder(f"perl-{name}", about, "perl", command, claim=claim, source="perl.pl", version=VERSION)


DECODERS = (
    _row("encode-strict", "Encode::decode('UTF-8', $data, FB_CROAK), and FB_DEFAULT for mode r"),
    _row("encode-lax", "Encode::decode('utf8', $data, FB_CROAK)", LAX),
    _row("utf8-decode", "utf8::decode($data)", LAX),
)
