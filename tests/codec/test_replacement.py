"""U+FFFD for ill-formed bytes: each policy against a plain loop, the first against CPython, on every kind of fault."""

import itertools
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.codec import POLICIES, replace
from utf8_abnf.grammar import Grammar
from utf8_abnf.validator.ill_formed import unfinished

AUTOMATON = compile_grammar(Grammar.load("utf8"))
CLASSES = AUTOMATON.classes
# The first and the last byte of every run of bytes that the grammar treats alike.
EDGES = [b for b in range(256) if b in {0, 255} or not CLASSES[b - 1] == CLASSES[b] == CLASSES[b + 1]]
NEARLY_UTF8 = st.lists(
    st.one_of(st.sampled_from(EDGES).map(lambda byte: bytes([byte])), st.text(max_size=2).map(str.encode))
)


def plain(data, take):
    """The twin to read: a character where one begins, otherwise U+FFFD for as many bytes as *take* says."""
    text, start = "", 0
    while start < len(data):
        for length in (1, 2, 3, 4):
            character = data[start : start + length]
            if len(character) == length and AUTOMATON.accepts(character):
                text += character.decode()
                break
        else:
            text += "\ufffd"
            length = take(data[start : start + 4])
        start += length
    return text


# Rows: what Unicode 3.9 shows for maximal subparts (tables 3-8 to 3-11) and, counted by hand, the other policies.
#        bytes                                         maximal  per-byte  announced  surrogate
ROWS = [
    ("C0 AF E0 80 BF F0 81 82 41",                     (8,      8,        3,         8)),  # overlong
    ("ED A0 80 ED BF BF ED AF 41",                     (8,      8,        3,         4)),  # surrogates, one cut short
    ("F4 91 92 93 FF 41 80 BF 42",                     (7,      7,        4,         7)),  # above 10FFFF, and others
    ("E1 80 E2 F0 91 92 F1 BF 41",                     (4,      8,        4,         4)),  # truncated
    ("F0 8D A0 80 42",                                 (4,      4,        1,         4)),  # overlong, not a surrogate
    ("61 F1 80 80 E1 80 C2 62 80 63 80 BF 64",         (6,      9,        6,         6)),  # one of each
]  # fmt: skip


@pytest.mark.parametrize(("spelled", "counts"), ROWS, ids=[row[0] for row in ROWS])
def test_policies_share_out_replacement_characters_as_the_table_says(spelled, counts):
    data = bytes.fromhex(spelled)
    assert tuple(replace(data, policy=name).count("\ufffd") for name in POLICIES) == counts


@pytest.mark.thorough
def test_maximal_subparts_equal_cpython_on_every_word_of_up_to_four_edge_bytes():
    take = POLICIES["maximal-subpart"].take
    others = {CLASSES[byte] for byte in (0x7F, 0x80, 0x90, 0xBF)}
    leads = [byte for byte in EDGES if CLASSES[byte] not in others]
    short = (bytes(word) for length in range(4) for word in itertools.product(EDGES, repeat=length))
    long = (bytes(word) for word in itertools.product(leads, EDGES, EDGES[::2], EDGES[1::5]))
    words = itertools.chain(short, long)
    assert [each.hex(" ") for each in words if plain(each, take) != each.decode(errors="replace")] == []


@pytest.mark.thorough
@pytest.mark.parametrize("policy", POLICIES.values(), ids=lambda policy: policy.name)
def test_a_policy_equals_its_plain_form_on_every_word_of_up_to_three_edge_bytes(policy):
    words = (bytes(word) for length in range(4) for word in itertools.product(EDGES, repeat=length))
    wrong = [word.hex(" ") for word in words if replace(word, policy=policy.name) != plain(word, policy.take)]
    assert wrong == []


@given(st.sampled_from([*POLICIES.values()]), NEARLY_UTF8)
def test_a_policy_equals_its_plain_form(policy, pieces):
    data = b"".join(pieces)
    assert replace(data, policy=policy.name) == plain(data, policy.take)


@given(st.sampled_from([*POLICIES.values()]), NEARLY_UTF8, NEARLY_UTF8)
def test_all_but_what_is_undecided_can_be_replaced_before_the_next_bytes_come(policy, pieces, more):
    data, rest = b"".join(pieces), b"".join(more)
    waiting = unfinished(data)
    assert 0 <= waiting <= min(3, len(data))
    begun, left = data[: len(data) - waiting], data[len(data) - waiting :] + rest
    replaced = partial(replace, policy=policy.name)
    assert replaced(begun) + replaced(left) == replaced(data + rest)
    assert unfinished(data.decode(errors="ignore").encode()) == 0


def test_an_unknown_policy_is_refused_by_name():
    with pytest.raises(LookupError, match="unknown replacement policy 'replace'; the policies are maximal-subpart"):
        replace(b"", policy="replace")
