"""AALpy, an independent learner, finds the automaton that ours finds: with L* and with Kearns and Vazirani's KV."""

from __future__ import annotations

from collections import deque
from itertools import product

import pytest

from utf8_abnf.automaton import compile_grammar, separating_words, state_cover
from utf8_abnf.conformance.learning import dialects, learn
from utf8_abnf.grammar import Grammar

aalpy = pytest.importorskip("aalpy", reason="needs AALpy: pip install aalpy")

UTF8 = compile_grammar(Grammar.load("utf8"))
KNOWN = [UTF8, *dialects().values()]
# One byte of each class that any known grammar has: AALpy's tables grow with the alphabet.
ALPHABET = list({tuple(each.classes[byte] for each in KNOWN): byte for byte in reversed(range(256))}.values())
COVER = sorted({word for each in KNOWN for word in state_cover(each)}, key=len)
SUFFIXES = sorted({word for each in KNOWN for word in separating_words(each)}, key=len)


class Decoder(aalpy.base.SUL):
    """A black box as AALpy asks it: one byte at a time, with a verdict on the bytes so far after each."""

    def __init__(self, accepts):
        super().__init__()
        self.accepts = accepts

    def pre(self):
        self.seen = b""

    def post(self):
        pass

    def step(self, byte):
        self.seen += b"" if byte is None else bytes([byte])
        return bool(self.accepts(self.seen))


class Words(aalpy.base.Oracle):
    """Looks for a counterexample in V·Σ^≤1·W of every known grammar, and uses no words of our learner."""

    def find_cex(self, model):
        for head, byte, tail in product(COVER, ALPHABET, SUFFIXES):
            word = (*head, byte, *tail)
            state = model.initial_state
            for each in word:
                state = state.transitions[each]
            if state.is_accepting is not bool(self.sul.sul.accepts(bytes(word))):
                return word
        return None


def theirs(learner, accepts):
    decoder = Decoder(accepts)
    return learner(ALPHABET, decoder, Words(ALPHABET, decoder), "dfa", print_level=0)


def states_that_differ(model, automaton):
    """Walk through both at once; return the number of states of each and of pairs, or None if they disagree."""
    together = {(model.initial_state.state_id, automaton.start)}
    todo = deque([(model.initial_state, automaton.start)])
    while todo:
        left, right = todo.popleft()
        if left.is_accepting is not (right in automaton.accepting):
            return None
        for byte in ALPHABET:
            pair = left.transitions[byte], automaton.step(right, byte)
            if (pair[0].state_id, pair[1]) not in together:
                together.add((pair[0].state_id, pair[1]))
                todo.append(pair)
    return len({left for left, _ in together}), len({right for _, right in together}), len(together)


def decodes(errors):
    def accepts(data):
        try:
            data.decode("utf-8", errors)
        except ValueError:
            return False
        return True

    return accepts


def ours(accepts):
    return learn(lambda words: [accepts(word) for word in words], UTF8, expensive=True).automaton


DECODERS = {"CPython": decodes("strict"), "CPython, surrogatepass": decodes("surrogatepass")}
DECODERS |= {name: automaton.accepts for name, automaton in dialects().items()}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("learner", [aalpy.run_Lstar, aalpy.run_KV], ids=["L*", "KV"])
@pytest.mark.parametrize("name", DECODERS)
def test_two_learners_find_the_same_automaton(name, learner):
    model = theirs(learner, DECODERS[name])
    found = ours(DECODERS[name])
    assert states_that_differ(model, found) == (len(model.states),) * 3 == (len(found.table),) * 3
