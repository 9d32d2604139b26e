"""The formats of the matrix: ``json`` and ``html`` have ``render(matrix) -> str``, ``text`` prints row by row."""
