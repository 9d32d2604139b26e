"""Leave with an error unless the installed wheel decides with a C kernel: what cibuildwheel runs after each build."""

import utf8_abnf

assert utf8_abnf.kernel.name != "python", "the wheel holds no C kernel"
for kernel in utf8_abnf.kernel.available:
    utf8_abnf.kernel.use(kernel)
    text = "größe 日本 😀".encode() * 100
    assert utf8_abnf.is_valid(text), kernel
    assert not utf8_abnf.is_valid(text + b"\xed\xa0\x80"), kernel
