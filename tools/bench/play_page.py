"""Time the play page with Python inside: ``python tools/bench/play_page.py PYODIDE [TIMES]``.

PYODIDE is the npm package pyodide, unpacked. Prints, for each of TIMES (3) visits in a new headless Chromium, the
seconds from the visit until the reference parser has given its first answer, and those of the first command. With each
stand the seconds of the processor that all of Chromium's processes took: those other work makes hardly longer.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from utf8_abnf.teaching.play import page
from utf8_abnf.teaching.play.with_python import WithPython

COMMAND = "utf8-abnf explain E0 9F BF"


def main() -> int:
    """Print a line for each visit."""
    pyodide, times = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "play.html"
        path.write_text(page("en", python=WithPython(pyodide)), "utf-8")
        print(f"{path.stat().st_size / 1e6:.1f} MB")
        for _ in range(times):
            browser = driver.chromium.launch(executable_path=chromium, args=["--headless", "--no-sandbox"])
            visited = browser.new_context(offline=True).new_page()
            began = used(browser)
            visited.goto(f"{path.as_uri()}#b=EDA080")
            visited.get_by_text("(answers so far: 1)").wait_for(timeout=300_000)
            ready = used(browser)
            visited.fill("#command", f"$ {COMMAND}")
            visited.get_by_text("Run it").click()
            visited.get_by_text("Exit status 1.").wait_for(timeout=300_000)
            print("ready after", between(began, ready), "and the first command after", between(ready, used(browser)))
            browser.close()
        print(f"{browser.version}, load {os.getloadavg()[0]:.1f}")
    return 0


def used(browser: Browser) -> tuple[float, float]:
    """Return the time, and the seconds of the processor that *browser* has taken until now."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return time.perf_counter(), sum(each["cpuTime"] for each in processes)


def between(before: tuple[float, float], after: tuple[float, float]) -> str:
    """Return what has passed, in words."""
    return f"{after[0] - before[0]:.1f} s (processor: {after[1] - before[1]:.1f} s)"


if __name__ == "__main__":
    raise SystemExit(main())
