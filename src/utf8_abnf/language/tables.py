"""The tables of messages that are translated, and all messages in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.language import codes, explanations, feedback, refusals, syntax_errors
from utf8_abnf.language.catalogue import Counted
from utf8_abnf.language.codes import Entry, Reason
from utf8_abnf.language.refusals import Refusal
from utf8_abnf.validator import ill_formed

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLES = (codes, refusals, explanations, syntax_errors, feedback)


def translatable() -> Iterator[tuple[str, str | Counted]]:
    """Yield every message that is shown in the user's language, with the name under which it stands here."""
    for table in TABLES:
        for name, value in vars(table).items():
            if name.strip("_").isupper():
                for place, text in _texts(name, value):
                    is_code = text in ill_formed.CODES or text in refusals.CODES
                    if text and not is_code and place.rpartition(".")[2] != "example":  # bytes
                        yield place, text


def _texts(place: str, value: object) -> Iterator[tuple[str, str | Counted]]:
    match value:
        case Counted() | str():
            yield place, value
        case Reason():
            yield place, value.text
        case Refusal():
            yield place, value.why
            yield place, value.fix
        case Entry():
            for field, text in value._asdict().items():
                yield from _texts(f"{place}.{field}", text)
        case dict():
            for key, item in value.items():
                yield from _texts(f"{place}[{key}]", item)
        case tuple():
            for item in value:
                yield from _texts(place, item)
