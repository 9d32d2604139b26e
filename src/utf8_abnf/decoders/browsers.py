"""The adapter of a browser: a page of ours asks for cases, gives them to the browser's TextDecoder, and brings answers.

This row needs code because a browser reads no standard input. The page comes from a server on 127.0.0.1, and the
browser has a profile of its own in a temporary folder.
"""

from __future__ import annotations

import atexit
import os
import subprocess
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, Queue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from utf8_abnf.decoders.batch import SECONDS, lasting_folder
from utf8_abnf.harness.protocol import frame, unframe

if TYPE_CHECKING:
    from collections.abc import Sequence

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


CHROMIUM = ("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--user-data-dir={profile}")


class Chromium:
    """Chromium without a window, and without its sandbox, because root cannot have that."""

    def __init__(self) -> None:
        told = subprocess.run([CHROMIUM[0], "--version"], capture_output=True, text=True, check=True)  # noqa: S603
        self.version = next(word for word in told.stdout.split() if word[0].isdigit())
        self._cases: Queue[bytes] = Queue()
        self._answers: Queue[bytes] = Queue()
        self._asked = Event()
        server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        Thread(target=server.serve_forever, daemon=True).start()
        folder = lasting_folder()
        words = [word.replace("{profile}", folder) for word in CHROMIUM]
        browser = subprocess.Popen(  # noqa: S603
            [*words, f"http://127.0.0.1:{server.server_port}/"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"HOME": folder},
        )
        atexit.register(browser.terminate)
        if not self._asked.wait(SECONDS):
            raise RuntimeError(f"{CHROMIUM[0]} does not show a page")

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
            raise RuntimeError(f"{CHROMIUM[0]} gives no answer") from None

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Accept what ``TextDecoder`` decodes with the option *fatal*."""
        return self._ask(b"v", cases)

    def replace(self, cases: Sequence[bytes]) -> list[bytes | None]:
        """Return what it makes of *cases* without that option."""
        return list(unframe(self._ask(b"r", cases)))
