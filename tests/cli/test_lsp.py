"""The language server, by its protocol: a client starts it as an editor does, and holds one session with it."""

import asyncio
import json
import re
import sys

import pytest

from utf8_abnf.grammar import Grammar
from utf8_abnf.grammar.files import shipped_grammars
from utf8_abnf.grammar.reader import read

pytest.importorskip("pygls")

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

GRAMMAR = """\
Greeting = "hello" SP name nmae
name=1*ALPHA / "(" NAME ")" ; name
"""
DOCUMENT = """\
# Names

~~~ abnf
   a = b /
     "c"
~~~

> ~~~ abnf
> b = A / %x61-5A
> ~~~
"""
XML = """\
<rfc><section><sourcecode type="abnf"><![CDATA[
  a = b
  b = "x" ; <- a
]]></sourcecode></section></rfc>
"""


class Session:
    """What an editor does with a document."""

    def __init__(self, client):
        self.client = client
        self.published = asyncio.Queue()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _(params):
            self.published.put_nowait(params)

    async def open(self, name, text):
        self.uri = f"file:///{name}"
        item = types.TextDocumentItem(self.uri, "abnf" if name.endswith("abnf") else "other", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.diagnostics()

    async def change(self, *texts):
        for version, text in enumerate(texts, 2):
            whole = types.TextDocumentContentChangeWholeDocument(text)
            document = types.VersionedTextDocumentIdentifier(version, self.uri)
            self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))
        return await self.diagnostics()

    async def diagnostics(self):
        params = await self.published.get()
        assert params.uri == self.uri
        return [(str(each.range), each.code) for each in params.diagnostics]

    def at(self, line, column):
        return {"text_document": types.TextDocumentIdentifier(self.uri), "position": types.Position(line, column)}

    async def places(self, line, column, declarations=True):
        context = types.ReferenceContext(declarations)
        params = types.ReferenceParams(**self.at(line, column), context=context)
        return [str(each.range) for each in await self.client.text_document_references_async(params)]

    async def definition(self, line, column):
        found = await self.client.text_document_definition_async(types.DefinitionParams(**self.at(line, column)))
        return [str(each.range) for each in found]

    async def hover(self, line, column):
        found = await self.client.text_document_hover_async(types.HoverParams(**self.at(line, column)))
        return found and found.contents.value

    async def rename(self, line, column, name):
        params = types.RenameParams(new_name=name, **self.at(line, column))
        edit = await self.client.text_document_rename_async(params)
        return edit and [(str(each.range), each.new_text) for each in edit.changes[self.uri]]

    async def completions(self):
        found = await self.client.text_document_completion_async(types.CompletionParams(**self.at(0, 0)))
        return {each.label: each.detail for each in found}

    async def format(self):
        options = types.FormattingOptions(4, insert_spaces=True)
        params = types.DocumentFormattingParams(types.TextDocumentIdentifier(self.uri), options)
        found = await self.client.text_document_formatting_async(params)
        return [(str(each.range), each.new_text) for each in found]


async def of_a_grammar(session):
    assert ("0:27-0:31", "undefined-rule") in await session.open("a.abnf", GRAMMAR)
    assert await session.definition(0, 22) == ["1:0-1:4"]
    assert await session.places(1, 4) == ["0:22-0:26", "1:0-1:4", "1:19-1:23"]  # names are the same in any case
    assert await session.places(1, 4, declarations=False) == ["0:22-0:26", "1:19-1:23"]
    assert await session.places(1, 30) == await session.places(0, 12) == []  # in a comment, in a string
    hover = await session.hover(0, 22)
    assert 'name = 1*ALPHA / "(" NAME ")"\n' in hover
    assert "─[ALPHA]─" in hover
    assert "- shortest sentence: `a`\n- not nullable\n- recursive\n- used by: Greeting, name" in hover
    assert "a core rule" in await session.hover(0, 19)
    assert "shortest sentence: none" in await session.hover(0, 3)
    assert await session.hover(0, 28) is None
    assert await session.rename(0, 22, "first-name") == [
        ("0:22-0:26", "first-name"), ("1:0-1:4", "first-name"), ("1:19-1:23", "first-name"),
    ]  # fmt: skip
    for name, why in {"x_y": "not a rule name", "greeting": "there is a rule greeting"}.items():
        with pytest.raises(JsonRpcException, match=why):
            await session.rename(0, 22, name)
    with pytest.raises(JsonRpcException, match="SP is not defined"):
        await session.rename(0, 19, "space")
    assert await session.rename(0, 12, "x") is None
    found = await session.completions()
    assert found["name"] == '1*ALPHA / "(" NAME ")"'
    assert {"Greeting", "DIGIT", "CRLF"} <= found.keys()
    made = 'Greeting = "hello" SP name nmae\nname     = 1*ALPHA / "(" NAME ")"  ; name\n'
    assert await session.format() == [("0:0-3:0", made)]
    # while a rule is being written
    assert await session.change("a = (\n", f"{GRAMMAR}more = (\n") == [("2:8-2:8", "syntax")]
    assert await session.definition(0, 22) == ["1:0-1:4"]
    assert "more" in await session.completions()
    assert "─[ALPHA]─" in await session.hover(0, 22)
    assert await session.format() == []
    assert "no-crlf" not in str(await session.change(made.replace("\n", "\r\n")))
    assert await session.format() == []


async def of_a_document(session):
    assert await session.open("b.md", DOCUMENT) == [("8:10-8:17", "syntax")]
    assert await session.definition(3, 7) == ["8:2-8:3"]
    assert await session.places(8, 6) == ["3:3-3:4", "8:6-8:7"]
    assert "syntax" not in str(await session.change(DOCUMENT.replace("61-5A", "41-5A")))
    assert "[b]" in await session.hover(8, 6)
    assert await session.format() == [("3:0-5:0", '   a = b\n     / "c"\n')]


async def of_rfc_xml(session):
    assert "any-case" in str(await session.open("c.xml", XML))
    assert await session.definition(1, 6) == ["2:2-2:3"]
    assert await session.format() == [("1:0-3:0", '  a = b\n  b = "x"  ; <- a\n')]
    session.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(session.uri)))
    assert await session.diagnostics() == []
    assert await session.open("d.xml", "<rfc>") == []


async def hold(sessions):
    client = LanguageClient("test", "1")
    session = Session(client)
    await client.start_io(sys.executable, "-m", "utf8_abnf", "lsp")
    about = await client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities()))
    assert about.server_info.name == "utf8-abnf"
    client.initialized(types.InitializedParams())
    for each in sessions:
        await each(session)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()


def test_a_session_with_a_grammar_markdown_and_rfc_xml():
    asyncio.run(hold([of_a_grammar, of_a_document, of_rfc_xml]))


def test_the_textmate_grammar_has_a_colour_for_all_of_a_grammar(root):
    rules = json.loads((root / "docs/_static/abnf.tmLanguage.json").read_text())["patterns"]
    whole = re.compile("|".join(f"(?P<_{number}>{each['match']})" for number, each in enumerate(rules)), re.MULTILINE)
    for name in shipped_grammars():
        grammar = Grammar.load(name)
        found = [(each.lastgroup, each[0]) for each in whole.finditer(grammar.text)]
        assert not whole.sub("", grammar.text).strip()
        assert [text.split("=")[0].strip().lower() for kind, text in found if kind == "_0"] == [
            each.name.lower() for each in read(grammar.text)
        ]
