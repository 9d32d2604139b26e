# A template for CodeRunner: a combinator template grader for a grammar of UTF-8.
# It prints what such a grader has to print: JSON with the fraction of the mark and the feedback as HTML.
import html
import json
import subprocess
import sys

ANSWER = """{{ STUDENT_ANSWER | e('py') }}"""

with open("answer.abnf", "w", encoding="utf-8") as file:
    file.write(ANSWER)
command = [sys.executable, "-m", "utf8_abnf", "grade", "answer.abnf", "--feedback", "hint", "--timeout", "5"]
told = subprocess.run([*command, "--language", "en"], capture_output=True, text=True, check=False)  # noqa: S603
first = told.stdout.split()[0] if told.returncode in (0, 1) else "-"
points = 0.0 if first == "-" else float(first)  # "-": a person has to look
feedback = html.escape(told.stdout or told.stderr)
print(json.dumps({"fraction": points / 100, "prologuehtml": f"<pre>{feedback}</pre>"}))
