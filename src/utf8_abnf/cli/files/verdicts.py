"""The verdicts of ``check`` on one input, and the totals of a run."""

from __future__ import annotations

from codecs import BOM_UTF8

WELL_FORMED, ILL_FORMED, BINARY, WRONG_MARK = "well-formed", "ill-formed", "binary", "wrong-mark"
REFUSED = "refused"  # well-formed, with a character that the profile refuses


class Totals:
    """What has been seen so far, over all inputs.

    *complete*: whether *errors* are all that there are. *binary*, *unreadable* and *passed_over*: inputs that were not
    checked; *broken_off*: those of the unreadable ones that had errors before the place where reading ended. *marks*:
    inputs that do not follow --bom. *refused*: characters that the profile refuses, in *refused_inputs*.
    """

    complete = True
    checked = ill_formed = errors = binary = unreadable = passed_over = 0
    marks = refused = refused_inputs = broken_off = 0

    @property
    def record(self) -> dict[str, int | bool]:
        """The totals by name; those that few runs have are left out where they are 0."""
        always = ("complete", "checked", "ill_formed", "errors", "binary", "unreadable", "passed_over")
        return {name: getattr(self, name) for name in always} | vars(self)


def wrong_mark(rule: str | None, head: bytes) -> str:
    """Return how an input that begins with *head* does not follow the *rule* of ``--bom``, or ""."""
    is_marked = head.startswith(BOM_UTF8)
    if rule == "require" and head and not is_marked:
        return "does not begin with the byte order mark EF BB BF (--bom require)"
    if rule == "forbid" and is_marked:
        return "begins with the byte order mark EF BB BF (--bom forbid)"
    return ""
