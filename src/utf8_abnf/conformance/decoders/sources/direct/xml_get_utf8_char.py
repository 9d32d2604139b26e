import ctypes
import sys

data = sys.stdin.buffer.read()
library = ctypes.CDLL("libxml2.so.2")
while data:
    size = ctypes.c_int(len(data))  # the function changes it to the length of the character
    if library.xmlGetUTF8Char(data, ctypes.byref(size)) < 0:
        sys.exit(11)
    data = data[size.value :]
sys.exit(10)
