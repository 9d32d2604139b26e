"""What keeps the project in order is itself in order: hooks, workflow, forms, versions."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

import utf8_abnf

FORMS = ("decoder-shown-wrongly", "missing-decoder")
SCHEMAS = {
    ".github/workflows/ci.yml": "vendor.github-workflows",
    "action.yml": "vendor.github-actions",
    ".github/ISSUE_TEMPLATE/config.yml": "vendor.github-issue-config",
    **{f".github/ISSUE_TEMPLATE/{form}.yml": "vendor.github-issue-forms" for form in FORMS},
}


def obeys(path, schema):
    """Return the complaints of check-jsonschema, by the schemas that it carries."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, path]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout if done.returncode else ""


@pytest.mark.parametrize("file", SCHEMAS)
def test_the_host_can_read_the_file(file, root):
    pytest.importorskip("check_jsonschema", reason="needs check-jsonschema: pip install --group test")
    assert not obeys(root / file, SCHEMAS[file])


def test_a_form_that_the_host_would_refuse_is_found(root, tmp_path):
    pytest.importorskip("check_jsonschema", reason="needs check-jsonschema: pip install --group test")
    text = (root / f".github/ISSUE_TEMPLATE/{FORMS[0]}.yml").read_text(encoding="utf-8")
    wrong = tmp_path / "form.yml"
    wrong.write_text(text.replace("type: textarea", "type: textfield"), encoding="utf-8")
    assert "textfield" in obeys(wrong, "vendor.github-issue-forms")


def actionlint(folder):
    """Return what actionlint says of the workflows in *folder*."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    program = shutil.which("actionlint", path=path)
    if program is None:
        pytest.skip("needs actionlint: pip install --group test")
    # Our scripts are tested by being run; shellcheck, where it is there, would read them by its own taste.
    command = [program, "-shellcheck=", "-pyflakes=", "-no-color", *folder.glob("*.yml")]
    return subprocess.run(command, capture_output=True, text=True).stdout


def test_actionlint_has_nothing_to_say_of_the_workflow(root):
    assert actionlint(root / ".github/workflows") == ""


def test_actionlint_finds_a_wrong_workflow(root, tmp_path):
    text = (root / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    (tmp_path / "ci.yml").write_text(text.replace("runs-on:", "runs-onn:"), encoding="utf-8")
    assert '"runs-on" section is missing' in actionlint(tmp_path)


def test_the_workflow_runs_the_script_that_everybody_runs(root):
    workflow = (root / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    assert re.findall(r"^        run: \.ci/run \$\{\{ matrix\.options \}\}$", workflow, re.M)
    [options] = re.findall(r"^        options: (\[.*\])$", workflow, re.M)
    assert json.loads(options) == ["", "--coverage"]
    assert os.access(root / ".ci/run", os.X_OK)
    assert '\nCI=1 python3 tools/test.py --lint --all-pythons --no-skips "$@"' in (root / ".ci/run").read_text(
        encoding="utf-8"
    )


@pytest.fixture
def conftest(root, request):
    return request.config.pluginmanager.get_plugin(str(root / "tests" / "conftest.py"))


def test_of_a_sampled_test_every_nth_row_is_run_and_of_others_all(conftest):
    def row(name, mark=None):
        return SimpleNamespace(nodeid=name, get_closest_marker=lambda _: mark)

    third, never = SimpleNamespace(args=(3,)), SimpleNamespace(args=(0,))
    few = [row(f"few[{number}]", third) for number in range(7)]
    all_ = [row("all"), *(row(f"rows[{number}]") for number in range(3)), row("one", third), row("none", never)]
    chosen = [each.nodeid for each in conftest.sampled([*all_, *few])]
    assert chosen == ["all", "rows[0]", "rows[1]", "rows[2]", "one", "few[0]", "few[3]", "few[6]"]


@pytest.mark.parametrize("count", [1, 3, 16])
def test_the_parts_of_the_tests_are_together_all_tests(conftest, request, count):
    deal = conftest.pytest_collection_modifyitems
    whole, left_out = list(request.session.items), []
    hook = SimpleNamespace(pytest_deselected=lambda items: left_out.extend(items))
    found = []
    for number in range(1, count + 1):
        part = list(whole)
        options = SimpleNamespace(part=f"{number}/{count}", keyword="which, so that nothing is sampled once more")
        deal(SimpleNamespace(option=options, hook=hook), part)
        found += part
    assert sorted(each.nodeid for each in found) == sorted(each.nodeid for each in whole)
    assert len(left_out) == (count - 1) * len(whole)


def test_the_hooks_use_the_versions_of_the_project(root):
    hooks = (root / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    known = {*project["project"]["dependencies"], *project["dependency-groups"]["lint"]}
    wanted = {each for line in re.findall(r"additional_dependencies: (.*)", hooks) for each in json.loads(line)}
    assert len(wanted) >= 4
    assert wanted <= known


def test_the_changelog_has_the_version_that_is_next_or_last(root):
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## (Unreleased|{re.escape(utf8_abnf.__version__)}\b)", text, re.M)
