"""Right decoders in the shapes in which people write them: each name in RIGHT is a target, and conforms."""

import codecs
import functools


class Refused(Exception):  # noqa: N818
    """An exception of one's own, of no particular kind."""


def returns_none(data):
    data.decode()


def returns_a_verdict(data):
    try:
        data.decode()
    except ValueError:
        return False
    return True


def returns_a_pair(data):
    return codecs.utf_8_decode(data, "strict", True)


def returns_a_value_as_json_loads_does(data):
    text = data.decode()
    return {"": None, "A": False, "C": 0}.get(text, text)


def returns_none_to_refuse(data):
    try:
        return data.decode()
    except ValueError:
        return None


def returns_false_or_falls_off_the_end(data):  # noqa: RET503
    if not returns_a_verdict(data):
        return False


def raises_its_own_exception(data):
    if not returns_a_verdict(data):
        raise Refused


def is_a_generator(data):
    yield from data.decode()


a_builtin = bytes.decode


class Text:
    """A class that refuses in its constructor."""

    def __init__(self, data):
        self.text = data.decode()


class Callable:
    def __call__(self, data):
        data.decode()


class Methods:
    """The method is named, not the class."""

    def method(self, data):
        return data.decode()


class Accepts:
    def accepts(self, data):
        data.decode()


class Decodes:
    def decode(self, data):
        return data.decode()


class Everything:
    def accepts(self, data):
        return returns_a_verdict(data)

    def first_error(self, data):
        try:
            data.decode()
        except UnicodeDecodeError as error:
            return error
        return None

    def replace(self, data):
        return data.decode("utf-8", "replace")

    def stream(self):
        return FeedAndFinish()


class Offsets:
    def first_error(self, data):
        try:
            data.decode()
        except UnicodeDecodeError as error:
            return error.start
        return -1


class FeedAndFinish:
    """A stream that gives text, tells what it waits for and where the error was, and can be reset."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.taken = 0
        self.error = None

    @property
    def pending(self):
        return bool(self.decoder.getstate()[0])

    def _decode(self, chunk, final):
        held = len(self.decoder.getstate()[0])
        try:
            text = self.decoder.decode(chunk, final)
        except UnicodeDecodeError as error:
            self.error = self.taken - held + error.start
            raise
        self.taken += len(chunk)
        return text

    def feed(self, chunk):
        return self._decode(chunk, False)

    def finish(self):
        return self._decode(b"", True)


class OfAnEncoding:
    """A stream that needs to be told the encoding, and looks at its bytes when it ends."""

    def __init__(self, name):
        self.data, self.name = b"", name

    def feed(self, chunk):
        self.data += chunk

    def finish(self):
        self.data.decode(self.name)


a_partial_of_a_stream = functools.partial(OfAnEncoding, "utf-8")


Incremental = codecs.getincrementaldecoder("utf-8")
an_incremental_decoder = Incremental()


class SlowCodec(codecs.IncrementalDecoder):
    """An incremental decoder of one's own, whose state nobody can ask for."""

    def __init__(self, errors="strict"):
        super().__init__(errors)
        self.reset()

    def reset(self):
        self.held = b""

    def decode(self, data, final=False):
        text, used = codecs.utf_8_decode(self.held + data, "strict", final)
        self.held = (self.held + data)[used:]
        return text


async def is_a_coroutine(data):
    return data.decode()


class Result:
    """A result that says by itself whether it is true, as numpy's bools do."""

    def __init__(self, is_good):
        self._is_good = is_good

    def __bool__(self):
        return self._is_good


def returns_an_object_with_a_truth_value(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return Result(False)
    return Result(True)


RIGHT = [
    *[name for name, value in globals().items() if callable(value) and getattr(value, "__module__", "") == __name__],
    *("a_partial_of_a_stream", "a_builtin", "an_incremental_decoder", "Incremental"),
    *("Methods.method",),
]
NO_TARGETS = {"Refused", "Methods", "Result", "OfAnEncoding"}
RIGHT = [name for name in RIGHT if name not in NO_TARGETS]
