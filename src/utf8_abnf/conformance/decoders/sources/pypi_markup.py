"""Packages of PyPI that read XML and YAML: their decoders by name, each with its distribution and how to make it."""

from __future__ import annotations

import re
from importlib import import_module
from io import BytesIO

from pypi_ways import Decoder, unless

NOT_XML = re.compile(rb"[\0-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
NOT_YAML = re.compile(rb"\xc2[\x80-\x84\x86-\x9f]|\xef\xbf[\xbe\xbf]|\xef\xbb\xbf")


def lxml():
    """Return a decoder of an element's text; None where XML 1.0 forbids a character."""
    etree = import_module("lxml.etree")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    head = b'<?xml version="1.0" encoding="UTF-8"?><a>'

    def call(data):
        text = data.replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;")
        return etree.fromstring(b"%b%b</a>" % (head, text), parser)

    decoder = Decoder(call, etree.XMLSyntaxError)
    return unless(NOT_XML, decoder)


def libyaml():
    """Return a decoder of a double-quoted scalar, in C."""
    return yaml("CSafeLoader")


def pyyaml():
    """Return the one in Python, which has CPython decode."""
    return yaml("SafeLoader")


def yaml(name):
    """Return a decoder of a double-quoted scalar; None where YAML forbids what cannot be escaped."""
    module = import_module("yaml")
    loader = getattr(module, name)
    escapes = {byte: b"\\x%02x" % byte for byte in (*range(0x20), ord('"'), ord("\\"), 0x7F)}
    forbidden = re.compile(b'[\0-\x1f\x7f"\\\\]')

    def call(data):
        return module.load(b'"%b"' % forbidden.sub(lambda match: escapes[match[0][0]], data), Loader=loader)

    return unless(NOT_YAML, Decoder(call, module.YAMLError))


def lxml_iterparse():
    """Return the same of a file that is read in pieces."""
    etree = import_module("lxml.etree")

    def call(data):
        text = data.replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;")
        return list(etree.iterparse(BytesIO(b"<a>%b</a>" % text), huge_tree=True))

    return unless(NOT_XML, Decoder(call, etree.XMLSyntaxError))


MARKUP = {
    "lxml": ("lxml", lxml),
    "pyyaml": ("PyYAML", libyaml),
    "pyyaml-pure": ("PyYAML", pyyaml),
    "lxml-iterparse": ("lxml", lxml_iterparse),
}
