"""What keeps the project in order is itself in order: hooks, workflow, forms, versions."""

import json
import os
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest


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
        return SimpleNamespace(nodeid=name, get_closest_marker=lambda _: mark, path=Path("tests/room/test_x.py"))

    third, never = SimpleNamespace(args=(3,)), SimpleNamespace(args=(0,))
    few = [row(f"few[{number}]", third) for number in range(5)]
    rows = [row("all"), row("rows[0]"), row("rows[1]"), row("one", third), row("none", never), *few]
    names = ["all", "rows[0]", "rows[1]", "one", "none", "few[0]"]
    chosen = {in_ci: [each.nodeid for each in conftest.sampled(rows, in_ci=in_ci, rooms={})] for in_ci in (False, True)}
    assert chosen == {False: [*names[:4], "few[0]", "few[3]"], True: [*names, "few[2]", "few[4]"]}
    in_room = [each.nodeid for each in conftest.sampled(rows, in_ci=False, rooms={"room": 3})]
    assert in_room == ["all", "one", "few[0]", "few[3]"]


def test_the_hooks_use_the_versions_of_the_project(root):
    hooks = (root / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    known = {*project["project"]["dependencies"], *project["dependency-groups"]["lint"]}
    wanted = {each for line in re.findall(r"additional_dependencies: (.*)", hooks) for each in json.loads(line)}
    assert len(wanted) >= 4
    assert wanted <= known
