"""The benchmark of Dask's workers: the memory that it prints is that of the check, whatever a worker held before."""

import importlib
import sys

import pytest

MIB = 1 << 20


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux, whose /proc has a peak that can begin again")
def test_a_peak_before_the_check_does_not_hide_its_memory(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tools" / "bench"))
    workers = importlib.import_module("workers")
    bytes(bytearray(96 * MIB))
    workers.forget()
    _, before, _ = workers.spent()
    bytearray(32 * MIB)
    _, _, peak = workers.spent()
    assert 31 * MIB < (peak - before) * 1024 < 40 * MIB
