import ctypes
import sys

data = sys.stdin.buffer.read()
library = ctypes.CDLL(None)
library.setlocale(0, b"C.UTF-8")
function = getattr(library, sys.argv[1])  # one character each time
character = ctypes.c_uint32()
while data:
    size = function(ctypes.byref(character), data, ctypes.c_size_t(len(data)), None)
    if size in (-1, -2):
        sys.exit(11)
    # 0 is NUL, -3 the second half of a surrogate pair, of which no byte is left.
    data = data[size if size > 0 else 1 if size == 0 else 0 :]
sys.exit(10)
