"""Right decoders in the shapes in which people write them: each name in RIGHT is a target, and conforms."""

import asyncio
import codecs
import enum
import functools
import re
import typing


class Refused(Exception):  # noqa: N818
    """An exception of one's own, of no particular kind."""


class OutOfRange(LookupError):  # noqa: N818
    """One that derives from what the interpreter raises itself."""


def returns_none(data):
    data.decode()


def returns_true_or_raises(data):
    data.decode()
    return True


def returns_a_verdict(data):
    try:
        data.decode()
    except ValueError:
        return False
    return True


def returns_zero_or_one(data):
    return int(returns_a_verdict(data))


def returns_a_flag(data):
    return 64 if returns_a_verdict(data) else 0


def returns_text(data):
    return data.decode()


def returns_bytes(data):
    return data.decode().encode("utf-16-le")


def returns_a_bytearray(data):
    return bytearray(data.decode(), "utf-32")


def returns_empty_text(data):
    data.decode()
    return ""


def returns_empty_bytes(data):
    data.decode()
    return b""


def returns_the_length(data):
    return len(data.decode())


def returns_a_list(data):
    return [ord(each) for each in data.decode()]


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


def returns_false_to_refuse(data):
    try:
        return data.decode()
    except ValueError:
        return False


def returns_true_or_falls_off_the_end(data):  # noqa: RET503
    if returns_a_verdict(data):
        return True


def returns_false_or_falls_off_the_end(data):  # noqa: RET503
    if not returns_a_verdict(data):
        return False


LINE = re.compile(
    rb"(?:[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}"
    rb"|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})*"
)


def returns_a_match(data):
    return LINE.fullmatch(data)


def raises_its_own_exception(data):
    if not returns_a_verdict(data):
        raise Refused


def raises_its_own_lookup_error(data):
    if not returns_a_verdict(data):
        raise OutOfRange


def raises_a_plain_exception(data):
    if not returns_a_verdict(data):
        raise Exception("ill-formed")


def raises_runtime_error(data):
    if not returns_a_verdict(data):
        raise RuntimeError("ill-formed")


def asserts(data):
    if not returns_a_verdict(data):
        raise AssertionError("ill-formed")


def raises_eof_error(data):
    if not returns_a_verdict(data):
        raise EOFError


def is_a_generator(data):
    yield from data.decode()


def returns_an_iterator(data):
    return codecs.iterdecode([data], "utf-8")


def prints_much(data):
    print("noise", data)
    return data.decode()


a_lambda = lambda data: data.decode() is not None  # noqa: E731
a_partial = functools.partial(codecs.decode, encoding="utf-8")
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

    @staticmethod
    def static(data):
        return data.decode()

    @classmethod
    def of_class(cls, data):
        return data.decode()


bound = Methods().method


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


class RaisesPositions:
    def first_error(self, data):
        data.decode()


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


class Gathers:
    """A stream that looks at its bytes when it ends."""

    def __init__(self):
        self.data = b""

    def feed(self, chunk):
        self.data += chunk

    def finish(self):
        self.data.decode()


class OfAnEncoding(Gathers):
    """A stream that needs to be told the encoding."""

    def __init__(self, name):
        super().__init__()
        self.name = name

    def finish(self):
        self.data.decode(self.name)


a_partial_of_a_stream = functools.partial(OfAnEncoding, "utf-8")


class Closes(Gathers):
    """A stream that ends with close(), as the parsers of the standard library do."""

    finish = None

    def close(self):
        self.data.decode()


class Verdicts:
    """A stream whose methods return verdicts."""

    def __init__(self):
        self.data = b""

    def feed(self, chunk):
        self.data += chunk
        try:
            codecs.utf_8_decode(self.data)
        except ValueError:
            return False
        return True

    def finish(self):
        return returns_a_verdict(self.data)


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


async def is_a_coroutine_that_sleeps(data):
    await asyncio.sleep(0.00001)
    data.decode()


async def is_a_coroutine_that_waits(data):
    await asyncio.sleep(0)
    return data.decode()


def returns_an_exception(data):
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error


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


def returns_an_answer_and_a_message(data):
    error = returns_an_exception(data)
    return error is None, f"offset {error.start}" if error else ""


def returns_text_and_an_error(data):
    error = returns_an_exception(data)
    return (None, error) if error else (data.decode(), None)


def returns_an_error_and_text(data):
    error = returns_an_exception(data)
    return (str(error), data.decode("utf-8", "replace")) if error else (None, data.decode())


def returns_an_error_or_none(data):
    error = returns_an_exception(data)
    return str(error) if error else None


def returns_an_error_or_empty_text(data):
    return returns_an_error_or_none(data) or ""


def returns_a_list_of_errors(data):
    error = returns_an_error_or_none(data)
    return [error] if error else []


def returns_true_or_an_error(data):
    return returns_an_error_or_none(data) or True


def returns_a_dict(data):
    error = returns_an_exception(data)
    return {"valid": False, "offset": error.start} if error else {"valid": True}


def returns_a_dict_with_text_or_error(data):
    error = returns_an_exception(data)
    return {"error": str(error)} if error else {"text": data.decode()}


def returns_an_offset_or_minus_one(data):
    error = returns_an_exception(data)
    return error.start if error else -1


def returns_an_offset_or_none(data):
    error = returns_an_exception(data)
    return error.start if error else None


def returns_how_much_is_valid(data):
    error = returns_an_exception(data)
    return error.start if error else len(data)


def returns_a_length_or_minus_one(data):
    return len(data.decode()) if returns_a_verdict(data) else -1


def returns_a_status_as_in_c(data):
    return 0 if returns_a_verdict(data) else -22


def returns_a_word(data):
    return "valid" if returns_a_verdict(data) else "invalid"


class Ok:
    def __init__(self, value):
        self.value = value


class Err(Ok):
    pass


class Outcome(Ok):
    def is_ok(self):
        return self.value is not None


def returns_ok_or_err(data):
    return Ok(data.decode()) if returns_a_verdict(data) else Err("ill-formed")


def returns_a_result_with_a_method(data):
    return Outcome(data.decode() if returns_a_verdict(data) else None)


class State(enum.Enum):
    GOOD, BAD, CUT = range(3)


def returns_a_member_of_an_enum(data):
    error = returns_an_exception(data)
    return State.GOOD if error is None else State.CUT if error.end == len(data) else State.BAD


class Verdict(typing.NamedTuple):
    valid: bool
    text: str


def returns_a_named_tuple(data):
    return Verdict(returns_a_verdict(data), data.decode("utf-8", "replace"))


class Array:
    """Arrays as numpy has them: true or false if there is one item, an error if there are more."""

    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __bool__(self):
        (item,) = self.items
        return item

    def tolist(self):
        return list(self.items)


def returns_an_array_with_a_truth_value(data):
    return Array(returns_a_verdict(data))


def returns_an_array_of_code_points(data):
    return Array(*map(ord, data.decode()))


RIGHT = [
    *[name for name, value in globals().items() if callable(value) and getattr(value, "__module__", "") == __name__],
    *("a_partial", "a_partial_of_a_stream", "a_builtin", "an_incremental_decoder", "Incremental"),
    *("Methods.method", "Methods.static", "Methods.of_class"),
]
NO_TARGETS = {"Refused", "OutOfRange", "Methods", "Result", "Ok", "Err", "Outcome", "State", "Verdict", "Array"}
NO_TARGETS |= {"OfAnEncoding"}
RIGHT = [name for name in RIGHT if name not in NO_TARGETS]
