"""What pyproject.toml cannot say: how the C extensions are built, and that their failure is not the install's."""

import os
import platform
import shutil
import sysconfig

from setuptools import Extension, find_packages, setup
from setuptools.command.build_py import build_py

CPYTHON = platform.python_implementation() == "CPython"
# Free-threaded CPython has no stable ABI before 3.15 (PEP 803): it gets a wheel of its own.
STABLE_ABI = CPYTHON and not sysconfig.get_config_var("Py_GIL_DISABLED")


def extension(name, sources, headers=""):
    """Return the extension ``utf8_abnf.NAME``, made of these files of ``src/``, given without their endings."""
    return Extension(
        f"utf8_abnf.{name}",
        sources=[f"src/{each}.c" for each in sources.split()],
        include_dirs=["src/kernel"],
        depends=[f"src/{each}.h" for each in headers.split()],
        define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE_ABI else [],
        py_limited_api=STABLE_ABI,
        # Without a compiler the install succeeds and bytes.decode decides; a release build must not fall back in
        # silence.
        optional=os.environ.get("CIBUILDWHEEL") != "1",
    )


# But for the first, the kernel comes in as an address; and but for arrow, Python does the same without them, slowly.
EXTENSIONS = [
    extension(
        "validator._kernel",
        "kernel/module kernel/module_shared kernel/module_judging kernel/module_errors kernel/module_kernels "
        "kernel/module_stream kernel/faults kernel/dispatch kernel/scalar kernel/avx512 kernel/avx2 kernel/sse4 "
        "kernel/neon kernel/wasm",
        "kernel/compiler kernel/faults kernel/half_bytes kernel/module_shared kernel/scalar kernel/short "
        "kernel/sixteen kernel/stretches kernel/utf8_kernel kernel/wide",
    ),
    # utf8_abnf.Summary
    extension(
        "validator._summary",
        "summary/summary kernel/faults kernel/scalar",
        "kernel/compiler kernel/faults kernel/scalar kernel/stateless kernel/utf8_kernel",
    ),
    # Makes and judges millions of test cases a second.
    extension(
        "conformance.suite._suite",
        "suite/suite suite/product suite/judging suite/answers",
        "suite/machine suite/product kernel/compiler kernel/stateless",
    ),
    # The enumerations of `utf8-abnf prove`: shares no code with the kernels, but for how a module is made.
    extension("conformance.proving._prove", "kernel/prove kernel/prove_module", "kernel/prove kernel/stateless"),
    # The loops of utf8_abnf.files.repairing.
    extension(
        "files.repairing._repair",
        "kernel/repair_module kernel/repair kernel/faults kernel/scalar",
        "kernel/compiler kernel/faults kernel/repair kernel/scalar kernel/stateless kernel/utf8_kernel",
    ),
    # Columns of tables.
    extension(
        "files.arrow._arrow",
        "arrow/arrow_module arrow/arrow_column arrow/arrow_source arrow/arrow_in arrow/arrow_out arrow/arrow_results "
        "kernel/columns kernel/faults kernel/scalar",
        "arrow/arrow arrow/arrow_capsules arrow/arrow_column arrow/arrow_source arrow/arrow_in arrow/arrow_out "
        "arrow/arrow_results kernel/columns kernel/compiler kernel/faults kernel/utf8_kernel",
    ),
    # The look for what a profile refuses.
    extension(
        "files.profiles._look",
        "profiles/refused_module profiles/refused",
        "kernel/compiler kernel/stateless profiles/refused",
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
