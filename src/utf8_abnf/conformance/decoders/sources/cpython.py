"""Decoders of Python's standard library over the stream protocol: ``python cpython.py NAME``, a key of DECODERS.

It stands alone and runs on any Python from 2.7 on: CPython, PyPy, Jython.
"""

from __future__ import unicode_literals

import codecs
import io
import json
import os
import platform
import re
import struct
import sys

TEXT = type("")  # unicode in Python 2
NO_ERROR = 0xFFFFFFFF
FINISH, RESET = 0xFFFFFFFF, 0xFFFFFFFE
ESCAPED_IN_JSON = re.compile(b'[\0-\x1f"\\\\\x7f]')


def decode(data):
    data.decode("utf-8")
    return True


def control(data):
    return sum(bytearray(data)) % 256 < 128


def utf_8_sig_incremental(data):
    return codecs.getincrementaldecoder("utf-8-sig")().decode(data, True) is not None


def json_loads(data):
    """What JSON forbids in a string is escaped, and nothing from 80 on is."""
    json.loads(b'"' + ESCAPED_IN_JSON.sub(lambda match: ("\\u%04x" % ord(match.group())).encode(), data) + b'"')
    return True


def compile_comment(data):
    """Never run. NUL is not source text, a line end ends the comment, and a comment can name another encoding."""
    if re.search(b"[\0\r\n]|coding", data):
        return None
    try:
        compile(b"#" + data, "judged", "exec")
    except SyntaxError:
        return False
    return True


def first_error(data):
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return struct.pack("<IB", error.start, min(error.end - error.start, 255))
    return struct.pack("<IB", NO_ERROR, 0)


def replace(data):
    text = data.decode("utf-8", "replace").encode("utf-8")  # with the surrogates that Python 2 lets through
    return struct.pack("<I", len(text)) + text


def stream(frame):
    count = struct.unpack_from("<I", frame)[0]
    at = 4 + 4 * count
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    wrong, verdicts = False, b""
    for size in struct.unpack_from("<%dI" % count, frame, 4) + (0,):
        last = len(verdicts) == count
        try:
            wrong = wrong or not isinstance(decoder.decode(frame[at : at + size], last), TEXT)
        except ValueError:
            wrong = True
        verdicts += b"0" if wrong else b"1" if last else b"?"
        at += size
    return verdicts


def step(state, offset=NO_ERROR, text=None):
    """The answer to one step in mode i; without a text, none was given out."""
    return state + struct.pack("<II", offset, NO_ERROR if text is None else len(text)) + (text or b"")


def incremental(frame):
    """Who catches the exception has ended the stream: until a reset nothing more is fed."""
    count = struct.unpack_from("<I", frame)[0]
    at, fed, wrong = 4 + 4 * count, 0, False
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    answers = []
    for size in struct.unpack_from("<%dI" % count, frame, 4):
        if size == RESET:
            decoder.reset()
            fed, wrong = 0, False
            answers.append(step(b"1"))
            continue
        last = size == FINISH
        chunk = b"" if last else frame[at : at + size]
        at += len(chunk)
        if wrong:
            answers.append(step(b"0"))
            continue
        held = len(decoder.getstate()[0])
        try:
            text = decoder.decode(chunk, last).encode("utf-8")
        except UnicodeDecodeError as error:
            wrong = True
            answers.append(step(b"0", fed - held + error.start))
            continue
        fed = 0 if last else fed + len(chunk)
        answers.append(step(b"m" if decoder.getstate()[0] else b"1", text=text))
    return b"".join(answers)


def verdict(accepts):
    def answer(data):
        try:
            good = accepts(data)
        except ValueError:  # UnicodeDecodeError is one
            good = False
        return b"u" if good is None else b"1" if good else b"0"

    return answer


DECODERS = {
    "control": {"v": verdict(control)},
    "decode": {"v": verdict(decode), "p": first_error, "r": replace, "s": stream},
    "utf-8-sig-incremental": {"v": verdict(utf_8_sig_incremental)},
    "json-loads": {"v": verdict(json_loads)},
    "compile-comment": {"v": verdict(compile_comment)},
    "surrogateescape": {"v": verdict(lambda data: data.decode("utf-8", "surrogateescape") is not None)},
    "streamreader": {"v": verdict(lambda data: codecs.getreader("utf-8")(io.BytesIO(data)).read() is not None)},
}


DECODERS["decode"]["i"] = incremental


def write(data):
    while data:
        data = data[os.write(1, data) :]


def main():
    name = sys.argv[1]
    answers = DECODERS[name]
    facts = (",".join(answers), name, platform.python_implementation(), platform.python_version())
    write(("utf8-abnf 1 modes=%s name=python-%s version='%s %s'\n" % facts).encode())
    pending, answer = b"", None
    while True:
        more = os.read(0, 1 << 16)
        if not more:
            return
        pending += more
        if answer is None:
            if b"\n" not in pending:
                continue
            line, _, pending = pending.partition(b"\n")
            answer = answers[line.decode().strip()]
        out, at = [], 0
        while at + 4 <= len(pending):
            end = at + 4 + struct.unpack_from("<I", pending, at)[0]
            if end > len(pending):
                break
            out.append(answer(pending[at + 4 : end]))
            at = end
        pending = pending[at:]
        write(b"".join(out))


if __name__ == "__main__":
    main()
