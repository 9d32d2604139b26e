"""The one thing that pyproject.toml cannot say: how the C kernel is built, and that its failure is not the install's."""

import os
import platform
import sysconfig

from setuptools import Extension, find_packages, setup

CPYTHON = platform.python_implementation() == "CPython"
# Free-threaded CPython has no stable ABI before 3.15 (PEP 803): it gets a wheel of its own.
STABLE_ABI = CPYTHON and not sysconfig.get_config_var("Py_GIL_DISABLED")

kernel = Extension(
    "utf8_abnf._kernel",
    sources=["src/kernel/module.c", "src/kernel/scalar.c"],
    include_dirs=["src/kernel"],
    depends=["src/kernel/utf8_kernel.h"],
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE_ABI else [],
    py_limited_api=STABLE_ABI,
    # Without a compiler the install succeeds and bytes.decode decides; a release build must not fall back in silence.
    optional=os.environ.get("CIBUILDWHEEL") != "1",
)

setup(
    packages=[*find_packages("src"), "utf8_abnf.grammar_files"],
    package_dir={"": "src", "utf8_abnf.grammar_files": "grammar"},
    ext_modules=[kernel] if CPYTHON else [],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE_ABI else {},
)
