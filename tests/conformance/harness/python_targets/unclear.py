"""Decoders whose results do not tell what they accept: they are refused as wrong uses, and never judged."""

from utf8_abnf import is_valid as _good


def returns_true_for_an_error(data):
    return not _good(data)


def raises_or_returns_false(data):
    data.decode()
    return False


def returns_empty_text_for_an_error(data):
    """Return the same for what is ill-formed and for the empty input."""
    return data.decode() if _good(data) else ""


def returns_true_and_what_it_replaced(data):
    """Say always True beside a part that would be the right verdict."""
    return True, None if _good(data) else "replaced"


def is_not_implemented(data):
    return NotImplemented


def never_refuses_in_pairs(data):
    return data, len(data)


def returns_a_word(data):
    return "valid" if _good(data) else "invalid"


UNCLEAR = [name for name, value in list(globals().items()) if callable(value) and not name.startswith("_")]
