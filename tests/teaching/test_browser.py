"""The play page in a real browser, as people meet it: every view, language and exercise, keyboard, contrast, 360 px."""

import re

import pytest

from utf8_abnf import is_valid, iter_errors
from utf8_abnf.automaton import compile_grammar
from utf8_abnf.grammar import Grammar
from utf8_abnf.language.catalogue import LANGUAGES
from utf8_abnf.teaching.play import page as page_text
from utf8_abnf.teaching.play.data import BROKEN, EXAMPLES, NAIVE, OTHERS, strings

pytestmark = pytest.mark.slow  # the page is the same on every Python
NAMES = {"forced_colors": "forced-colors", "contrast": "prefers-contrast", "color_scheme": "prefers-color-scheme"}
EXERCISES = ("predict", "guided", "write", "code", "words", "fool", "own")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    path = tmp_path_factory.mktemp("play") / "play.html"
    path.write_text(page_text("en"), "utf-8")
    return path.as_uri()


def wide(page):
    """How many pixels the page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


# ---- The five views and the tree -------------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_view_follows_the_cursor_in_every_language(visit, language):
    page = visit(f"#b=E697A5&p=0&l={language}")
    texts = strings(language)
    assert page.get_attribute("html", "lang") == language
    assert page.inner_text("h1") == texts["page.title"]
    seen = []
    for position in range(4):
        if position:
            page.keyboard.press("ArrowRight")
        assert page.locator("#bytes .byte.done, #bytes .byte.now").count() == position
        assert page.locator("#bits .bits.read").count() == position
        assert page.locator("#tree .leaf").count() == position
        assert page.locator("#track .station.now").count() == (position > 0)
        state = ("start", "tail2", "tail1", "start")[position]
        assert page.get_attribute("#graph .state.here", "data-state") == state
        assert page.locator("#graph .move.taken").count() == (position > 0)
        marked = ([], ["%xE1-EC"], ["UTF8-tail", "%x80-BF"], ["UTF8-tail", "%x80-BF"])[position]
        assert page.locator("#abnf .now").all_inner_texts() == marked
        assert state in page.inner_text("#words") or not position
        seen.append(page.inner_text("#words"))
    assert len(set(seen)) == 4
    assert seen[-1].endswith(("" if language == "ja" else " ") + texts["say.end.good"])
    assert "。 " not in seen[-1]
    assert "U+65E5" in page.inner_text("#bits")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    assert page.inner_text("#words") == seen[0]


def test_examples_step_to_their_end_and_get_the_right_verdict(visit):
    page = visit()
    for number, data in enumerate(map(bytes.fromhex, EXAMPLES)):
        page.locator("#chips button").nth(number).click()
        assert page.locator("#brief .verdict.good").count() == is_valid(data)
        page.keyboard.press("End")
        assert page.evaluate("location.hash").startswith(f"#b={data.hex().upper()}&p={len(data)}&")
        assert page.locator("#bytes .byte").count() == len(data)


@pytest.mark.parametrize(
    ("data", "code", "wrong", "naive", "language"),
    [
        ("C080", "UTF8-OVERLONG", "C0", "U+0000", "en"),
        ("F4908080", "UTF8-TOO-LARGE", "90", "110000", "ja"),
        ("EDA18CEDBEB4", "UTF8-SURROGATE", "A1", "U+233B4", "de"),
    ],
)
def test_ill_formed_input_shows_byte_rule_reason_and_what_a_naive_decoder_makes_of_it(
    visit, data, code, wrong, naive, language
):
    page = visit(f"#b={data}&p={len(data) // 2}&l={language}")
    verdict = page.inner_text("#verdict")
    assert code in verdict
    assert naive in verdict
    assert code in page.inner_text("#brief .bad")
    assert wrong in page.inner_text("#bytes .byte.wrong")
    assert wrong in page.inner_text("#tree .wrong .leaf")
    assert page.locator("#track .station.wrong").count() > 0
    assert page.locator("#abnf .wrong").count() > 0
    assert page.get_attribute("#graph .state.here", "data-state") == "reject"
    assert page.inner_text("#next") == strings(language)["next.nothing"]


# ---- Input -----------------------------------------------------------------------------------------------------------


def test_input_is_taken_as_text_hex_or_escapes(visit):
    page = visit("#b=41&p=0")
    for kind, typed, data in (
        ("text", "é€", "C3A9E282AC"),
        ("hex", "0xE2, 82 %AC", "E282AC"),
        ("escapes", r"a\xED\xA0\x80\u20AC\u{1F600}\n", "61EDA080E282ACF09F98800A"),
    ):
        page.select_option("#kind", kind)
        page.fill("#input", typed)
        assert page.evaluate("location.hash").startswith(f"#b={data}&")
        assert page.inner_text("#input-problem") == ""


def test_input_that_cannot_be_read_is_said_and_changes_nothing(visit):
    page = visit("#b=41&p=1")
    for kind, typed in ("hex", "E2 8"), ("hex", "xyz"), ("escapes", r"\xE"), ("escapes", r"\uD8"), ("escapes", "\\"):
        page.select_option("#kind", kind)
        page.fill("#input", typed)
        assert page.inner_text("#input-problem") == strings("en")[f"input.problem.{kind}"]
        assert page.inner_text("#brief") == ""  # the verdict is not on this input, and what is, is grey
        assert page.evaluate("document.querySelector('.unread .views').inert")
        assert page.evaluate("location.hash").startswith("#b=41&")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("language", "typed", "text", "facts", "steps"),
    [
        ("en", r"a\uD800", "surrogate", {"point": "U+D800", "bytes": "ED A0 80"}, ["61EDA080"]),
        ("ja", r"\u{110000}", "large", {"point": "110000", "bytes": "F4 90 80 80"}, ["F4908080"]),
        ("de", r"\u{FFFFFF}", "large", {"point": "FFFFFF", "bytes": "F8 BF BF BF BF"}, ["F8BFBFBFBF"]),
        (
            "en",
            r"\uD84C\uDFB4",
            "pair",
            {"point": "U+D84C", "second": "U+DFB4", "whole": "U+233B4", "glyph": "\U000233b4"},
            ["F0A38EB4", "EDA18CEDBEB4"],
        ),
    ],
)
def test_an_escape_that_is_not_a_scalar_value_is_a_lesson(visit, typed, text, facts, steps, language):
    page = visit(f"#b=41&p=1&l={language}")
    page.select_option("#kind", "escapes")
    for number, data in enumerate(steps):
        page.fill("#input", typed)
        assert strings(language)[f"input.strange.{text}"].format(**facts) in page.inner_text("#input-problem")
        assert page.evaluate("location.hash").startswith("#b=41&" if not number else f"#b={steps[0]}&")
        page.locator("#input-problem .strange").nth(number).click()
        assert page.evaluate("location.hash").startswith(f"#b={data}&")
        assert page.inner_text("#input-problem") == ""
        page.select_option("#kind", "escapes")


def test_changes_of_the_bytes_are_undone_and_redone(visit, violations):
    page = visit("#b=E282AC&p=2")
    states = ["E282AC"]
    for name in ("bit 6", "insert 80 after this byte", "remove this byte"):
        page.get_by_role("button", name=name).click()
        states.append(re.match("#b=([0-9A-F]*)&", page.evaluate("location.hash"))[1])
    page.keyboard.press("ArrowLeft")  # a step is not a change
    for data in states[-2::-1]:
        page.click("#undo")
        assert page.evaluate("location.hash").startswith(f"#b={data}&")
    assert page.get_attribute("#undo", "aria-disabled") == "true"
    page.keyboard.press("Control+z")  # nothing is left
    for data, key in zip(states[1:], ("Control+y", "Control+Shift+z", "Control+y"), strict=True):
        page.keyboard.press(key)
        assert page.evaluate("location.hash").startswith(f"#b={data}&")
    page.keyboard.press("Control+z")
    page.locator("#chips button").first.click()
    assert page.get_attribute("#redo", "aria-disabled") == "true"
    assert violations(page) == []


def linked(page, selector):
    return page.locator(f"{selector}.linked").count()


@pytest.mark.parametrize(
    ("click", "name"),
    [
        ("#graph [data-state=after_ED] text", "state:after_ED"),
        ("#abnf .rulename >> text=UTF8-3", "rule:UTF8-3"),
        ("#tree .rule >> text=UTF8-3/3", "rule:UTF8-3/3"),
        ("#track .station[data-key$='UTF8-3,3#1'] text", "station:UTF8-octets,0/UTF8-char,3/UTF8-3,3#1"),
    ],
    ids=["state", "rule", "node", "station"],
)
def test_what_is_clicked_in_one_view_is_lit_in_all(visit, click, name):
    page = visit("#b=ED9F80&p=3")
    page.locator(click).first.click()
    assert page.input_value("#lit") == name
    assert "after_ED" in page.inner_text("#lit-words")
    drawn = ("#graph [data-state]", "#graph [data-move]", "#track .station")
    seen = {part: linked(page, part) for part in (*drawn, "#abnf [data-node]", "#bytes .byte", "#tree .leaf")}
    assert all(seen.values())
    if name == "state:after_ED":
        assert set(seen.values()) == {1}
    assert linked(page, "#track [data-rule=UTF8-3]") == linked(page, "#abnf .rulename") == name.startswith("rule")
    again = visit(page.get_attribute("#link", "href"))
    assert linked(again, "#track .station") == seen["#track .station"]
    again.locator(click).first.click()
    assert linked(again, "#work *") == 0


def test_a_link_is_chosen_by_key_and_the_tree_leads_to_its_bytes(visit, violations):
    page = visit("#b=E282AC&p=3")
    page.focus("#lit")
    page.keyboard.type("tail2")
    assert page.evaluate("location.hash").endswith("&i=state:tail2")
    assert linked(page, "#bytes .byte") == 1
    assert violations(page) == []
    page.locator("#tree .leaf").first.click()
    assert "&p=1&" in page.evaluate("location.hash")


def test_a_file_of_any_size_is_read_and_all_its_errors_are_listed(visit, tmp_path, violations):
    path = tmp_path / "large.txt"
    bad = {7: b"\xc0", 2**20 - 1: b"\xe2\x82", 2**20 + 98: b"\xf0\x9f\x98"}
    data = bytearray("é日".encode() * 220_000)[: 2**20 + 100]
    for at, piece in bad.items():
        data[at - 4 : at + len(piece) + 4] = b"...." + piece + b"...."
    path.write_bytes(data)
    errors = list(iter_errors(bytes(data)))
    page = visit()
    page.set_input_files("#file", path)
    page.get_by_text(f"large.txt: {len(errors)} ill-formed sequences in {len(data)} bytes.").wait_for()
    shown = page.locator("#window .errors button")
    assert shown.all_inner_texts() == [f"{error.start}: {error.code}" for error in errors]
    for number, error in enumerate(errors):
        shown.nth(number).click()
        near = "|".join(map(str, range(error.start - 20, error.start + 1)))
        page.get_by_text(re.compile(rf"bytes ({near}) to ")).wait_for()
        first = int(re.search(r"bytes (\d+) to", page.inner_text("#window"))[1])
        window = bytes.fromhex(page.input_value("#input"))
        assert window == data[first : first + len(window)]
        assert f"&p={error.start - first + 1}&" in page.evaluate("location.hash")
        assert error.code in page.inner_text("#verdict")
    page.get_by_role("button", name="Earlier bytes").click()
    page.get_by_text(re.compile(rf"bytes ({first - 200}|{first - 201}|{first - 202}) to ")).wait_for()
    assert violations(page) == []
    page.get_by_role("button", name="Put the file away").click()
    assert page.inner_text("#window") == ""


def test_a_file_can_be_dropped_anywhere_and_many_errors_have_pages(visit):
    page = visit("#t=predict", width=360)
    page.evaluate(
        """() => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([new Uint8Array(250).fill(0x80)], "tails.bin"));
          const drop = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
          document.body.dispatchEvent(drop);
        }"""
    )
    page.get_by_text("tails.bin: 250 ill-formed sequences in 250 bytes.").wait_for()
    assert wide(page) <= 0
    for last in ("99: ", "199: ", "249: "):
        assert page.locator("#window .errors button").last.inner_text().startswith(last)
        if last != "249: ":
            page.get_by_role("button", name="later ones").click()
    page.locator("#window .errors button").last.click()
    page.get_by_text("bytes 249 to 250 of").wait_for()
    assert page.locator("#bytes .byte").count() == 1


def test_input_that_is_cut_says_so(visit):
    language = "de"
    page = visit(f"#b={'41' * 300}&p=0&l={language}")
    said = strings(language)["input.cut"].format(most=200, total=300)
    assert page.inner_text("#input-cut") == said
    assert page.get_attribute("#input-cut", "aria-live") == "polite"
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#input-cut") == said  # it is still so
    page.fill("#input", "é" * 100)
    assert page.inner_text("#input-cut") == ""
    page.fill("#input", "é" * 101)
    assert page.inner_text("#input-cut") == strings(language)["input.cut"].format(most=200, total=202)
    assert page.locator("#bytes .byte").count() == 200
    page.fill("#input", "あ" * 67)
    assert page.inner_text("#input-cut") == strings(language)["input.cut"].format(most=198, total=201)
    assert page.locator("#bytes .byte").count() == 198


def test_one_byte_can_be_changed_by_key_bit_and_button(visit):
    page = visit("#b=E282AC&p=2")
    page.locator("#bytes .byte").nth(1).focus()
    page.keyboard.press("ArrowUp")
    assert "#b=E283AC" in page.evaluate("location.hash")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.key") == "byte1"  # the focus stays where it was
    page.get_by_role("button", name="bit 6").click()
    assert "#b=E2C2AC" in page.evaluate("location.hash")
    assert "UTF8-MISSING-TAIL" in page.inner_text("#verdict")
    page.get_by_role("button", name="remove this byte").click()
    assert "#b=E2AC" in page.evaluate("location.hash")
    for name in ("insert 80 after this byte", "one more", "one less", "change this byte to another value"):
        before = page.evaluate("location.hash")
        page.get_by_role("button", name=name).click()
        assert page.evaluate("location.hash") != before


def test_the_fragment_is_the_exact_state(visit):
    parts = ("#words", "#bytes", "#abnf", "#tree", "#verdict", "#next", "#bits")
    page = visit("#b=F09F9880&p=3&l=de")
    page.click("#large")
    page.click("[data-fold=bits]")
    before = [page.inner_text(part) for part in parts]
    page = visit(page.get_attribute("#link", "href"))
    assert [page.inner_text(part) for part in parts] == before
    assert not page.is_visible("#bits")
    assert page.get_attribute("#large", "aria-pressed") == "true"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("exercise", "work"),
    [
        ("predict", lambda page: [page.locator(".question .primary").dblclick(), page.click(".again")]),
        ("code", lambda page: [page.click(".show"), page.click(".again"), page.fill("#coded", "U+00DF")]),
        ("guided", lambda page: page.fill("textarea", NAIVE.replace("%xC0-DF", "%xC2-DF"))),
        ("write", lambda page: [page.select_option("#broken", "tail"), page.fill("textarea", "é = %x00-7F ; 100 %+")]),
        ("words", lambda page: [page.select_option("#language", "uri"), page.click(".show"), page.click(".again")]),
        ("fool", lambda page: [page.select_option("#dialect", "wtf8"), page.fill("#fooled", "ED A0 80")]),
    ],
    ids=["predict", "code", "guided", "write", "words", "fool"],
)
def test_the_link_holds_the_exercise_and_what_was_done_in_it(visit, exercise, work):
    page = visit(f"#b=C3A9&p=1&l=de&t={exercise}")
    shown = """() => [document.querySelector("#exercise .question")?.innerText,
        ...[...document.querySelectorAll("#exercise :is(textarea, select, input)")].map((each) => each.value)]"""
    fresh = page.evaluate(shown)
    work(page)
    page.locator("#link").focus()
    before, link = page.evaluate(shown), page.get_attribute("#link", "href")
    assert before != fresh
    page = visit(link)
    assert page.evaluate(shown) == before
    page.click("#tab-look")
    page = visit(page.get_attribute("#link", "href"))
    assert page.is_visible("#part-look")
    page.click("#tab-exercises")
    assert page.evaluate(shown) == before


@pytest.mark.parametrize(
    "fragment", ["#b=zz&p=9", "#l=fr&t=none", "#b=" + "41" * 5000, "#b=EDA080&p=999", "#b=41&p=-1&e=code&q=-1&g=%"]
)
def test_a_strange_fragment_does_no_harm(visit, fragment):
    page = visit(fragment)
    assert page.locator("#bytes .byte").count() <= 200
    assert page.inner_text("#words")


# ---- Exercises -------------------------------------------------------------------------------------------------------


def test_predicting_the_verdict(visit):
    page = visit("#t=predict")
    for _ in range(6):
        data = bytes.fromhex("".join(page.locator(".question .byte:not(.end)").all_inner_texts()))
        page.locator(".question .primary").click()
        assert page.locator(".answer.good").count() == is_valid(data), data.hex(" ")
        if not is_valid(data):
            assert page.inner_text(".answer").endswith(strings("en")["predict.hint"])  # nothing is given away yet
            page.locator(".question .primary").click()
            error = re.search(r"at offset (\d+)", page.inner_text(".answer"))
            page.locator(".question .byte").nth(int(error[1])).click()
            assert page.locator(".answer.good").count() == 1
        page.click(".again")
    assert page.locator(".answer.good, .answer.bad").count() == 0
    page.locator(".question .primary").dblclick()
    page.get_by_role("button", name="Step through it").click()
    assert page.is_visible("#part-look")


def test_the_path_from_the_naive_pattern_to_the_grammar(visit):
    page = visit("#t=guided")
    texts = strings("en")
    assert page.input_value("textarea") == NAIVE
    page.click(".check")
    assert "C0 80" in page.inner_text(".answer.bad")
    changes = [
        ("%xC0-DF", "%xC2-DF"),
        ("%xE0-EF 2( UTF8-tail )", "%xE0 %xA0-BF UTF8-tail / %xE1-EF 2( UTF8-tail )"),
        ("%xE1-EF 2( UTF8-tail )", "%xE1-EC 2( UTF8-tail ) / %xED %x80-9F UTF8-tail / %xEE-EF 2( UTF8-tail )"),
        ("%xF0-F7 3( UTF8-tail )", "%xF0 %x90-BF 2( UTF8-tail ) / %xF1-F7 3( UTF8-tail )"),
        ("%xF1-F7 3( UTF8-tail )", "%xF1-F3 3( UTF8-tail ) / %xF4 %x80-8F 2( UTF8-tail )"),
    ]
    for done, change in enumerate(changes, 1):
        page.fill("textarea", page.input_value("textarea").replace(*change))
        page.click(".check")
        assert page.locator(".path .done").count() == done
        assert page.locator(".answer.good").count() == 1
    assert texts["guided.done"] in page.inner_text(".answer")
    page.click(".restart")
    assert page.input_value("textarea") == NAIVE


def test_broken_grammars_are_answered_by_the_shortest_string_and_the_difference_as_abnf(visit):
    page = visit("#t=write")
    shortest = {
        "surrogates": "ED A0 80",
        "overlong": "E0 80 80",
        "two": "C1 80",
        "last": "F4 90 80 80",
        "tail": "C2 BF",
        "three": "EF 80 80",
        "one": "the empty input",
    }
    assert shortest.keys() == BROKEN.keys()
    for name, word in shortest.items():
        page.select_option("#broken", name)
        page.click(".check")
        assert f"the two differ: {word}" in page.inner_text(".answer.bad")
    page.select_option("#broken", "surrogates")
    page.click(".check")
    assert "+ %xED %xA0-BF UTF8-tail" in page.inner_text(".answer .forms")
    page.fill("textarea", "x = *( y")
    page.click(".check")
    assert "Line 1, column 9: expected )" in page.inner_text(".answer.bad")
    page.click(".show")
    assert "exactly the bytes" in page.inner_text(".answer.good")


@pytest.mark.parametrize(
    ("fragment", "hint"),
    [("#t=write&c=one", "write.hint.empty"), ("#t=guided", "guided.hint"), ("#t=fool&c=cesu8", "fool.hint")],
)
def test_a_hint_comes_before_the_answer(visit, fragment, hint):
    page = visit(fragment)
    buttons = page.locator("#exercise button").all_inner_texts()
    texts = strings("en")
    assert buttons.index(texts["answer.hint"]) < buttons.index(texts["answer.show"])
    page.click(".hint")
    facts = {"byte": "F4" if "write" in hint else "F0", "rule": "UTF8-2", "row": "110xxxxx 10xxxxxx"}
    assert page.inner_text(".answer") == texts[hint].format(**facts)


def test_words_of_other_languages_are_judged_by_key_and_a_wrong_answer_costs_a_point(visit):
    page = visit("#t=words&c=uri")
    for exercise, (name, rule) in OTHERS.items():
        page.select_option("#language", exercise)
        automaton = compile_grammar(Grammar.load(name, start=rule), rule)
        always = 0
        for number in range(3):
            cells = "".join(page.locator(".question .byte:not(.end)").all_inner_texts())
            word = "".join(" " if each == "␠" else each for each in cells).encode("latin-1")
            wrong = next((at for at in range(len(word)) if automaton.run(word[: at + 1]) in automaton.dead), None)
            place = None if automaton.accepts(word) else len(word) if wrong is None else wrong
            always += 1 if place is None else -1
            page.locator(".question .primary").press("Enter")
            if place is not None:
                page.locator(".question .byte").nth(place).press("Enter")
            assert page.locator(".answer.good").count() == 1, (word, place)
            points = strings("en")["predict.score"].format(points=always, asked=number + 1, always=always)
            assert points in page.inner_text(".answer")
            page.locator(".again").press("Enter")


def test_coding_by_hand(visit):
    page = visit("#t=code")
    page.fill("#coded", "C3 9E")
    page.click(".check")
    assert "U+00DE" in page.inner_text(".answer.bad")
    for wrong, code in (
        ("DF", "UTF8-TRUNCATED"),
        ("E0 83 9F", "UTF8-OVERLONG"),
        ("x", "hex digits"),
        ("41", "number of bytes is wrong: for U+00DF it is 2"),
    ):
        page.fill("#coded", wrong)
        page.click(".check")
        assert code in page.inner_text(".answer.bad")
    page.fill("#coded", "11000011 10011111")
    page.keyboard.press("Enter")
    assert "U+00DF ß = C3 9F" in page.inner_text(".answer.good")
    page.click(".again")
    for wrong in ("U+00DE", "D800", "zz"):
        page.fill("#coded", wrong)
        page.click(".check")
        assert page.locator(".answer.bad").count() == 1
    for right in ("U+00DF", "0b11011111", "11011111"):
        page.fill("#coded", right)
        page.click(".check")
        assert page.locator(".answer.good").count() == 1


FOOLED = {
    "mutf8": "C0 80", "java-readutf": "E0 80 80", "cesu8": "F0 9F 98 80", "wtf8": "ED A0 80",
    "rfc2279": "F8 88 80 80 80", "perl-utf8": "ED A0 80", "perl-strict": "EF B7 90", "lua-lax": "ED A0 80",
    "utf8mb3": "F0 9F 98 80",
}  # fmt: skip


def test_fooling_a_decoder(visit):
    page = visit("#t=fool")
    for dialect, data in FOOLED.items():
        page.select_option("#dialect", dialect)
        for tried, answer in ("E2 82 AC", "bad"), (data, "good"):
            page.fill("#fooled", tried)
            page.click(".check")
            assert page.locator(f".answer.{answer}").count() == 1
        page.click(".show")
        assert "octets" in page.inner_text(".answer pre")


# ---- For everybody ---------------------------------------------------------------------------------------------------


SEEN = [(name, {"color_scheme": ("light", "dark")[at // 2 % 2]}) for at, name in enumerate(
    ["#b=41EDA080&p=3&l=ja", "#b=&p=0&l=de", *(f"#t={name}" for name in EXERCISES)]
)]  # fmt: skip
SEEN += [("#b=41EDA080&p=3", {"forced_colors": "active"}), ("#b=41EDA080&p=3", {"contrast": "more"})]
SEEN += [("#b=41EDA080&p=3", {"contrast": "more", "color_scheme": "dark"})]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("fragment", "options"), SEEN)
def test_axe_finds_no_violation(visit, fragment, options, violations):
    page = visit(fragment, reduced_motion="reduce", **options)
    for feature, value in options.items():
        assert page.evaluate("query => matchMedia(query).matches", f"({NAMES[feature]}: {value})")
    if page.locator("#exercise .check").count():
        page.click(".check")
    assert violations(page) == []


@pytest.mark.parametrize("language", ["de"])  # which has the longest words
def test_360_pixels_are_enough(visit, language):
    page = visit(f"#b=F09F9880EDA080&p=3&l={language}", width=360, height=740)
    assert wide(page) <= 0
    box = page.locator("#brief").bounding_box()
    assert box["y"] + box["height"] <= 740  # above the fold
    for name in EXERCISES:
        page.goto(page.url.partition("#")[0] + f"#t={name}&l={language}")
        for selector in ("#exercise .check", "#exercise .show"):
            if page.locator(selector).count():
                page.click(selector)
        assert wide(page) <= 0, name


@pytest.mark.parametrize(("width", "scrolls"), [(1024, []), (360, ["bits", "graph", "track"])])
def test_nothing_is_cut_off_and_on_a_phone_only_drawings_scroll(visit, width, scrolls):
    page = visit("#b=F09F9880EDA080&p=3&l=de&i=rule:UTF8-3", width=width, height=640)
    cut = """() => [...document.querySelectorAll("#work *")]
        .filter((each) => each.checkVisibility() && each.clientWidth && !(each instanceof SVGElement))
        .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.id || each.outerHTML)"""
    assert page.evaluate(cut) == scrolls


@pytest.mark.parametrize("data", ["F09F9880", "EDA080"])
def test_what_is_current_is_in_sight_in_every_narrow_view(visit, data):
    page = visit(f"#b={data}&p=0", width=360, height=640)
    hidden = """view => {
      const inside = document.getElementById(view);
      const mark = inside.querySelector(".now, .wrong") ?? inside.querySelector(".here");
      const [a, b] = [mark, mark.closest(".drawing, pre, .treebox")].map((each) => each.getBoundingClientRect());
      return a.left < b.left || a.right > b.right || a.top < b.top || a.bottom > b.bottom;
    }"""
    for _ in range(len(data) // 2):
        page.keyboard.press("ArrowRight")
        assert [view for view in ("bits", "abnf", "tree", "track", "graph") if page.evaluate(hidden, view)] == []


def test_views_can_be_folded_by_key(visit, violations):
    page = visit("#b=E282AC&p=1")
    page.focus("[data-fold=graph]")
    page.keyboard.press("Enter")
    assert not page.is_visible("#graph")
    assert page.get_attribute("[data-fold=graph]", "aria-expanded") == "false"
    assert page.evaluate("location.hash").endswith("&f=graph")
    assert violations(page) == []
    page.keyboard.press("Space")
    assert page.is_visible("#graph")


def test_the_keyboard_alone_suffices(visit):
    page = visit("#b=E282AC&p=0")
    reached = set()
    name = "document.activeElement.id || document.activeElement.dataset.key || document.activeElement.className"
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(name))
    assert {"tab-look", "input", "kind", "chip0", "first", "back", "forward", "last", "byte0", "link"} <= reached
    page.focus("#tab-look")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-exercises"
    assert page.is_visible("#exercise")
    page.focus("#exercise-list button:nth-child(4)")
    page.keyboard.press("Enter")
    page.focus("#coded")
    page.keyboard.type("C3 9F")
    page.keyboard.press("Enter")
    assert page.locator(".answer.good").count() == 1


def test_pictures_are_told_in_words(visit):
    page = visit("#b=E0A080&p=2")
    assert page.get_attribute("#words", "aria-live") == "polite"
    for part in ("#bits", "#track", "#graph"):
        svg = page.locator(f"{part} svg")
        assert svg.get_attribute("role") == "img"
        assert len(svg.locator("title").text_content()) > 20
    assert "%xE0 %xA0-BF UTF8-tail" in page.locator("#track title").text_content()
    assert "tail1" in page.locator("#graph title").text_content()
    assert "UTF8-octets = *( UTF8-char )" in page.locator("#track desc").text_content()


def test_the_language_can_be_changed_at_any_time(visit):
    page = visit("#b=EDA080&p=2")
    for language in ("ja", "de", "en"):
        page.locator(f".languages [lang={language}]").click()
        assert strings(language)["next.nothing"] == page.inner_text("#next")
        assert page.evaluate("location.hash").startswith(f"#b=EDA080&p=2&l={language}")


def test_it_prints(visit):
    page = visit("#b=E282AC&p=2")
    page.emulate_media(media="print")
    assert not page.is_visible(".controls")
    assert page.is_visible("#graph svg")
    pdf = page.pdf(format="A4")
    assert pdf[:5] == b"%PDF-"
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1  # all views on one sheet


# ---- Any grammar -----------------------------------------------------------------------------------------------------


def test_the_sandbox_reads_text_and_the_address_keeps_all(visit, tmp_path):
    page = visit("#t=own")
    texts = strings("en")
    assert page.locator(".examples li").all_inner_texts() == ["✓ hello Ana", "✓ HELLO Bob Cy", "✓ hello", "✓ hello 42"]
    assert "UTF-8" not in page.inner_text(".machines")  # no comparison unless asked
    for _ in range(2):
        page.click("#exercise .forward")
    assert page.locator(".states > p").all_inner_texts() == ["… in the state after H E, and waits for more"]
    tree = page.locator("#exercise .tree")
    assert tree.inner_text().split()[:4] == ["greeting", "h", "▶", "e"]
    assert "A..Z" in page.locator("#exercise svg text").all_text_contents()
    page.fill("#own-input", "hello 42")
    assert page.inner_text("#own-verdict.bad") == "greeting does not derive this."
    (tmp_path / "mine.abnf").write_text("text = *( %x00-7F / %xC2-DF %x80-BF )\n")
    page.set_input_files("#own-file", tmp_path / "mine.abnf")
    page.click(".compare")
    page.get_by_text("Step to the difference").click()
    told = page.locator(".states > p").all_inner_texts()
    assert told == ["✗ rejected: byte number 1 leads to no state", "✓ in the state start, and accepts what it has read"]
    assert "E0+A0+80" in page.url
    page.fill("#exercise textarea >> nth=0", 'u = [ u point ]\npoint = %xE9 / %x20AC / 1*3( %s"a" ) [ "b" ]')
    page.select_option("#own-kind", "text")
    page.fill("#own-input", "éab€")
    page.fill("#own-y", "é\naab\nx\nε")
    page.fill("#own-n", "bb\na")
    assert page.locator(".examples li").all_inner_texts() == ["✓ é", "✓ aab", "✗ x", "✓ ε", "✓ bb", "✗ a"]
    assert " ".join(tree.inner_text().split()) == "u u u u point C3 A9 point a b point E2 82 AC"
    drawn = page.locator("#exercise svg text:not(.sign)").all_text_contents()
    assert drawn == ["u", "point", "E9", "20AC", "×1..3", '"a"', '"b"']
    page.locator("#own-n").blur()
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    assert page.locator(".examples li").count() == 6
    assert page.input_value("#own-input") == "éab€"
    page.select_option("#own-kind", "hex")
    page.fill("#own-input", "4")
    assert page.inner_text("#own-verdict") == texts["input.problem.hex"]
    page.fill("#own-input", "61 " * 300)  # each of these may belong to the point before it, or to one of its own
    assert tree.count() + page.get_by_text("The search for a parse tree was stopped").count() == 1


def test_the_sandbox_takes_a_grammar_that_has_no_automaton(visit):
    page = visit("#t=own")
    page.fill("#exercise textarea >> nth=0", 'pair = "(" pair ")" / ""')
    page.fill("#own-y", "(())\nε")
    page.fill("#own-n", "(()\n)(")
    assert page.locator(".examples .good").count() == 4
    assert page.locator(".states").count() == 0
    assert strings("en")["own.no_automaton"] in page.inner_text("#exercise .answer >> nth=0")
    page.fill("#exercise textarea >> nth=0", "text = *( y")
    assert "Line 1, column 12" in page.inner_text("#exercise .answer.bad >> nth=0")
    assert page.locator(".examples .answer").count() == 0
