"""``utf8-abnf explain``: bytes, or an error code, in; what the grammar says about them out.

``command`` has its options. ``input`` reads any part of what is to be explained; ``bytes`` explains it by the grammar
of UTF-8, ``grammar`` by any other, and ``refusal`` the code of a profile.
"""
