"""Databases: SQLite's and MariaDB's libraries in process, PostgreSQL as a backend without a server.

PostgreSQL's backend in single-user mode is an ordinary child: it has no socket, and ends with its standard input.
MariaDB's embedded library has none, either. Their files are in a temporary folder, which goes when the adapter goes.
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
from glob import glob
from pwd import getpwnam
from typing import TYPE_CHECKING

from utf8_abnf.decoders.batch import accepted, lasting_folder, row
from utf8_abnf.harness.protocol import ACCEPT, REJECT, UNSUPPORTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from utf8_abnf.decoders.decoder import Decoder

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
        """Accept what comes out without a new U+FFFD."""
        return b"".join(map(accepted, cases, self.replace(cases)))

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
SQLITE_DIRECT = """! { printf "pragma encoding='UTF-16le'; select hex(cast('"; cat; printf "' as blob))"; } |
sqlite3 | grep -Eq '^(....)*FDFF'"""
POSTGRESQL_DIRECT = """p=$(ls -d /usr/lib/postgresql/*/bin | tail -1); d=$(mktemp -d); chown nobody $d
q="select 'yes' from convert_from('\\x$(od -An -v -tx1 | tr -d ' \\n')', 'UTF8')"
as() { if [ $(id -u) = 0 ]; then setpriv --reuid=nobody --clear-groups "$@"; else "$@"; fi; }
as $p/initdb -D $d/d -EUTF8 --locale=C --no-sync >/dev/null 2>&1
echo "$q" | as $p/postgres --single -D $d/d postgres 2>/dev/null | grep -q '"yes"'; s=$?; rm -r $d; exit $s"""
MARIADB_DIRECT = """d=$(mktemp -d); python3 -c "
import ctypes, os, sys; m = ctypes.CDLL('libmariadbd.so.19'); P = ctypes.c_void_p; n = None
a = b'x --no-defaults --datadir=$d --aria-log-dir-path=$d --skip-grant-tables --innodb=0'.split()
a += [b'--default-storage-engine=myisam']
m.mysql_server_init(len(a), (ctypes.c_char_p * len(a))(*a), n); m.mysql_init.restype = P; s = P(m.mysql_init(n))
m.mysql_real_connect(s, n, n, n, n, 0, n, P(0)); q = b'DO CHARSET x' + ascii(sys.stdin.buffer.read().hex()).encode()
m.mysql_real_query(s, q, P(len(q))); os._exit({0: 0, 1300: 1}.get(m.mysql_errno(s), 2))" 2>/dev/null
s=$?; rm -r $d; exit $s"""


def _mariadb(charset: str, batch: str, claim: str) -> Decoder:
    return row(
        f"mariadb-{charset}",
        f"MariaDB: the string literal _{charset} x'…'",
        batch,
        "ldconfig -p | grep libmariadbd.so.19",
        "apt:libmariadbd19",
        MARIADB_DIRECT.replace("CHARSET", f"_{charset}"),
        claim=claim,
    )


DECODERS = (
    row(
        "sqlite",
        "sqlite3_bind_text, sqlite3_column_text16",
        "databases:Sqlite",
        "ldconfig -p | grep libsqlite3.so.0",
        "apt:libsqlite3-0 apt:sqlite3",
        SQLITE_DIRECT,
        claim="any bytes: it promises nothing of ill-formed text but to do no harm (sqlite.org/invalidutf.html)",
    ),
    row(
        "postgresql",
        "convert_from(bytea, 'UTF8')",
        "databases:Postgresql",
        f"ls {POSTGRESQL}/initdb",
        "apt:postgresql-15",
        POSTGRESQL_DIRECT,
        refuses="NUL is in no text of PostgreSQL",
    ),
    _mariadb("utf8mb4", "databases:Mariadb", "UTF-8"),
    _mariadb("utf8mb3", "databases:MariadbThree", "UTF-8 of up to three bytes (MariaDB's documentation, Unicode)"),
)
