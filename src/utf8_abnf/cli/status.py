"""Exit statuses: scripts rely on them (``docs/reference/command-line.md``)."""

OK = 0  # well-formed, or conforms
ILL_FORMED = 1  # ill-formed, or does not conform
USAGE = 2  # usage or I/O error
TARGET = 3  # the decoder under test could not be started or kept crashing
INTERRUPTED = 130  # as a shell reports a program that SIGINT ended
BROKEN_PIPE = 141  # ... and SIGPIPE: the verdict is unknown, so neither 0 nor 1
