"""The matrix as text: one module for each format, each with ``render(matrix) -> str``."""
