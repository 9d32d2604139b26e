"""Every kernel that runs here gives CPython's verdict and positions, and is chosen as the machine has it."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys

import pytest

from utf8_abnf import kernel
from utf8_abnf.validator import _python

# ---- the switch --------------------------------------------------------------------------------------------------


def processor_features() -> set[str]:
    try:
        with open("/proc/cpuinfo") as file:
            return set(re.search(r"^(?:flags|Features)\s*:(.*)", file.read(), re.MULTILINE)[1].split())
    except (OSError, TypeError):
        pytest.skip("needs /proc/cpuinfo: run on Linux")


@pytest.mark.parametrize("name", kernel.NAMES)
def test_a_kernel_is_available_exactly_where_the_machine_has_its_instructions(name):
    try:
        from utf8_abnf.validator import _kernel  # noqa: F401
    except ImportError:
        assert kernel.available == ("python",)
        return
    features = processor_features()
    wide = {"avx512f", "avx512bw", "avx512vbmi", "bmi2"}
    needs = {"avx512": wide, "avx2": {"avx2"}, "sse4": {"ssse3", "sse4_1"}, "neon": {"asimd"}, "wasm": {"wasm"}}.get(
        name, set()
    )
    if name == "neon" and platform.machine() != "aarch64":
        assert name not in kernel.available
    else:
        assert (name in kernel.available) == (needs <= features)


def test_the_best_kernel_comes_first_and_python_last():
    assert kernel.available == tuple(name for name in kernel.NAMES if name in kernel.available)
    assert kernel.available[-2:] == ("scalar", "python"), "no C kernel was built"


@pytest.mark.parametrize(
    "name", ["", "avx1024", "AVX2", "scalar\0", "\udcff", "neon" if platform.machine() != "aarch64" else "avx2"]
)
def test_a_kernel_that_does_not_run_here_is_refused_with_the_list(name):
    before = kernel.name
    with pytest.raises(ValueError, match=r"available: .*python") as refusal:
        kernel.use(name)
    assert repr(name) in str(refusal.value)  # repr: nothing that a terminal would act on
    assert kernel.name == before


def python(code: str, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | variables, timeout=60)


@pytest.mark.thorough
@pytest.mark.parametrize("name", kernel.available)
def test_the_environment_variable_chooses_the_kernel(name):
    done = python("import utf8_abnf; print(utf8_abnf.kernel.name)", UTF8_ABNF_KERNEL=name)
    assert (done.stdout, done.stderr) == (name + "\n", "")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["sse9", "\udcff"], ids=ascii)
def test_a_variable_that_names_no_kernel_warns_and_the_best_decides(name):
    done = python("import utf8_abnf; print(utf8_abnf.kernel.name)", UTF8_ABNF_KERNEL=name)
    assert done.stdout == kernel.available[0] + "\n"
    assert f"UTF8_ABNF_KERNEL: the kernel {name!r} does not exist; available: " in done.stderr


@pytest.mark.thorough
def test_without_the_extension_pythons_decoder_decides():
    code = (
        "import sys; sys.modules['utf8_abnf.validator._kernel'] = None\n"
        "import utf8_abnf as u\n"
        "print(u.kernel.name, u.kernel.available, u.is_valid(b'\\xff'), u.first_error(b'a\\xff').start)"
    )
    assert python(code, UTF8_ABNF_KERNEL="").stdout == "python ('python',) False 1\n"


# ---- threads and interpreters ------------------------------------------------------------------------------------


@pytest.fixture
def subinterpreter():
    """A function that runs code in another interpreter of one process, between other code of its first one."""

    def run(before: str, code: str, after: str, path: list[str] = sys.path) -> None:
        inside = f"import sys; sys.path[:] = {path!r}\n{code}"
        done = python(f"""
try:
    import _interpreters as interpreters  # 3.13
except ImportError:
    import _xxsubinterpreters as interpreters
{before}
other = interpreters.create()
failure = interpreters.run_string(other, {inside!r})
assert failure is None, failure
interpreters.destroy(other)
{after}
print("fine")
""")
        assert done.stdout == "fine\n", done.stderr

    return run


@pytest.mark.thorough
def test_a_subinterpreter_has_the_validator_and_shares_the_kernel_in_use(subinterpreter):
    subinterpreter(
        "import utf8_abnf\nutf8_abnf.kernel.use('python')",
        "import utf8_abnf\nassert utf8_abnf.kernel.name == 'python'\n"
        "assert utf8_abnf.first_error(b'a' * 100 + b'\\xff').start == 100\nutf8_abnf.kernel.use('scalar')",
        "assert utf8_abnf.kernel.name == 'scalar'",
    )


@pytest.mark.thorough
def test_a_subinterpreter_with_a_gil_of_its_own_loads_every_extension(subinterpreter, root):
    """From CPython 3.12 on, a module that does not say that it can is refused there."""
    subinterpreter("", "import check_wheel", "", [str(root / "tools" / "wheel_parts"), *sys.path])


def test_every_extension_says_that_it_needs_no_gil(root):
    """Free-threaded CPython turns the GIL on where one does not. Asked of the source: most Pythons have a GIL."""
    files = [path for path in root.glob("src/*/*.c") if "PyMODINIT_FUNC PyInit" in path.read_text(encoding="utf-8")]
    assert [path.name for path in files if "{ return make_module(&" not in path.read_text(encoding="utf-8")] == []
    assert len(files) == 3
    assert "{SLOT_GIL, GIL_NOT_USED}" in (root / "src/kernel/module_made.h").read_text(encoding="utf-8")


def test_the_python_module_has_every_name_that_the_c_module_has():
    try:
        from utf8_abnf.validator import _kernel
    except ImportError:
        pytest.skip("needs the C extension: install a compiler, then pip install")
    ours = {name for name in dir(_kernel) if not name.startswith("_")}
    ours -= {"entry_points", "repair", "stretch"}  # files.repairing has the twins of the last two
    assert ours <= set(dir(_python))
