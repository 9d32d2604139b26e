"""R: validUTF8, utf8ToInt, nchar, iconv."""

from utf8_abnf.decoders.decoder import Decoder

NUL = "NUL: a string of R has none"


def _row(name: str, about: str, condition: str) -> Decoder:
    read = 'i=file("stdin","rb");d=readBin(i,"raw",99999);'
    text = 't=rawToChar(d);Encoding(t)="UTF-8";'
    return Decoder(
        f"r-{name}",
        about,
        "Rscript",
        ("{program}", "--vanilla", "{source}", name),
        refuses=NUL,
        source="r.R",
        version=("{program}", "--version"),
        environment={"LC_ALL": "C.UTF-8"},
        install="apt:r-base-core",
        direct=f"LC_ALL=C.UTF-8 Rscript --vanilla -e '{read}{text}quit(status=if({condition})0 else 1)'",
    )


DECODERS = (
    _row("validutf8", "validUTF8(text)", "validUTF8(t)"),
    _row("utf8toint", "utf8ToInt(text), NA where it is wrong", "!anyNA(utf8ToInt(t))"),
    _row("nchar", 'nchar(text, "chars", allowNA = TRUE)', '!is.na(nchar(t,"chars",allowNA=TRUE))'),
    _row(
        "iconv",
        'iconv(text, "UTF-8", "UTF-16LE", toRaw = TRUE), NULL where it is wrong',
        '!is.null(iconv(t,"UTF-8","UTF-16LE",toRaw=TRUE)[[1]])',
    ),
)
