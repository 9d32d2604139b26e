"""The play page's own machinery, in Node: what its JavaScript says is what the package says; and its texts."""

import json
import re
import shutil
import subprocess
from importlib.resources import files
from itertools import product
from pathlib import Path
from random import Random
from runpy import run_path

import pytest

from utf8_abnf import first_error, iter_errors
from utf8_abnf.automaton import compile_grammar
from utf8_abnf.automaton.forms import difference_forms
from utf8_abnf.cli import main
from utf8_abnf.errors import GrammarError, TooLargeError
from utf8_abnf.explain.steps import explain_bytes
from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.files import shipped_grammars
from utf8_abnf.language.catalogue import LANGUAGES
from utf8_abnf.parsers import ReferenceParser
from utf8_abnf.teaching.grading.grading import grade
from utf8_abnf.teaching.play import page
from utf8_abnf.teaching.play.assemble import script
from utf8_abnf.teaching.play.data import OTHERS, page_data, strings
from utf8_abnf.teaching.play.texts import TEXTS

UTF8 = Grammar.load("utf8")
# The ends of every byte class, and so every place where two rules of the grammar part.
EDGES = bytes.fromhex("00 7F 80 8F 90 9F A0 BF C0 C1 C2 DF E0 E1 EC ED EE EF F0 F1 F3 F4 F5 FF")
LONGER = "F0 90 80 80, F4 8F BF BF, F4 90 80 80, F1 80 80 C0, ED A1 8C ED BE B4, E4 BD, 41 E2 82 AC ED"
LONGER = [bytes.fromhex(each) for each in LONGER.split(",")]


def node(entry, program, value):
    """What the JavaScript *program* makes of *value* (its ``input``), after the page's module *entry*, or modules."""
    if not shutil.which("node"):
        pytest.skip("needs node: apt-get install nodejs")
    entries = (entry,) if isinstance(entry, str) else entry
    run = f"const input = {json.dumps(value)};\nconsole.log(JSON.stringify((() => {{ {program} }})()));"
    source = f"{script(*entries)}\n{run}"
    done = subprocess.run(["node", "--input-type=module", "-"], input=source, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_file_that_is_read_in_chunks_has_the_errors_of_the_validator():
    data = b"".join(each + b"\x80" for each in LONGER) + bytes(first for first in range(256) for _ in range(3))
    data += bytes(byte for pair in product(EDGES, repeat=2) for byte in pair) + "日".encode()[:2]
    table = page_data()
    program = """
      const found = [];
      for (const size of [1, 2, 3, 64, 1e6]) {
        const scan = new Scan(new Machine(input.table, input.grammar, input.reasons));
        for (let at = 0; at < input.data.length; at += size) scan.feed(input.data.slice(at, at + size));
        scan.finish();
        found.push([scan.count, scan.errors]);
      }
      return found;"""
    value = {"table": table["automaton"], "grammar": table["grammar"], "reasons": table["reasons"], "data": [*data]}
    wanted = [{"start": error.start, "end": error.end, "code": error.code} for error in iter_errors(data)]
    assert len(wanted) > 1000
    assert node(("files", "machine"), program, value) == 5 * [[len(wanted), wanted]]


def machine(words, program):
    """What *program* makes of its input's *words*; ``m`` is the machine of the page."""
    value = {key: page_data()[key] for key in ("automaton", "grammar", "reasons")}
    begin = "const m = new Machine(input.automaton, input.grammar, input.reasons); "
    return node("machine", begin + program, value | {"words": [list(each) for each in words]})


# ---- Verdicts and errors ---------------------------------------------------------------------------------------------


def test_the_page_says_of_every_class_edge_string_what_first_error_says():
    words = [bytes(each) for length in range(4) for each in product(EDGES, repeat=length)] + LONGER
    program = """return input.words.map((w) => {
        const e = m.error(w);
        if ((e === null) !== m.accepts(w)) throw w;
        return e && [e.start, e.end, e.offending, e.code, e.rule, e.expected, e.got, e.truncated];
      });"""
    answers = machine(words, program)
    assert len(answers) == len(words) > 14_000
    for word, answer in zip(words, answers, strict=True):
        names = ("start", "end", "offending", "code", "rule", "expected", "got", "truncated")
        error = first_error(word)
        assert answer == (error and [getattr(error, name) for name in names]), word.hex(" ")


def test_the_page_cuts_input_into_the_pieces_that_explain_cuts_it_into():
    words = [bytes(each) for each in product(EDGES[1::2], repeat=3)]
    words += LONGER + [left + right for left, right in product(LONGER, repeat=2)]
    program = """return input.words.map((w) => m.pieces(w).map((p) =>
        [p.start, p.end, p.error?.code ?? null, p.naive?.number ?? null, p.joined?.number ?? null]));"""
    for word, answer in zip(words, machine(words, program), strict=True):
        for shown, each in zip(answer, explain_bytes(word), strict=True):
            numbers = [reading and reading.number for reading in (each.naive, each.joined)]
            assert shown == [each.start, each.end, each.error and each.error.code, *numbers], word.hex(" ")


def test_every_error_has_a_reason_and_advice_in_every_language():
    words = [bytes([byte]) for byte in range(256)] + list(map(bytes, product(range(0xC0, 256), range(256))))
    program = """return [...new Set(input.words.flatMap((w) => {
        const e = m.error(w);
        return e ? [`reason.${m.reason(e, w).key}`, `advice.${e.code}`] : [];
      }))];"""
    keys = machine(words, program)
    assert len(keys) > 15
    for language in LANGUAGES:
        assert set(keys) <= strings(language).keys()


def test_every_byte_of_well_formed_text_has_a_place_in_the_grammar():
    numbers = (*range(0, 0x3000, 7), *range(0x3000, 0x110000, 997))
    words = [chr(number).encode() for number in numbers if not 0xD800 <= number < 0xE000]
    program = """return input.words.map((w) => m.run(w).map((s) =>
        s.place.path.map(([rule, n]) => n ? `${rule}/${n}` : rule)));"""
    tails = {"UTF8-1": 1, "UTF8-2": 2, "UTF8-3": 3, "UTF8-4": 4}
    for word, paths in zip(words, machine(words, program), strict=True):
        assert [path[0] for path in paths] == ["UTF8-octets"] * len(word)
        assert {tails[path[2].partition("/")[0]] for path in paths} == {len(word)}
        assert len({path[2] for path in paths}) == 1  # one alternative reads the whole character


# ---- ABNF and automata -----------------------------------------------------------------------------------------------


def recursive():
    """UTF-8 without ``*``: its automaton's moves as right-linear and as left-linear rules, whole and with a mistake."""
    small = compile_grammar(UTF8)
    moves = [(a, low, high, b) for a in range(len(small.table)) for (low, high), b in runs(small.rows[a]) if b != 8]

    def rules(alternatives):
        lines = [f"r{state} = {' / '.join(alternatives(state))}\n" for state in range(8)]
        return "".join(lines).replace("\n", ' / ""\n', 1)

    right = rules(lambda state: [f"%x{low:02X}-{high:02X} r{b}" for a, low, high, b in moves if a == state])
    left = rules(lambda state: [f"r{a} %x{low:02X}-{high:02X}" for a, low, high, b in moves if b == state])
    chars = UTF8.text.partition("\n")[2]
    return {
        "right-linear": right,
        "left-linear": left,
        "right-linear, wrong": right.replace("%xA0-BF", "%x80-BF"),
        "left-linear, wrong": left.replace("%xA0-BF", "%x80-BF"),
        "tail recursion": "text = [ UTF8-char text ]\n" + chars,
        "head recursion": "text = [ text UTF8-char ]\n" + chars,
        "two rules": "a = UTF8-char b / nothing\nb = [ UTF8-char a nothing ]\nnothing = 0UTF8-char\n" + chars,
        "one side within the other": "a = b / UTF8-1 a\nb = [ b ] UTF8-4 / UTF8-1\n" + chars,
        "the first rule is not the start": chars + 'UTF8-octets = UTF8-char UTF8-octets / ""\n',
    }


def runs(row):
    """The byte ranges that lead to one state each."""
    found = []
    for byte, target in enumerate(row):
        if found and found[-1][1] == target:
            found[-1] = ((found[-1][0][0], byte), target)
        else:
            found.append(((byte, byte), target))
    return found


def mutants():
    """Grammars beside the RFC's: each number moved by one, one repetition more, dialects, exercises."""
    text = UTF8.text
    found = {"the RFC's": text, "naive": page_data()["naive"], **page_data()["broken"], **page_data()["dialects"]}
    for match in re.finditer(r"(?<=[x-])[0-9A-F]{2}", text):
        for by in (-1, 1):
            value = int(match[0], 16) + by
            if 0 <= value <= 255:
                found[f"{match.start()}{by:+}"] = f"{text[: match.start()]}{value:02X}{text[match.end() :]}"
    for match in re.finditer(r"[23](?=\()", text):
        found[f"{match.start()} once more"] = f"{text[: match.start()]}{int(match[0]) + 1}{text[match.end() :]}"
    found |= recursive()
    found["a list of strings"] = 'x = *( "ab" / %s"cD" / [ %d65.66 ] 2*3DIGIT / %b1-10 )\n'
    found["all bytes"] = "x = *%x00-FF\n"
    found["core rules"] = "x = *( ALPHA / CRLF / 1*2HEXDIG )\nx =/ SP ; more\n"
    return found | CODE_POINTS


# Every value of these is a code point: ranges that end within each length of UTF-8, one value, and several.
CODE_POINTS = {
    "code points": "x = *( %x00-D7FF / %xE000-10FFFF )\n",
    "surrogates are left out": "x = *%x0-10FFFF\n",
    "to 17F": "x = *%x00-17F\n",
    "parts of all lengths": "x = *( %x61-7AB / %x7FE-1234 / %xD7FE-E001 / %xFFF0-12345 / %xFEDCB-10FFFE )\n",
    "one after another": 'x = *( %x20AC.E9.41 / "a" / %x1F600 )\n',
    "only what is reached counts": "x = *%x00-FF\ny = %x100\n",
}


def test_the_page_finds_the_differences_that_the_package_finds():
    grammars = mutants()
    program = """
        const utf8 = utf8Of({ automaton: input.table });
        useHints(input.hints);
        return input.texts.map((text) => {
          const { problem, automaton } = understood(text, utf8.rule);
          if (problem) return problem.key;
          const { equal, word, difference, states } = differenceOf(automaton, utf8);
          const forms = equal ? { extra: [], missing: [] } : difference;
          return [states, equal ? null : word, forms && [forms.extra.map(showForm), forms.missing.map(showForm)]];
        });"""
    data = page_data()
    value = {"table": data["automaton"], "hints": data["hints"], "texts": list(grammars.values())}
    answers = node(("exercises_abnf", "hints"), program, value)
    yours = compile_grammar(UTF8)
    read = 0
    for (name, text), answer in zip(grammars.items(), answers, strict=True):
        if isinstance(answer, str):
            assert answer == "syntax.REVERSED", name  # %x80-7F
            continue
        read += 1
        grammar = Grammar.parse(text)
        mine = compile_grammar(grammar, UTF8.start if UTF8.start in grammar else None)
        word = mine.equivalent(yours)
        forms = difference_forms(mine, yours)
        assert answer[0] == len(mine.table), name
        assert answer[1] == (None if word is None else list(word)), name
        lines = forms and [list(map(str, forms.extra)), list(map(str, forms.missing))]
        assert answer[2] == lines, name
    assert read > 60


def test_a_grammar_of_code_points_is_refused_where_bytes_are_asked_for():
    program = "return judge(input.text, utf8Of({ automaton: input.table })).problem;"
    text = "x = %x41 y\ny = %x20-3FF"
    problem = node("exercises_abnf", program, {"table": page_data()["automaton"], "text": text})
    assert problem["key"] == "abnf.no_byte"
    assert (problem["line"], problem["column"], problem["facts"]["what"]) == (2, 5, "3FF")


@pytest.mark.parametrize("name", recursive())
def test_grade_takes_recursion_at_one_side(name):
    assert (grade(recursive()[name], UTF8).points == 100) is ("wrong" not in name and "within" not in name)


# ---- One reader ------------------------------------------------------------------------------------------------------

PASTED = [
    "",
    "x = %x110000",
    "x = %x41 / %xD800-DFFF / %x100",
    "x = a\na = *( x / %x41 )",
    "x = %x41 x / y %x42\ny = x / %x43",
    "x = 0x80-0xBF",
    "x = %xE0%xA0-BF",
    "x = %x41\n/ %x42",
    "   x = y\n   y = %x41 /\n       %x42\n",
    "x = tial\ntail = %x41\nTrail = %x42",
    "a = b-c\nb-d = %x41",
    "a = [a-z]",
    "a = <b> / <c d>\nb = %x41",
    "a = 0<b>",
    "a = %d65.66.256",
    "a = %b1-11111111111",
    'a = *2*3"x"',
    "a = 300%x41",
    "a = 200( 200( 200( %x41 ) ) )",
    "x = %x41 / x x",
    'x = ( %x41 x %x42 ) / ""',
    "a = b\nb = c %x41\nc = a / %x42 a / %x43",
    "text = *\u0662DIGIT",
    "a\u0430 = DIGIT",
    "; \U0001f600 \ud7ff\nb = \U0001f600",
]


def scrambled(number):
    """Texts in which a few characters of a grammar were replaced, or that are made of what grammars are made of."""
    random = Random(3629)
    alphabet = [*'ab-=/*0123%xds."<>()[];_|:,{}+ \t\n', "\n ", "\u201c", "\uff1d", "\uff5c", "\u3000", "\u03b5"]
    texts = [
        UTF8.text,
        '   a = b /\n     c\n   b = %x41-5A\n   c = %s"x" *2( b )\n',
        "a = 1*3DIGIT [ %x2E.2F ] ; x\nB =/ a\n",
    ]
    for at in range(number):
        text = list(texts[at % 3])
        for _ in range(1 + at % 2):
            place = random.randrange(len(text))
            text[place : place + random.randrange(3)] = random.choices(alphabet, k=random.randrange(1, 3))
        yield "".join(text)
        yield "".join(random.choices(alphabet, k=random.randrange(20)))


def ours(text):
    """What ``grade`` does with *text*: the shortest difference to UTF-8, or the error with its place."""
    try:
        grammar = Grammar.parse(text)
        automaton = compile_grammar(grammar, UTF8.start if UTF8.start in grammar else None)
    except TooLargeError:
        return "too large"
    except GrammarError as error:
        message, _, _ = error.message.partition("; a rule that it uses is regular")  # the page starts where it starts
        return [error.line, error.column, message]
    word = automaton.equivalent(compile_grammar(UTF8))
    return None if word is None else list(word)


def test_the_page_and_the_package_read_every_grammar_alike():
    folder = Path(__file__).parents[1]
    tables = run_path(str(folder / "grammar" / "test_reader.py")) | run_path(str(folder / "teaching" / "test_class.py"))
    rows = [row[0] for name in ("BAD", "UNUSABLE", "CLASS") for row in tables[name].values()]
    texts = [text for text in rows if isinstance(text, str) and "\udcff" not in text]
    slow = {"abnf", "cddl"}  # to compile
    texts += [*PASTED, *(path.read_text("utf-8") for name, path in shipped_grammars().items() if name not in slow)]
    texts += [*mutants().values(), *scrambled(400)]
    program = """
        useHints(input.hints);
        speak("en", input.strings);
        const utf8 = utf8Of(input);
        return input.texts.map((text) => {
          const { problem: unread, why, automaton } = understood(text, utf8.rule);
          const problem = unread ?? why;
          if (problem?.key === "abnf.too_large") return "too large";
          if (problem) return [problem.line, problem.column, t(problem.key, problem.facts)];
          return shortestDifference(automaton, utf8);
        });"""
    data = page_data()
    value = {"automaton": data["automaton"], "hints": data["hints"], "strings": {"en": strings("en")}, "texts": texts}
    answers = node(("exercises_abnf", "hints", "words", "automata"), program, value)
    pairs = [(text, answer, ours(text)) for text, answer in zip(texts, answers, strict=True)]
    wrong = [(text[:400], *both) for text, *both in pairs if both[0] != both[1]]
    assert wrong == []
    assert len({str(answer) for answer in answers}) > 400


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_of_the_reader_has_a_text_on_the_page(language):
    for key, text in strings("en").items():
        if key.startswith("syntax."):
            assert set(re.findall(r"\{(\w+)\}", strings(language)[key])) == set(re.findall(r"\{(\w+)\}", text)), key


# ---- Texts and the file ----------------------------------------------------------------------------------------------


def test_every_text_of_the_page_is_asked_for_by_the_page():
    folder = files("utf8_abnf") / "teaching" / "play"
    read = [each for each in (folder / "page").iterdir() if each.name.endswith((".js", ".html"))]
    source = "".join(each.read_text("utf-8") for each in (*read, folder / "assemble.py"))
    composed = re.findall(r"`((?:\w+\.)+\$\{[^`]*|\$\{[^`}]*\}\.\w+)`", source)
    patterns = [re.compile(re.sub(r"\\\$\\\{.*?\\\}", "[^.]+", re.escape(each))) for each in composed]
    unused = [key for key in TEXTS if f'"{key}"' not in source]
    assert [key for key in unused if not any(pattern.fullmatch(key) for pattern in patterns)] == []


def test_the_page_needs_no_other_file_and_no_network():
    text = page("ja")
    assert not re.search(r"""(?:src|href)=["'](?!#)|url\((?!#)|@import|fetch\(|XMLHttpRequest|import\(""", text)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert "default-src 'none'" in text
    assert len(text.encode()) < 300_000


def test_long_input_is_cut_before_a_character_and_stays_well_formed():
    texts = ["x" * shift + character * 4 for character in "xéあ😀" for shift in range(5)]
    program = "return input.map((w) => beginning(w, 8));"
    for text, answer in zip(texts, node("state", program, [list(each.encode()) for each in texts]), strict=True):
        kept = bytes(answer).decode()
        assert text.startswith(kept)
        rest = text.removeprefix(kept)
        assert not rest or len((kept + rest[0]).encode()) > 8 >= len(kept.encode()), text


def test_no_other_language_is_spoken():
    with pytest.raises(ValueError, match="en, ja, de, not 'fr'"):
        page("fr")


def test_play_writes_the_page(tmp_path, capsys):
    path = tmp_path / "play.html"
    assert main(["play", "--language", "ja", "-o", str(path)]) == 0
    assert path.read_text("utf-8") == page("ja")
    assert str(path) in capsys.readouterr().out


@pytest.mark.parametrize(("lang", "language"), [("de_AT.UTF-8", "de"), ("C.UTF-8", "en")])
def test_lang_chooses_the_language(lang, language, monkeypatch, capsys):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", lang)
    assert main(["play", "-o", "-"]) == 0
    assert f'{{"language": "{language}"' in capsys.readouterr().out


@pytest.mark.parametrize("exercise", ["predict", *OTHERS])
def test_the_questions_of_each_language_are_of_all_kinds(exercise):
    data = page_data()
    name, rule = OTHERS.get(exercise, ("utf8", "UTF8-octets"))
    program = """
      const automaton = compile(readGrammar(input.grammar), input.rule.toLowerCase());
      return Array.from({ length: 20 }, (_, i) => randomWord(automaton, i, randomFrom(`/${input.rule}/${i}`)));"""
    text = data["languages"][exercise]["grammar"] if exercise in OTHERS else data["grammar"]
    asked = node(("questions", "abnf", "automata"), program, {"grammar": text, "rule": rule})
    parser = ReferenceParser(Grammar.load(name, start=rule), rule)
    assert 4 <= sum(parser.accepts(bytes(word)) for word in asked) <= 16
    assert len(set(map(bytes, asked))) == len(asked)


def test_points_are_deducted_so_that_one_and_the_same_answer_earns_little():
    program = """
      const score = newScore();
      for (const wanted of input) score.count(wanted === null, wanted);
      return score.points;"""
    assert node("questions", program, [None, 3, None, 0]) == {"points": 0, "asked": 4, "always": 0, "next": 0}
