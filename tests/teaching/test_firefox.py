"""The play page in Firefox: a page around it uses it as people do, and sends what it saw to this test.

Debian has no driver for Firefox, and the page needs none: what is asked here is whether the other browser's engine runs
it. ``test_browser.py`` looks closer, in Chromium.
"""

import json
import os
import queue
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from utf8_abnf.automaton import compile_grammar
from utf8_abnf.grammar import Grammar
from utf8_abnf.language.catalogue import LANGUAGES
from utf8_abnf.teaching.play import page as page_text
from utf8_abnf.teaching.play.data import strings

pytestmark = pytest.mark.slow  # the page is the same on every Python

DRIVER = """<!DOCTYPE html><meta charset="utf-8"><iframe id="frame" style="border:0;height:900px"></iframe>
<script type="module">
const frame = document.getElementById("frame");
const problems = [];
let part;
const open = async (fragment, width) => {
  frame.style.width = `${width}px`;
  frame.src = `play.html?${Math.random()}${fragment}`;
  await new Promise((loaded) => { frame.onload = loaded; });
  frame.contentWindow.onerror = (message) => problems.push(message);
  part = (selector) => frame.contentDocument.querySelector(selector);
};
const press = (key, how = {}) => part("body").dispatchEvent(new frame.contentWindow.KeyboardEvent("keydown", { key, bubbles: true, ...how }));
const wide = () => frame.contentDocument.documentElement.scrollWidth - frame.contentWindow.innerWidth;
const seen = { agent: navigator.userAgent, words: {}, wide: {} };
try {
  for (const language of ["en", "ja", "de"]) {
    await open(`#b=E697A5&p=0&l=${language}`, 360);
    for (let step = 0; step < 3; step++) press("ArrowRight");
    seen.words[language] = part("#words").textContent;
    seen.wide[language] = wide();
  }
  await open("#b=EDA080&p=2", 1280);
  seen.verdict = part("#verdict").textContent;
  seen.state = part("#graph .state.here").dataset.state;
  part("#graph [data-state=after_ED]").dispatchEvent(new MouseEvent("click", { bubbles: true }));
  seen.linked = frame.contentDocument.querySelectorAll("#track .station.linked").length;
  part("[data-key=bit5]").click();
  seen.changed = frame.contentWindow.location.hash;
  press("z", { ctrlKey: true });
  seen.undone = frame.contentWindow.location.hash;
  const transfer = new frame.contentWindow.DataTransfer();
  transfer.items.add(new frame.contentWindow.File([new Uint8Array([0x41, 0xc0, 0xaf])], "bad.txt"));
  part("body").dispatchEvent(new frame.contentWindow.DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  for (let i = 0; i < 50 && !/: 2 /.test(part("#window").textContent); i++) await new Promise((ready) => setTimeout(ready, 50));
  seen.file = part("#window").textContent;
  await open("#t=write", 1280);
  part("#exercise .check").click();
  seen.answer = part(".answer").textContent;
  for (const width of [360, 1024, 1440]) {
    await open("#t=words&c=uri&q=5&l=ja", width);
    seen.wide[width] = wide();
  }
  seen.asked = [...frame.contentDocument.querySelectorAll(".question .byte:not(.end)")].map((each) => each.textContent);
  part(".question .primary").click();
  seen.judged = part(".answer").className;
} catch (error) {
  problems.push(String(error));
}
await fetch("seen", { method: "POST", body: JSON.stringify({ ...seen, problems }) });
</script>"""  # noqa: E501


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What a headless Firefox saw in the page."""
    program = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
    if not program:
        pytest.skip("needs Firefox: apt-get install firefox-esr")
    pages = {"/play.html": page_text("en"), "/": DRIVER}
    answers = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            text = pages.get(self.path.partition("?")[0])
            self.send_response(200 if text else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write((text or "").encode())

        def do_POST(self):
            answers.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_args):
            pass

    profile = tmp_path_factory.mktemp("profile")
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        started = subprocess.Popen(
            [program, "--headless", "--no-remote", "--profile", profile, address],
            env={**os.environ, "HOME": str(profile), "MOZ_DISABLE_CONTENT_SANDBOX": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield answers.get(timeout=90)
        finally:
            started.terminate()
            started.wait(20)
            server.shutdown()


def test_the_page_runs_without_an_error(seen):
    assert "Firefox" in seen["agent"]
    assert seen["problems"] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_steps_by_key_and_fits_360_pixels(seen, language):
    assert seen["words"][language].endswith(strings(language)["say.end.good"])
    assert seen["wide"][language] <= 0


def test_ill_formed_bytes_are_judged_shown_and_changed(seen):
    assert "UTF8-SURROGATE" in seen["verdict"]
    assert seen["state"] == "reject"
    assert seen["linked"] == 1
    assert seen["changed"].startswith("#b=ED8080&")
    assert seen["undone"].startswith("#b=EDA080&")


def test_a_file_is_dropped_and_an_exercise_is_answered(seen):
    assert "bad.txt: 2 ill-formed sequences in 3 bytes." in seen["file"]
    assert "ED A0 80" in seen["answer"]


def test_a_word_of_another_language_is_asked_and_judged(seen):
    right = compile_grammar(Grammar.load("uri", start="URI"), "URI").accepts("".join(seen["asked"]).encode())
    assert seen["judged"] == ("answer good" if right else "answer bad")
    assert all(seen["wide"][width] <= 0 for width in ("360", "1024", "1440"))
