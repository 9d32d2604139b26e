"""The commands for bytes that people have: ``check`` and ``repair``."""
