// Runs the pure wheel in Pyodide, which is CPython in WebAssembly: node pyodide.mjs utf8-abnf.pyz
// The program holds the wheel and what it needs. tools/wheels.py --pyodide calls this.
import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const pyodide = await loadPyodide();
pyodide.unpackArchive(new Uint8Array(readFileSync(process.argv[2])), "zip");
pyodide.runPython(`
import utf8_abnf
from utf8_abnf.automaton import compile_grammar
from utf8_abnf.grammar import Grammar
from utf8_abnf.parsers import LarkParser, ReferenceParser

right, wrong = "é€😀".encode(), bytes.fromhex("61 ED A0 80")
grammar = Grammar.load("utf8")
for accepts in (utf8_abnf.is_valid, compile_grammar(grammar).accepts, ReferenceParser(grammar).accepts,
                LarkParser(grammar).accepts):
    assert accepts(right) and not accepts(wrong), accepts
assert utf8_abnf.first_error(wrong).code == "UTF8-SURROGATE"
assert utf8_abnf.Summary.of(right).finish().characters == 3
`);
console.log(`Pyodide ${pyodide.version}: ${pyodide.runPython("utf8_abnf.kernel.name")}`);
