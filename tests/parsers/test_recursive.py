"""Recursive grammars: the general parser against a plain twin, the reference and Lark; linear time, any depth."""

import itertools
import random
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from utf8_abnf.automaton.earley import Recogniser
from utf8_abnf.errors import ParseError, UndecidedError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.syntax import Alternation, Concatenation, Group, Option, Ref, Repetition
from utf8_abnf.grammar.values import byte_strings
from utf8_abnf.parsers import LarkParser, ReferenceParser, Tree
from utf8_abnf.parsers.linear import TreeParser
from utf8_abnf.parsers.sentences import sentences

from ..random_grammars import elements

JSON = Grammar.load("json")
PARSER = TreeParser(JSON)


class Plain:
    """The twin: the pieces of a word that each node derives, by growing sets until nothing changes. No automaton."""

    def __init__(self, grammar, word):
        self.grammar, self.word = grammar, word
        self.pieces = {rule.name.lower(): set() for rule in grammar.reachable()}
        while True:
            before = {name: set(found) for name, found in self.pieces.items()}
            for name in self.pieces:
                self.pieces[name] |= self.of(grammar[name].definition)
            if before == self.pieces:
                return

    def of(self, node):
        empty = {(at, at) for at in range(len(self.word) + 1)}
        match node:
            case Ref(name=name):
                return self.pieces[name.lower()]
            case Group(item=item):
                return self.of(item)
            case Option(item=item):
                return empty | self.of(item)
            case Alternation(items=items):
                return set().union(*map(self.of, items))
            case Concatenation(items=items):
                found = empty
                for item in items:
                    found = joined(found, self.of(item))
                return found
            case Repetition(low=low, high=high, item=item):
                once, found, rounds = self.of(item), empty, empty
                for _ in range(low):
                    found = rounds = joined(rounds, once)
                for _ in range(len(self.word) + 1 if high is None else high - low):
                    rounds = joined(rounds, once)
                    found = found | rounds
                return found
        strings = byte_strings(node, self.grammar.values)
        return {
            (at, at + len(string))
            for string in strings
            for at in range(len(self.word) - len(string) + 1)
            if all(
                any(low <= byte <= high for low, high in ranges)
                for byte, ranges in zip(self.word[at : at + len(string)], string, strict=True)
            )
        }

    def derives(self):
        return (0, len(self.word)) in self.pieces[self.grammar.start.lower()]

    def tree(self, rule, start, end):
        """Return the tree that ``parse --help`` promises, chosen from the outside to the inside."""
        alternatives = self.grammar[rule].alternatives
        number = next(at for at, each in enumerate(alternatives) if (start, end) in self.of(each))
        children = tuple(self.tree(name, *piece) for name, *piece in self.chosen(alternatives[number], start, end))
        return Tree(self.grammar[rule].name, number + 1 if len(alternatives) > 1 else 0, start, end, children)

    def chosen(self, node, start, end):
        """Return the uses of rules in *node*, each with its piece."""
        match node:
            case Ref(name=name):
                return [(name.lower(), start, end)]
            case Group(item=item):
                return self.chosen(item, start, end)
            case Option(item=item):
                return self.chosen(item, start, end) if start < end else []
            case Alternation(items=items):
                return self.chosen(next(item for item in items if (start, end) in self.of(item)), start, end)
            case Concatenation(items=items):
                return self.longest(items, start, end)
            case Repetition(low=low, item=item):
                must = [Concatenation((item,) * low)] if low > 1 else [item] * low
                rounds = next(
                    n for n in itertools.count() if (start, end) in self.of(Concatenation((*must, *[item] * n)))
                )
                return self.longest([*must, *[item] * rounds], start, end)
        return []

    def longest(self, items, start, end):
        """Let each of *items* in turn take as many bytes as it can."""
        found = []
        for number, item in enumerate(items):
            rest = self.of(Concatenation(tuple(items[number + 1 :])))
            stop = max(to for begin, to in self.of(item) if begin == start and (to, end) in rest)
            found += self.chosen(item, start, stop)
            start = stop
        return found


def joined(left, right):
    starts = {}
    for begin, end in right:
        starts.setdefault(begin, []).append(end)
    return {(begin, end) for begin, middle in left for end in starts.get(middle, ())}


def all_words(letters, most):
    return [bytes(word) for length in range(most + 1) for word in itertools.product(letters, repeat=length)]


ADVERSARIAL = {
    "palindromes": 's = "a" s "a" / "b" s "b" / "" / "a" / "b"\n',
    "even palindromes": 's = [ "a" s "a" / "b" s "b" ]\n',
    "dangling else": 's = "a" s [ "b" s ] / "c"\n',
    "left recursion": 's = s "a" / "b"\n',
    "left and right recursion": 's = s s / "a" / "b"\n',
    "left recursion through others": 's = t "a" / "b"\nt = s "b" / t "a"\n',
    "hidden left recursion": 's = [ "a" ] s "b" / "a"\n',
    "left recursion behind a nullable rule": 's = e s "b" / "a"\ne = "" / *"a"\n',
    "nullable cycle": 's = s t / ""\nt = t s / "a" / ""\n',
    "circular": 's = s / "a" / t\nt = s "b" / s\n',
    "circular and empty": 's = *s / "a" s "b"\n',
    "circular rules with a tree without a circle": 's = "a" t / *( s t )\nt = s / "a" t\n',
    "circle of three": 's = t / "a"\nt = u / "b"\nu = s / "a" u\n',
    "right recursion": 's = "a" s / "b" / ""\n',
    "both sides": 's = "a" s "b" / s "a" / ""\n',
    "expressions": 's = s "a" t / t\nt = "b" / "a" s "a"\n',
    "highly ambiguous": 's = s s s / s s / "a"\n',
    "repeated calls": 's = *( "a" [ s ] "b" ) / 2s "a"\n',
    "without an end": 's = "a" s / "b" u\nu = "a" u\n',
    "one branch without an end": 's = "a" s "b" / "a" u / "b"\nu = "a" u / u "b"\n',
    "equal counts": 's = t / u\nt = [ "a" t "b" ]\nu = *"a" [ "b" u "a" ]\n',
    "spaces around": 's = t *"a" / "c"\nt = *"a" "b" *"a" [ s *( *"a" "c" *"a" s ) ] *"a" "b"\n',
    "long tail": 's = "a" *1( s ) *"b" / 1*2s "ab"\n',
}


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_words_trees_and_refusals_are_those_of_the_plain_twin(name):
    grammar = Grammar.parse(ADVERSARIAL[name])
    parser = TreeParser(grammar)
    assert parser.calls
    letters = b"abc" if '"c"' in ADVERSARIAL[name] else b"ab"
    can_go_on = continuing(grammar, letters)
    for word in all_words(letters, 3):
        error = compared(grammar, parser, word)
        if isinstance(error, UndecidedError):
            assert "circ" in name or "cycle" in name
        elif error is not None:
            assert can_go_on(word[: error.offset]), (word, error.offset)
            wrong = word[: error.offset + 1]
            assert wrong == word[: error.offset] or not can_go_on(wrong), (word, error.offset)


def compared(grammar, parser, word):
    """Check verdict and tree of *word* against the plain twin, and return the error."""
    twin = Plain(grammar, word)
    try:
        tree, error = parser.parse(word), None
    except (ParseError, UndecidedError) as caught:
        tree, error = None, caught
    assert twin.derives() is not isinstance(error, ParseError), word
    if tree is not None:
        assert twin.tree(grammar.start, 0, len(word)) == tree, (word, tree.to_text(word))
    return error


def continuing(grammar, letters):
    """Return the function that tells whether some word begins with its argument; with b"" it need not, if none does."""
    derives = cache(lambda word: Plain(grammar, word).derives())
    return cache(lambda word: not word or any(derives(word + rest) for rest in all_words(letters, 6 - len(letters))))


@st.composite
def grammars(draw):
    names = ["r0", "r1", "r2"]
    alternative = elements(['"a"', '"b"', '""', '*"a"', *names, *names], ["*", "1*", "2", "1*2", "*1", ""], most=5)
    lines = [f"{name} = {' / '.join(draw(st.lists(alternative, min_size=1, max_size=2)))}\n" for name in names]
    return "".join(lines)


@pytest.mark.thorough
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=settings().max_examples // 2)
@given(grammars())
def test_random_recursive_grammars_agree_with_the_plain_twin(text):
    grammar = Grammar.parse(text)
    parser = TreeParser(grammar)
    for word in all_words(b"ab", 4):
        compared(grammar, parser, word)


@pytest.fixture(scope="module")
def lark():
    return LarkParser(JSON)


def nested(count):
    return b"[" * count + b"]" * count


@pytest.mark.parametrize(
    "make",
    [nested, lambda n: b"[" + b"1," * n + b"1]", lambda n: b"[" + b" " * n + b"]", lambda n: b'["' + b"x" * n + b'"]',
     lambda n: b"[" + b"[ ] , " * n + b"1]", lambda n: b'{"a" :\n' * n + b"1" + b"\n}" * n],
    ids=["nested", "list", "spaces", "string", "ambiguous spaces", "objects"],
)  # fmt: skip
def test_the_recognisers_steps_grow_no_faster_than_the_input(make):
    recogniser = Recogniser(JSON)
    counts = [recogniser.read(make(n)) for n in (100, 1000)]
    assert all(chart.refused is None for chart in counts)
    assert counts[1].steps <= 11 * counts[0].steps
    assert sum(map(len, counts[1].facts.values())) <= 11 * sum(map(len, counts[0].facts.values()))


def test_starts_that_go_on_alike_share_one_list_of_their_ends():
    """Otherwise a run of spaces on both sides of an array takes quadratic time: each start has each end."""
    sizes = []
    for n in (100, 1000):
        data = b"[" + b" " * n + b"[1]" + b" " * n + b"]"
        chart = Recogniser(JSON).read(data)
        lists = {id(ends): ends for ends in (chart.ends("value", at) for at in range(len(data)))}
        assert PARSER.parse(data).end == len(data)
        sizes.append(sum(map(len, lists.values())))
    assert sizes[1] <= 11 * sizes[0]


def test_the_steps_that_decide_between_trees_grow_no_faster_than_the_input(monkeypatch):
    data = b"[" + b" " * 1000 + b"[1]" + b" " * 1000 + b"]"
    monkeypatch.setattr("utf8_abnf.automaton.derivation.MAX_STEPS", 8 * len(data))
    PARSER.parse(data)
    assert PARSER.fork == 1


@pytest.mark.thorough
def test_ten_thousand_brackets_are_parsed_and_their_fault_is_named():
    tree = PARSER.parse(nested(10_000))
    assert tree.end == 20_000
    deep = max(depth for depth, _ in itertools.islice(tree.walk(), 3000))
    assert deep > 900
    with pytest.raises(ParseError, match=r"the input ends at offset 10000; expected .* \[value\]"):
        PARSER.parse(b"[" * 10_000)


SENTENCES = [
    b"1", b"[]", b"[[] ,1]", b'{"a":[1,2,{}]}', b"[ [ ] , [ 1 , [ 2 ] ] ]",
    b' {"a" : [ 1 , {} ] , "b" : {"c" : [[ ] ]}}',
    '["é€😀"]'.encode(),
    b'{ "a" : { "b" : [ 1 , { } ] } , "c" : [ [ 2 ] , "x" ] }',
]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("data", SENTENCES)
def test_trees_of_json_are_the_references_and_lark_accepts_the_same(data, lark):
    assert PARSER.parse(data) == ReferenceParser(JSON).parse(data)
    assert lark.accepts(data)


def test_a_space_is_left_to_a_rule_that_takes_more_bytes_with_it():
    """To read it before x is possible as well, but r is then shorter, and r comes first."""
    grammar = Grammar.parse('s = r ["c"]\nr = *" " x\nx = "a" / " ac" / "(" x ")"\n')
    tree = TreeParser(grammar).parse(b" ac")
    assert tree == ReferenceParser(grammar).parse(b" ac")
    assert [(node.rule, node.end) for _, node in tree.walk()] == [("s", 3), ("r", 3), ("x", 3)]


FORKS = [  # the grammar, the input, and the first byte at which two derivations part
    ('s = "(" t ")"\nt = *"a" *"a"\n', b"(aa)", 1),
    ('s = t t\nt = *u\nu = "a" *" "\n', b"a a", 0),
    ('s = "[" [ s ] "]"\n', b"[[]]", None),
    ('s = v *" "\nv = "[" [ v ] "]" *" "\n', b"[[] ] ", 0),
    ('s = "x" e\ne = [ o ] ["b"]\no = "a" ["b"]\n', b"xab", 2),
]


@pytest.mark.parametrize(("text", "data", "found"), FORKS, ids=[repr(row[0]) for row in FORKS])
def test_the_first_byte_at_which_two_derivations_part_is_named(text, data, found):
    parser = TreeParser(Grammar.parse(text))
    parser.parse(data)
    assert parser.fork == found


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "start"), [("json", None), ("cddl", None), ("abnf", "rule")])
def test_random_sentences_with_and_without_a_fault_have_one_verdict(name, start):
    grammar = Grammar.load(name)
    parser, lark, chance = TreeParser(grammar, start), LarkParser(grammar, start), random.Random(5)
    for data in sentences(grammar, start, count=10, seed=5):
        assert parser.parse(data).end == len(data)
        if len(data) > 40:  # Earley in Lark takes seconds
            continue
        assert lark.accepts(data)
        at = chance.randrange(len(data) + 1)
        wrong = data[:at] + chance.choice([b"", b"]", b" ", b'"', b"\xff"]) + data[at + 1 :]
        assert parser.accepts(wrong) is lark.accepts(wrong), wrong
