"""Test decoders: ``run`` tests one and returns a ``Report``; ``cases`` yields the cases of a suite.

``suite`` makes cases from a grammar, ``harness`` drives a decoder and describes its wrong verdicts, ``learning`` learns
what a decoder accepts, ``decoders`` are decoders by others, ``matrix`` tests and learns them all, and ``proving``
compares the installed kernels with the automaton. ``framing`` has the frames in which inputs are sent. A room is
imported when it is first used.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from utf8_abnf.conformance.harness.formats import render
    from utf8_abnf.conformance.harness.interface import run
    from utf8_abnf.conformance.harness.report import Deviation, FamilyResult, Report, Trouble
    from utf8_abnf.conformance.suite import cases

__all__ = ["Deviation", "FamilyResult", "Report", "Trouble", "cases", "render", "run"]

_MODULES = dict.fromkeys(("Deviation", "FamilyResult", "Report", "Trouble"), "harness.report") | {
    "cases": "suite",
    "render": "harness.formats",
    "run": "harness.interface",
}


def __getattr__(name: str) -> object:
    if name in _MODULES:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
