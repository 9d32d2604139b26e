"""``python -m utf8_abnf``: the same as the command ``utf8-abnf``."""

from utf8_abnf.cli import command

command()
