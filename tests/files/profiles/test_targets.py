"""Verdicts of profiles against the real libxml2 and Python's own json.

The cases are generated: every case of the suite that the profile's grammar makes (level L1), and characters beside
every edge.
"""

from __future__ import annotations

import ctypes

import pytest

from utf8_abnf.conformance.suite import cases
from utf8_abnf.files.profiles import Profile
from utf8_abnf.grammar import Grammar


def library(name):
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


def generated(name):
    """Return the cases for the profile *name*: those of its grammar, and a text around each character at an edge."""
    found = {case.data for case in cases("L1", grammar=Grammar.load(f"profiles/{name}", values="utf-8"))}
    edges = {0, 8, 9, 10, 11, 13, 14, 31, 32, 126, 127, 0x80, 0x84, 0x85, 0x86, 0x9F, 0xA0, 0x7FF, 0x800, 0xD7FF}
    edges |= {0xE000, 0xFDCF, 0xFDD0, 0xFDEF, 0xFDF0, 0xFFFC, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x1FFFF, 0x10FFFF}
    return sorted(found | {f"a{chr(number)}é".encode() for number in edges})


def disagreeing(name, judge, left_out=lambda data: False):
    """Return the cases on which the profile and *judge*, which takes a list, do not agree; some are well-formed."""
    profile = Profile.load(name)
    asked = [data for data in generated(name) if not left_out(data)]
    mine = [profile.is_valid(data) for data in asked]
    assert len(asked) > 1000
    assert 100 < sum(mine) < len(mine)
    return [data.hex(" ") for data, verdict, theirs in zip(asked, mine, judge(asked), strict=True) if verdict != theirs]


@pytest.mark.skipif(not library("libxml2.so.2"), reason="needs libxml2: apt-get install libxml2")
def test_libxml2_takes_what_the_profile_of_xml_takes():
    xml = library("libxml2.so.2")
    xml.xmlReadMemory.restype = ctypes.c_void_p
    xml.xmlReadMemory.argtypes = (ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int)
    xml.xmlFreeDoc.argtypes = (ctypes.c_void_p,)
    quiet = 1 << 5 | 1 << 6  # XML_PARSE_NOERROR, XML_PARSE_NOWARNING

    def judge(asked):
        for data in asked:
            text = b"<a>" + data + b"</a>"
            document = xml.xmlReadMemory(text, len(text), b"", b"UTF-8", quiet)
            yield document is not None
            xml.xmlFreeDoc(document)

    assert disagreeing("xml-1.0", judge, lambda data: b"<" in data or b"&" in data) == []  # which are markup
