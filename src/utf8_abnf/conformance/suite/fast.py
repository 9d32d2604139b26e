"""The C extension of this room, or None where there was no compiler at install time; then the Python twins work."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

fast: ModuleType | None
try:
    import utf8_abnf.conformance.suite._suite as fast
except ImportError:
    fast = None
