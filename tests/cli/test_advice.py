"""What ``check`` advises for a file: what its bytes prove, and no command that alters a well-formed character."""

import io
import json
import random
import re
import shlex
import struct

import pytest

from utf8_abnf.explain.diagnostic import advice_for_file
from utf8_abnf.explain.locating import BLOCK, Scanner
from utf8_abnf.explain.nature import SIGNATURES, nature_of

TEXTS = (
    "naïve café, Ångström — “quoted”", "日本語のテキスト、ひらがな", "Привет, мир", "Ελληνικά γράμματα", "한국어 글자",
    "עברית", "العربية", "हिन्दी", "ไทย", "😀 emoji 🎉", "Ã© as it was meant", "\ufffd and \ufeff",
)  # fmt: skip
# Stretches that are ill-formed wherever a character may begin, and before ASCII.
STRETCHES = (
    b"caf\xe9 ", b"\x93quoted\x94", b"M\xfcller", b"\x96", b"\xa0", "テスト".encode("cp932") + b" ", b"\x80\x81\x82",
    "Привет".encode("koi8-r") + b" ", "чёрной\n".encode("koi8-r"), b"\xed\xa0\xbd\xed\xb8\x80", b"\xc0\x80",
    b"\xe2\x82 ", b"\xf5\xff", b"\xff\xfe", b"\xfe\xff", b"\xf0\x9f\x98 ", b"\xff\xfea\0b\0c\0",
    b"\n\xff\xfea\0b\0c\0d\0\n\0", b"\x1f\x8b\x08\0", b"\0\xff\0", b"\ncaf\xe9\n", b"\nw\0i\0d\0e\0\n\0",
)  # fmt: skip
REPORTS = ((), ("--first",), ("--format", "json"), ("--max-errors", "1"))
COMMAND = re.compile(r"utf8-abnf (repair [^`\n\\\"]*)")


def mixed(number):
    """Return a file of the given number and its well-formed characters of several bytes, in order."""
    chance = random.Random(number)
    pieces = []
    for _ in range(chance.randint(1, 12)):
        text = (chance.choice(TEXTS) + chance.choice(" \n")) * chance.choice((1, 1, 1, 40))
        ascii_text = b"plain ASCII text between them, of some length\n" * chance.choice((0, 1, 30))
        pieces += [text.encode(), ascii_text, chance.choice(STRETCHES) * chance.choice((1, 1, 5)), b" "]
    start = chance.choice((0, 1, 2))  # the file begins with text, with ASCII or with an ill-formed stretch
    data = b"".join(pieces[start:] + pieces[:1])
    return data, wide(data.decode("utf-8", "ignore"))


def wide(text):
    return "".join(character for character in text if not character.isascii())


@pytest.fixture
def check(tmp_path, call):
    """Check bytes."""

    def run(data, *options):
        (tmp_path / "file").write_bytes(data)
        return call("check", *options, tmp_path / "file")

    return run


@pytest.fixture
def follow(tmp_path, call):
    """Do what a command says, as it is printed but for the name of the encoding, and return what comes out."""

    def run(command, name):
        words = [name if word == "NAME" else word for word in shlex.split(command) if word != "--dry-run"]
        status, out, err = call(*words, "-q", tmp_path / "file")
        assert (status, "left alone" in err) in ((0, False), (2, True))
        return None if status else out

    return run


@pytest.mark.parametrize("number", range(24))
def test_every_command_that_is_advised_keeps_every_well_formed_character(number, check, follow):
    data, characters = mixed(number)
    said = "".join(check(data, *options).out for options in REPORTS)
    assert "iconv" not in said
    for command in set(COMMAND.findall(said)):
        for name in ("windows-1252", "shift_jis", "koi8-r") if "NAME" in command else ("",):
            made = follow(command, name)
            left = iter(made or characters)
            assert all(character in left for character in characters), (command, name)


def test_a_line_in_which_nothing_is_meant_is_converted_as_a_whole_and_others_stay(check, follow):
    data = "naïve\n".encode() + "чёрной кот\n".encode("koi8-r") + "größe\n".encode()
    said = check("naïve\n".encode() + "кот\n".encode("koi8-r") + "größe\n".encode()).out
    assert "line 2 is not UTF-8" in said
    assert "--unit bytes" not in said
    said = check(data).out
    assert "--unit bytes --dry-run` shows what the ill-formed bytes become" in said
    assert "leave out --unit bytes: then the line is converted as a whole" in said
    assert follow("repair --from NAME", "koi8-r") == "naïve\nчёрной кот\ngröße\n"


@pytest.mark.parametrize("control", [0, 8, 11, 14, 27, 31])
@pytest.mark.parametrize("early", [True, False])
def test_data_with_control_characters_are_not_proposed_for_conversion(control, early, check):
    place, rest = (bytes([control]), b"") if early else (b"", bytes([control]))
    said = check(b"some data " + place + b"caf\xe9 au lait" + rest + b" and more").out
    assert "no conversion is proposed" in said
    assert not COMMAND.findall(said)


@pytest.mark.parametrize("row", SIGNATURES, ids=lambda row: f"{row.format} {row.magic.hex(' ')}")
def test_every_signature_is_known_by_its_bytes(row):
    assert nature_of(b"\1" * row.offset + row.magic + b"\0\1\xff\xfe").format == row.format


@pytest.mark.parametrize("word", ["PAR1", "BZh"])
def test_a_text_may_begin_with_a_word_that_is_also_a_signature(word):
    assert not nature_of(word.encode() + b" is a caf\xe9 au lait\n").is_known


WIDE = [
    (encoding, mark, text)
    for encoding in ("UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE")
    for mark in ("\ufeff", "")
    for text in ("Ein schöner Tag.\n", "plain ASCII\n", "Привет, мир.\n", "日本語 のテキスト。\n", "😀 e é\n")
]


@pytest.mark.parametrize(("encoding", "mark", "text"), WIDE)
@pytest.mark.parametrize("before", ["", "größe\n"])
def test_utf_16_and_utf_32_are_told_by_their_mark_or_nuls_and_converted_back(
    encoding, mark, text, before, check, follow
):
    after = "and a line of UTF-8, é\n"
    said = check(before.encode() + (mark + text * 20).encode(encoding) + after.encode()).out
    commands = [command for command in COMMAND.findall(said) if command.startswith("repair --from utf-")]
    for command in commands:
        assert follow(command, "") == before + text * 20 + after
    is_ascii_mostly = text < "Ř"
    assert commands or not (is_ascii_mostly or (mark and encoding.startswith("UTF-16")))


@pytest.mark.parametrize("text", ["é\0\0", "\0\0é", "日\0", "\0日", "name é a\0", "abc\0", "a\1b\0"])
@pytest.mark.parametrize("count", [1, 4, 40])
def test_text_with_nuls_is_not_told_as_utf_16_or_utf_32(text, count, check):
    for end in (b"", b"\xe9"):
        assert "UTF-" not in check(text.encode() * count + end).out.replace("UTF-8", "")


@pytest.mark.parametrize("size", [1, 7, BLOCK])
def test_what_is_advised_does_not_depend_on_how_the_stream_is_cut(size):
    for number in range(0, 200, 20):
        data, characters = mixed(number)
        for shown in (1, 3, 10**9):
            advice = []
            for most in (size, len(data)):
                file = io.BytesIO(data)
                scanner = Scanner(lambda room, file=file, most=most: file.readinto(room[:most]))
                for _ in zip(range(shown), scanner.errors(), strict=False):
                    pass
                scanner.count_rest()
                assert scanner.head == data[:512]
                assert 0 < scanner.content.multibyte <= len(characters)
                advice.append(advice_for_file(scanner.head, scanner.content))
            assert advice[0] == advice[1]


def cesu8(text):
    units = struct.iter_unpack(">H", text.encode("utf-16-be"))
    return "".join(chr(unit) for (unit,) in units).encode("utf-8", "surrogatepass")


@pytest.mark.parametrize(("data", "encoding", "command", "right"), [
    ("naïve ".encode() + cesu8("😀 and 😀😀"), "CESU-8", "repair --cesu8", "naïve 😀 and 😀😀"),
    (cesu8("😀") + b"\xc0\x80", "modified UTF-8", "repair --cesu8 --overlong shortest", "😀\0"),
    ("naïve ".encode() + b"\xed\xa0\xbd and", None, "repair --to fffd:surrogate-as-one", "naïve \ufffd and"),
    (b"../\xc0\xaf \xe0\x80\xaf\xf0\x80\x80\xaf", None, "repair --overlong shortest", "..// //"),
    ("é ".encode() + b"\xf4\x90\x80\x80 \xfd\xbf\xbf\xbf\xbf\xbf", None, "repair --to fffd", None),
    ("a wide text".encode("utf-16"), "UTF-16", "repair --from utf-16", "a wide text"),
    ("a wide text".encode("utf-16-le"), "UTF-16LE", "repair --from utf-16le", "a wide text"),
    (b"a\n" + "a wide text".encode("utf-16-le"), "UTF-16LE", "repair --from utf-16le", "a\na wide text"),
    ("é\n".encode() + "é wide text".encode("utf-16-be"), "UTF-16BE", "repair --from utf-16be", "é\né wide text"),
    (b"caf\xe9", None, None, None),
])  # fmt: skip
def test_what_bytes_prove_is_named_and_repaired(data, encoding, command, right, check, follow):
    [file] = json.loads(check(data, "--format", "json").out)["files"]
    assert (file.get("encoding"), file.get("command")) == (encoding, command and f"utf8-abnf {command}")
    shown = {each.removesuffix(" --dry-run") for each in COMMAND.findall(check(data).out)}
    assert command is None or shown == {command}
    assert right is None or follow(command, "") == right


@pytest.mark.parametrize("size", [4096, 65536])
@pytest.mark.parametrize("rest", ["behind a line end", "lost"])
def test_a_cut_at_the_size_of_a_buffer_is_named(size, rest, check):
    text = b"x" + "日本語".encode() * 40_000
    if rest == "lost":
        written = b"".join((b"x" * number + text)[:size] for number in range(9))
    else:
        written = b"\n".join(text[at : at + size - 1] for at in range(0, len(text), size - 1))
    said = check(written).out
    assert f"at multiples of {size:,} bytes" in said
    assert "IncrementalValidator" in said
    assert "at multiples of 4,096 bytes" in check(b"a" * 4095 + b"\xc3").out
    assert "multiples" not in check(b"a" * 4000 + b"\xc3").out
    assert "multiples" not in check(b"a" * 4095 + b"\xe9 \xe9 and more").out


@pytest.mark.parametrize("end", [b"\n", b"\r\n "])
@pytest.mark.parametrize("size", [76, 1000])
def test_line_ends_inside_of_characters_are_named(size, end, check):
    """Mail servers break long lines after 998 bytes: RFC 5322 section 2.1.1."""
    whole = "größer, 12 € – 日本語 😀 ".encode() * 400
    data = end.join(whole[at : at + size] for at in range(0, len(whole), size))
    assert "line ends stand inside of characters" in check(data).out
    assert "inside of characters" not in check(data + b" caf\xe9 ").out


def test_of_data_without_a_known_format_the_rest_is_not_counted(check):
    said = check(random.Random(3).randbytes(1 << 18)).out
    assert "this is not text" in said
    assert "at least 10 ill-formed sequences" in said


# Well-formed text that is probably not what was meant


def encoded_again(text, codec):
    """*text* in UTF-8, read as *codec*, with C1 controls where Windows-1252 has nothing, and written again."""
    data = text.encode()
    if codec == "latin-1":
        return data.decode(codec).encode()
    return "".join(bytes([byte]).decode(codec, "ignore") or chr(byte) for byte in data).encode()


@pytest.mark.parametrize("codec", ["latin-1", "cp1252"])
@pytest.mark.parametrize("text", [*TEXTS[:10], "größer"], ids=lambda text: text[:6])
def test_text_that_was_encoded_twice_is_well_formed_and_reported(text, codec, check):
    again = encoded_again(text, codec)
    for data in (again, b"plain\n" * 300_000 + again):  # the second one begins with more than is looked at
        done = check(data)
        assert (done.status, "probably encoded twice" in done.out) == (0, data == again)
    assert check(again, "--format", "github").out.startswith("::notice::")
    [file] = json.loads(check(again, "--format", "json").out)["files"]
    assert (file["verdict"], "ftfy" in file["advice"]) == ("well-formed", True)


@pytest.mark.parametrize(
    "text",
    [
        *(*TEXTS[:10], "SÃO PAULO", "1\u00a0000 €", "\ufeffmark", "a\0é\0"),
        "Â§ 5 is what § 5 became; it is no longer so: é, è",
    ],
    ids=lambda text: text[:6],
)
def test_text_that_is_meant_gets_no_remark(text, check):
    assert check(text.encode()).out == ""


def test_a_byte_order_mark_within_the_text_is_told(check):
    done = check("a,b\n\ufeffc,d\n".encode())
    assert (done.status, "in line 2 at offset 4" in done.out) == (0, True)
