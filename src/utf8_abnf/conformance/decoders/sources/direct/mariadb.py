import ctypes
import os
import sys
import tempfile

library = ctypes.CDLL("libmariadbd.so.19")
with tempfile.TemporaryDirectory() as folder:
    words = ["", "--no-defaults", f"--datadir={folder}", f"--aria-log-dir-path={folder}"]
    words += ["--skip-grant-tables", "--innodb=OFF", "--default-storage-engine=MyISAM"]
    library.mysql_server_init(len(words), (ctypes.c_char_p * len(words))(*map(str.encode, words)), None)
    library.mysql_init.restype = ctypes.c_void_p
    session = ctypes.c_void_p(library.mysql_init(None))
    library.mysql_real_connect(session, None, None, None, None, 0, None, ctypes.c_void_p(0))
    query = f"DO {sys.argv[1]} x'{sys.stdin.buffer.read().hex()}'".encode()
    library.mysql_real_query(session, query, ctypes.c_ulong(len(query)))
    status = {0: 10, 1300: 11}.get(library.mysql_errno(session), 2)  # 1300: invalid character string
os._exit(status)  # its threads are still there
