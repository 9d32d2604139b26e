"""The play page, one HTML file that steps through bytes by the grammar, and has exercises.

``assemble`` makes the page from the files in ``page/``, from the ``data`` and from the English ``texts``.
"""

from utf8_abnf.teaching.play.assemble import page

__all__ = ["page"]
