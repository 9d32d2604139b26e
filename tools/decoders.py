"""Install what the known decoders need: ``python3 tools/decoders.py [NAME OR GLOB ...]``.

The rows of ``conformance/decoders/`` name it, and those of the files that ``--rows`` names. ``apt:`` packages are
Debian's, which needs root; ``pip:`` packages go into a virtual environment and ``npm:`` packages into a folder of their
own, both in ``UTF8_ABNF_DECODERS`` or else in ``decoders`` in the user's cache. What is there already is not installed
again. The tool needs Python 3.11 and nothing else. It ends with 1 when a package could not be installed, and says
which; all others are installed then.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING

from environments import ROOT, environment, need, say

need()
sys.path.insert(0, str(ROOT / "src"))

from utf8_abnf.conformance.harness.known import decoders  # noqa: E402
from utf8_abnf.conformance.harness.known.packages import npm_folder, packages, python_program  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

    from utf8_abnf.conformance.harness.known import Decoder

# A program that is there from elsewhere (a newer node, say) serves as well as Debian's package.
SERVES = {"nodejs": "node", "npm": "npm", "default-jdk-headless": "javac", "rustc": "rustc", "golang-go": "go"}
APT_RETRIES = "-oAcquire::Retries=3"
PAUSE = 5  # seconds before a second try: it is the network, as a rule
LOCKED = (
    600  # seconds to wait while another program has locked the package manager; apt's own option waits for dpkg only
)


def main() -> int:
    """Return 0 when everything is there, 1 when a package could not be installed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=["*"], metavar="GLOB", help="which decoders (default all)")
    parser.add_argument("--core", action="store_true", help="only the named core: every language, every adapter")
    parser.add_argument("--list", action="store_true", help="print what would be installed, and for which decoders")
    parser.add_argument("--apt", nargs="+", default=[], metavar="PACKAGE", help="Debian packages to install with them")
    parser.add_argument("--rows", action="append", default=[], metavar="FILE", help="a rows file with more decoders")
    args = parser.parse_args()
    chosen = [each for each in decoders(args.rows) if any(fnmatchcase(each.name, name) for name in args.names)]
    chosen = [each for each in chosen if each.core or not args.core]
    wanted = missing(chosen, args.apt)
    if args.list:
        for package, users in wanted.items():
            print(f"{package}  {' '.join(users)}".rstrip())
        return 0
    began = time.monotonic()
    make_folder()
    failed = []
    for kind, install in INSTALLERS.items():
        names = [package.partition(":")[2] for package in wanted if package.startswith(kind + ":")]
        if names:
            say(f"{kind}: {' '.join(names)}")
            failed += [f"{kind}:{name}" for name in tried(install, names)]
    for package in failed:
        say(f"FAILED: {package} could not be installed; {', '.join(wanted[package]) or 'the tests'} cannot do without")
    say(f"{len(wanted) - len(failed)} packages installed in {time.monotonic() - began:.0f} s")
    return 1 if failed else 0


def make_folder() -> None:
    """Make the folder for packages; SystemExit where there can be none that is ours alone."""
    folder = packages()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SystemExit(f"{folder} cannot be made ({error.strerror}): name one in UTF8_ABNF_DECODERS") from None


def missing(chosen: list[Decoder], debian: list[str]) -> dict[str, list[str]]:
    """Return the packages that *chosen* and *debian* need and that are not here, each with the decoders' names."""
    users: dict[str, list[str]] = defaultdict(list, {f"apt:{package}": [] for package in debian})
    for decoder in chosen:
        for package in decoder.install.split():
            # A decoder that is found needs no Debian package; those of npm and PyPI must be the version that is pinned.
            if not package.startswith("apt:") or not decoder.available():
                users[package].append(decoder.name)
    by_kind: dict[str, list[str]] = {kind: [] for kind in INSTALLERS}
    for package in users:
        kind, _, name = package.partition(":")
        if kind not in INSTALLERS:
            raise SystemExit(f"{users[package][0]} wants {package}, but only {', '.join(INSTALLERS)} can be installed")
        by_kind[kind].append(name)
    here = {f"{kind}:{name}" for kind, names in by_kind.items() for name in HERE[kind](names)}
    return {package: names for package, names in users.items() if package not in here}


def tried(install: Callable[[list[str]], bool], names: list[str]) -> list[str]:
    """Return those of *names* that *install* cannot install: all at once, once more, and then one by one."""
    if install(names):
        return []
    time.sleep(PAUSE)
    return [] if install(names) else [name for name in names if not install([name])]


def run(command: list[object]) -> bool:
    """Run *command*, its output shown on standard error; tell whether it ended with 0."""
    words = [os.fspath(each) if isinstance(each, os.PathLike) else str(each) for each in command]
    try:
        return not subprocess.run(words, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode
    except OSError as error:
        say(f"{words[0]}: {error.strerror}")
        return False


def debian_here(names: list[str]) -> set[str]:
    """Return those of the Debian packages *names* that are installed, or whose program is there from elsewhere."""
    served = {name for name in names if name in SERVES and shutil.which(SERVES[name])}
    if not shutil.which("dpkg-query") or not names:
        return served
    question = ["dpkg-query", "-W", "-f=${db:Status-Abbrev} ${Package}\n", *names]
    lines = subprocess.run(question, capture_output=True, text=True).stdout.splitlines()
    return served | {line.split()[1] for line in lines if line.startswith("ii ")}


def apt(names: list[str]) -> bool:
    """Install the Debian packages *names*; tell whether that went well."""
    if not shutil.which("apt-get"):
        say("there is no apt-get: these are packages of Debian")
        return False
    if os.geteuid():
        say(f"root is needed: apt-get install --no-install-recommends {' '.join(names)}")
        return False
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    apt_update()
    return apt_get("install", "-y", "--no-install-recommends", *names)


def apt_get(*words: str) -> bool:
    """Run ``apt-get`` with *words*, waiting while it is locked; tell whether that went well."""
    until = time.monotonic() + LOCKED
    while True:
        command = ["apt-get", "-qq", APT_RETRIES, *words]
        environment = os.environ | {"LC_ALL": "C"}
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment)
        if "Could not get lock" not in done.stderr or time.monotonic() > until:
            sys.stderr.write(done.stdout + done.stderr)
            return not done.returncode
        say("another program has locked the package manager: waiting for it")
        time.sleep(PAUSE)


@cache
def apt_update() -> None:
    """Get the lists of packages, once: old ones name files that are no longer there."""
    if not apt_get("update"):
        say("apt-get update failed; trying with the lists that are there")


def pip_here(names: list[str]) -> set[str]:
    """Return those of *names*, ``package==version``, that the virtual environment has."""
    program = python_program()
    if not program.exists() or not names:
        return set()
    question = "from importlib.metadata import distributions as d; print(*{f'{x.name}=={x.version}' for x in d()})"
    there = subprocess.run([program, "-c", question], capture_output=True, text=True).stdout.split()
    return {name for name in names if normal(name) in map(normal, there)}


def normal(name: str) -> str:
    """Return *name* in the spelling in which packages of PyPI are compared."""
    return name.lower().replace("_", "-").replace(".", "-")


def pip(names: list[str]) -> bool:
    """Install *names* into the virtual environment, made if need be; tell whether that went well."""
    python = environment(python_program().parents[1])
    # A wheel runs nothing of its own while it is installed, and needs no compiler.
    quiet = ["--quiet", "--disable-pip-version-check", "--retries=2"]
    return run([python, "-m", "pip", "install", *quiet, "--only-binary=:all:", *names])


def npm_here(names: list[str]) -> set[str]:
    """Return those of *names*, ``package@version``, that the folder has."""
    installed = set()
    for name in names:
        package, _, version = name.rpartition("@")
        try:
            told = json.loads((npm_folder() / "node_modules" / package / "package.json").read_bytes())["version"]
        except (OSError, ValueError, KeyError):
            continue
        if told == version:
            installed.add(name)
    return installed


def npm(names: list[str]) -> bool:
    """Install *names* into the folder; tell whether that went well."""
    folder = npm_folder()
    folder.mkdir(parents=True, exist_ok=True)
    # Scripts of packages would run with our rights; the packages that we name have their binaries with them.
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
    return run(["npm", "install", "--prefix", folder, "--save-exact", *quiet, *names])


INSTALLERS: dict[str, Callable[[list[str]], bool]] = {"apt": apt, "pip": pip, "npm": npm}
HERE: dict[str, Callable[[list[str]], set[str]]] = {"apt": debian_here, "pip": pip_here, "npm": npm_here}

if __name__ == "__main__":
    raise SystemExit(main())
