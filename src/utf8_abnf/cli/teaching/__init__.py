"""The commands of a class: ``play`` and ``grade``."""
