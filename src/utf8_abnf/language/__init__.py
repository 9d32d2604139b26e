"""The languages that people are addressed in: a message in English in, the same in Japanese or German out.

``messages`` has every message, ``catalogue`` chooses the language and translates, ``locale/`` has the translations.
"""
