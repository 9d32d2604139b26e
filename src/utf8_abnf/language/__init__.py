"""The messages, and how bytes, ranges, rules and code points are written.

What teaches and what explains bytes is translated: ``codes``, ``refusals``, ``explanations``, ``syntax_errors``,
``feedback`` and the texts of the play page (tools/docs/catalogues.py lists them). ``locale/`` has the translations, as
gettext catalogues, and ``catalogue`` chooses a language and gives a message in it. ``messages``, ``grammars`` and
``suites`` are in English. ``notation`` is the same in all languages.
"""
