"""The known decoders: each adapter speaks the protocol, passes valid controls, and shows what it gets wrong."""

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from utf8_abnf import cli
from utf8_abnf.conformance import run
from utf8_abnf.errors import TargetError, UsageError
from utf8_abnf.harness.known import Decoder, decoders, find
from utf8_abnf.harness.known.packages import cache_folder
from utf8_abnf.harness.run import Options, execute
from utf8_abnf.harness.session import Session
from utf8_abnf.harness.worker import Limits

ABOVE = "extra %xF4 %x90-BF 2( UTF8-tail )"
SURROGATES = "extra %xED %xA0-BF UTF8-tail"
FOUR_BYTES = "missing %xF0 %x90-BF 2( UTF8-tail )"

# Deviations that have been there for many versions; what else a version shows is its own affair.
DEVIATES = {
    "python-surrogatepass": {SURROGATES},
    "perl-encode-lax": {SURROGATES, ABOVE},
    "perl-utf8-decode": {SURROGATES, ABOVE},
    "perl-utf8-valid": {SURROGATES, ABOVE},
    "java-cesu-8": {SURROGATES, FOUR_BYTES},
    "fontconfig-utf8-to-ucs4": {SURROGATES, ABOVE, "extra %xC0-C1 UTF8-tail"},
    "libowfat-scan-utf8": {SURROGATES, ABOVE},
    "libowfat-scan-utf8-sem": {"missing %xEF %xBF %xBE-BF"},
    "libbson-utf8-validate": {"extra %xC0 %x80"},
    "xmlrpc-c-validate-utf8": {FOUR_BYTES},
    "json-c-validating": {SURROGATES, ABOVE, "extra %xC0-C1 UTF8-tail"},
    "json-c": {"extra %x80"},
    "yajl-parse": {SURROGATES, ABOVE, "extra %xC0-C1 UTF8-tail"},
    "cjson": {"extra %x80"},
    "rapidjson": {"extra %x80"},
    "jsoncpp": {"extra %x80"},
    "libstdc++-codecvt-utf8-ucs2": {FOUR_BYTES},
    "libc++-codecvt-utf8-ucs2": {FOUR_BYTES},
    "fltk-utf8test": {SURROGATES},
    "xapian-utf8iterator": {SURROGATES},
    "icu-ucnv-cesu-8": {SURROGATES, FOUR_BYTES},
    "glib-utf8-to-ucs4": {SURROGATES, ABOVE},
    "libxml2-check-utf8": {SURROGATES, ABOVE, "extra %xC0-C1 UTF8-tail"},
    "java-readutf": {SURROGATES, FOUR_BYTES, "extra %xC0-C1 UTF8-tail"},
    "java-class-file": {SURROGATES, FOUR_BYTES, "extra %xC0 %x80", "missing %x00"},
    "lua-utf8-len-lax": {SURROGATES, ABOVE},
    "pypi-ujson": {SURROGATES},
    "pypi-ftfy": {"extra %xC0 ( %x0A / %x80 )"},
    "pypi-google-re2": {SURROGATES, ABOVE, "extra %xE0 %x80-9F UTF8-tail"},
    "npm-is-utf8": {"missing %x7F"},
    "npm-wtf-8": {SURROGATES},
    "npm-iconv-lite-cesu8": {FOUR_BYTES, "extra %xC0 %x80"},
    "npm-webassemblyjs-utf8": {FOUR_BYTES},
    "ruby-unpack-u": {SURROGATES, ABOVE},
    "lua-5.3-utf8-len": {SURROGATES},
    "lua-5.3-utf8-codes": {SURROGATES},
    "recode-ucs-4": {SURROGATES, ABOVE, "extra %xC0-C1 UTF8-tail"},
    "tidy": {SURROGATES},
    "gcc": {ABOVE},
    "sqlite": {"extra %x80"},
    "mariadb-utf8mb4": {SURROGATES},
    "mariadb-utf8mb3": {SURROGATES, FOUR_BYTES},
    "vim": {SURROGATES, ABOVE, "extra %xC0-C1 UTF8-tail"},
    "emacs-utf-8": {ABOVE},
    "emacs-utf-8-emacs": {ABOVE},
    "preconv": {SURROGATES},
    "file": {"extra %x85"},
    "python-json-loads": {SURROGATES},
    "python2.7-decode": {SURROGATES},
    "ada-wide-wide-strings": {SURROGATES, ABOVE},
    "ada-wide-strings": {SURROGATES, FOUR_BYTES},
    "ada-gnat": {SURROGATES},
    "nim-validate-utf8": {SURROGATES, ABOVE},
    "nim-runes": {SURROGATES, ABOVE},
    "fpc-utf8-codepoint-len": {SURROGATES, ABOVE},
    "pike-utf8-to-string-extended": {SURROGATES, ABOVE},
    "pike-charset": set(),  # what is cut waits for more
    "swipl-utf8-codes": {SURROGATES, ABOVE},
}
CONTROLS = [b"", b"a", b"\n", "é€".encode(), "日本語".encode(), b"\x7f", b"a" * 5000]
# Decoders that take the two below: for Latin-1, or for whatever it is.
WRONG = {
    "pypi-pyjson5": [b"\xc3", b"\xe2\x82"],
    "ruby-json-parse": [],
    "clisp-bytes": [b"\xff", b"a\xc3"],
    "ecl-bytes": [b"\xff", b"\x80a"],
    "python-compile-comment": [],
    "lua-utf8-codes": [b"\xff", b"a\xc3"],
}
WRONG |= {"oniguruma-is-valid": [b"a\x80"], "oniguruma-match": [b"a\x80"]}
WRONG |= {"npm-protobufjs-utf8": [b"\xff"], "npm-msgpack": [], "npm-pbf": [b"a\x80"], "npm-b4a": [b"a\x80"]}
MISSED = {"npm-is-utf8": [b"\x7f"]}  # valid controls that a decoder rejects, which is its fault
WRONG |= {"sqlite": [b"\xff"], "json-c": [], "cjson": [], "rapidjson": [], "jsoncpp": []}
OFTEN_REFUSED = (b"\n", b"\x7f")  # by what is no decoder of all UTF-8, and says so


# Those that nobody can install (an old Python, say) are tested where they are.
ROWS = [each for each in decoders() if each.install or each.available()]


def once(row):
    """Return *row*'s name as a parameter: a decoder that is no Python is the same for every Python that asks it."""
    return pytest.param(row.name, marks=[] if row.program == "python" else pytest.mark.slow)


@pytest.fixture(params=map(once, ROWS))
def decoder(request):
    return _here(find(request.param))


def _here(row):
    if not row.available():
        pytest.skip(f"needs {row.install or row.program}: python3 tools/decoders.py '{row.name}'")
    return row


def test_an_adapter_speaks_the_protocol_and_takes_valid_controls(decoder):
    session = Session(decoder.target().start, Limits(silence=30))
    try:
        controls = [*CONTROLS, *(["😀".encode()] if FOUR_BYTES not in DEVIATES.get(decoder.name, ()) else [])]
        controls = [each for each in controls if each not in MISSED.get(decoder.name, ())]
        refused = OFTEN_REFUSED if decoder.refuses else ()
        for control, verdict in zip(controls, session.verdicts(controls), strict=True):
            assert verdict == b"1" or (verdict == b"u" and control in refused), control
        wrong = WRONG.get(decoder.name, [b"\xff", b"a\x80"])
        assert session.verdicts(wrong) == [b"0"] * len(wrong)
        assert not session.loose
    finally:
        session.finish()


def test_a_known_deviation_shows_and_a_strict_decoder_passes_the_named_cases(decoder):
    families = ["named"] if decoder.how == "exec" else []
    report = execute(decoder.target(), Options(level="L0", families=tuple(families)))
    assert not report.troubles
    assert not report.stopped
    keys = {each.key for each in report.differences if each.kind in {"extra", "missing"}}
    assert DEVIATES.get(decoder.name, set()) <= keys
    if decoder.claim != "UTF-8":
        assert decoder.name in DEVIATES


def test_glibc_iconv_takes_what_lies_above_10ffff():
    import platform

    if platform.libc_ver()[0] != "glibc" or not find("iconv-utf-8").available():
        pytest.skip("needs glibc's iconv: apt-get install libc-bin")
    report = run("known:iconv-utf-8", level="L1", ids=["named/*", "W/k0/*F4*", "W/k0/*F5*"])
    assert ABOVE in {each.key for each in report.differences}
    assert "extra %xF5-F7 3( UTF8-tail )" in {each.key for each in report.differences}


def _adapters():
    """Return one row for each adapter, and for each program that runs it."""
    found = {}
    for each in ROWS:
        if each.how == "stream":
            found.setdefault((each.source, each.program) if each.source else each.command[:-1], each)
    return [pytest.param(each, id=each.name) for each in found.values()]


@cache
def _all_kinds_of_data():
    """Return data of 0 to 70,000 bytes, the same each time: every value, every size up to 300, what ends a line."""
    random = Random(3629)
    sizes = [*range(300), *(random.randrange(300, 3_000) for _ in range(40)), 4_096, 8_192, 65_535, 65_536, 70_000]
    single = [bytes([value]) * size for value in range(256) for size in (1, 2)]
    ends = [bytes(random.choices(b"\0\n\r\t \x1a\x80\xff", k=size)) for size in range(1, 200)]
    return [*single, *(random.randbytes(size) for size in sizes), *ends, *(random.randbytes(3) for _ in range(1_000))]


@pytest.mark.slow
@pytest.mark.parametrize("row", _adapters())
def test_an_adapter_carries_every_byte_and_every_answer(row, tmp_path, monkeypatch):
    _here(row)
    (tmp_path / "control.py").write_text("def accepts(data): return sum(data) % 256 < 128")
    monkeypatch.syspath_prepend(tmp_path)
    name = "control:accepts" if "utf8_abnf.harness.child" in row.command else "control"
    control = replace(row, name="control", command=(*row.command[:-1], name))
    session = Session(control.target().start, Limits(silence=30))
    data = _all_kinds_of_data()
    try:
        assert session.verdicts(data) == [b"1" if sum(each) % 256 < 128 else b"0" for each in data]
        assert not session.loose
    finally:
        session.finish()


def test_names_are_unique_and_each_row_says_what_is_called():
    names = [each.name for each in decoders()]
    assert len(set(names)) == len(names) >= 80
    assert all(each.about and each.program for each in decoders())


def test_an_unknown_name_is_answered_with_near_ones():
    with pytest.raises(UsageError, match="perl-utf8-decode"):
        find("perl-utf8-decod")


ABSENT = Decoder("absent", "nothing", "no-such-program-here", ("{program}",))


def test_a_decoder_that_is_not_here_is_a_target_error():
    with pytest.raises(TargetError, match="no-such-program-here"):
        ABSENT.target()


def test_the_cache_of_compiled_adapters_is_ours_alone():
    assert not cache_folder().stat().st_mode & 0o022


def test_a_cache_that_others_can_write_to_is_not_used(tmp_path, monkeypatch):
    (tmp_path / "utf8-abnf").mkdir()
    (tmp_path / "utf8-abnf").chmod(0o777)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache_folder.cache_clear()
    try:
        assert cache_folder().parent != tmp_path
    finally:
        cache_folder.cache_clear()


def test_the_list_names_every_decoder(capsys):
    assert cli.main(["test", "--list"]) == 0
    listed = capsys.readouterr().out
    assert all(each.name in listed for each in decoders())


def test_a_case_that_cannot_be_judged_can_be_told_in_every_mode():
    from utf8_abnf.harness.protocol import Answers, verdict_of

    for mode, answer in {"v": b"u", "p": b"\xfe\xff\xff\xff\x00", "r": b"\xfe\xff\xff\xff", "s": b"uu"}.items():
        answers = Answers(mode, 1, [1] if mode == "s" else ())
        answers.feed(answer)
        assert answers.complete
        assert verdict_of(mode, answers.values[0], b"\x00") == b"u"
