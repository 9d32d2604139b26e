"""Common Lisp: SBCL, CLISP and ECL, each with its own way from bytes to a string."""

from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, options: str, direct: str) -> Decoder:
    return Decoder(
        f"{name}-bytes",
        about,
        name,
        ("{program}", *options.split(), "{source}", "bytes"),
        source="lisp.lisp",
        version=("{program}", "--version"),
        install=f"apt:{name}",
        direct=direct,
    )


# Bytes until there are no more, in a vector.
READ = "(coerce (loop for b=(read-byte i nil) while b collect b) (quote (vector (unsigned-byte 8))))".replace(
    "b=", "b = "
)
OPEN = '(with-open-file (i "/dev/stdin" :element-type (quote (unsigned-byte 8)))'

DECODERS = (
    _row(
        "sbcl",
        "sb-ext:octets-to-string, and (:utf-8 :replacement #\\ufffd) for mode r",
        "--script",
        f"sbcl --noinform --eval '(handler-case {OPEN} (sb-ext:octets-to-string {READ} :external-format :utf-8))"
        "(sb-int:character-decoding-error () (exit :code 1)))' --quit",
    ),
    _row(
        "clisp",
        "ext:convert-string-from-bytes with :input-error-action :error, and U+FFFD for mode r",
        "-q",
        "clisp -q -x '(handler-case (let ((i (make-stream :input :element-type (quote (unsigned-byte 8))))) "
        f"(convert-string-from-bytes {READ} (make-encoding :charset charset:utf-8 :input-error-action :error)))"
        "(charset-type-error () (exit 1)))'",
    ),
    _row(
        "ecl",
        "read-char from ext:make-sequence-input-stream",
        "--shell",
        f"ecl --norc --eval '(handler-case {OPEN} (let ((s (ext:make-sequence-input-stream {READ} "
        ":external-format :utf-8))) (loop while (read-char s nil nil))))"
        "(ext:stream-decoding-error () (ext:quit 1)))' --eval '(ext:quit 0)'",
    ),
)
