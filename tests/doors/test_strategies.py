"""The strategies give what they promise, by the verdict of CPython and of the reference parser."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from utf8_abnf import first_error, strategies
from utf8_abnf.grammar import Grammar
from utf8_abnf.parsers import ReferenceParser
from utf8_abnf.validator.ill_formed import CODES

REFERENCE = ReferenceParser(Grammar.load("utf8"))
URN = Grammar.load("urn")


@settings(max_examples=settings().max_examples // 2)
@given(st.one_of(strategies.well_formed(), strategies.from_grammar()))
def test_well_formed_bytes_decode(data):
    assert data.decode().encode() == data


@settings(max_examples=settings().max_examples // 2)
@given(st.data())
@pytest.mark.parametrize("code", CODES)
def test_ill_formed_bytes_have_the_code_that_was_asked_for(code, data):
    assert first_error(data.draw(strategies.ill_formed(code))).code == code


@settings(max_examples=settings().max_examples // 2)
@given(st.one_of(strategies.ill_formed(), strategies.near_misses()))
def test_ill_formed_bytes_are_refused_by_the_reference_parser(data):
    assert not REFERENCE.accepts(data)


def test_a_code_that_does_not_exist_is_named():
    with pytest.raises(ValueError, match="there is no code 'UTF8-NONE'; the codes are UTF8-OVERLONG"):
        strategies.ill_formed("UTF8-NONE")


@settings(max_examples=settings().max_examples // 6)
@given(strategies.from_grammar(URN, "namestring", max_size=30))
def test_strings_of_another_grammar_are_derived_by_it(data):
    assert ReferenceParser(URN, "namestring").accepts(data)


@settings(max_examples=settings().max_examples // 6)
@given(strategies.near_misses(URN, "NID"))
def test_near_misses_of_another_grammar_are_not_derived_by_it(data):
    assert not ReferenceParser(URN, "NID").accepts(data)
