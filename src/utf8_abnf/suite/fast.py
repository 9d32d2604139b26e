"""The C half of this package, or None where it was installed without a compiler: then the plain twins do the work."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

fast: ModuleType | None
try:
    from utf8_abnf.suite import _suite as fast
except ImportError:
    fast = None
