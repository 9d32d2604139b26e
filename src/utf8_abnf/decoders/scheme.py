"""Scheme: utf8->string of Guile, Chez, Gambit and MIT/GNU Scheme; ports of Guile, transcoders of Chez Scheme."""

from utf8_abnf.decoders.decoder import Decoder


def _guile(name: str, about: str, code: str) -> Decoder:
    read = "(use-modules (rnrs bytevectors)(ice-9 binary-ports)(ice-9 textual-ports))"
    data = "(let((d(get-bytevector-all(current-input-port))))(if(eof-object? d)(exit 0)d))"
    return Decoder(
        f"guile-{name}",
        about,
        "guile",
        ("{program}", "--no-auto-compile", "{source}", name),
        source="guile.scm",
        install="apt:guile-3.0",
        direct=f"guile --no-auto-compile -c '{read}(catch (quote decoding-error)"
        f"(lambda()(let((d {data})){code})(exit 0))(lambda _(exit 1)))'",
    )


def _chez(name: str, about: str, code: str) -> Decoder:
    data = "(let([d(get-bytevector-all(standard-input-port))])(if(eof-object? d)(exit 0)d))"
    return Decoder(
        f"chez-{name}",
        about,
        "chezscheme",
        ("{program}", "--script", "{source}", name),
        source="chez.ss",
        install="apt:chezscheme",
        # The script cannot come on standard input: the data do.
        direct=f"t=$(mktemp);printf %s '(let([d {data}]){code})'>$t;chezscheme --script $t;s=$?;rm $t;exit $s",
    )


# R7RS, in which the two differ only in how they are started.
BYTES = "(let loop((l(quote())))(let((b(read-u8 i)))(if(eof-object? b)(apply bytevector(reverse l))(loop(cons b l)))))"
CATCH = (
    "(call-with-current-continuation(lambda(k)(with-exception-handler(lambda(e)(k 1))(lambda()(utf8->string {0})0))))"
)

DECODERS = (
    Decoder(
        "gambit-utf8-to-string",
        "(utf8->string data)",
        "gsi",
        ("{program}", "{source}", "utf8-to-string"),
        source="r7rs.scm",
        version=("{program}", "-v"),
        install="apt:gambc",
        direct=f"gsi -e '(define i(open-input-file \"/dev/stdin\"))(exit {CATCH.format(BYTES)})'",
    ),
    Decoder(
        "mit-scheme-utf8-to-string",
        "(utf8->string data)",
        "mit-scheme",
        ("{program}", "--quiet", "--load", "{source}", "--", "utf8-to-string"),
        source="r7rs.scm",
        version=("{program}", "--version"),
        install="apt:mit-scheme",
        direct="mit-scheme --quiet --eval '(define i(open-binary-input-file \"/dev/stdin\"))' "
        f"--eval '(%exit {CATCH.format(BYTES)})'",
    ),
    _guile("utf8-to-string", "(utf8->string data)", "(utf8->string d)"),
    _guile(
        "port",
        "get-string-all from a port with encoding UTF-8 and conversion strategy error; substitute for mode r",
        '(let((p(open-bytevector-input-port d)))(set-port-encoding! p "UTF-8")'
        "(set-port-conversion-strategy! p(quote error))(get-string-all p))",
    ),
    _chez(
        "utf8-to-string",
        "(utf8->string data), judged by whether string->utf8 gives the same bytes again, a BOM apart",
        "(let([t(utf8->string d)])(exit(if(or(bytevector=?(string->utf8 t)d)"
        '(bytevector=?(string->utf8(string-append "\\xFEFF;" t))d))0 1)))',
    ),
    _chez(
        "transcoder",
        "(bytevector->string data transcoder), the transcoder's mode raise, and replace for mode r",
        "(guard(c[(i/o-decoding-error? c)(exit 1)])(bytevector->string d(make-transcoder(utf-8-codec)"
        "(eol-style none)(error-handling-mode raise)))(exit 0))",
    ),
)
