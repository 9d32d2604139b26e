"""The validator: takes bytes, returns a verdict or the errors. It is written by hand, independently of the grammar.

``functions`` has what users call, ``kernel`` chooses the kernel that decides, ``ill_formed`` describes an error, and
``_python`` decides if there is no compiled kernel. The package imports no other room: the differential tests and the
proof show that the validator and the grammar agree. Users import from ``utf8_abnf``.
"""
