"""Arguments of several commands: a word of the command line in; its value, or a sentence on what is wrong, out."""

from __future__ import annotations

import argparse

MAX_SECONDS = 86_400.0


def not_empty(text: str) -> str:
    """Return an argument that is not empty: the empty value of an unset variable would mean no option."""
    if text:
        return text
    raise argparse.ArgumentTypeError("the value is empty")


def number(text: str) -> int:
    """Return an argument that is a whole number, 0 or greater."""
    if text.isascii() and text.isdigit():
        return int(text)
    raise argparse.ArgumentTypeError(f"not a whole number from 0 up: {text!r}")


def seconds(text: str) -> float:
    """Return an argument that is a number of seconds, above 0 and a day at most."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if 0 < value <= MAX_SECONDS:
        return value
    raise argparse.ArgumentTypeError(f"not a number of seconds above 0, a day at most: {text!r}")
