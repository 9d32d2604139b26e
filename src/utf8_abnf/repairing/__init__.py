"""Make well-formed UTF-8 of bytes that are not, keep every well-formed character, and log each change.

``repair(data, policy)`` returns a ``Repaired``: the data, and the log from which ``undo`` gives the input back.
``Repairer`` does the same for a stream. Importing this registers error handlers for ``bytes.decode`` and ``open``.
"""

from utf8_abnf.repairing.guess import NoGuessError
from utf8_abnf.repairing.model import Change, Repaired, Undoer, UndoError, undo
from utf8_abnf.repairing.stream import Repairer, repair

__all__ = ["Change", "NoGuessError", "Repaired", "Repairer", "UndoError", "Undoer", "repair", "undo"]
