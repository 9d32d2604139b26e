"""The messages in English, Japanese and German, and how bytes, ranges, rules and code points are written.

The messages are data in English: ``messages`` has those of the commands, ``codes`` those of the error codes,
``refusals`` those of profiles, ``syntax_errors``, ``findings`` and ``grammars`` those about grammars, ``suites`` those
of the conformance suites; ``tables`` has them all. ``catalogue`` has the table of languages, chooses one and gives a
message in it. ``locale/`` has the translations, as gettext catalogues. ``notation`` is the same in all languages.
"""
