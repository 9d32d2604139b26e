"""Wheels, zip archives and sdists that depend on nothing but their content: not on the clock, the user or the order."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import tarfile
import time
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from cross import Builder


def write_zip(path: Path, parts: dict[str, bytes], epoch: int, before: bytes = b"") -> None:
    """Write *parts* in the order of their names, all of the time *epoch*, after the bytes *before*."""
    when = time.gmtime(max(epoch, 315532800))[:6]  # zip begins in 1980
    with path.open("wb") as file:
        file.write(before)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name in sorted(parts):
                info = zipfile.ZipInfo(name, when)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.create_system = 3  # Unix, whatever system this is
                info.external_attr = (0o755 if name.endswith((".so", ".pyd")) else 0o644) << 16
                archive.writestr(info, parts[name])


def pure_parts(wheel: Path) -> dict[str, bytes]:
    """Return the files of *wheel* by name, without what its tags decide."""
    with zipfile.ZipFile(wheel) as archive:
        names = [
            name for name in archive.namelist() if not name.endswith(("/", ".dist-info/RECORD", ".dist-info/WHEEL"))
        ]
        return {name: archive.read(name) for name in names}


def write_wheel(out: Path, parts: dict[str, bytes], tag: str, extensions: dict[str, bytes], epoch: int) -> Path:
    """Write the wheel of *parts* and *extensions* for the systems of *tag*, and return its path."""
    python, abi, platforms = tag.split("-")
    info = next(name.split("/")[0] for name in parts if ".dist-info/" in name)
    about = [
        "Wheel-Version: 1.0",
        "Generator: utf8-abnf tools/wheels.py",
        f"Root-Is-Purelib: {str(not extensions).lower()}",
    ]
    about += [f"Tag: {python}-{abi}-{platform}" for platform in platforms.split(".")]
    inner = {**parts, **extensions, f"{info}/WHEEL": ("\n".join(about) + "\n").encode()}
    rows = [f"{name},sha256={_digest(inner[name])},{len(inner[name])}" for name in sorted(inner)]
    inner[f"{info}/RECORD"] = ("\n".join([*rows, f"{info}/RECORD,,"]) + "\n").encode()
    path = out / f"{info.removesuffix('.dist-info')}-{tag}.whl"
    write_zip(path, inner, epoch)
    return path


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def sdist(builder: Builder, out: Path) -> Path:
    """Build the sdist and write it again with fixed times, owners and order."""
    builder.run(builder.python, "-m", "build", "--sdist", "--no-isolation", "--outdir", builder.work / "sdist")
    built = next((builder.work / "sdist").glob("*.tar.gz"))
    packed = io.BytesIO()
    with tarfile.open(built) as old, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as new:
        for member in sorted(old.getmembers(), key=lambda each: each.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = builder.epoch, 0, 0, "", ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            member.pax_headers = {}
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    path = out / built.name
    path.write_bytes(gzip.compress(packed.getvalue(), mtime=builder.epoch))
    return path
