"""Apart: work in a copy of this process, for what is asked there may crash, hang, or remember that it was asked."""

from __future__ import annotations

import os
import select
import signal
import time
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[[bytes], object]

CAN_COPY = hasattr(os, "fork")


def told_apart(work: Callable[[Write], object], seconds: float) -> bytes:
    """Return what *work* tells in a copy of this process, by the function that it is given, in *seconds* at most."""
    reads, writes = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads in a process that forks: the decoder may have started some
        copy = os.fork()
    if copy == 0:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            work(lambda data: os.write(writes, data))
        finally:
            os._exit(0)
    os.close(writes)
    told = b""
    deadline = time.monotonic() + seconds
    with open(reads, "rb", buffering=0) as stream:
        while (left := deadline - time.monotonic()) > 0 and select.select([stream], [], [], left)[0]:
            if not (more := stream.read(1 << 16)):
                break
            told += more
    os.kill(copy, signal.SIGKILL)
    os.waitpid(copy, 0)
    return told
