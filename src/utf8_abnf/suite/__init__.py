"""Conformance suites: from a grammar's automaton to cases, and what passing them proves (DESIGN section 7)."""
