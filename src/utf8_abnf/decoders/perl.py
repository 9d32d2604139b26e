"""Perl: the strict encoding UTF-8, the laxer ``utf8`` that Perl uses inside, its layers, and modules beside them."""

from utf8_abnf.decoders.decoder import Decoder

LAX = "Perl's own utf8: surrogates, and numbers above 10FFFF"
MODULES = {
    "json-xs": ("JSON::XS", "apt:libjson-xs-perl"),
    "perlio-utf8-strict": ("PerlIO::utf8_strict", "apt:libperlio-utf8-strict-perl"),
    "unicode-utf8": ("Unicode::UTF8", "apt:libunicode-utf8-perl"),
}
READ = "undef $/; binmode STDIN; $_ = <STDIN>;"
QUOTE = r's/([\0-\x1F"\\\x7F])/sprintf "\\u%04x", ord $1/ge;'
LAYER = "BEGIN { $SIG{__WARN__} = sub { exit 1 } } binmode STDIN, q(%s); undef $/; eval { $_ = <STDIN>; 1 } or exit 1"


def _row(name: str, about: str, script: str, claim: str = "UTF-8") -> Decoder:
    module, package = MODULES.get(name, ("", ""))
    return Decoder(
        f"perl-{name}",
        about,
        "perl",
        ("{program}", "{source}", name),
        claim=claim,
        source="perl.pl",
        version=() if module else ("{program}", "-e", "print $^V"),
        install=f"apt:perl {package}".strip(),
        probe=("{program}", f"-M{module}", "-e1") if module else (),
        direct=f"perl {f'-M{module} ' if module else '-MEncode '}-e '{script}'",
    )


DECODERS = (
    _row(
        "encode-strict",
        "Encode::decode('UTF-8', $data, FB_CROAK); FB_QUIET for mode p, FB_DEFAULT for mode r, STOP_AT_PARTIAL for s",
        f'{READ} eval {{ decode("UTF-8", $_, 1); 1 }} or exit 1',
    ),
    _row(
        "encode-lax",
        "Encode::decode('utf8', $data, FB_CROAK)",
        f'{READ} eval {{ decode("utf8", $_, 1); 1 }} or exit 1',
        LAX,
    ),
    _row("utf8-decode", "utf8::decode($data)", f"{READ} utf8::decode($_) or exit 1", LAX),
    _row(
        "utf8-valid",
        "utf8::valid of the bytes with the flag UTF8 on",
        f"{READ} Encode::_utf8_on($_); utf8::valid($_) or exit 1",
        LAX,
    ),
    _row(
        "layer-encoding",
        "open '<:encoding(UTF-8)': is there a warning while the data are read?",
        f"use warnings; {LAYER % ':encoding(UTF-8)'}",
    ),
    _row("perlio-utf8-strict", "open '<:utf8_strict'", f"use warnings; {LAYER % ':utf8_strict'}"),
    _row(
        "unicode-utf8",
        "Unicode::UTF8::valid_utf8, and decode_utf8 for mode r",
        f"{READ} Unicode::UTF8::valid_utf8($_) or exit 1",
    ),
    _row(
        "json-pp",
        "JSON::PP->new->utf8->decode of the data as a JSON string",
        f'use JSON::PP; {READ} {QUOTE} eval {{ JSON::PP->new->utf8->allow_nonref->decode("\\"$_\\""); 1 }} or exit 1',
    ),
    _row(
        "json-xs",
        "JSON::XS->new->utf8->decode of the data as a JSON string",
        f'{READ} {QUOTE} eval {{ JSON::XS->new->utf8->allow_nonref->decode("\\"$_\\""); 1 }} or exit 1',
    ),
)
