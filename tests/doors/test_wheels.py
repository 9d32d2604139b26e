"""The release's wheels: which ones cibuildwheel would build, and the check that each of them has to pass."""

import subprocess
import sys

import pytest

PLATFORMS = {
    "linux": {f"{libc}_{arch}" for libc in ("manylinux", "musllinux") for arch in ("x86_64", "aarch64")},
    "macos": {"macosx_x86_64", "macosx_arm64"},
    "windows": {"win_amd64", "win_arm64"},
}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_platform_gets_one_stable_abi_wheel_and_one_free_threaded_one(root, platform):
    command = [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--platform", platform, root]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) == {f"{tag}-{each}" for tag in ("cp311", "cp314t") for each in PLATFORMS[platform]}


def test_the_check_of_a_wheel_passes_on_what_is_installed_and_fails_without_a_c_kernel(root, monkeypatch):
    command = [sys.executable, root / "tools/wheel_parts/check_wheel.py"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    monkeypatch.setenv("UTF8_ABNF_KERNEL", "python")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "no C kernel" in done.stderr
