"""The examples in docs/python-projects.md are complete: each is saved as it stands and run by a pytest of its own."""

import re

import pytest

pytest_plugins = ["pytester"]


def examples(root):
    text = (root / "docs" / "python-projects.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^```python\n# (test_\w+)\.py\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


def test_there_are_two_examples(root):
    assert sorted(examples(root)) == ["test_decoder", "test_properties"]


@pytest.mark.sampled(0, 2)
@pytest.mark.parametrize("name", ["test_decoder", "test_properties"])
def test_the_example_passes(name, root, pytester):
    pytester.makepyfile(**{name: examples(root)[name]})
    outcome = pytester.runpytest_subprocess("-p", "no:cacheprovider").parseoutcomes()
    assert outcome.get("passed", 0) >= 2
    assert "failed" not in outcome
