"""Leave with an error unless the installed wheel decides with a C kernel: cibuildwheel and wheels.py run this."""

import sys

import utf8_abnf
import utf8_abnf.conformance.suite._suite
import utf8_abnf.files.arrow._arrow  # every extension can be loaded

KERNELS = utf8_abnf.kernel.available

assert utf8_abnf.kernel.name != "python", "the wheel holds no C kernel"
if "free-threading" in sys.version:
    assert not sys._is_gil_enabled(), "an extension does not say that it needs no GIL, so CPython turned it on"
for kernel in KERNELS:
    utf8_abnf.kernel.use(kernel)
    text = "größe 日本 😀".encode() * 100
    assert utf8_abnf.is_valid(text), kernel
    assert not utf8_abnf.is_valid(text + b"\xed\xa0\x80"), kernel
    assert utf8_abnf.Summary.of(text).finish().characters == 1000, kernel
