"""The validator: bytes in, verdict and errors out. Hand-written, and independent of the grammar.

``functions`` has what users call, ``kernel`` chooses who decides, ``ill_formed`` describes an error, ``_python``
decides where there is no compiled kernel, and ``twin`` is the readable twin of them all. Nothing here imports another
room: the differential tests and the proof show that the validator and the grammar agree. Users import from
``utf8_abnf``.
"""
