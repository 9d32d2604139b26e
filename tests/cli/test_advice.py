"""What ``check`` advises for a file: never a conversion that alters a well-formed byte, never of what is not text."""

import bz2
import contextlib
import gzip
import io
import itertools
import json
import lzma
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import zipfile
from types import SimpleNamespace

import pytest

from utf8_abnf.cli import main
from utf8_abnf.explain import encodings
from utf8_abnf.explain.diagnosis import BY_CHANCE, MIXED, diagnose
from utf8_abnf.explain.diagnostic import advice_for_file
from utf8_abnf.explain.locating import BLOCK, Scanner
from utf8_abnf.explain.nature import SIGNATURES, nature_of
from utf8_abnf.files.repairing import NoGuessError, Repairer, repair
from utf8_abnf.validator.functions import iter_errors

TEXTS = (
    "naïve café, Ångström — “quoted”", "日本語のテキスト、ひらがな", "Привет, мир", "Ελληνικά γράμματα", "한국어 글자",
    "עברית", "العربية", "हिन्दी", "ไทย", "😀 emoji 🎉", "Ã© as it was meant", "\ufffd and \ufeff",
)  # fmt: skip
# Stretches that are ill-formed wherever a character may begin, and before ASCII.
STRETCHES = (
    b"caf\xe9 ", b"\x93quoted\x94", b"M\xfcller", b"\x96", b"\xa0", "テスト".encode("cp932") + b" ", b"\x80\x81\x82",
    "Привет".encode("koi8-r") + b" ", "中文".encode("gbk") + b" ", b"\xed\xa0\xbd\xed\xb8\x80", b"\xc0\x80",
    b"\xe2\x82 ", b"\xf5\xff", b"\xff\xfe", b"\xfe\xff", b"\xf0\x9f\x98 ", b"\xff\xfea\0b\0c\0",
    b"\x1f\x8b\x08\0", b"\0\xff\0",
)  # fmt: skip
REPORTS = ((), ("--first",), ("--format", "json"), ("--format", "sarif"), ("--max-errors", "1"))
COMMAND = re.compile(r"iconv -f (\S+) -t UTF-8")


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


def check(data, tmp_path, capsysbinary, *options):
    path = tmp_path / "file"
    path.write_bytes(data)
    status = main(["check", *options, str(path)])
    return SimpleNamespace(status=status, text=capsysbinary.readouterr().out.decode())


@pytest.mark.parametrize("number", range(200))
def test_no_well_formed_character_of_a_mixed_file_is_damaged_by_the_advice(number, tmp_path, capsysbinary):
    data, characters = mixed(number)
    said = "".join(check(data, tmp_path, capsysbinary, *options).text for options in REPORTS)
    for encoding in COMMAND.findall(said):  # none is printed; one that is has to keep every character
        iconv = shutil.which("iconv") or pytest.fail("no iconv to try the advice with")
        made = subprocess.run(
            [iconv, "-c", "-f", encoding, "-t", "UTF-8"], input=data, capture_output=True, check=False
        )
        assert characters == wide(made.stdout.decode())
    assert characters
    assert "iconv" not in said


@pytest.mark.parametrize("number", range(0, 200, 10))
def test_the_python_that_is_advised_alters_no_well_formed_byte(number, tmp_path, capsysbinary):
    data, _ = mixed(number)
    found = re.search(r"^.*: (import codecs; .*)$", check(data, tmp_path, capsysbinary).text, re.MULTILINE)
    if not found:  # the first errors do not point to another encoding
        return
    names = {"data": data}
    exec(found[1], names)
    expected, at = "", 0
    for error in (located.error for located in Scanner(io.BytesIO(data).readinto).errors()):
        expected += data[at : error.start].decode() + data[error.start : error.end].decode("cp1252", "replace")
        at = error.end
    assert names["text"] == expected + data[at:].decode()


def test_naive_beside_windows_1252_keeps_its_letter(tmp_path, capsysbinary):
    done = check("naïve ".encode() + b"caf\xe9 au lait", tmp_path, capsysbinary)
    assert "1 well-formed character of several bytes" in done.text
    assert "iconv" not in done.text


@pytest.mark.parametrize("place", [0, 100, BLOCK - 1, BLOCK + 5, 3 * BLOCK])
@pytest.mark.parametrize("options", [(), ("--max-errors", "0"), ("--max-errors", "1")])
def test_a_well_formed_character_is_seen_wherever_it_stands(place, options, tmp_path, capsysbinary):
    for first, second in (("é".encode(), b"\xe9 \xe9 "), (b"\xe9 \xe9 ", "é".encode())):
        done = check(first + b"a\n" * (place // 2) + second + b"end", tmp_path, capsysbinary, *options)
        assert "well-formed character" in done.text
        assert "iconv" not in done.text


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_text_of_one_encoding_can_be_converted_as_a_whole(encoding, tmp_path, capsysbinary):
    text = "Ein schöner Tag, à la carte, naïve.\tÜber\r\n\f" * 50
    done = check(text.encode(encoding), tmp_path, capsysbinary)
    assert done.text.count("iconv -f WINDOWS-1252 -t UTF-8") == 1
    records = [
        json.loads(line)
        for line in check(text.encode(encoding), tmp_path, capsysbinary, "--format", "jsonl").text.splitlines()
    ]
    assert [
        each["advice"].endswith("iconv -f WINDOWS-1252 -t UTF-8") for each in records if each["type"] == "file"
    ] == [True]


@pytest.mark.parametrize("control", [byte for byte in range(0x20) if byte not in b"\t\n\f\r"])
@pytest.mark.parametrize("early", [True, False])
def test_data_with_control_characters_are_not_proposed_for_conversion(control, early, tmp_path, capsysbinary):
    place, rest = (bytes([control]), b"") if early else (b"", bytes([control]))
    done = check(b"some data " + place + b"caf\xe9 au lait" + rest + b" and more", tmp_path, capsysbinary)
    assert "no conversion is proposed" in done.text
    assert "iconv" not in done.text


@pytest.mark.parametrize("width", [8, 11, 20])
@pytest.mark.parametrize("word", ["éèàçüéèàçü", "Привет, мир", "日本語のテキスト", "😀🎉😀🎉😀🎉"], ids=ascii)
def test_fields_that_were_cut_after_a_number_of_bytes_are_told_as_cut(word, width, tmp_path, capsysbinary):
    rows = [f"{number}{word * 3}".encode() for number in (1, 10, 100, 1000)]
    data = b"".join(row[:width] + b"\n" for row in [*rows, word.encode()])
    assert "cut the text after a number of bytes" in check(data, tmp_path, capsysbinary).text


@pytest.mark.parametrize(
    "data",
    [
        "中文文本，日本語 ".encode() + b"caf\xe9 au lait, th\xe9\n",
        "São, não, ".encode() + b"S\xc3O, N\xc3O",
        b"R\xe9sum\xe9 \xc3 ",
    ],
    ids=["letters that begin characters of three bytes", "before a letter", "no such character"],
)
def test_letters_of_another_encoding_are_not_told_as_cut(data, tmp_path, capsysbinary):
    assert "number of bytes" not in check(data, tmp_path, capsysbinary).text


def test_the_stop_at_the_first_error_proposes_nothing_for_what_was_not_read(tmp_path, capsysbinary):
    assert "iconv" not in check(b"caf\xe9 au lait \xc3\xaf", tmp_path, capsysbinary, "--first").text


def zipped():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("naïve.txt", TEXT)
    return file.getvalue()


def tarred():
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        entry = tarfile.TarInfo("a.txt")
        entry.size = len(TEXT)
        archive.addfile(entry, io.BytesIO(TEXT))
    return file.getvalue()


def database():
    with contextlib.closing(sqlite3.connect(":memory:")) as base:
        base.execute("create table t(x)")
        return base.serialize() + b"\xff"


TEXT = random.Random(7).randbytes(5000)
REAL = {
    "gzip": gzip.compress(TEXT), "bzip2": bz2.compress(TEXT), "xz": lzma.compress(TEXT), "zip": zipped(),
    "tar": tarred(),
    "SQLite": database(), "PNG": bytes.fromhex("89504E470D0A1A0A0000000D49484452000000010000000108060000001F15C489"),
    "PDF": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "JPEG": bytes.fromhex("FFD8FFE000104A46494600010100000100010000"),
    "GIF": b"GIF89a\x10\0\x10\0\x91\xff\0\xff\xff\xff", "Parquet": b"PAR1\x15\x04\x15\xe0\x0f\x15\xbc",
    "Java class or universal Mach-O": bytes.fromhex("CAFEBABE00000041001D0A00"),
    "zstd": bytes.fromhex("28B52FFD0458890000"), "Arrow": b"ARROW1\0\0\xff\xff\xff\xff\x78\0\0\0",
}  # fmt: skip


@pytest.mark.parametrize("name", REAL)
def test_a_file_of_another_format_is_called_by_its_name(name, tmp_path, capsysbinary):
    for options in ((), ("--max-errors", "0"), ("--format", "json")):
        done = check(REAL[name], tmp_path, capsysbinary, *options)
        assert done.status == 1
        assert f"a file of the format {name};" in done.text
        assert "iconv" not in done.text
        assert "1252" not in done.text
    assert json.loads(done.text)["files"][0]["errors_total"] == 1  # the others are not counted


@pytest.mark.parametrize("row", SIGNATURES, ids=lambda row: f"{row.format} {row.magic.hex(' ')}")
def test_every_signature_is_known_by_its_bytes(row):
    assert nature_of(b"\1" * row.offset + row.magic + b"\0\1\xff\xfe").format == row.format


@pytest.mark.parametrize(("head", "name"), [
    ("00 01 00 00 53 74 61 6E 64 61 72 64 20 4A 65 74 20 44 42 00 FF", ""),  # Access, and not TrueType
    ("CA FE BA BE 00 00 00 02 01 00 00 07", "Java class or universal Mach-O"),
])  # fmt: skip
def test_one_format_is_not_called_by_the_name_of_another(head, name):
    assert nature_of(bytes.fromhex(head)).format == name


def test_the_programs_of_this_machine_are_known(tmp_path, capsysbinary):
    with open(sys.executable, "rb") as file:
        head = file.read(1 << 16)
    if head[:4] != b"\x7fELF":
        pytest.skip("Python is not an ELF program here")
    assert "a file of the format ELF;" in check(head, tmp_path, capsysbinary).text


@pytest.mark.parametrize("word", ["PAR1", "GIF89a", "MZ", "RIFF", "ID3", "BZh", "ORC", "FEA1", "OTTO"])
def test_a_text_may_begin_with_a_word_that_is_also_a_signature(word):
    assert not nature_of(word.encode() + b" is a caf\xe9 au lait\n").is_known


WIDE = [
    (encoding, mark, text)
    for encoding in ("UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE")
    for mark in ("\ufeff", "")
    for text in ("Ein schöner Tag.\n", "Привет, мир.\n", "日本語 のテキスト。\n", "한국어 글자 사이.\n", "😀 e é\n")
]


@pytest.mark.parametrize(("encoding", "mark", "text"), WIDE)
def test_utf_16_and_utf_32_are_converted_back_to_the_text_or_not_at_all(encoding, mark, text, tmp_path, capsysbinary):
    data = (mark + text * 20).encode(encoding)
    done = check(data, tmp_path, capsysbinary)
    assert "1252" not in done.text
    if found := f"begins as text in {encoding[:6]}" in done.text:
        assert "repair --from auto --dry-run" in done.text
        assert repair(data, "auto").data.decode() == text * 20
    certain = mark or encoding.startswith("UTF-32") or text < "а"
    assert found or not certain or done.status == 0


@pytest.mark.parametrize("count", [1, 2, 3, 4, 40])
@pytest.mark.parametrize("text", ["é\0\0", "\0\0é", "日\0", "\0日", "a\0\0\0"])
def test_text_with_nuls_is_not_converted_from_utf_32(text, count, tmp_path, capsysbinary):
    if text[0] != "a" or count < 4:  # of so many letters, this is UTF-32
        assert "UTF-32" not in check(text.encode() * count + b"\xe9", tmp_path, capsysbinary).text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_after_text_is_told_only_where_there_is_text_in_it(encoding, tmp_path, capsysbinary):
    mark = "\ufeff".encode(encoding)
    for text in ("Zeile für Zeile\n", "日本 語\n" * 300, ""):
        said = check(b"log\n" + mark + text.encode(encoding) + b"and then UTF-8\n", tmp_path, capsysbinary).text
        assert ("--utf16-in-place --dry-run" in said) == bool(text)
    for data in (b"\0\1\0\2\0\2\0\0\0\0", b"\1\0\2\0\2\0\x8e\x23\0\0"):  # versions and counts, as after a magic number
        assert "utf16" not in check(b"rust-automaton\0" + mark + data * 40, tmp_path, capsysbinary).text


def test_the_mark_of_utf_16_alone_proves_nothing(tmp_path, capsysbinary):
    for data in (b"\xff\xfeplain text\n" * 20, b"\xff\xfe" + "naïve text, Köln\0".encode() * 20):
        assert "begins as" not in check(data, tmp_path, capsysbinary).text


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "cp037", "cp273"])
@pytest.mark.parametrize("places", [(90,), (40, 41), range(15, 90, 9)], ids=["after", "among", "all over"])
def test_no_conversion_is_named_where_only_the_beginning_was_seen(encoding, places, tmp_path, capsysbinary):
    lines = [f"Der schnelle Fuchs Nr. {number} läuft über einen Weg.\n".encode(encoding) for number in range(90)]
    for place in places:
        lines.insert(place, "é 日本語\n".encode())
    said = check(b"".join(lines), tmp_path, capsysbinary).text
    assert encoding[:6].upper().replace("CP037", "EBCDIC").replace("CP273", "EBCDIC") in said
    assert "iconv" not in said
    assert all("--dry-run" in each for each in re.findall(r"utf8-abnf repair [^`\n]*", said))


@pytest.mark.parametrize("size", [1, 2, 7, 64, BLOCK])
def test_what_is_counted_does_not_depend_on_how_the_stream_is_cut(size):
    for number in range(0, 200, 20):
        data, characters = mixed(number)
        for shown in (0, 3, 10**9):
            file = io.BytesIO(data)
            scanner = Scanner(lambda room, file=file: file.readinto(room[:size]))
            for _ in zip(range(shown), scanner.errors(), strict=False):
                pass
            scanner.count_rest()
            assert scanner.head == data[:512]
            assert 0 < scanner.content.multibyte <= len(characters)
            assert not advice_for_file(scanner.head, scanner.content).endswith("-t UTF-8")


# Text as its readers write it; each encoding may have well-formed characters in it by chance.
WHOLE = [
    ("cp1252", "WINDOWS-1252", "Ein schöner Tag in München: Größe, Übung, Straße, Äpfel und Öl. Wir müssen üben.\n"),
    ("cp932", "CP932", "今日は天気がいいので、公園へ散歩に行きます。ソフトの表示を確認してください。\n"),
    ("euc-jp", "EUC-JP", "今日は天気がいいので、公園へ散歩に行きます。ソフトの表示を確認してください。\n"),
    ("gbk", "GB18030", "今天天气很好，我们去公园散步。这是一个简单的中文文本，用来测试编码检测。\n"),
    ("big5", "BIG5", "今天天氣很好，我們去公園散步。這是一個簡單的中文文本，用來測試編碼檢測。\n"),
    ("euc-kr", "CP949", "안녕하세요. 오늘은 날씨가 좋아서 공원에 산책하러 갑니다. 이것은 간단한 문장입니다.\n"),
    ("koi8-r", "KOI8-R", "Привет, мир! Сегодня хорошая погода, и мы идём гулять в парк.\n"),
    ("koi8-u", "KOI8-U", "Привіт, світе! Сьогодні гарна погода, і ми йдемо гуляти їхнім парком.\n"),
    ("cp1251", "WINDOWS-1251", "Привет, мир! Сегодня хорошая погода, и мы идём гулять в парк.\n"),
    ("cp866", "CP866", "Привет, мир! Сегодня хорошая погода, и мы идём гулять в парк.\n"),
    ("cp1253", "WINDOWS-1253", "Καλημέρα κόσμε. Σήμερα ο καιρός είναι καλός και πηγαίνουμε βόλτα στο πάρκο.\n"),
    ("cp1255", "WINDOWS-1255", "שלום עולם. היום מזג האוויר יפה ואנחנו הולכים לטייל בפארק.\n"),
    ("cp1250", "WINDOWS-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy. Dnes je krásný den.\n"),
]  # fmt: skip


@pytest.mark.parametrize(("codec", "name", "text"), WHOLE)
@pytest.mark.parametrize("lines", [1, 9])
def test_the_encoding_of_a_text_is_named_with_its_confidence(codec, name, text, lines, tmp_path, capsysbinary):
    data = text.encode(codec) * lines
    done = check(data, tmp_path, capsysbinary)
    assert f"{name.replace('WINDOWS', 'Windows')} (confidence: high)" in done.text
    commands = COMMAND.findall(done.text)
    if wide(data.decode("utf-8", "ignore")):  # by chance: a conversion of the file would alter these
        assert not commands
        assert "repair --from auto --dry-run" in done.text
    else:
        assert commands == [name]
        assert data.decode(name) == text * lines


@pytest.mark.parametrize(("codec", "name", "text"), WHOLE)
def test_text_beside_utf_8_is_never_taken_for_a_whole(codec, name, text):
    places = ((1, 1, b"\n"), (1, 5, b" "), (5, 1, b" "))
    for other, (before, after, end) in itertools.product([text for *_, text in WHOLE], places):
        data = (other.strip().encode() + end) * before + (text.strip().encode(codec) + end) * after + other.encode()
        first = next(error.start for error in iter_errors(data))
        assert diagnose(data[first:], first).cause == MIXED


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        (
            "iso8859-3",
            "Ĉiuj homoj estas denaske liberaj kaj egalaj laŭ digno; ankaŭ ĉi tiu ĝardeno, ĵaŭde, hieraŭ kaj baldaŭ",
        ),
        (
            "iso8859-3",
            "il-bnedmin kollha jitwieldu ħielsa, għandhom raġuni u kuxjenza, żgħir, ħobż, ġdid, żmien, ġurnata",
        ),
        ("iso8859-4", "visi žmonės gimsta laisvi ir lygūs, jiems suteiktas protas ir sąžinė, ąžuolas, šiaurė, žuvis"),
    ],
)
def test_esperanto_maltese_and_lithuanian_are_not_taken_for_a_neighbour(codec, text):
    assert encodings.guess(text.encode(codec)).names == (f"ISO-{codec[3:]}",)


@pytest.mark.parametrize(
    ("codec", "text"), [(codec, text) for codec, _, text in WHOLE if codec in ("euc-jp", "cp932", "gbk")]
)
def test_a_long_text_is_told_as_a_whole_though_its_sample_ends_within_a_word(codec, text):
    data = (text * 700).encode(codec)
    assert diagnose(data).cause == BY_CHANCE
    assert repair(data, "auto").data.decode() == text * 700


# In each of these lines more than six bytes in a row are well-formed characters by chance.
RUNS = [
    ("euc-jp", "EUC-JP", "正月は実家に帰って、家族と一緒に食事をしました。\n日本の夏はとても暑いです。\n"),
    ("cp932", "CP932", "日本の夏はとても暑いです。\n明日は雨が降るかもしれません。\n毎日コーヒーを飲みます。\n"),
    ("gbk", "GB18030", "今天的月光是惨白的。\n我们去公园散步，老师回答了学生的问题。\n"),
    ("big5", "BIG5", "不貪污的國家裡我們排第一。\n我喜歡在圖書館看書，明天可能會下雨，請帶上雨傘。\n"),
    ("euc-kr", "CP949", "공부를 해야겠다고 생각했습니다.\n오늘은 날씨가 좋아서 공원에 산책하러 갑니다.\n"),
]


@pytest.mark.parametrize(("codec", "name", "text"), RUNS)
def test_a_run_of_characters_by_chance_does_not_hide_the_encoding(codec, name, text, tmp_path, capsysbinary):
    data = text.encode(codec)
    assert encodings.MEANT.search(data)
    said = check(data, tmp_path, capsysbinary).text
    assert f"all of this may be text in {name} (confidence: high)" in said
    assert repair(data, "auto").data.decode() == text


@pytest.mark.parametrize(("codec", "name", "text"), RUNS)
def test_beside_utf_8_such_runs_are_left_as_nothing_shows_which_characters_are_meant(
    codec, name, text, tmp_path, capsysbinary
):
    data = "日本語のテキスト、größer\n".encode() + text.encode(codec)
    said = check(data, tmp_path, capsysbinary).text
    assert "`utf8-abnf repair --from auto --dry-run`" in said
    assert "all of this" not in said
    with pytest.raises(NoGuessError, match=rf"{name} \(confidence: high\), but nothing shows where"):
        repair(data, "auto")


def test_the_models_of_languages_are_loaded_only_for_ill_formed_bytes(tmp_path):
    path = tmp_path / "file"
    path.write_text("größe", encoding="utf-8")
    code = f"import sys; from utf8_abnf.cli import main; main(['check', {str(path)!r}]); print([*sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "utf8_abnf.cli.files.check" in loaded
    assert "utf8_abnf.explain.letters" not in loaded
    assert "diagnos" not in loaded


def cesu8(text):
    units = text.encode("utf-16-be")
    return b"".join(
        chr(int.from_bytes(units[at : at + 2])).encode("utf-8", "surrogatepass") for at in range(0, len(units), 2)
    )


@pytest.mark.parametrize(
    ("data", "command"),
    [
        ("naïve ".encode() + cesu8("😀 and 😀😀"), "repair --cesu8\n"),
        (cesu8("😀") + b"\xc0\x80", "repair --cesu8 --overlong shortest\n"),
    ],
)
def test_the_advice_for_surrogates_makes_it_right(data, command, tmp_path, capsysbinary):
    assert command in check(data, tmp_path, capsysbinary).text


@pytest.mark.parametrize("size", [4096, 8192, 65536])
@pytest.mark.parametrize("rest", ["behind a line end", "lost"])
def test_a_cut_at_the_size_of_a_buffer_is_named(size, rest, tmp_path, capsysbinary):
    text = b"x" + "日本語".encode() * 40_000
    if rest == "lost":
        written = b"".join((b"x" * number + text)[:size] for number in range(9))
    else:
        written = b"\n".join(text[at : at + size - 1] for at in range(0, len(text), size - 1))
    done = check(written, tmp_path, capsysbinary)
    assert f"at multiples of {size:,} bytes" in done.text
    assert "IncrementalValidator" in done.text


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r\n "])
@pytest.mark.parametrize("size", [76, 1000])
def test_line_ends_inside_of_characters_are_named(size, end, tmp_path, capsysbinary):
    """Mail servers break long lines after 998 bytes: RFC 5322 section 2.1.1."""
    whole = "größer, 12 € – 日本語 😀 ".encode() * 400
    data = end.join(whole[at : at + size] for at in range(0, len(whole), size))
    done = check(data, tmp_path, capsysbinary)
    assert "line ends stand inside of characters" in done.text
    assert "--from" not in done.text
    assert "inside of characters" not in check(data + b" caf\xe9 ", tmp_path, capsysbinary).text


def test_an_end_at_the_size_of_a_buffer_is_named(tmp_path, capsysbinary):
    assert "at multiples of 4,096 bytes" in check(b"a" * 4095 + b"\xc3", tmp_path, capsysbinary).text
    assert "multiples" not in check(b"a" * 4000 + b"\xc3", tmp_path, capsysbinary).text
    assert "multiples" not in check(b"a" * 4095 + b"\xe9 \xe9 and more", tmp_path, capsysbinary).text


def test_what_was_encoded_twice_is_shown_but_not_changed(tmp_path, capsysbinary):
    said = check(b"caf\xe9 " + "schÃ¶n, dÃ©jÃ\xa0 vu ".encode(), tmp_path, capsysbinary).text
    assert "repair --mojibake --dry-run" in said
    assert "mojibake" not in check(b"caf\xe9 " + "schön, déjà vu ".encode(), tmp_path, capsysbinary).text


@pytest.mark.parametrize("text", ["The quick brown fox jumps over 12 dogs, and so on.", "Ein Tag im Mai, 1999. " * 9])
@pytest.mark.parametrize("page", ["cp037", "cp500", "cp273", "cp1140"])
def test_ebcdic_is_known_by_its_letters(text, page, tmp_path, capsysbinary):
    done = check(text.encode(page), tmp_path, capsysbinary)
    assert "this begins as text in EBCDIC" in done.text


RECORDS = [f"{number * 7919:08}SMITH JOHN".ljust(38) + "2024-01-15NEW YORK".ljust(30) for number in range(20)]
SOURCE = ["000100 IDENTIFICATION DIVISION.", "000200 PROGRAM-ID. HELLO.", "000400     DISPLAY 'HELLO, WORLD'."]


@pytest.mark.parametrize(("rows", "before", "after"), [
    (RECORDS, b"", b""), (RECORDS, b"\0\x48\0\0", b""), (RECORDS, b"", b"\x15"), (RECORDS, b"", b"\0\x12\x34\x5c"),
    ([row.ljust(80) for row in SOURCE * 3], b"", b""), (["A1".rjust(72)] * 9, b"", b""), (RECORDS[:1], b"", b""),
], ids=["fixed length", "length before", "line ends", "packed decimals", "source", "blanks", "one"])  # fmt: skip
@pytest.mark.parametrize("page", ["cp037", "cp500", "cp1140"])
def test_records_in_ebcdic_are_not_taken_for_words_of_a_language(rows, before, after, page, tmp_path, capsysbinary):
    data = b"".join(before + row.encode(page) + after for row in rows)
    done = check(data, tmp_path, capsysbinary)
    assert "this begins as text in EBCDIC" in done.text
    with pytest.raises(NoGuessError):
        repair(data, "auto")


@pytest.mark.parametrize(
    "text", ["　" * 40 + "品名", "　" * 16 + "見積書" + "　" * 16, "　　　ア　　　イ　　　ウ\n" * 4]
)
def test_a_form_in_shift_jis_with_wide_spaces_is_not_ebcdic(text, tmp_path, capsysbinary):
    assert "EBCDIC" not in check(text.encode("cp932"), tmp_path, capsysbinary).text


def test_of_data_without_a_known_format_the_rest_is_not_counted(tmp_path, capsysbinary):
    done = check(random.Random(3).randbytes(1 << 18), tmp_path, capsysbinary)
    assert "this is not text" in done.text
    assert "iconv" not in done.text
    assert "at least 10 ill-formed sequences" in done.text


@pytest.mark.parametrize("data", [
    bytes([*range(256)]) * 2, b"\xed\xab\xee\xdb\3\0\0\0\0" * 60, b"MSCF\0\0\0\0 \xc0\x80 \xf5" * 60,
], ids=["no format", "many surrogates", "a format with NULs"])  # fmt: skip
def test_no_error_in_data_is_explained_by_a_program_that_writes_text(data, tmp_path, capsysbinary):
    advice = re.findall(r"^  fix +(.*)$", check(data, tmp_path, capsysbinary, "--max-errors", "0").text, re.MULTILINE)
    assert advice
    assert not [each for each in advice if "text" not in each and "before it" not in each]


@pytest.mark.parametrize("levels", [b"\x7e\x7f\x80\x81\x82\x79", b"\x80\x82\x87\x81", b"\xe0\xe1\xe2\xe5\xee\x60"])
@pytest.mark.parametrize("size", [60, 200, 5000])
def test_samples_of_a_signal_are_no_text_in_any_encoding(levels, size, tmp_path, capsysbinary):
    data = b"RATE=8000\n" + bytes(random.Random(size).choices(levels, k=size))
    said = check(data, tmp_path, capsysbinary).text
    assert not COMMAND.findall(said)
    assert "confidence: high" not in said
    assert "confidence: fair" not in said


@pytest.mark.parametrize("fill", [b"\xff" * 9, b"\xfe" * 500, b"\xe9" * 64])
def test_bytes_that_only_fill_are_no_word_of_a_language(fill, tmp_path, capsysbinary):
    assert not COMMAND.findall(check(b"serial=12\n" + fill + b"\nend\n", tmp_path, capsysbinary).text)
    assert encodings.guess(b"a " + fill + b" \xe9t\xe9") == encodings.guess(b"a \xe9t\xe9")
    with pytest.raises(NoGuessError):
        repair(fill, "auto")


@pytest.mark.parametrize(("codec", "name", "text"), WHOLE)
def test_auto_takes_the_encoding_that_check_names_wherever_the_text_is_cut(codec, name, text):
    for data, right in (
        (text.encode(codec) * 9, text * 9),
        (b"ASCII\n" + text.encode(codec) * 2 + "naïve\n".encode() + text.encode(codec), None),
    ):
        if right is None and encodings.ENCODINGS[encodings.guess(data).codecs[0]][1] > 1:
            with pytest.raises(NoGuessError, match="beside those of UTF-8"):
                repair(data, "auto")
            continue
        repaired = repair(data, "auto")
        assert right is None or repaired.data.decode() == right
        assert repaired.undo() == data
        assert right or "naïve" in repaired.data.decode()
        for size in (1, 7, 1000):
            repairer = Repairer("auto")
            pieces = [repairer.feed(data[at : at + size]).data for at in range(0, len(data), size)]
            assert b"".join([*pieces, repairer.finish().data]) == repaired.data
            assert codec.replace("-", "_").replace("gbk", "gb18030").replace("euc_kr", "cp949") in repairer.guess


@pytest.mark.parametrize("data", [
    b"caf\xe9 au lait", "naïve ".encode() + b"caf\xe9", "Le café, à Noël, où l’été est né: 5 €".encode("cp1252"),
    "The quick brown fox jumps over 12 dogs, and so on.".encode("cp037"), random.Random(1).randbytes(999),
    b"a" * 4095 + b"\xc3", "Привет, мир!\0".encode("koi8-r") * 20,
])  # fmt: skip
def test_auto_refuses_where_the_confidence_is_not_high(data):
    with pytest.raises(NoGuessError, match="--from auto"):
        repair(data, "auto")


@pytest.mark.parametrize("number", range(0, 200, 7))
def test_auto_keeps_the_characters_of_a_mixed_file_or_refuses(number):
    data, characters = mixed(number)
    with contextlib.suppress(NoGuessError):
        made = iter(wide(repair(data, "auto").data.decode()))
        assert all(character in made for character in characters)


@pytest.mark.parametrize(("data", "said"), [
    ("naïve ".encode() + b"\xed\xa0\xbd and more", "repair --to fffd:surrogate-as-one"),
    (b"../\xc0\xaf \xe0\x80\xaf\xf0\x80\x80\xaf", "repair --overlong shortest"),
    ("é ".encode() + b"\xf4\x90\x80\x80 \xfd\xbf\xbf\xbf\xbf\xbf\xf8\x88\x80\x80\x80", "repair --to fffd\n"),
    ("naïve\n".encode() + "\ufeffmore text\r\n".encode("utf-16-le"), "repair --utf16-in-place --dry-run"),
    ("größer\n".encode() + "> Привет, мир\n".encode("koi8-r"), "repair --from koi8-r\n"),
])  # fmt: skip
def test_windows_1252_is_not_named_where_the_bytes_show_something_else(data, said, tmp_path, capsysbinary):
    done = check(data, tmp_path, capsysbinary)
    assert said in done.text
    assert "--from windows-1252" not in done.text


def test_a_text_that_is_only_cut_at_its_end_gets_no_advice_for_the_file(tmp_path, capsysbinary):
    assert "repair" not in check("naïve caf".encode() + b"\xc3", tmp_path, capsysbinary).text


# The same byte is another Latin letter in each of these encodings: to name one with confidence would do harm.
LATIN = (
    "Les élèves préfèrent être à l’école où ça mène très loin, déjà vu…\n" * 30,
    "Hän ei pystynyt näkemään, että äiti löysi pöydältä kynän; tämä on hyvä päivä.\n" * 5,
    "A educação não é só para crianças; são três lições à tarde, amanhã há informação sobre a população.\n" * 5,
    "Sjöar och älvar är vackra på våren; därför åker många människor dit för att få lära känna naturen.\n" * 5,
    "Die Bürger der Stadt Köln fürchten höhere Gebühren für Straßenbahn und Müllabfuhr.\n" * 5,
    "El niño pequeño comió una piña en la montaña; ¿dónde está el corazón de la canción?\n" * 5,
)


@pytest.mark.parametrize("text", LATIN, ids=lambda text: text[:12])
def test_western_text_is_windows_1252_before_any_other_encoding(text):
    assert encodings.guess(text.encode("cp1252")).codecs[0] == "cp1252"


WIDE_TEXTS = (
    "Les élèves préfèrent l’école…\n" * 30,
    "吾輩は猫である。名前はまだ無い。" * 30,
    "テスト1\r\n日本語です\r\n" * 20,
)


@pytest.mark.parametrize("text", WIDE_TEXTS, ids=lambda text: text[:8])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_known_by_its_letters_or_kana(text, encoding):
    known = nature_of(text.encode(encoding)[:512]).encoding
    assert known == ("UTF-16" if encoding == "utf-16" else "UTF-16" + encoding[-2:].upper())


@pytest.mark.parametrize("unit", [b"name\xe9 a\0", b"abc\0", b"20\0\xe9", b"\x00\x30ab\x9f"], ids=repr)
def test_text_in_fields_that_end_with_nul_is_not_utf_16(unit):
    assert not nature_of((unit * 200)[:512]).encoding


# Well-formed text that was encoded twice


def encoded_again(text, codec):
    """*text* in UTF-8, read as *codec*, with C1 controls where Windows-1252 has nothing, and written again."""
    data = text.encode()
    if codec == "latin-1":
        return data.decode(codec).encode()
    return "".join(bytes([byte]).decode(codec, "ignore") or chr(byte) for byte in data).encode()


@pytest.mark.parametrize("codec", ["latin-1", "cp1252"])
@pytest.mark.parametrize("text", [*TEXTS[:10], "größer"], ids=lambda text: text[:6])
def test_text_that_was_encoded_twice_is_well_formed_and_reported(text, codec, tmp_path, capsysbinary):
    again = encoded_again(text, codec)
    for data in (again, b"plain\n" * 300_000 + again):  # the second one begins with more than is looked at
        done = check(data, tmp_path, capsysbinary)
        assert done.status == 0
        assert ("probably encoded twice" in done.text) == (data == again)
    assert check(again, tmp_path, capsysbinary, "--format", "github").text.startswith("::notice::")
    [file] = json.loads(check(again, tmp_path, capsysbinary, "--format", "json").text)["files"]
    assert file["verdict"] == "well-formed"
    assert "repair --mojibake --dry-run" in file["advice"]


@pytest.mark.parametrize(
    "text",
    [*TEXTS[:10], "SÃO PAULO", "Â§ 5 is what § 5 became; it is no longer so: é, è", "1\u00a0000 €"],
    ids=lambda text: text[:6],
)
def test_text_that_is_meant_is_not_called_encoded_twice(text, tmp_path, capsysbinary):
    assert check(text.encode(), tmp_path, capsysbinary).text == ""


@pytest.mark.parametrize("text", ["café au lait\n", "name,city\nJosé,x\n", "Gré\n"])
def test_the_letters_before_the_first_error_belong_to_its_word(text):
    """Alone, E9 may as well be Hebrew, Greek or Russian."""
    data = text.encode("cp1252")
    scanner = Scanner(io.BytesIO(data).readinto)
    list(scanner.errors())
    assert "may be Windows-1252 (confidence: low)" in advice_for_file(data, scanner.content)
