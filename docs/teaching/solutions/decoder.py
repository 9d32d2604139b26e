"""Assignment 3: whether bytes are UTF-8, by the lengths of sequences and the smallest and greatest second byte."""

SECOND = {0xE0: (0xA0, 0xBF), 0xED: (0x80, 0x9F), 0xF0: (0x90, 0xBF), 0xF4: (0x80, 0x8F)}  # else 80..BF


def accepts(data):
    """Return whether *data* is well-formed UTF-8, RFC 3629 section 4."""
    at = 0
    while at < len(data):
        first = data[at]
        tails = 0 if first < 0x80 else 1 if 0xC2 <= first <= 0xDF else 2 if 0xE0 <= first <= 0xEF else 3
        if 0x80 <= first < 0xC2 or first > 0xF4 or at + tails >= len(data):
            return False
        for number, byte in enumerate(data[at + 1 : at + 1 + tails]):
            low, high = SECOND.get(first, (0x80, 0xBF)) if number == 0 else (0x80, 0xBF)
            if not low <= byte <= high:
                return False
        at += 1 + tails
    return True
