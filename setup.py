"""Builds the C extensions; where one cannot be compiled, the install succeeds without it."""

import os
import platform
import shutil
import sysconfig

from setuptools import Extension, find_packages, setup
from setuptools.command.build_py import build_py

CPYTHON = platform.python_implementation() == "CPython"
# Free-threaded CPython has no stable ABI before 3.15 (PEP 803): it gets a wheel of its own.
STABLE_ABI = CPYTHON and not sysconfig.get_config_var("Py_GIL_DISABLED")
# CPython's own flags have -g, which makes the kernels ten times as large. Who wants it says so in CFLAGS.
NO_DEBUG = os.name == "posix" and not any(each.startswith("-g") for each in os.environ.get("CFLAGS", "").split())


def extension(name, sources, headers=""):
    """Return the extension ``utf8_abnf.NAME``, made of these files of ``src/``, given without their endings."""
    return Extension(
        f"utf8_abnf.{name}",
        sources=[f"src/{each}.c" for each in sources.split()],
        include_dirs=["src/kernel"],
        depends=[f"src/{each}.h" for each in headers.split()],
        define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE_ABI else [],
        py_limited_api=STABLE_ABI,
        extra_compile_args=["-g0"] if NO_DEBUG else [],
        # Without a compiler the install succeeds and bytes.decode decides; a release build must not fall back in
        # silence.
        optional=os.environ.get("CIBUILDWHEEL") != "1",
    )


EXTENSIONS = [
    # The validator, with the loops of utf8_abnf.Summary and of utf8_abnf.files.repairing.
    extension(
        "validator._kernel",
        "kernel/module kernel/module_shared kernel/module_judging kernel/module_errors kernel/module_kernels "
        "kernel/module_stream kernel/module_summary kernel/module_repair kernel/faults kernel/summary kernel/repair "
        "kernel/dispatch kernel/scalar kernel/avx512 kernel/avx2 kernel/sse4 kernel/neon kernel/wasm",
        "kernel/compiler kernel/faults kernel/half_bytes kernel/module_made kernel/module_shared kernel/repair "
        "kernel/scalar kernel/short kernel/sixteen kernel/stretches kernel/summary kernel/totals kernel/utf8_kernel "
        "kernel/wide",
    ),
    # Makes and judges millions of test cases a second; and the enumerations of `utf8-abnf prove`, which share no code
    # with the kernels: these come in as addresses.
    extension(
        "conformance.suite._suite",
        "suite/suite suite/product suite/judging suite/answers suite/prove suite/prove_functions",
        "suite/machine suite/product suite/prove kernel/compiler kernel/module_made",
    ),
    # Columns of tables; only here does Python not do the same, slowly. The kernel comes in as an address.
    extension(
        "files.arrow._arrow",
        "arrow/arrow_module arrow/arrow_column arrow/arrow_source arrow/arrow_in arrow/arrow_out arrow/arrow_results "
        "kernel/columns kernel/faults kernel/scalar",
        "arrow/arrow arrow/arrow_capsules arrow/arrow_column arrow/arrow_source arrow/arrow_in arrow/arrow_out "
        "arrow/arrow_results kernel/columns kernel/compiler kernel/faults kernel/module_made kernel/scalar "
        "kernel/utf8_kernel",
    ),
]


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
    ext_modules=EXTENSIONS if CPYTHON else [],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE_ABI else {},
)
