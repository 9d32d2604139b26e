"""Pictures of what the package knows, as SVG that a page can take in and a reader can hear: one module for each.

Nothing but the standard library draws here. Each picture has a title and a description in words, is the same to the
byte on every machine, and has ids for its parts. ``TooLargeError`` and ``UsageError`` name the text form instead.
"""
