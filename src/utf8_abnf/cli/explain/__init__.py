"""``utf8-abnf explain``, ``encode`` and ``decode``: bytes, characters or an error code in; what RFC 3629 says out.

``command`` has the options of ``explain``; ``bytes`` explains bytes, and ``entries`` error codes. ``encode`` and
``decode`` show the steps of RFC 3629 section 3.
"""
