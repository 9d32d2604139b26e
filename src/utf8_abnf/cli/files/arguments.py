"""What the options of several commands about files have in common."""

from __future__ import annotations

import argparse


def not_empty(text: str) -> str:
    """Return an argument that is not empty: an empty one, of a variable that is not set, would be as no option."""
    if text:
        return text
    raise argparse.ArgumentTypeError("the value is empty")


def number(text: str) -> int:
    """Return an argument that is a whole number, 0 or greater."""
    if text.isascii() and text.isdigit():
        return int(text)
    raise argparse.ArgumentTypeError(f"not a whole number from 0 up: {text!r}")
