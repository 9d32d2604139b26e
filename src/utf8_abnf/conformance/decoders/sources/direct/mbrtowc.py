import ctypes
import sys

data = sys.stdin.buffer.read()
library = ctypes.CDLL(None)
library.setlocale(0, b"C.UTF-8")
character = ctypes.c_uint32()
while data:
    size = library.mbrtowc(ctypes.byref(character), data, ctypes.c_size_t(len(data)), None)
    if size in (-1, -2):
        sys.exit(11)
    data = data[size or 1 :]  # 0 is NUL
sys.exit(10)
