"""The language server: requests of an editor in, by ``pygls``; what ``grammar.editing`` knows of its documents out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from utf8_abnf import __version__
from utf8_abnf.drawing.railroad import railroad_text
from utf8_abnf.errors import GrammarError
from utf8_abnf.grammar.editing import NAME, Name, Source
from utf8_abnf.grammar.findings import ERROR, WARNING
from utf8_abnf.grammar.model import core_rules
from utf8_abnf.grammar.overview import overview
from utf8_abnf.grammar.syntax import show
from utf8_abnf.language.notation import hex_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from utf8_abnf.grammar.model import Grammar

PAUSE = 0.3  # seconds without a change, after which the linter looks at a document
SUFFIXES = (".abnf",)
SEVERITIES = {ERROR: types.DiagnosticSeverity.Error, WARNING: types.DiagnosticSeverity.Warning}


def make_server() -> LanguageServer:
    """Return the server, which has not started yet."""
    logging.getLogger("pygls").setLevel(logging.ERROR)  # editors show standard error
    server = LanguageServer("utf8-abnf", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
    documents = _Documents(server)
    features: dict[str, Callable[[Any], object]] = {
        types.TEXT_DOCUMENT_DID_OPEN: lambda params: documents.look_at(params.text_document.uri),
        types.TEXT_DOCUMENT_DID_CHANGE: lambda params: documents.look_soon(params.text_document.uri),
        types.TEXT_DOCUMENT_DID_CLOSE: lambda params: documents.close(params.text_document.uri),
        types.TEXT_DOCUMENT_DEFINITION: lambda params: documents.locations(params, only_definitions=True),
        types.TEXT_DOCUMENT_REFERENCES: lambda params: documents.locations(params),
        types.TEXT_DOCUMENT_RENAME: lambda params: documents.renamed(params),
        types.TEXT_DOCUMENT_HOVER: lambda params: documents.hover(params),
        types.TEXT_DOCUMENT_COMPLETION: lambda params: documents.completions(params.text_document.uri),
        types.TEXT_DOCUMENT_FORMATTING: lambda params: documents.edits(params.text_document.uri),
    }
    for name, run in features.items():
        server.feature(name)(run)
    return server


class _Documents:
    """The documents that are open in the editor."""

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self.grammars: dict[str, Grammar] = {}  # the last ones that could be read, for what shows rules
        self.waiting: dict[str, asyncio.TimerHandle] = {}

    def source(self, uri: str) -> Source:
        """Return the ABNF of a document."""
        document = self.server.workspace.get_text_document(uri)
        is_whole = document.language_id == "abnf" or uri.lower().endswith(SUFFIXES)
        return Source.of(document.source, file=document.filename or uri, is_whole=is_whole)

    def look_soon(self, uri: str) -> None:
        """Look at a document when nothing has changed for a while."""
        if uri in self.waiting:
            self.waiting.pop(uri).cancel()
        self.waiting[uri] = asyncio.get_running_loop().call_later(PAUSE, self.look_at, uri)

    def look_at(self, uri: str) -> None:
        """Send the editor what is to be said about a document."""
        self.waiting.pop(uri, None)
        diagnostics = [
            types.Diagnostic(
                _range(each.line, each.column, each.line, each.end),
                each.message,
                severity=SEVERITIES.get(each.severity, types.DiagnosticSeverity.Information),
                code=each.code,
                source="utf8-abnf",
            )
            for each in self.source(uri).remarks()
        ]
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))

    def close(self, uri: str) -> None:
        """Forget a document and what was said about it."""
        if uri in self.waiting:
            self.waiting.pop(uri).cancel()
        self.grammars.pop(uri, None)
        self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def locations(
        self, params: types.TextDocumentPositionParams, *, only_definitions: bool = False
    ) -> list[types.Location]:
        """Return the places of the rule at a place: its definitions, or all unless the editor asks without them."""
        uri = params.text_document.uri
        source = self.source(uri)
        name = source.name_at(params.position.line, params.position.character)
        context = params.context if isinstance(params, types.ReferenceParams) else None
        no_definitions = context is not None and not context.include_declaration
        return [
            types.Location(uri, _range_of(each))
            for each in (source.places_of(name.name) if name else [])
            if (each.defines or not only_definitions) and not (each.defines and no_definitions)
        ]

    def renamed(self, params: types.RenameParams) -> types.WorkspaceEdit | None:
        """Return the edits that give the rule at a place another name."""
        uri, new = params.text_document.uri, params.new_name
        source = self.source(uri)
        name = source.name_at(params.position.line, params.position.character)
        if not name:
            return None
        places = source.places_of(name.name)
        if not NAME.fullmatch(new):
            raise JsonRpcInvalidParams(f"{new} is not a rule name: it has letters, digits and hyphens, a letter first")
        if new.lower() != name.name.lower() and source.places_of(new):
            raise JsonRpcInvalidParams(f"there is a rule {new} (names are the same in any case)")
        if not any(each.defines for each in places):
            raise JsonRpcInvalidParams(f"{name.name} is not defined in this document")
        return types.WorkspaceEdit(changes={uri: [types.TextEdit(_range_of(each), new) for each in places]})

    def hover(self, params: types.HoverParams) -> types.Hover | None:
        """Return the rule at a place: its ABNF, its railroad diagram, what it derives."""
        uri = params.text_document.uri
        source = self.source(uri)
        name = source.name_at(params.position.line, params.position.character)
        grammar = self._grammar(uri, source)
        if not (name and grammar and name.name in grammar):
            return None
        text = _described(grammar, name.name)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), _range_of(name))

    def completions(self, uri: str) -> list[types.CompletionItem]:
        """Return the rules of a document and the core rules."""
        source = self.source(uri)
        grammar = self._grammar(uri, source)
        names = {each.name.lower(): each.name for each in reversed(source.names) if each.defines}
        names |= {rule.name.lower(): rule.name for rule in core_rules().values() if rule.name.lower() not in names}
        return [
            types.CompletionItem(
                name,
                kind=types.CompletionItemKind.Class,
                detail=show(grammar[name].definition)[:100] if grammar and name in grammar else None,
            )
            for name in names.values()
        ]

    def edits(self, uri: str) -> list[types.TextEdit]:
        """Return what formats a document."""
        return [types.TextEdit(_range(each.first, 0, each.last, 0), each.text) for each in self.source(uri).edits()]

    def _grammar(self, uri: str, source: Source) -> Grammar | None:
        with contextlib.suppress(GrammarError):
            self.grammars[uri] = source.grammar()
        return self.grammars.get(uri)


def _described(grammar: Grammar, name: str) -> str:
    """Return what is known about a rule, as Markdown."""
    rule = grammar[name]
    lines = ["```abnf", f"{rule.name} = {show(rule.definition)}", "```", "```text", railroad_text(grammar, name), "```"]
    if about := overview(grammar).get(name.lower()):
        lines.append(f"- shortest sentence: {_word(about.sentence)}")
        lines.append(f"- {'nullable' if about.is_nullable else 'not nullable'}")
        lines.append(f"- {'recursive' if about.is_recursive else 'not recursive'}")
        lines.append(f"- used by: {', '.join(about.users) or 'no rule'}")
    return "\n".join([*lines, *(["- a core rule (RFC 5234 appendix B.1)"] if rule.core else [])])


def _word(word: bytes | None) -> str:
    if not word:
        return "none (prose, or a rule that is not defined or never ends)" if word is None else "the empty string"
    text = word.decode("utf-8", "replace")
    return f"`{text}`" if text.isprintable() and "\ufffd" not in text and "`" not in text else f"`{hex_bytes(word)}`"


def _range(line: int, column: int, last: int, end: int) -> types.Range:
    return types.Range(types.Position(line, column), types.Position(last, end))


def _range_of(name: Name) -> types.Range:
    return _range(name.line, name.column, name.line, name.column + len(name.name))
