"""Test parsers of several languages against their grammars: ``python tools/measure/parsers.py [LEVEL [NAME...]]``.

Prints a Markdown table for docs/measured.md: the verdict of ``utf8-abnf test`` on each parser, and its classes. Each
parser is one function in the adapter of its language. Needs go, node, java with javac, and Jackson and Gson as Debian's
packages libjackson2-core-java, libjackson2-databind-java and libgoogle-gson-java have them; what is missing is named.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "utf8_abnf"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
JARS = ":".join(
    f"/usr/share/java/{name}.jar" for name in ("jackson-core", "jackson-databind", "jackson-annotations", "gson")
)
JSON = ("--grammar", "json", "--depth", "0")
DATE = ("--grammar", "date-time", "--start", "date-time")
ADDRESS = ("--grammar", "uri", "--start", "IPv4address")
DATES = "2024-02-29T12:00:00Z\n1999-12-31T23:59:59.5+09:00\n"
MAX_CLASSES = 8
MAX_LINE = 80  # characters of a class


class Parser(NamedTuple):
    """A parser: its *name*, the *language* of its adapter, what to *import*, a *body* that judges, and its grammar."""

    name: str
    language: str
    grammar: tuple[str, ...]
    imported: str
    body: str


GO = "var value interface{}; return json.Unmarshal(data, &value) == nil"
GO_TIME = "_, err := time.Parse(time.RFC3339Nano, string(data)); return err == nil"
UTF8 = "new String(data, java.nio.charset.StandardCharsets.UTF_8)"
PARSERS = (
    Parser("Go encoding/json", "go", JSON, '"encoding/json"', GO),
    Parser("Go net.ParseIP", "go", ADDRESS, '"net"', "return net.ParseIP(string(data)) != nil"),
    Parser("Go time.Parse", "go", DATE, '"time"', GO_TIME),
    Parser("Java, Jackson", "java", JSON, "import com.fasterxml.jackson.databind.*;",
           "try { return !new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).readTree(data)"
           ".isMissingNode(); } catch (Exception e) { return false; }"),
    Parser("Java, Gson", "java", JSON, "import com.google.gson.*;",
           f"try {{ JsonParser.parseString({UTF8}); return true; }} catch (RuntimeException e) {{ return false; }}"),
    Parser("Java OffsetDateTime", "java", DATE, "",
           f"try {{ java.time.OffsetDateTime.parse({UTF8}); return true; }}"
           " catch (java.time.DateTimeException e) { return false; }"),
    Parser("node JSON.parse", "javascript", JSON, "",
           'try { JSON.parse(new TextDecoder("utf-8", {fatal: true, ignoreBOM: true}).decode(data)); return true; }'
           " catch { return false; }"),
    Parser("node Date.parse", "javascript", DATE, "",
           'try { return !Number.isNaN(Date.parse(new TextDecoder("utf-8", {fatal: true}).decode(data))); }'
           " catch { return false; }"),
    Parser("node net.isIPv4", "javascript", ADDRESS, "import { isIPv4 } from 'node:net';",
           "return isIPv4(Buffer.from(data).toString('latin1'));"),
    Parser("Python json.loads", "python", JSON, "import json",
           "try:\n        json.loads(data)\n    except (ValueError, RecursionError):\n        return False\n"
           "    return True"),
    Parser("Python json.loads(str)", "python", JSON, "import json",
           "try:\n        json.loads(data.decode())\n    except (ValueError, RecursionError):\n        return False\n"
           "    return True"),
    Parser("Python datetime.fromisoformat", "python", DATE, "from datetime import datetime",
           "try:\n        datetime.fromisoformat(data.decode())\n    except ValueError:\n        return False\n"
           "    return True"),
)  # fmt: skip


def built(parser: Parser, folder: Path) -> str:
    """Write and build the adapter of *parser* in *folder*; return its target."""
    made = subprocess.run([*COMMAND, "adapter", parser.language], env=ENVIRONMENT, capture_output=True, check=True)
    text = made.stdout.decode()
    if parser.language == "go":
        text = re.sub(r"\t// TODO.*?\n}\n", lambda _: f"\t{parser.body}\n}}\n", text, count=1, flags=re.DOTALL)
        text = text.replace("import (", f"import (\n\t{parser.imported}", 1)
        (folder / "main.go").write_text(text)
        subprocess.run(["go", "build", "-o", folder / "adapter", folder / "main.go"], check=True, cwd=folder)
        return f"stream:{folder / 'adapter'}"
    if parser.language == "java":
        text = re.sub(
            r" +// TODO.*?\n    }\n", lambda _: f"        {parser.body}\n    }}\n", text, count=1, flags=re.DOTALL
        )
        (folder / "Adapter.java").write_text(f"{parser.imported}\n{text}")
        subprocess.run(["javac", "-nowarn", "-cp", JARS, "Adapter.java"], check=True, cwd=folder)
        return f"stream:java -cp {JARS}:{folder} Adapter"
    if parser.language == "javascript":
        text = re.sub(r"return data.every.*", lambda _: parser.body, text, count=1)
        (folder / "adapter.mjs").write_text(f"{parser.imported}\n{text}")
        return f"stream:node {folder / 'adapter.mjs'}"
    text = re.sub(
        r"    # TODO.*?\n    return data.isascii\(\)\n", lambda _: f"    {parser.body}\n", text, flags=re.DOTALL
    )
    (folder / "adapter.py").write_text(text.replace("import os\n", f"import os\n{parser.imported}\n", 1))
    return f"stream:{sys.executable} {folder / 'adapter.py'}"


def row(parser: Parser, folder: Path, level: str) -> list[str]:
    """Return the row of *parser*: name, rule, verdict and number of cases, classes."""
    target = built(parser, folder)
    (folder / "dates.txt").write_text(DATES)
    corpus = ["--corpus", str(folder / "dates.txt")] if parser.grammar is DATE else []
    command = [*COMMAND, "test", target, *parser.grammar, *corpus, "--level", level, "--format", "json"]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if done.returncode not in {0, 1}:
        raise SystemExit(f"{parser.name}: {done.stdout[-2000:]}{done.stderr}")
    report = json.loads(done.stdout)
    classes = [f"{each['kind']} {short(each['line'])}`{shown(each['example'])}`" for each in report["deviations"]]
    classes = list(dict.fromkeys(classes))
    more = [f"and {len(classes) - MAX_CLASSES} more"] if len(classes) > MAX_CLASSES else []
    verdict = "conforms" if report["conforms"] else "deviates"
    return [parser.name, parser.grammar[-1] if parser.grammar is not JSON else "JSON-text, depth 0",
            f"{verdict}, {report['cases']:,}", "<br>".join(classes[:MAX_CLASSES] + more)]  # fmt: skip


def short(line: str) -> str:
    """Return the class *line*, or nothing where it is too long for a table: its example has to do."""
    return f"`{line}`: " if len(line) <= MAX_LINE else ""


def shown(example: str) -> str:
    """Return *example*, bytes in hex, as text if it is visible ASCII."""
    text = bytes.fromhex(example).decode("latin-1")
    return text if text.isascii() and text.isprintable() and "`" not in text and text.strip() == text else example


def main(level: str = "L1", *chosen: str) -> None:
    """Measure and print."""
    versions = [
        subprocess.run(command, capture_output=True, text=True, check=False).stdout.split("\n")[0].strip()
        for command in (["go", "version"], ["java", "--version"], ["node", "--version"])
    ]
    jars = ", ".join(Path(each).resolve().stem for each in JARS.split(":") if "annotations" not in each)
    print(f"{time.strftime('%Y-%m-%d', time.gmtime())}, {platform.machine()}, CPython {platform.python_version()},"
          f" {', '.join(versions)}, {jars}; level {level}\n")  # fmt: skip
    print("| parser | rule | verdict, cases | classes, each with its shortest example |\n| --- | --- | --- | --- |")
    for parser in PARSERS:
        if chosen and parser.name not in chosen:
            continue
        with tempfile.TemporaryDirectory() as folder:
            print(parser.name, file=sys.stderr, flush=True)
            cells = row(parser, Path(folder), level)
        print("| " + " | ".join(each.replace("|", "\\|") for each in cells) + " |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
