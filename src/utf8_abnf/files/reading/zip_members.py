"""The members of a zip archive."""

from __future__ import annotations

import stat
import zipfile
from functools import partial
from typing import TYPE_CHECKING

from utf8_abnf.errors import UnreadableError
from utf8_abnf.files.reading.streams import Meter, Part, Stream, with_seeking

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENCRYPTED = 1  # a flag: APPNOTE 4.4.4


def members(stream: Stream, meter: Meter) -> Iterator[Part]:
    """Yield the files of an archive; symbolic links are left out, as in folders."""
    with with_seeking(stream) as file, zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if not (info.is_dir() or stat.S_ISLNK(info.external_attr >> 16)):
                yield Part(info.filename, partial(_content, archive, info, meter))


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, meter: Meter) -> Stream:
    if info.flag_bits & _ENCRYPTED:
        raise UnreadableError("is encrypted")
    return Stream(archive.open(info), meter)  # type: ignore[arg-type]
