"""Lessons that run: the play page, and grades for grammars that students write."""
