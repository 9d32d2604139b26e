"""Draw grammars, automata, parse trees and encoding steps as SVG.

``railroad``, ``automaton_svg``, ``tree_svg``, ``bits_svg`` and ``counts_svg`` each draw one kind of picture;
``railroad`` also draws in a terminal's characters. Below them, ``layered`` places the states of an automaton, and
``svg`` writes the file.

Each picture has a title, a description in words and ids for its parts, and is the same to the byte on every machine.
One that would be too large to read raises ``UsageError``, which names the text form.
"""
