r"""Make well-formed UTF-8 of bytes that are not, keep every well-formed character, and log each change.

``repair(data, policy)`` returns a ``Repaired``: the data, and the log from which ``undo`` gives the input back.
``Repairer`` does the same for a stream. The import registers error handlers for ``bytes.decode`` and ``open``:

>>> b"caf\xc3\xa9, th\xe9".decode(errors="utf8-abnf-windows-1252")
'café, thé'
"""

from utf8_abnf.files.repairing.guess import NoGuessError
from utf8_abnf.files.repairing.handlers import register, register_all
from utf8_abnf.files.repairing.model import Change, Repaired, Undoer, UndoError, undo
from utf8_abnf.files.repairing.stream import Repairer, repair

__all__ = ["Change", "NoGuessError", "Repaired", "Repairer", "UndoError", "Undoer", "register", "repair", "undo"]

register_all()
