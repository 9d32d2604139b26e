"""Decoders that misbehave, for the tests of the harness: ``python decoder.py BEHAVIOUR``, over the stream protocol.

Apart from its one fault each of them judges rightly, so that everything else of a run has to come out as a pass.
"""

import os
import signal
import sys
import time

MARK = b"\xed\xa0\x80"  # the one case on which most of them go wrong: it is in level L0 and in W/k0


def right(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return b"0"
    return b"1"


def say(data):
    while data:
        data = data[os.write(1, data) :]


def frames():
    """Yield each case, and None whenever the input has run dry."""
    pending = b""
    while True:
        while len(pending) >= 4 and len(pending) >= (end := 4 + int.from_bytes(pending[:4], "little")):
            yield pending[4:end]
            pending = pending[end:]
        yield None
        more = os.read(0, 65536)
        if not more:
            return
        pending += more


def serve(answer, hello=b"utf8-abnf 1 modes=v name=hostile version=1\n", buffered=True):
    """Answer with what *answer* makes of each case; buffered answers leave when the input runs dry."""
    say(hello)
    while os.read(0, 1) != b"\n":
        pass
    answers = b""
    for data in frames():
        if data is not None:
            answers += answer(data)
        if answers and (data is None or not buffered):
            say(answers)
            answers = b""


def on_mark(action):
    return lambda data: (action() or b"") if data == MARK else right(data)


def die():
    os.kill(os.getpid(), signal.SIGSEGV)


def sleep():
    time.sleep(1000)


def flood(descriptor):
    while True:
        os.write(descriptor, b"flood " * 1000)


def fork_and_hold_the_pipes():
    if os.fork() == 0:
        time.sleep(1000)
    os._exit(7)


def start_a_daemon(lasting=lambda: time.sleep(1000)):
    """Start a process that leaves our group and session, and our terminal, as a daemon does."""
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        for descriptor in range(3):
            os.close(descriptor)
        lasting()
    os.wait()


def start_one_that_holds_the_pipes():
    if os.fork() == 0:
        os.setsid()
        time.sleep(1000)


def start_one_without_environment():
    if os.fork() == 0:
        os.setsid()
        os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(1000)", *sys.argv], {})


FORKER = """
import os, time
ends = time.monotonic() + 20
while time.monotonic() < ends:
    if os.fork() == 0:
        os.setsid()
        time.sleep(40)
        break
    time.sleep(0.005)
"""


def start_one_that_forks_daemons(environment):
    """Start a process in a session of its own that forks one daemon after the other, as long as it lives."""
    if os.fork() == 0:
        os.setsid()
        os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", FORKER, *sys.argv], environment)


def daemons_everywhere():
    start_a_daemon()
    start_one_without_environment()
    serve(on_mark(lambda: start_one_that_holds_the_pipes() or b"0"))


def trickle(byte, pause):
    """Never silent for long, and never done."""
    while True:
        say(byte)
        time.sleep(pause)


def leak():
    kept = []
    while True:
        kept.append(bytearray(b"x" * (1 << 24)))
        time.sleep(0.01)


def answers_short_in_p():
    """In mode p, an offset without the byte that tells a length."""
    say(b"utf8-abnf 1 modes=p\n")
    os.read(0, 2)
    for data in frames():
        if data is not None:
            say(b"\xff\xff\xff\xff\0" if right(data) == b"1" else bytes(4))


def shifted_by(number, first=b"1"):
    """Say *first* to the first questions; then each answer is the one to a question before."""
    held = [first] * number

    def answer(data):
        held.append(right(data))
        return held.pop(0)

    serve(answer)


def of_a_program(action):
    """Judge standard input by the exit status, but for one case."""
    data = sys.stdin.buffer.read()
    if data == MARK:
        action()
    sys.exit(right(data) == b"0")


def flushes_never():
    """Answer only when the input ends: a common mistake of adapters."""
    say(b"utf8-abnf 1 modes=v\n")
    while os.read(0, 1) != b"\n":
        pass
    say(b"".join(right(data) for data in frames() if data is not None))


count = 0


def after(number, action):
    def answer(data):
        global count
        count += 1
        return (action() or b"") if count == number else right(data)

    return answer


def without_every(number):
    def answer(data):
        global count
        count += 1
        return b"" if count % number == 0 else right(data)

    return answer


def slowly(seconds):
    def answer(data):
        time.sleep(seconds)
        return right(data)

    return answer


BEHAVIOURS = {
    "right": lambda: serve(right),
    "judges-nothing": lambda: serve(lambda data: b"u"),
    "dies-before-hello": die,
    "exits-before-hello": lambda: sys.exit("no licence found"),
    "hangs-before-hello": sleep,
    "says-something-else": lambda: (say(b"Welcome to my decoder!\n"), sleep()),
    "floods-instead-of-hello": lambda: flood(1),
    "speaks-version-2": lambda: serve(right, b"utf8-abnf 2 modes=v\n"),
    "exits-without-reading": lambda: say(b"utf8-abnf 1 modes=v\n"),
    "closes-stdin": lambda: (say(b"utf8-abnf 1 modes=v\n"), os.close(0), sleep()),
    "dies-on-one": lambda: serve(on_mark(die)),
    "exits-on-one": lambda: serve(on_mark(lambda: os._exit(0))),
    "dies-on-every-ill-formed-case": lambda: serve(lambda data: right(data) if right(data) == b"1" else die()),
    "dies-after-5000-cases": lambda: serve(after(5000, die)),
    "shifted-by-1": lambda: shifted_by(1),
    "shifted-by-3": lambda: shifted_by(3),
    "dies-after-7-cases": lambda: serve(after(7, die)),
    "hangs-on-one": lambda: serve(on_mark(sleep)),
    "hangs-on-every-case": lambda: serve(lambda data: sleep()),
    "answers-garbage-on-one": lambda: serve(on_mark(lambda: b"!")),
    "answers-garbage": lambda: serve(lambda data: b"\x01" if right(data) == b"1" else b"\x00"),
    "answers-twice-on-one": lambda: serve(on_mark(lambda: b"00")),
    "answers-twice": lambda: serve(lambda data: 2 * right(data)),
    "answers-garbage-at-the-7th-case": lambda: serve(after(7, lambda: b"!")),
    "answers-twice-at-the-7th-case": lambda: serve(after(7, lambda: b"00")),
    "hangs-at-the-100th-case": lambda: serve(after(100, sleep)),
    "leaves-daemons": daemons_everywhere,
    "forks-daemons-all-the-time": lambda: (start_one_that_forks_daemons({}), serve(right)),
    "dies-while-daemons-are-forked": lambda: (start_one_that_forks_daemons(os.environ), serve(on_mark(die))),
    "dies-and-leaves-daemons": lambda: (
        start_a_daemon(),
        serve(on_mark(lambda: start_one_that_holds_the_pipes() or die())),
    ),
    "trickles-a-hello": lambda: trickle(b"u", 0.1),
    "trickles-answers": lambda: (say(b"utf8-abnf 1 modes=v\n"), trickle(b"1", 0.05)),
    "floods-after-hello": lambda: (say(b"utf8-abnf 1 modes=v\n"), flood(1)),
    "writes-random-bytes": lambda: (say(b"utf8-abnf 1 modes=v\n"), [say(os.urandom(4096)) for _ in iter(int, 1)]),
    "floods-with-answers": lambda: (say(b"utf8-abnf 1 modes=v\n"), [say(b"10" * 4096) for _ in iter(int, 1)]),
    "leaves-out-every-5000th": lambda: serve(without_every(5000)),
    "answers-never-on-one": lambda: serve(on_mark(lambda: b"")),
    "answers-late-on-one": lambda: serve(on_mark(lambda: time.sleep(1.2) or b"0")),
    "floods-stdout-on-one": lambda: serve(on_mark(lambda: flood(1))),
    "floods-stderr-on-one": lambda: serve(on_mark(lambda: flood(2))),
    "chatters-on-stderr": lambda: serve(lambda data: (os.write(2, b"chatter\n" * 20), right(data))[1]),
    "forks-on-one": lambda: serve(on_mark(fork_and_hold_the_pipes)),
    "leaks-on-one": lambda: serve(on_mark(leak)),
    "needs-2-seconds": lambda: serve(slowly(2.0)),
    "answers-one-by-one": lambda: serve(slowly(0.01), buffered=False),
    "answers-in-large-pieces": lambda: serve(
        lambda data: (time.sleep(0.5) or right(data)) if data == MARK else right(data)
    ),
    "flushes-every-answer": lambda: serve(right, buffered=False),
    "answers-short-in-p": answers_short_in_p,
    "one-question-late": lambda: shifted_by(1, first=b""),
    "exits-with-3-on-one/exec": lambda: of_a_program(lambda: sys.exit(3)),
    "hangs-on-one/exec": lambda: of_a_program(sleep),
    "flushes-never": flushes_never,
    "writes-after-the-end": lambda: (serve(right), say(b"111")),
}

if __name__ == "__main__":
    BEHAVIOURS[sys.argv[1]]()
