r"""Profiles: well-formed UTF-8 that a target refuses all the same. A grammar of code points in; a judge of text out.

A profile is an ABNF file in ``grammar/profiles/`` whose language is all sequences of some characters. ``model``
compiles it and says which characters of a text it refuses; ``look`` finds them quickly.

>>> from utf8_abnf.files.profiles import Profile
>>> Profile.load("postgresql").first_error(b"ab\0")
Refused(start=2, length=1, code='PROFILE-NUL', character=0, profile='postgresql')
"""

from utf8_abnf.explain.located import Refused
from utf8_abnf.files.profiles.model import Profile, profile_names

__all__ = ["Profile", "Refused", "profile_names"]
