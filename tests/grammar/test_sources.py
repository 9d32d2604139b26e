"""The grammars are what their documents print: extracted again, compared byte by byte, and pinned."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from abnf.grammars import rfc3629

from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.extract import extract
from utf8_abnf.grammar.files import grammar_folder, shipped_grammars

REFERENCES = Path(__file__).parents[1] / "references"
UTF8_SUM = "e9114bf656f4360482910df6551b0de16847cbc244030dadc09df4c4023fb754"


def document(number):
    with (REFERENCES / f"rfc{number}.txt").open(encoding="ascii", newline="") as stream:
        return stream.read()


def test_utf8_abnf_is_the_rfcs_nine_lines():
    text = (grammar_folder() / "utf8.abnf").read_bytes()
    assert hashlib.sha256(text).hexdigest() == UTF8_SUM
    assert text.count(b"\n") == 9
    assert extract(document(3629), "4").text.encode("ascii") == text
    assert extract(document(3629)) == extract(document(3629), "4")  # the whole RFC has no other rules


# The documents and sections of each verbatim grammar, in order; urn.abnf, which has more in it, is checked below.
VERBATIM = {
    "utf8": [(3629, "4")],
    "uri": [(3986, "A")],
    "date-time": [(3339, "5.6")],
    "iri": [(3987, "2.2")],
    "json": [(8259, section) for section in "234567"],
    "cddl": [(8610, "B")],
    "abnf": [(5234, "4"), (5234, "B.1")],
    "core": [(5234, "B.1")],
}


@pytest.mark.parametrize("name", VERBATIM)
def test_verbatim_grammars_are_extracted_again(name):
    pieces = [extract(document(number), section).text for number, section in VERBATIM[name]]
    assert shipped_grammars()[name].read_text("ascii") == "\n".join(pieces)


def test_urn_is_rfc_8141_and_rules_of_rfc_3986():
    text = shipped_grammars()["urn"].read_text("ascii")
    assert extract(document(8141), "2").text in text
    urn, uri = Grammar.load("urn"), Grammar.load("uri")
    taken = ["pchar", "fragment", "pct-encoded", "unreserved", "sub-delims"]
    assert {name: urn[name].definition for name in taken} == {name: uri[name].definition for name in taken}
    own = {rule.name for rule in urn.rules.values() if not rule.core}
    rest = own - set(taken) - {rule.name for rule in Grammar.parse(extract(document(8141), "2").text).rules.values()}
    assert rest == {"alphanum"}


def test_sources_page_names_every_grammar_with_its_sum():
    page = (grammar_folder() / "SOURCES.md").read_text("utf-8")
    sums = dict(re.findall(r"^\| `([a-z0-9-]+)\.abnf` \|.*`([0-9a-f]{64})` \|$", page, re.MULTILINE))
    assert sums == {
        name: hashlib.sha256(shipped_grammars()[name].read_bytes()).hexdigest()
        for name in [*VERBATIM, "urn", "http", "imf"]
    }
    ours = set(re.findall(r"^\| `([a-z0-9./-]+)\.abnf` \|", page, re.MULTILINE)) - set(sums)
    assert ours | set(sums) == set(shipped_grammars())


def test_utf8_abnf_is_the_grammar_that_abnf_bundles():
    theirs = Grammar.parse("".join(f"{line}\n" for line in rfc3629.Rule.grammar))
    ours = Grammar.load("utf8")
    assert {name: rule.definition for name, rule in theirs.rules.items()} == {
        name: rule.definition for name, rule in ours.rules.items()
    }


@pytest.mark.thorough
def test_imf_has_the_rules_that_abnf_bundles_but_the_one_that_it_changed():
    ours = Grammar.load("imf")
    from abnf.grammars import rfc5322  # reads its grammar for two seconds

    theirs = Grammar.parse("".join(f"{line}\n" for line in rfc5322.Rule.grammar))
    own = {rule.name: rule.definition for rule in ours.rules.values() if not rule.core}
    changed = [name for name, definition in own.items() if theirs[name].definition != definition]
    assert (len(own), changed) == (73, ["obs-unstruct"])


# -- sections to extract, and refusals; texts that are not so tidy stand in test_documents.py

SECTIONS = (
    "1.  One\n\n  a = b\n\n2.  Two\n\n  c = d\n\n2.1.  Two and a bit\n\n  e = f\n\nAppendix A.  More\n\n  g = h\n"
)


@pytest.mark.parametrize(
    ("section", "rules"),
    [("1", "a = b\n"), ("2", "c = d\n\ne = f\n"), ("2.1", "e = f\n"), ("A", "g = h\n")],
)
def test_extract_keeps_to_a_section_and_its_subsections(section, rules):
    assert extract(SECTIONS, section).text == rules


@pytest.mark.parametrize(
    ("text", "section", "message"),
    [
        ("prose\n", None, "no ABNF rule"),
        (SECTIONS, "7", "no section 7"),
        ("1.  One\n\nprose\n", "1", "section 1 has no"),
    ],
)
def test_extract_says_what_it_missed(text, section, message):
    with pytest.raises(GrammarError, match=message):
        extract(text, section, file="some.txt")
