"""The notebook as a page of the site: cells in, Markdown for Sphinx out, with the outputs that the notebook holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FENCE = "``````"  # longer than any in a cell


def markdown(path: Path) -> str:
    """Return the cells of the notebook *path* in order: text as it is, code, and under it what came out."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join(part for cell in cells for part in _parts(cell))


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"{_FENCE}ipython\n{source}\n{_FENCE}"
    for output in cell["outputs"]:
        data = output.get("data") or {"text/plain": output.get("text", "")}
        drawn = "".join(data.get("image/svg+xml") or data.get("text/html") or "")
        if drawn:
            yield f'{_FENCE}{{raw}} html\n<div class="output">{drawn}</div>\n{_FENCE}'
        else:
            yield f"{_FENCE}text\n{''.join(data['text/plain'])}\n{_FENCE}"
