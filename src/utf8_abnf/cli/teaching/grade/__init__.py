"""``utf8-abnf grade``: what a class handed in, in; points, and the reason for each lost one, out.

``command`` has its options. ``submissions`` finds each student's file, ``child`` grades one in a process of its own,
and ``tables`` writes all grades.
"""
