"""The messages in English, Japanese and German, and how bytes, ranges, rules and code points are written.

``messages`` has every message of the commands in English, as data. ``catalogue`` has the table of languages, chooses
one and gives a message in it. ``locale/`` has the translations, as gettext catalogues. ``notation`` is the same in all
languages.
"""
