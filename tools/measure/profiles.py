"""Measure the look for refused characters: ``python tools/measure/profiles.py``; GB/s by profile, on text without any.

The best of 30 runs over a mebibyte, which stays in the cache: the pass after the kernel's, as ``check`` makes it.
"""

from __future__ import annotations

import time

from utf8_abnf.files.profiles import Profile, profile_names

SIZE = 1 << 20
TEXTS = {
    "ASCII": "The quick brown fox jumps over the lazy dog.\n",
    "Japanese": "日本語のテキスト、「かな」と全角ＡＢＣ！？\n",
    "emoji": "😀 naïve 🎉 漢字\n",
}


def main() -> None:
    """Print a row for each profile."""
    print(f"{'profile':20}", *(f"{name:>10}" for name in TEXTS))
    for name in profile_names():
        profile = Profile.load(name)
        speeds = [speed(profile, text.encode()) for text in TEXTS.values()]
        print(f"{name:20}", *(f"{'refused':>10}" if each is None else f"{each:10.1f}" for each in speeds))


def speed(profile: Profile, line: bytes) -> float | None:
    """Return GB/s, None where *line* has a refused character."""
    text = line * (SIZE // len(line))
    if profile.count_refused(text):
        return None
    times = []
    for _ in range(30):
        begin = time.perf_counter()
        profile.count_refused(text)
        times.append(time.perf_counter() - begin)
    return len(text) / min(times) / 1e9


if __name__ == "__main__":
    main()
