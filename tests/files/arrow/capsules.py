"""Arrow's structures by ctypes: columns as a broken library hands them over, and how often they were released."""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p, pointer, py_object

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = py_object, [c_void_p, c_char_p, c_void_p]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [py_object, c_char_p]


class Schema(Structure):
    pass


class Array(Structure):
    pass


class Stream(Structure):
    pass


SchemaRelease = CFUNCTYPE(None, POINTER(Schema))
ArrayRelease = CFUNCTYPE(None, POINTER(Array))
StreamRelease = CFUNCTYPE(None, POINTER(Stream))
Schema._fields_ = [
    ("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64), ("n_children", c_int64),
    ("children", POINTER(POINTER(Schema))), ("dictionary", POINTER(Schema)),
    ("release", SchemaRelease), ("data", c_void_p),
]  # fmt: skip
Array._fields_ = [
    ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64), ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)), ("children", POINTER(POINTER(Array))), ("dictionary", POINTER(Array)),
    ("release", ArrayRelease), ("data", c_void_p),
]  # fmt: skip
GetSchema = CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))
GetNext = CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))
GetError = CFUNCTYPE(c_void_p, POINTER(Stream))
Stream._fields_ = [
    ("get_schema", GetSchema), ("get_next", GetNext), ("get_error", GetError), ("release", StreamRelease),
    ("data", c_void_p),
]  # fmt: skip


class Foreign:
    """A column of a library of our own; ``released`` counts how often its structures were released."""

    def __init__(self, format, buffers, length, *, null_count=0, offset=0, dictionary=None, children=()):
        self.released = []
        self._keep = [buffer for buffer in buffers if buffer is not None]
        addresses = [None if each is None else ctypes.cast(each, c_void_p).value for each in buffers]
        self._buffers = (c_void_p * max(1, len(addresses)))(*addresses)
        self.schema = Schema(format=format.encode(), name=b"", n_children=len(children))
        self.array = Array(
            length=length, null_count=null_count, offset=offset, n_buffers=len(buffers), n_children=len(children),
            buffers=self._buffers,
        )  # fmt: skip
        self.schema.release = SchemaRelease(self._release("schema"))
        self.array.release = ArrayRelease(self._release("array"))
        self._keep += [dictionary, children]
        if dictionary is not None:
            self.schema.dictionary, self.array.dictionary = pointer(dictionary.schema), pointer(dictionary.array)
        if children:
            self._schemas = (POINTER(Schema) * len(children))(*(pointer(child.schema) for child in children))
            self._arrays = (POINTER(Array) * len(children))(*(pointer(child.array) for child in children))
            self.schema.children, self.array.children = self._schemas, self._arrays

    def _release(self, name):
        def release(structure):
            self.released.append(name)
            structure.contents.release = type(structure.contents.release)()

        return release

    def __arrow_c_array__(self, requested_schema=None):
        return capsule(self.schema, b"arrow_schema"), capsule(self.array, b"arrow_array")


def capsule(structure, name):
    """A capsule around *structure*, which nothing frees: the test keeps it."""
    return _new(ctypes.addressof(structure), name, None)


class ForeignStream:
    """The chunks of *columns* one after the other; at *fails* ("schema" or a number) an error instead,
    or, where it *writes*, an error with a chunk.

    ``released`` is how often the stream was released, ``seen`` how much of each column when a chunk was asked for.
    """

    def __init__(self, columns, *, fails=None, writes=False, text=b"the disk is gone"):
        self.columns, self.released, self.seen, self._at = columns, [], [], 0
        self._schema = columns[0].schema
        self._text = text and ctypes.create_string_buffer(text)

        def get_schema(stream, out):
            if fails == "schema":
                return 5
            ctypes.memmove(out, ctypes.byref(self._schema), ctypes.sizeof(Schema))
            return 0

        def get_next(stream, out):
            self.seen.append([len(column.released) for column in columns])
            if fails == self._at and not writes:
                return 5
            if self._at == len(columns):
                out.contents.release = ArrayRelease()
            else:
                ctypes.memmove(out, ctypes.byref(columns[self._at].array), ctypes.sizeof(Array))
            self._at += 1
            return 5 if fails == self._at - 1 else 0

        def release(stream):
            self.released.append("stream")
            stream.contents.release = StreamRelease()

        error = GetError(lambda stream: self._text and ctypes.addressof(self._text))
        self.stream = Stream(GetSchema(get_schema), GetNext(get_next), error, StreamRelease(release))

    def __arrow_c_stream__(self, requested_schema=None):
        return capsule(self.stream, b"arrow_array_stream")


def of(name, made):
    """The structure in a capsule that *made* gives."""
    kind = {b"arrow_schema": Schema, b"arrow_array": Array, b"arrow_array_stream": Stream}[name]
    return kind.from_address(_pointer(made, name))
