"""The commands for decoders: ``test``, ``smoke``, ``adapter``, ``suite``, ``learn``, ``matrix`` and ``prove``."""
