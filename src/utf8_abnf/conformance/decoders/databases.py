"""Adapters of databases: SQLite and MariaDB in process, PostgreSQL's backend without a server.

These rows need code because they call C functions, or talk to a backend. PostgreSQL in single-user mode is an ordinary
child process: it has no socket, and ends when its standard input ends. MariaDB's embedded library has no socket either.
Their files are in a temporary folder, which is removed when
the adapter ends.
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
from glob import glob
from pwd import getpwnam
from typing import TYPE_CHECKING

from utf8_abnf.conformance.decoders.batch import accepted, lasting_folder
from utf8_abnf.conformance.harness.driving.protocol import ACCEPT, REJECT, UNSUPPORTED

if TYPE_CHECKING:
    from collections.abc import Sequence

SQLITE_ROW = 100
MARIADB_INVALID_CHARACTER_STRING = 1300
POSTGRESQL = "/usr/lib/postgresql/*/bin"  # Debian has several versions side by side


class Sqlite:
    """SQLite: text is bound as UTF-8 and asked for as UTF-16, which makes it decode."""

    def __init__(self) -> None:
        library = self._library = ctypes.CDLL("libsqlite3.so.0")
        library.sqlite3_libversion.restype = ctypes.c_char_p
        library.sqlite3_column_text16.restype = ctypes.c_void_p
        self.version = library.sqlite3_libversion().decode()
        database, self._statement = ctypes.c_void_p(), ctypes.c_void_p()
        library.sqlite3_open(b":memory:", ctypes.byref(database))
        library.sqlite3_prepare_v2(database, b"SELECT ?1", -1, ctypes.byref(self._statement), None)

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Accept what comes out without a U+FFFD; those of the data are taken away, as SQLite may swallow them."""
        others = [case.replace(b"\xef\xbf\xbd", b"\xef\xbf\xbc") for case in cases]
        return b"".join(map(accepted, others, self.replace(others)))

    def replace(self, cases: Sequence[bytes]) -> list[bytes | None]:
        """Return the UTF-16 as UTF-8."""
        return [self._one(case).decode("utf-16-le").encode() for case in cases]

    def _one(self, data: bytes) -> bytes:
        library, statement = self._library, self._statement
        library.sqlite3_reset(statement)
        poisoned = data + b"\x80"
        library.sqlite3_bind_text(statement, 1, poisoned, len(data), None)
        if library.sqlite3_step(statement) != SQLITE_ROW:
            raise RuntimeError("SQLite gives no row")
        text = library.sqlite3_column_text16(statement, 0)
        return ctypes.string_at(text, library.sqlite3_column_bytes16(statement, 0)) if text else b""


class Mariadb:
    """MariaDB in process: a string literal with the introducer of *charset*."""

    charset = b"_utf8mb4"

    def __init__(self) -> None:
        library = self._library = ctypes.CDLL("libmariadbd.so.19")
        folder = lasting_folder()
        words = ["", "--no-defaults", f"--datadir={folder}", f"--aria-log-dir-path={folder}", *MARIADB_WORDS]
        library.mysql_server_init(len(words), (ctypes.c_char_p * len(words))(*map(os.fsencode, words)), None)
        for name in ("mysql_init", "mysql_real_connect", "mysql_store_result"):
            getattr(library, name).restype = ctypes.c_void_p
        library.mysql_get_server_info.restype = ctypes.c_char_p
        self._session = ctypes.c_void_p(library.mysql_init(None))
        if not library.mysql_real_connect(self._session, None, None, None, None, 0, None, 0):
            raise RuntimeError("MariaDB does not start")
        self.version = library.mysql_get_server_info(self._session).decode()

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Accept what gives no error 1300."""
        return b"".join(map(self._one, cases))

    def _one(self, data: bytes) -> bytes:
        library, session = self._library, self._session
        query = b"DO %b x'%b'" % (self.charset, data.hex().encode())
        library.mysql_real_query(session, query, ctypes.c_ulong(len(query)))
        error = library.mysql_errno(session)
        if error not in (0, MARIADB_INVALID_CHARACTER_STRING):
            raise RuntimeError(f"MariaDB says error {error}")
        return REJECT if error else ACCEPT


MARIADB_WORDS = ("--skip-grant-tables", "--innodb=OFF", "--default-storage-engine=MyISAM", "--skip-log-bin")


class MariadbThree(Mariadb):
    """The older character set of three bytes at most."""

    charset = b"_utf8mb3"


class Postgresql:
    """PostgreSQL's ``convert_from(bytea, 'UTF8')``."""

    def __init__(self) -> None:
        programs = sorted(glob(POSTGRESQL))[-1]
        told = subprocess.run([f"{programs}/postgres", "--version"], capture_output=True, check=True)  # noqa: S603
        self.version = told.stdout.decode().split()[2]
        folder = lasting_folder()
        self._nobody = None if os.geteuid() else getpwnam("nobody")  # it refuses to run as root
        if self._nobody:
            os.chown(folder, self._nobody.pw_uid, self._nobody.pw_gid)
        data = f"{folder}/data"
        made = self._start(f"{programs}/initdb", "-D", data, "-EUTF8", "--locale=C", "--no-sync", "-Unobody")
        made.communicate()
        self._backend = self._start(f"{programs}/postgres", "--single", "-F", *IN_FOLDER, "-D", data, "postgres")
        self._ask(FUNCTION, rb"(backend> ).*(backend> )")

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        nobody = self._nobody
        return subprocess.Popen(  # noqa: S603
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            user=nobody.pw_uid if nobody else None,
            group=nobody.pw_gid if nobody else None,
            extra_groups=[] if nobody else None,
            start_new_session=True,  # it is not killed with us: it ends with its input, and frees its shared memory
        )

    def _ask(self, query: bytes, answer: bytes) -> bytes:
        """Send a line; return the first group of *answer* in what the backend then says."""
        assert self._backend.stdin
        assert self._backend.stdout
        self._backend.stdin.write(query + b"\n")
        self._backend.stdin.flush()
        said = b""
        while not (found := re.search(answer, said, re.DOTALL)):
            more = os.read(self._backend.stdout.fileno(), 1 << 16)
            if not more:
                raise RuntimeError(f"PostgreSQL ended after {said[-200:]!r}")
            said += more
        return found[1]

    def judge(self, cases: Sequence[bytes]) -> bytes:
        """Accept what gives no error; its text cannot have a NUL."""
        asked = [case for case in cases if 0 not in case]
        words = ",".join(f"x{case.hex()}" for case in asked)
        verdicts = iter(self._ask(QUERY % words.encode(), rb'r = "([01]*)".*backend> ') if asked else b"")
        return b"".join(UNSUPPORTED if 0 in case else b"%c" % next(verdicts) for case in cases)


IN_FOLDER = ("-c", "dynamic_shared_memory_type=mmap")
# The backend takes a line for a command.
FUNCTION = (
    b"create function accepts(data bytea) returns text language plpgsql as $$ begin "
    b"perform convert_from(data, 'UTF8'); return '1'; "
    b"exception when character_not_in_repertoire then return '0'; end $$"
)
QUERY = (
    b"select string_agg(accepts(decode(substr(word, 2), 'hex')), '' order by place) as r "
    b"from unnest(string_to_array('%b', ',')) with ordinality as words (word, place)"
)
