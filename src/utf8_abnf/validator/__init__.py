"""The validator: takes bytes, returns a verdict or the errors. It is written by hand, independently of the grammar.

``functions`` has what users call, ``kernel`` chooses the kernel that decides, ``ill_formed`` describes an error, and
``_python`` does so without a compiled kernel. The package imports no other room; differential tests and a proof compare
the validator with the grammar. Users import from ``utf8_abnf``.
"""
