"""What pyproject.toml cannot say: how the C kernel is built, and that its failure is not the install's."""

import os
import platform
import shutil
import sysconfig

from setuptools import Extension, find_packages, setup
from setuptools.command.build_py import build_py

CPYTHON = platform.python_implementation() == "CPython"
# Free-threaded CPython has no stable ABI before 3.15 (PEP 803): it gets a wheel of its own.
STABLE_ABI = CPYTHON and not sysconfig.get_config_var("Py_GIL_DISABLED")

kernel = Extension(
    "utf8_abnf.validator._kernel",
    sources=[f"src/kernel/{name}.c" for name in ("module", "faults", "dispatch", "scalar", "avx2", "avx512", "neon")],
    include_dirs=["src/kernel"],
    depends=[f"src/kernel/{name}.h" for name in ("compiler", "faults", "half_bytes", "scalar", "utf8_kernel", "wide")],
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE_ABI else [],
    py_limited_api=STABLE_ABI,
    # Without a compiler the install succeeds and bytes.decode decides; a release build must not fall back in silence.
    optional=os.environ.get("CIBUILDWHEEL") != "1",
)

# Makes and judges millions of test cases a second. Without it utf8_abnf.suite does the same in Python, slowly.
suite = Extension(
    "utf8_abnf.suite._suite",
    sources=["src/suite/suite.c"],
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE_ABI else [],
    py_limited_api=STABLE_ABI,
    optional=os.environ.get("CIBUILDWHEEL") != "1",
)

# The enumerations of `utf8-abnf prove`: shares no code with the kernels, which come in as addresses.
prove = Extension(
    "utf8_abnf.proving._prove",
    sources=["src/kernel/prove.c", "src/kernel/prove_module.c"],
    include_dirs=["src/kernel"],
    depends=["src/kernel/prove.h"],
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE_ABI else [],
    py_limited_api=STABLE_ABI,
    optional=os.environ.get("CIBUILDWHEEL") != "1",
)

# The loops of utf8_abnf.repairing. The kernel comes in as an address; without this, Python does the same, slowly.
repair = Extension(
    "utf8_abnf.repairing._repair",
    sources=[f"src/kernel/{name}.c" for name in ("repair_module", "repair", "faults", "scalar")],
    include_dirs=["src/kernel"],
    depends=[f"src/kernel/{name}.h" for name in ("compiler", "faults", "repair", "scalar", "utf8_kernel")],
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE_ABI else [],
    py_limited_api=STABLE_ABI,
    optional=os.environ.get("CIBUILDWHEEL") != "1",
)

# The loops of utf8_abnf.Summary; the kernel comes in as an address here also.
summary = Extension(
    "utf8_abnf.validator._summary",
    sources=["src/summary/summary.c"],
    include_dirs=["src/kernel"],
    depends=["src/kernel/compiler.h"],
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE_ABI else [],
    py_limited_api=STABLE_ABI,
    optional=os.environ.get("CIBUILDWHEEL") != "1",
)


class BuildFromNothing(build_py):
    """Copies the package into an empty folder: what an earlier build left in ``build/`` reaches no wheel."""

    def run(self):
        if not self.editable_mode:
            shutil.rmtree(os.path.join(self.build_lib, "utf8_abnf"), ignore_errors=True)
        super().run()


setup(
    cmdclass={"build_py": BuildFromNothing},
    packages=[*find_packages("src"), "utf8_abnf.grammar.abnf"],
    package_dir={"": "src", "utf8_abnf.grammar.abnf": "grammar"},
    ext_modules=[kernel, suite, prove, repair, summary] if CPYTHON else [],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE_ABI else {},
)
