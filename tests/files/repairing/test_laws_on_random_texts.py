"""The laws of a repair on random texts, as ``tools/proof/repair_laws.py`` makes them: a million in some minutes."""

import sys

import pytest


@pytest.fixture
def laws(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "tools" / "proof")
    import repair_laws

    monkeypatch.setattr(sys, "argv", ["repair_laws.py", "--texts", "1000"])
    return repair_laws


def test_the_laws_hold_for_every_text(laws, capsys):
    assert laws.main() == 0, capsys.readouterr().out
    assert capsys.readouterr().out.startswith("1,000 texts, ")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda data, repaired: repaired._replace(data=repaired.data + b"\xff"),
        lambda data, repaired: repaired._replace(data=repaired.data.replace(b"a", b"b")),
        lambda data, repaired: repaired._replace(
            log=[each._replace(old=b"?" * len(each.old)) for each in repaired.log]
        ),
    ],
    ids=["ill-formed", "another byte", "wrong log"],
)
def test_a_broken_law_is_named_with_the_text(wrong, laws, monkeypatch, capsys):
    right = laws.repair
    monkeypatch.setattr(laws, "repair", lambda data, policy: wrong(data, right(data, policy)))
    assert laws.main() == 1
    assert " breaks the law: " in capsys.readouterr().out
