"""A run in parts: what all parts found in process is what one run finds, and the report made of it is the same."""

import ctypes
import re
import subprocess

import pytest

from utf8_abnf import cli
from utf8_abnf.conformance.suite import judge
from utf8_abnf.conformance.suite.parts import Part, merged, read

pytestmark = pytest.mark.thorough

SOURCE = """
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
int right(const uint8_t *data, size_t size) {
    for (size_t i = 0; i < size;) {
        uint8_t lead = data[i];
        size_t tails = lead < 0x80 ? 0 : lead < 0xC2 ? 9 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : lead < 0xF5 ? 3 : 9;
        if (tails == 9 || size - i <= tails) return 0;
        uint8_t next = tails ? data[i + 1] : 0;
        if ((lead == 0xE0 && next < 0xA0) || (lead == 0xED && next > 0x9F) || (lead == 0xF0 && next < 0x90)
            || (lead == 0xF4 && next > 0x8F)) return 0;
        for (size_t k = 1; k <= tails; k++) if ((data[i + k] & 0xC0) != 0x80) return 0;
        i += tails + 1;
    }
    return 1;
}
int lax(const uint8_t *data, size_t size) {
    return right(data, size) || (size == 3 && data[0] == 0xED && data[1] > 0x9F && data[1] < 0xC0 && data[2] == 0x80);
}
int strict(const uint8_t *data, size_t size) { return right(data, size) && (!size || (uintptr_t)data % 64 != 62); }
int crashes(const uint8_t *data, size_t size) {
    if (size == 4 && data[0] == 0xF0 && data[1] == 0x9F && (data[3] & 7) == 7) abort();
    return right(data, size);
}
"""
FAMILIES = ["--level", "L3", *(word for name in ("named", "guarded") for word in ("--family", name))]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("parts") / "decoders.so"
    try:
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-xc", "-", "-o", path], input=SOURCE.encode(), check=True)
    except FileNotFoundError:
        pytest.skip("needs cc: apt-get install gcc")
    return path


def without_times(report):
    return re.sub(r'"seconds": [\d.]+', "", report.read_text())


@pytest.mark.parametrize("count", [1, 3, 16])
@pytest.mark.parametrize(("name", "wrong"), [("right", 0), ("lax", 32), ("strict", 555)])
def test_each_block_is_judged_in_one_part_as_it_is_in_the_whole(name, wrong, count, library):
    function = ctypes.cast(getattr(ctypes.CDLL(library), name), ctypes.c_void_p).value
    whole = list(judge(function, family="guarded"))
    parts = [list(judge(function, family="guarded", part=f"{each}/{count}")) for each in range(1, count + 1)]
    assert sum(judged.failures for judged in whole) == wrong
    assert [parts[at % count][at // count].numbers for at in range(len(whole))] == [each.numbers for each in whole]
    assert sum(judged.count for part in parts for judged in part) == sum(judged.count for judged in whole)


@pytest.mark.parametrize("name", ["lax", "crashes"])
def test_the_parts_of_a_run_are_the_whole_to_the_byte(name, library, tmp_path, capsys):
    target = f"lib:{library}:{name}"
    whole, once, report = (tmp_path / f"{each}.json" for each in ("whole", "once", "report"))
    assert cli.main(["test", target, *FAMILIES, "-q", "--format", "json", "-o", str(whole)]) == 1
    files = [tmp_path / f"{number}.json" for number in (1, 2, 3)]
    for number, file in enumerate(files, 1):
        assert cli.main(["test", target, *FAMILIES, "-q", "--part", f"{number}/3", "-o", str(file)]) in (0, 1)
    assert cli.main(["test", "merge", *map(str, files), "-q", "--format", "json", "-o", str(report)]) == 1
    assert without_times(report) == without_times(whole)
    if name == "lax":  # where it crashes, the one part ends with the first crash, and each of several with its own
        assert cli.main(["test", target, *FAMILIES, "-q", "--part", "1/1", "-o", str(once)]) == 1
        assert merged([read(file) for file in reversed(files)]).to_json() == once.read_text()
    capsys.readouterr()


def test_a_part_that_takes_too_long_writes_no_file(library, tmp_path, capsys):
    part = tmp_path / "part.json"
    options = ["--family", "named", "-q", "--part", "1/2", "--max-time", "0.001"]
    assert cli.main(["test", f"lib:{library}:right", *options, "-o", str(part)]) == 3
    assert "part 1/2 was not done in" in capsys.readouterr().err
    assert not part.exists()


def test_what_cannot_be_a_part_is_a_usage_error(library, tmp_path, capsys):
    right = f"lib:{library}:right"
    part = tmp_path / "part.json"
    assert cli.main(["test", right, "--family", "named", "-q", "--part", "1/1", "-o", str(part)]) == 0
    assert '"done": 498' in part.read_text()
    for arguments, message in (
        (["py:codecs:utf_8_decode", "--part", "1/2"], "is not a C function"),
        ([right, "--part", "1/2", "--case", "named/*"], "whole families"),
        ([right, "--part", "3/2"], "I/N"),
        (["merge"], "needs the parts of a run"),
        ([right, str(part)], "no other target takes files"),
        (["merge", str(part), str(part)], "not those of one run"),
        (["merge", __file__], "not a part of a run"),
    ):
        assert cli.main(["test", *arguments]) == 2
        assert message in capsys.readouterr().err
    other = Part({**read(part).run, "command": "prove"}, "1/1", ())
    part.write_text(other.to_json())
    assert cli.main(["test", "merge", str(part)]) == 2
    assert "not parts of `utf8-abnf test`" in capsys.readouterr().err
