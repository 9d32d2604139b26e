"""What to say of a character that a profile refuses: the character and its profile in, a diagnostic's parts out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utf8_abnf.explain.facts import Facts
from utf8_abnf.grammar.syntax import show
from utf8_abnf.language import refusals
from utf8_abnf.language.catalogue import say
from utf8_abnf.language.notation import code_point

if TYPE_CHECKING:
    from utf8_abnf.files.profiles import Profile, Refused

MAX_SHOWN = 80  # columns of a rule


def facts_of(refused: Refused, profile: Profile) -> Facts:
    r"""Return what there is to say of *refused*.

    >>> from utf8_abnf.files.profiles import Profile
    >>> profile = Profile.load("postgresql")
    >>> facts = facts_of(profile.first_error(b"a\0"), profile)
    >>> facts.message, facts.rule_text
    ('U+0000 at offset 1 is refused by the profile postgresql', 'postgresql-character = %x01-D7FF / %xE000-10FFFF')
    """
    character = code_point(refused.character)
    reason, rule = profile.reason(refused), profile.rule
    line, _ = profile.grammar.position(rule.span)
    return Facts(
        message=say(refusals.IS_REFUSED, character=character, offset=refused.start, profile=profile.name),
        mark=say(refusals.MARKED, character=character),
        rule=rule.name,
        alternative=0,
        rule_text=_cut(f"{rule.name} = {show(rule.definition)}"),
        file=profile.grammar.file,
        line=line,
        section=say(refusals.SOURCES[profile.name]) if profile.is_shipped else "",
        why=say(reason.why),
        advice=say(reason.fix),
        expected=rule.name,
        got=character,
        offending=refused.start,
        marked=refused.length,
    )


def _cut(text: str) -> str:
    """Return *text* up to its last whole alternative that can be shown."""
    return text if len(text) <= MAX_SHOWN else text[: text.rindex(" / ", 0, MAX_SHOWN)] + " / …"
