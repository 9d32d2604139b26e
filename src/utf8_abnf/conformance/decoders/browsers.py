"""Adapters of browsers: a page of ours asks for cases, gives them to the browser's TextDecoder, and brings answers.

These rows need code because a browser reads no standard input. The page comes from a server on 127.0.0.1, and the
browser has a profile of its own in a temporary folder.
"""

from __future__ import annotations

import atexit
import os
import subprocess
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from utf8_abnf.conformance.decoders.batch import SECONDS, lasting_folder
from utf8_abnf.conformance.framing import frame, unframe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SECONDS_TO_START = 170  # on a machine with load 20 Firefox took 38 s; the rows allow 180 s until the hello

# A request has the mode, then frames as in the protocol; an answer to mode r is a frame, to mode v a byte.
PAGE = b"""<!DOCTYPE html><title>utf8-abnf</title><script>
const decoder = (fatal) => new TextDecoder("utf-8", { fatal, ignoreBOM: true });
const accepts = (data) => { try { decoder(true).decode(data); return 49; } catch { return 48; } };
const framed = (text) => [...new Uint8Array(new Uint32Array([text.length]).buffer), ...text];
const replaced = (data) => framed(new TextEncoder().encode(decoder(false).decode(data)));
(async () => {
  for (;;) {
    const data = new Uint8Array(await (await fetch("/cases")).arrayBuffer());
    const sizes = new DataView(data.buffer), answers = [], wants = data[0] === 114 ? replaced : accepts;
    for (let at = 1, size; at < data.length; at += 4 + size) {
      size = sizes.getUint32(at, true);
      answers.push(wants(data.subarray(at + 4, at + 4 + size)));
    }
    await fetch("/answers", { method: "POST", body: new Uint8Array(answers.flat()) });
  }
})();
</script>
"""


# One process for pages instead of one for each site and some in reserve; no first page, no updates, no telemetry.
PREFERENCES = """
user_pref("fission.autostart", false);
user_pref("dom.ipc.processCount", 1);
user_pref("dom.ipc.processPrelaunch.enabled", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.startup.page", 0);
user_pref("browser.safebrowsing.malware.enabled", false);
user_pref("browser.safebrowsing.phishing.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.unified", false);
user_pref("services.settings.server", "data:,");
user_pref("app.normandy.enabled", false);
user_pref("app.update.enabled", false);
user_pref("extensions.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
"""


class Browser:
    """A browser without a window: *command* starts it, and its words may name its ``{profile}``.

    *files* are put into that profile first: texts by name.
    """

    command: tuple[str, ...] = ()
    files: Mapping[str, str] = MappingProxyType({})

    def __init__(self) -> None:
        told = subprocess.run([self.command[0], "--version"], capture_output=True, text=True, check=True)  # noqa: S603
        self.version = next(word for word in told.stdout.split() if word[0].isdigit())
        self._cases: Queue[bytes] = Queue()
        self._answers: Queue[bytes] = Queue()
        self._asked = Event()
        server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        Thread(target=server.serve_forever, daemon=True).start()
        folder = lasting_folder()
        for name, text in self.files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        words = [word.replace("{profile}", folder) for word in self.command]
        browser = subprocess.Popen(  # noqa: S603
            [*words, f"http://127.0.0.1:{server.server_port}/"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"HOME": folder},
        )
        atexit.register(browser.terminate)
        if not self._asked.wait(SECONDS_TO_START):
            raise RuntimeError(f"{self.command[0]} does not show a page")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        cases, answers, asked = self._cases, self._answers, self._asked

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path != "/cases":
                    self._say(PAGE)
                    return
                asked.set()
                self._say(cases.get())

            def do_POST(self) -> None:
                answers.put(self.rfile.read(int(self.headers["Content-Length"])))
                self._say(b"")

            def _say(self, content: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: Any) -> None:
                pass

        return Handler

    def _ask(self, mode: bytes, cases: Sequence[bytes]) -> bytes:
        self._cases.put(mode + b"".join(map(frame, cases)))
        try:
            return self._answers.get(timeout=SECONDS)
        except Empty:
            raise RuntimeError(f"{self.command[0]} gives no answer") from None

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Accept what ``TextDecoder`` decodes with the option *fatal*."""
        return self._ask(b"v", cases)

    def replace(self, cases: Sequence[bytes]) -> list[bytes | None]:
        """Return what it makes of *cases* without that option."""
        return list(unframe(self._ask(b"r", cases)))


class Chromium(Browser):
    """Chromium; without its sandbox, because root cannot have that."""

    command = ("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--user-data-dir={profile}")


class Firefox(Browser):
    """Firefox ESR; its preferences keep it from starting processes that no page of ours needs."""

    command = ("firefox-esr", "--headless", "--no-remote", "--profile", "{profile}")
    files = MappingProxyType({"user.js": PREFERENCES})
