"""The play page, one HTML file that steps through bytes by the grammar; and the grading of grammars.

``assemble`` makes the page from the files in ``page/``, from the ``data`` and from the English ``texts``.
``with_python`` adds a Python that checks the page's answers. ``grading`` gives points for a submitted grammar, for the
command ``utf8-abnf grade``; the page asks for the same exercise.
"""

from utf8_abnf.teaching.play.assemble import page

__all__ = ["page"]
