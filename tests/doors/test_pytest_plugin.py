"""The pytest plugin, in a pytest of its own: a right decoder passes, a wrong one fails with the report."""

pytest_plugins = ["pytester"]

SUITE = """
def right(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True

def lax(data):
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True

def test_right(utf8_conformance):
    assert utf8_conformance(right, level="L1").conforms

def test_lax(utf8_conformance):
    utf8_conformance(lax, level="L0")

def test_case(utf8_case):
    assert right(utf8_case.data) is utf8_case.accept
"""


def test_each_named_case_is_a_test_and_a_wrong_decoder_fails_with_the_deviation_as_abnf(pytester):
    pytester.makepyfile(SUITE)
    outcome = pytester.runpytest_subprocess("-v", "-p", "no:cacheprovider")
    assert outcome.parseoutcomes()["passed"] > 100
    assert outcome.parseoutcomes()["failed"] == 1
    outcome.stdout.fnmatch_lines(["*test_case?named/*PASSED*"])
    outcome.stdout.fnmatch_lines(["*%xED %xA0-BF UTF8-tail*"])
