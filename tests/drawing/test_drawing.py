"""Pictures: well-formed, described in words, the same to the byte, nothing on top of another thing, safe in a page."""

import os
import re
import subprocess
import sys
from functools import partial
from itertools import combinations
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from utf8_abnf.automaton import Automaton, compile_grammar
from utf8_abnf.automaton.show import edges
from utf8_abnf.codec.steps import decode_each, decode_steps, encode_steps
from utf8_abnf.drawing.automaton_svg import automaton_svg
from utf8_abnf.drawing.bits_svg import bits_svg
from utf8_abnf.drawing.difference_svg import difference_svg
from utf8_abnf.drawing.notebook import of_tree
from utf8_abnf.drawing.railroad import railroad_svg
from utf8_abnf.drawing.railroad_text import railroad_text
from utf8_abnf.drawing.svg import STYLE, text_width
from utf8_abnf.drawing.tree_svg import tree_svg
from utf8_abnf.errors import GrammarError, UsageError
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.files import shipped_grammars
from utf8_abnf.grammar.syntax import show
from utf8_abnf.parsers import parse_tree

UTF8 = Grammar.load("utf8")
AUTOMATON = compile_grammar(UTF8)
NAMES = list(shipped_grammars())
DIALECTS = [name for name in NAMES if name.startswith("dialects/")]
TEXT = "aé€😀"
SVG = "{http://www.w3.org/2000/svg}"
WORKS = """\
wrapped = %x61 *( b-b ) [ "x" / 2*"yy" / *4%x00-FF ] 3*9( c / d [ c ] ) "a rather long piece of text" b-b b-b
          "and another rather long piece of text" ( "one" / "two two" / "" ) "and so it goes on and on" c
b-b = <prose with "quotes" & <angles and more of it, until nobody can read it any longer, however hard they try>
c = 5( %x63.64.65 ) / 2( d )
d = %s"d" / %d13.10 / %b1010 / 0( "never" ) / 1( c2 ) / *1c2
c2 = ""
"""


def grammar_of(name):
    return Grammar.parse(WORKS) if name == "works" else Grammar.load(name)


def automata():
    yield from ((name, compile_grammar(Grammar.load(name))) for name in DIALECTS)
    yield "utf8", AUTOMATON
    for name, start in [("date-time", "date-time"), ("date-time", "time-offset"), ("utf16be", None)]:
        yield f"{name} {start}", compile_grammar(Grammar.load(name), start)
    back = '%x61 s / %x62 t\nt = %x63-7A s / "A" t / ""\n'
    yield (
        "loops",
        compile_grammar(Grammar.parse('s = *( *%x61 %x62 ( "x" / %x63 *%x64 ( %x65 / "q" *%x66 %x67 ) ) )\n')),
    )
    yield "right", compile_grammar(Grammar.parse(f"s = {back}"))
    yield "empty", compile_grammar(Grammar.parse('s = ""'))
    yield "latin-1", compile_grammar(Grammar.parse("s = *%x00-FF"))


AUTOMATA = dict(automata())


def pictures():
    """Yield a name and a function that draws: one for each kind of picture and each shape of what is drawn."""
    for name in [*NAMES, "works"]:
        yield f"railroad {name}", lambda name=name: railroad_svg(grammar_of(name))
    for name, automaton in AUTOMATA.items():
        yield f"automaton {name}", partial(automaton_svg, automaton)
        if name != "date-time date-time":  # together with UTF-8 that is too large
            yield f"difference {name}", partial(difference_svg, automaton, AUTOMATON)
            yield f"difference utf8 {name}", partial(difference_svg, AUTOMATON, automaton)
    data = TEXT.encode()
    yield "tree utf8", lambda: tree_svg(parse_tree(UTF8, data), data)
    yield "tree without bytes", lambda: tree_svg(parse_tree(UTF8, data))
    yield "tree of nothing", lambda: tree_svg(parse_tree(UTF8, b""), b"")
    urn = b"urn:example:a%20b?=q#f"
    yield "tree urn", lambda: tree_svg(parse_tree(Grammar.load("urn"), urn), urn)
    for character in TEXT:
        yield f"bits U+{ord(character):04X}", partial(bits_svg, encode_steps(ord(character)))
        yield f"bits of {character}", partial(bits_svg, decode_steps(character.encode()))
    for refused in ("C0 80", "ED A0 80", "FF", "80", "F4 90 80 80"):
        yield f"bits {refused}", partial(bits_svg, decode_steps(bytes.fromhex(refused)))
    yield "bits U+D800", partial(bits_svg, encode_steps(0xD800))


PICTURES = dict(pictures())
DRAWN = {}


@pytest.fixture(params=PICTURES)
def picture(request):
    """One picture: its text and its root element."""
    name = request.param
    if name not in DRAWN:
        DRAWN[name] = PICTURES[name]()
    return SimpleNamespace(name=name, text=DRAWN[name], root=ElementTree.fromstring(DRAWN[name]))


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
    size = 12 if "small" in element.get("class", "") else 14
    width = text_width(element.text or "", size)
    shift = {"start": 0, "middle": width / 2, "end": width}[element.get("text-anchor", "start")]
    return float(element.get("x")) - shift, float(element.get("y")) - size + 3, width, size


def boxes(root):
    return [box(each) for each in root.iter(f"{SVG}rect") if "box" in each.get("class").split()]


# ---- What every picture promises ---------------------------------------------------------------------------------


@pytest.mark.thorough
def test_it_is_an_image_with_a_title_and_a_description(picture):
    assert picture.root.tag == f"{SVG}svg"
    assert picture.root.get("role") == "img"
    assert [each.tag for each in list(picture.root)[:2]] == [f"{SVG}title", f"{SVG}desc"]
    assert len(words(picture.root, "title")) > 8
    assert len(words(picture.root, "desc")) > 8


def test_forced_colours_leave_no_fill_of_ours():
    ours, _, forced = STYLE.partition("@media (forced-colors:active){")
    filled = set(re.findall(r"(\.utf8-abnf [.\w]+)\{[^}]*fill:#", ours))
    assert filled >= {".utf8-abnf text", ".utf8-abnf .small", ".utf8-abnf .paper"}
    assert filled <= set(re.findall(r"\.utf8-abnf [.\w]+", forced))


def test_nothing_comes_from_outside_and_nothing_runs(picture):
    assert not re.search(r"url\(|@import|@font-face|//", words(picture.root, "style"))
    assert {each.tag.removeprefix(SVG) for each in picture.root.iter()} <= {
        *("svg", "title", "desc", "style", "g", "rect", "circle", "path", "text")
    }
    assert {key for each in picture.root.iter() for key in each.attrib} <= {
        *("class", "role", "width", "height", "viewBox", "x", "y", "rx", "cx", "cy", "r", "d", "id", "text-anchor"),
        "data-at",
    }


def test_it_is_ascii_so_that_no_encoding_spoils_it(picture):
    assert picture.text.isascii()


def test_no_id_stands_twice(picture):
    ids = [each.get("id") for each in picture.root.iter() if each.get("id")]
    assert len(ids) == len(set(ids))


def test_no_two_boxes_overlap(picture):
    overlapping = [pair for pair in combinations(boxes(picture.root), 2) if not apart(*pair)]
    assert overlapping == []


def test_words_fit_into_their_boxes_and_stay_clear_of_all_others(picture):
    """A text lies inside one box, or touches none; and no text touches another."""
    around = boxes(picture.root)
    texts = [text_box(each) for each in picture.root.iter(f"{SVG}text") if each.text]
    for text in texts:
        x, y, width, height = text
        for bx, by, bw, bh in around:
            inside = bx <= x and x + width <= bx + bw and by <= y and y + height <= by + bh
            assert inside or apart(text, (bx, by, bw, bh)), (text, (bx, by, bw, bh))
    assert [pair for pair in combinations(texts, 2) if not apart(*pair, by=-1)] == []


def test_everything_lies_within_the_picture(picture):
    width, height = (float(each) for each in picture.root.get("viewBox").split()[2:])
    places = boxes(picture.root) + [text_box(each) for each in picture.root.iter(f"{SVG}text")]
    for x, y, w, h in places:
        assert 0 <= x <= x + w <= width, (x, y, w, h)
        assert 0 <= y <= y + h <= height, (x, y, w, h)


def test_light_and_dark_are_both_served(picture):
    assert "prefers-color-scheme:dark" in picture.text
    assert 'class="paper"' in picture.text


@pytest.mark.thorough
def test_the_same_thing_gives_the_same_bytes_in_every_process():
    question = """if True:
        from utf8_abnf.automaton import compile_grammar
        from utf8_abnf.drawing.automaton_svg import automaton_svg
        from utf8_abnf.drawing.difference_svg import difference_svg
        from utf8_abnf.drawing.railroad import railroad_svg
        from utf8_abnf.grammar import Grammar
        utf8, mutf8 = (Grammar.load(name) for name in ("utf8", "dialects/mutf8"))
        one, other = map(compile_grammar, (utf8, mutf8))
        print(railroad_svg(utf8), automaton_svg(one), difference_svg(one, other))"""
    answers = {
        subprocess.run(
            [sys.executable, "-c", question], capture_output=True, check=True, env=os.environ | {"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1


# ---- Hostile words -----------------------------------------------------------------------------------------------

HOSTILE = '</title><script>alert("1")</script>&amp;\x00\x1b[31m\ud800\'"'


@pytest.mark.parametrize(
    "draw",
    [
        lambda: railroad_svg(Grammar.parse('a = "</text><script>" / <&</text>', file=HOSTILE)),
        lambda: automaton_svg(AUTOMATON, title=HOSTILE),
        lambda: difference_svg(compile_grammar(Grammar.load("dialects/wtf8")), AUTOMATON, names=(HOSTILE, HOSTILE)),
        lambda: railroad_svg(UTF8, prefix=HOSTILE),
    ],
    ids=["grammar", "title", "names", "prefix"],
)
def test_hostile_words_stay_words(draw):
    root = ElementTree.fromstring(draw())
    assert not list(root.iter(f"{SVG}script")) + list(root.iter("script"))
    assert "script" in "".join(root.itertext()) + "".join(str(each.attrib) for each in root.iter())


# ---- Railroads ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*NAMES, "works"])
def test_every_rule_of_every_grammar_draws_and_is_described_by_its_abnf(name):
    grammar = grammar_of(name)
    whole = ElementTree.fromstring(railroad_svg(grammar))
    for rule in grammar.rules.values():
        abnf = f"{rule.name} = {show(rule.definition)}"
        one = ElementTree.fromstring(railroad_svg(grammar, rule.name))
        assert words(one, "desc") == abnf
        assert abnf in words(whole, "desc").splitlines()
        group = one.find(f"{SVG}g[@id='rule-{rule.name}']")
        assert words(group, "title") == abnf
        alternatives = [each.get("id") for each in group.findall(f"{SVG}g")]
        assert alternatives == [f"rule-{rule.name}.{number}" for number in range(1, len(rule.alternatives) + 1)]


@pytest.mark.parametrize("name", NAMES)
def test_a_box_says_where_the_grammar_has_it(name):
    grammar = Grammar.load(name)
    lines = grammar.text.splitlines()
    for rule in [rule for rule in grammar.rules.values() if not rule.core]:
        groups = [
            each for each in ElementTree.fromstring(railroad_svg(grammar, rule.name)).iter() if each.get("data-at")
        ]
        assert groups or show(rule.definition) in {"0pchar", "0ipchar"}  # how RFC 3986 and RFC 3987 write: nothing
        for group in groups:
            line, column = map(int, group.get("data-at").split(":"))
            label = group.find(f"{SVG}text").text
            assert lines[line - 1][column - 1 :].upper().startswith(label.upper())


def test_a_range_is_one_box_and_tails_are_named():
    root = ElementTree.fromstring(railroad_svg(UTF8, "UTF8-3"))
    rows = [
        [
            (each.find(f"{SVG}text").text, each.find(f"{SVG}rect").get("class"))
            for each in group.iter()
            if each.get("data-at")
        ]
        for group in root.find(f"{SVG}g").findall(f"{SVG}g")
    ]
    tail = ("UTF8-tail", "box rule")
    assert rows == [
        [("%xE0", "box bytes"), ("%xA0-BF", "box bytes"), tail],
        [("%xE1-EC", "box bytes"), tail, tail],
        [("%xED", "box bytes"), ("%x80-9F", "box bytes"), tail],
        [("%xEE-EF", "box bytes"), tail, tail],
    ]


def test_a_railroad_in_text_is_as_it_should_look():
    assert railroad_text(UTF8, "UTF8-3").splitlines() == [
        "UTF8-3",
        "├──┬─(%xE0)──(%xA0-BF)──[UTF8-tail]──────┬──┤",
        "   ├─(%xE1-EC)──[UTF8-tail]──[UTF8-tail]─┤",
        "   ├─(%xED)──(%x80-9F)──[UTF8-tail]──────┤",
        "   ╰─(%xEE-EF)──[UTF8-tail]──[UTF8-tail]─╯",
    ]


UP, DOWN = "│┤├┴╯╰", "│┤├┬╮╭"
LABEL = re.compile(r"[\[(].*?[\])](?=─)|(?<=◂) [^─╯]*(?=[─╯])")


@pytest.mark.parametrize("name", [*NAMES, "works"])
def test_the_tracks_of_a_railroad_in_text_hold_together(name):
    """Every character that leads up or down meets one that leads back."""
    for drawn in railroad_text(grammar_of(name)).split("\n\n"):
        rows = [LABEL.sub(lambda found: "─" * len(found[0]), row) for row in drawn.splitlines()[1:]]
        rows = [f"─{row[1:-1]}─" if row[0] == "├" else row for row in rows]  # the two ends of the whole track
        grid = {(x, y): character for y, row in enumerate(rows) for x, character in enumerate(row)}
        for (x, y), character in grid.items():
            assert character not in UP or grid.get((x, y - 1), " ") in DOWN, (drawn, x, y)
            assert character not in DOWN or grid.get((x, y + 1), " ") in UP, (drawn, x, y)


@pytest.mark.parametrize("name", [*NAMES, "works"])
def test_a_railroad_in_text_has_the_boxes_of_the_picture_in_their_order(name):
    grammar = grammar_of(name)
    for rule in grammar.rules:
        picture = ElementTree.fromstring(railroad_svg(grammar, rule))
        labels = [each.find(f"{SVG}text").text for each in picture.iter() if each.get("data-at")]
        text = railroad_text(grammar, rule)
        for label in labels:
            assert label in text


def test_repetitions_say_how_often():
    grammar = Grammar.parse('a = *1"x" 2*3"y" 7"z" *5"p" 4*"q" 3( "r" )')
    text = railroad_text(grammar)
    for note in ("2 to 3 times", "7 times", "up to 5 times", "4 times or more"):
        assert note in text
        assert note in railroad_svg(grammar)
    assert text.count('("r")──("r")──("r")') == 1


def test_a_rule_that_is_not_there_is_named():
    with pytest.raises(GrammarError, match="UTF8-9"):
        railroad_svg(UTF8, "UTF8-9")


# ---- Automata ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", AUTOMATA)
def test_an_automaton_s_picture_has_each_state_and_each_move(name):
    automaton = AUTOMATA[name]
    root = ElementTree.fromstring(automaton_svg(automaton))
    groups = {each.get("id"): each for each in root.iter(f"{SVG}g")}
    live = {automaton.names[state] for state in range(len(automaton.table)) if state not in automaton.dead}
    assert {key.removeprefix("state-") for key in groups if key.startswith("state-")} == live
    for source, target, label in edges(automaton):
        move = groups[f"move-{automaton.names[source]}-{automaton.names[target]}"]
        shown = " ".join(each.text for each in move.findall(f"{SVG}text"))
        told = words(move, "title") if move.find(f"{SVG}title") is not None else ""
        assert shown == label or label in told
        assert f"{label} to {automaton.names[target]}" in words(root, "desc")
    for state in automaton.accepting:
        assert groups[f"state-{automaton.names[state]}"].find(f"{SVG}rect[@class='inner']") is not None


def test_the_columns_of_utf8_are_the_bytes_still_missing():
    root = ElementTree.fromstring(automaton_svg(AUTOMATON))
    middle = {}
    for group in root.iter(f"{SVG}g"):
        if group.get("id").startswith("state-"):
            x, _, width, _ = box(group.find(f"{SVG}rect"))
            middle[group.get("id").removeprefix("state-")] = x + width / 2
    columns = [["start"], ["after_F0", "tail3", "after_F4"], ["after_E0", "tail2", "after_ED"], ["tail1"]]
    places = [{middle[name] for name in column} for column in columns]
    assert [len(each) for each in places] == [1, 1, 1, 1]
    assert sorted(places, key=min) == places


def test_too_large_an_automaton_is_refused_and_dot_is_named():
    with pytest.raises(UsageError, match="--format dot"):
        automaton_svg(compile_grammar(Grammar.load("uri")))


# ---- Differences -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DIALECTS)
def test_a_difference_is_told_by_dashes_signs_and_words_not_by_colour_alone(name):
    root = ElementTree.fromstring(difference_svg(AUTOMATA[name], AUTOMATON, names=("theirs", "ours")))
    marked = {"extra": [], "missing": [], "": []}
    for group in root.iter(f"{SVG}g"):
        if group.get("id").startswith("move-"):
            kind = group.find(f"{SVG}path").get("class").removeprefix("line").strip()
            marked[kind].append(group.find(f"{SVG}text").text)
    assert all(label.startswith("+ ") for label in marked["extra"])
    assert all(label.startswith("− ") for label in marked["missing"])
    assert not [label for label in marked[""] if label.startswith(("+", "−"))]
    assert marked["extra"] or marked["missing"]
    dashes = re.findall(r"\.(extra|missing)\{[^}]*stroke-dasharray:([\d ]+)", words(root, "style"))
    assert len({dash for _, dash in dashes}) == 2


def test_the_marked_moves_of_a_difference_are_those_of_the_surrogates():
    lax = compile_grammar(Grammar.parse(UTF8.text.replace("%xED %x80-9F", "%xED %x80-BF")))
    text = difference_svg(lax, AUTOMATON, names=("lax", "strict"))
    assert sorted(re.findall(r">(\+ [^<]*)</text>", text)) == ["+ 80..BF", "+ A0..BF", "+ only lax accepts:"]
    assert ">%xED %xA0-BF UTF8-tail</text>" in text


def test_equal_automata_have_no_difference():
    text = difference_svg(AUTOMATON, AUTOMATON)
    assert "No difference" in text
    assert 'class="line extra"' not in text


def test_the_description_says_which_of_the_two_accepts_in_a_state():
    mine, yours = (compile_grammar(Grammar.parse(f"start = {text}\n")) for text in ("%x61 / %x62", "%x61 / %x63"))
    told = words(ElementTree.fromstring(difference_svg(mine, yours)), "desc")
    assert "(+ accepts): no move." in told
    assert "(− accepts): no move." in told
    assert "(accepts): no move." in told


def walk_of(root):
    """Return the machine that a picture's description tells: name -> accepts, and (name, label, target, mark)."""
    moves = []
    for line in words(root, "desc").splitlines()[1:]:
        found = re.fullmatch(r"(\S+?)(?: \((?:[+−] )?accepts\))?: (.*)\.", line)
        if found:
            for part in found[2].split("; "):
                moved = re.fullmatch(r"(?:[+−] )?(.*) to (\S+)(?: \((extra|missing)\))?", part)
                if moved:
                    moves.append((found[1], moved[1], moved[2], moved[3] or ""))
    return moves


@pytest.mark.parametrize("name", [name for name in DIALECTS if name != "dialects/wtf8"])
def test_the_moves_that_are_not_extra_are_the_grammar_s_own_machine(name):
    """Without what is marked extra, the picture accepts what RFC 3629 does; without what is missing, the dialect."""
    moves = walk_of(ElementTree.fromstring(difference_svg(AUTOMATA[name], AUTOMATON)))
    for without, expected in (("extra", AUTOMATON), ("missing", AUTOMATA[name])):
        table = {}
        for source, label, target, mark in moves:
            if mark != without:
                ranges = [tuple(int(end, 16) for end in (*piece.split(".."),)) for piece in label.split(", ")]
                spelt = [(each[0], each[-1]) for each in ranges]
                table.setdefault(source, {}).setdefault(target, []).extend(spelt)
                table.setdefault(target, {})
        made = Automaton.from_moves(table, start="start", accepting=["start"])
        assert made.equivalent(expected) is None


# ---- Trees and bits ----------------------------------------------------------------------------------------------


def test_a_tree_s_picture_has_every_node_above_its_bytes():
    data = TEXT.encode()
    tree = parse_tree(UTF8, data)
    root = ElementTree.fromstring(tree_svg(tree, data))
    groups = {each.get("id"): box(each.find(f"{SVG}rect")) for each in root.iter(f"{SVG}g")}
    assert len(groups) == len(list(tree.walk())) + len(data)
    assert words(root, "desc") == tree.to_text(data)
    for depth, node in tree.walk():
        x, y, width, _ = groups[f"node-{node.start}-{node.end}-{depth}"]
        covered = [groups[f"byte-{offset}"] for offset in range(node.start, node.end)]
        assert all(y < each[1] for each in covered)
        assert min(each[0] for each in covered) < x + width
        assert x < max(each[0] + each[2] for each in covered)
    assert sorted(groups[f"byte-{offset}"][0] for offset in range(len(data))) == [
        groups[f"byte-{offset}"][0] for offset in range(len(data))
    ]


def test_a_notebook_shows_the_bytes_of_a_tree_and_only_offsets_where_it_has_none():
    tree = parse_tree(UTF8, "é€".encode())
    assert of_tree(tree) == tree_svg(tree, "é€".encode())
    below = ElementTree.fromstring(of_tree(tree.children[1]))
    texts = [text for each in below.iter() if each.tag.endswith("text") for text in each.itertext()]
    assert {"2", "3", "4"} <= set(texts)
    assert not any("·" in text for text in texts)


def test_too_long_a_tree_is_refused_and_text_is_named():
    with pytest.raises(UsageError, match="--format text"):
        tree_svg(parse_tree(UTF8, bytes(100_000)), bytes(100_000))


@pytest.mark.parametrize("character", TEXT)
@pytest.mark.parametrize(
    "trace_of", [lambda c: encode_steps(ord(c)), lambda c: decode_steps(c.encode())], ids=["to", "from"]
)
def test_every_bit_of_the_number_comes_from_one_of_the_bytes_with_the_same_value(character, trace_of):
    trace = trace_of(character)
    root = ElementTree.fromstring(bits_svg(trace))
    value = {each.get("id"): each.findtext(f"{SVG}text") for each in root.iter(f"{SVG}g")}
    assert int("".join(value[key] for key in sorted((key for key in value if key.startswith("number-")),
        key=lambda key: -int(key.partition("-")[2]))), 2) == ord(character)  # fmt: skip
    data = character.encode()
    assert [int("".join(value[f"byte-{at}.{bit}"] for bit in range(7, -1, -1)), 2) for at in range(len(data))] == [
        *data
    ]
    for move in trace.moves:
        assert value[f"number-{move.number_bit}"] == value[f"byte-{move.byte}.{move.byte_bit}"]
        assert f"move-{move.number_bit}" in value
    assert words(root, "desc") == str(trace)


def test_a_refusal_is_shown():
    for trace in decode_each(b"\xc0\x80\xff\xed\xa0\x80\xe2\x82"):
        assert "refused: UTF8-" in bits_svg(trace)
