r"""Make well-formed UTF-8 of bytes that are not, keep every well-formed character, and log each change.

``repair(data, policy)`` returns a ``Repaired``: the data, and the log from which ``undo`` gives the input back.
``Repairer`` does the same for a stream, ``register`` for ``bytes.decode`` and ``open``:

>>> b"caf\xc3\xa9, th\xe9".decode(errors=register("windows-1252"))
'café, thé'
"""

from utf8_abnf.files.repairing.handlers import register
from utf8_abnf.files.repairing.model import Change, Repaired, Undoer, UndoError, undo
from utf8_abnf.files.repairing.stream import Repairer, repair

__all__ = ["Change", "Repaired", "Repairer", "UndoError", "Undoer", "register", "repair", "undo"]
