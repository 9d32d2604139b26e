import sys

data = sys.stdin.buffer.read()
if b"\0" in data:
    sys.exit(2)  # it ends a path
size = len(b" path=" + data + b"\n")
size += next(digits for digits in range(1, 9) if len(str(size + digits)) == digits)
record = b"%d path=%b\n" % (size, data)


def header(kind, size):
    block = bytearray(b"name".ljust(124, b"\0") + b"%011o\0" % size + b" " * 20 + kind + bytes(100) + b"ustar\x0000")
    block += bytes(512 - len(block))
    block[136:148] = bytes(12)
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


record += bytes(-len(record) % 512)
sys.stdout.buffer.write(header(b"x", size) + record + header(b"0", 0) + bytes(1024))
