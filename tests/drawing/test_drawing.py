"""Pictures: pinned to the byte, well-formed, described in words, nothing on top of another thing, safe in a page."""

import re
from functools import partial
from hashlib import sha256
from itertools import combinations, product
from xml.etree import ElementTree

import pytest

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.show import edges
from utf8_abnf.codec.steps import decode_each, decode_steps, encode_steps
from utf8_abnf.drawing.automaton_svg import automaton_svg
from utf8_abnf.drawing.bits_svg import bits_svg
from utf8_abnf.drawing.counts_svg import counts_svg
from utf8_abnf.drawing.railroad import railroad_svg, railroad_text
from utf8_abnf.drawing.svg import STYLE, text_width
from utf8_abnf.drawing.tree_svg import tree_svg
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.syntax import show
from utf8_abnf.parsers import parse_tree

UTF8 = Grammar.load("utf8")
AUTOMATON = compile_grammar(UTF8)
TEXT = "aé€😀"
DATA = TEXT.encode()
SVG = "{http://www.w3.org/2000/svg}"
WORKS = """\
wrapped = %x61 *( b-b ) [ "x" / 2*"yy" / *4%x00-FF ] 3*9( c / d [ c ] ) "a rather long piece of text" b-b b-b
          "and another rather long piece of text" ( "one" / "two two" / "" ) "and so it goes on and on" c
b-b = <prose with "quotes" & <angles and more of it, until nobody can read it any longer, however hard they try>
c = 5( %x63.64.65 ) / 2( d )
d = %s"d" / %d13.10 / %b1010 / 0( "never" ) / 1( c2 ) / *1c2
c2 = ""
"""


GRAMMARS = {name: Grammar.load(name) for name in ("utf8", "urn", "uri")} | {"works": Grammar.parse(WORKS)}


def automaton_of(text):
    return compile_grammar(Grammar.parse(text))


AUTOMATA = {
    "utf8": AUTOMATON,
    "mutf8": compile_grammar(Grammar.load("dialects/mutf8")),
    "wtf8": compile_grammar(Grammar.load("dialects/wtf8")),
    "time-offset": compile_grammar(Grammar.load("date-time"), "time-offset"),
    "loops": automaton_of('s = *( *%x61 %x62 ( "x" / %x63 *%x64 ( %x65 / "q" *%x66 %x67 ) ) )\n'),
    "right": automaton_of('s = %x61 s / %x62 t\nt = %x63-7A s / "A" t / ""\n'),
    "empty": automaton_of('s = ""'),
    "latin-1": automaton_of("s = *%x00-FF"),
}
URN = b"urn:example:a%20b?=q#f"
PICTURES = {
    **{f"railroad {name}": partial(railroad_svg, grammar) for name, grammar in GRAMMARS.items()},
    **{f"automaton {name}": partial(automaton_svg, automaton) for name, automaton in AUTOMATA.items()},
    "tree utf8": lambda: tree_svg(parse_tree(UTF8, DATA), DATA),
    "tree urn": lambda: tree_svg(parse_tree(GRAMMARS["urn"], URN), URN),
    "bits U+20AC": partial(bits_svg, encode_steps(0x20AC)),
    "bits C0 80": partial(bits_svg, decode_steps(b"\xc0\x80")),
    "bits U+D800": partial(bits_svg, encode_steps(0xD800)),
    "counts": partial(counts_svg, ["extra", "missing"], {"C": [2, 0], "D": [0, 7]}, title="Counts: two kinds",
        description="C has 2, D 7.", totals=1),
}  # fmt: skip
# The first digits of the SHA-256 of each picture. One that is meant to change is looked at, and then pinned again.
PINNED = {
    "railroad utf8": "b29579f991d1",
    "railroad works": "aab3a6bfd3c9",
    "automaton utf8": "5d661d3ed13e",
    "automaton time-offset": "665aafd48478",
    "automaton loops": "87380ea2513f",
    "automaton empty": "93bdb3778c6c",
    "tree utf8": "acd3ee3d1f1f",
    "tree urn": "af837d872707",
    "bits U+20AC": "41ceb56a8b17",
    "bits C0 80": "0c738e98fb65",
    "bits U+D800": "4123a2031dbf",
    "counts": "1ec8a89f0535",
}


def words(root, tag):
    return root.find(f"{SVG}{tag}").text


def box(element):
    return tuple(float(element.get(key)) for key in ("x", "y", "width", "height"))


def apart(one, other, by=0.0):
    """Whether two boxes (x, y, width, height) have *by* px or more between them, in some direction."""
    (ax, ay, aw, ah), (bx, by_, bw, bh) = one, other
    return ax + aw + by <= bx or bx + bw + by <= ax or ay + ah + by <= by_ or by_ + bh + by <= ay


def text_box(element):
    """Return the room that a text takes, from its base line: letters stand 10 px above it and 3 below."""
    size = 12 if re.search("small|comment", element.get("class", "")) else 14
    width = text_width(element.text or "", size)
    shift = {"start": 0, "middle": width / 2, "end": width}[element.get("text-anchor", "start")]
    return float(element.get("x")) - shift, float(element.get("y")) - size + 3, width, size


def boxes(root):
    return [box(each) for each in root.iter(f"{SVG}rect") if "box" in each.get("class", "box").split()]


@pytest.mark.parametrize("name", PINNED)
def test_a_picture_is_as_it_was_and_keeps_its_promises(name):
    """It has a title and a description, nothing runs or comes from outside, no two boxes or texts overlap."""
    text = PICTURES[name]()
    root = ElementTree.fromstring(text)
    assert (root.tag, root.get("role"), text.isascii()) == (f"{SVG}svg", "img", True)
    assert min(len(words(root, "title")), len(words(root, "desc"))) > 8
    assert not re.search(r"url\(|@import|@font-face|//", words(root, "style"))
    tags = {each.tag.removeprefix(SVG) for each in root.iter()}
    assert tags <= {"svg", "title", "desc", "style", "g", "rect", "circle", "path", "text"}
    assert not [key for each in root.iter() for key in each.attrib if key.startswith(("on", "href", "style"))]
    assert [pair for pair in combinations(boxes(root), 2) if not apart(*pair)] == []
    for each in root.findall(f".//*[@text-anchor]//{SVG}text"):
        each.set("text-anchor", "middle")
    texts = [text_box(each) for each in root.iter(f"{SVG}text") if each.text]
    for x, y, width, height in texts:
        for bx, by, bw, bh in boxes(root):
            inside = bx <= x and x + width <= bx + bw and by <= y and y + height <= by + bh
            assert inside or apart((x, y, width, height), (bx, by, bw, bh)), (x, y, bx, by)
    assert [pair for pair in combinations(texts, 2) if not apart(*pair, by=-1)] == []
    whole_width, whole_height = (float(each) for each in root.get("viewBox").split()[2:])
    for x, y, width, height in boxes(root) + texts:
        assert 0 <= x <= x + width <= whole_width
        assert 0 <= y <= y + height <= whole_height
    assert sha256(text.encode()).hexdigest()[:12] == PINNED[name]


def test_forced_colours_leave_no_fill_of_ours():
    assert "prefers-color-scheme:dark" in STYLE
    ours, _, forced = STYLE.partition("@media (forced-colors:active){")
    filled = set(re.findall(r"(\.utf8-abnf [.\w]+)\{[^}]*fill:#", ours))
    assert filled >= {".utf8-abnf text", ".utf8-abnf .small", ".utf8-abnf .paper"}
    assert filled <= set(re.findall(r"\.utf8-abnf [.\w]+", forced))


HOSTILE = '</title><script>alert("1")</script>&amp;\x00\x1b[31m\ud800\'"'


@pytest.mark.parametrize("as_bytes", [False, True])
def test_hostile_words_stay_words(as_bytes):
    grammar = Grammar.parse(
        """a = %x3C.73.63.72.69.70.74.3E / "</text>'&<script>" / <&'"</text> / %x22-26""", file=HOSTILE
    )
    for drawn in (railroad_svg(grammar, as_bytes=as_bytes), automaton_svg(AUTOMATON, title=HOSTILE)):
        root = ElementTree.fromstring(drawn)
        assert not list(root.iter(f"{SVG}script")) + list(root.iter("script"))
        assert "script" in "".join(root.itertext())
    shown = [each.text for each in ElementTree.fromstring(railroad_svg(grammar)).iter(f"{SVG}text")]
    assert shown == ["a", "'<script>'", '"</text>\'&<script>"', "<&'\"</text>", "'\"'..'&'"]


# ---- Railroads ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GRAMMARS)
def test_every_rule_draws_as_picture_and_text_with_boxes_that_the_grammar_has(name):
    grammar = GRAMMARS[name]
    whole = ElementTree.fromstring(railroad_svg(grammar))
    for rule in grammar.rules.values():
        abnf = f"{rule.name} = {show(rule.definition)}"
        one = ElementTree.fromstring(railroad_svg(grammar, rule.name))
        assert words(one, "desc") == abnf
        assert abnf in words(whole, "desc").splitlines()
        text = railroad_text(grammar, rule.name)
        assert max(map(len, text.splitlines())) < 130
        for box in (box for box in one.iter() if box.get("class", "").endswith(("rule", "bytes", "words"))):
            label = box.find(f"{SVG}text").text
            assert label in text
            if label.startswith("'"):  # characters; the title has the ABNF
                label = box.find(f"{SVG}title").text
            assert label.removesuffix(" …") in abnf


SIDES = {(0, -1): "│┤├┴╯╰┼", (0, 1): "│┤├┬╮╭┼", (-1, 0): "─┤┬┴╮╯┼", (1, 0): "─├┬┴╭╰┼"}
LABEL = re.compile(r"[\[(].*?[\])](?=─)|(?<=─) <.*?(?=─)|◄[^─]*|►")


@pytest.mark.parametrize("name", GRAMMARS)
def test_the_tracks_of_a_railroad_in_text_hold_together(name):
    """Every character that leads somewhere meets one that leads back, but for the two ends."""
    for drawn in railroad_text(GRAMMARS[name]).split("\n\n"):
        rows = [LABEL.sub(lambda found: "─" * len(found[0]), row) for row in drawn.splitlines()[1:]]
        grid = {(x, y): character for y, row in enumerate(rows) for x, character in enumerate(row)}
        right = max(grid)[0]
        assert [character for (x, _), character in grid.items() if x in (0, right) and character != " "] == ["├", "┤"]
        for ((x, y), character), (side, leads) in product(grid.items(), SIDES.items()):
            if character in leads and 0 < x < right:
                assert grid.get((x + side[0], y + side[1]), " ") in SIDES[-side[0], -side[1]], (drawn, x, y)


def test_repetitions_say_how_often():
    grammar = Grammar.parse('a = *1"x" 2*3"y" 7"z" *5"p" 4*"q"\nb = 4( "r" )\n')
    text = railroad_text(grammar)
    for note in ("2 to 3 in all", "7 in all", "at most 5 in all", "4 or more in all"):
        assert note in text
        assert note in railroad_svg(grammar)
    assert '("r")───("r")───("r")───("r")' in text


# ---- Automata ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", AUTOMATA)
def test_an_automaton_s_picture_has_each_state_and_each_move(name):
    automaton = AUTOMATA[name]
    root = ElementTree.fromstring(automaton_svg(automaton))
    moves = {words(each, "title"): each for each in root.iter(f"{SVG}g")}
    live = [automaton.names[state] for state in range(len(automaton.table)) if state not in automaton.dead]
    assert [each.text for each in root.findall(f"{SVG}text[@class='strong']")] == live
    for source, target, label in edges(automaton):
        move = moves[f"{automaton.names[source]} to {automaton.names[target]}: {label}"]
        shown = " ".join(each.text for each in move.findall(f"{SVG}text"))
        assert shown == label or (shown.endswith(" …") and label.startswith(shown.removesuffix(" …")))
        assert f"{label} to {automaton.names[target]}" in words(root, "desc")
    assert len(root.findall(f"{SVG}rect[@class='inner']")) == len(automaton.accepting)


# ---- Trees and bits ----------------------------------------------------------------------------------------------


def test_characters_stand_for_bytes_where_the_grammar_is_ascii_unless_bytes_are_wanted():
    grammar = Grammar.parse("a = %x61-7A 1*DIGIT %x6E.6F\n")
    tree = parse_tree(grammar, b"b7no")
    drawn = [tree_svg(tree, b"b7no", as_text=True), automaton_svg(compile_grammar(grammar)), railroad_svg(grammar, "a")]
    for text, shown in zip(drawn, ("'b'", "'a'..'z'", "'no'"), strict=True):
        texts = [each.text for each in ElementTree.fromstring(text).iter(f"{SVG}text")]
        assert shown in texts
        assert {"62", "30..39", "%x61-7A"}.isdisjoint(texts)
    assert words(ElementTree.fromstring(drawn[0]), "title") == "Parse tree: a derives 'b7no'"
    assert ">62<" in tree_svg(tree, b"b7no")
    assert "30..39" in automaton_svg(compile_grammar(grammar), as_bytes=True)
    assert ">%x6E.6F<" in railroad_svg(grammar, "a", as_bytes=True)
    assert "(%x61-7A)" in railroad_text(grammar, "a", as_bytes=True)


def test_a_refusal_is_shown():
    for trace in decode_each(b"\xc0\x80\xff\xed\xa0\x80\xe2\x82"):
        assert "refused: UTF8-" in bits_svg(trace)
