"""Which tests are run outside CI: every nth row of those that are sampled."""

from pathlib import Path
from types import SimpleNamespace

import pytest


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
