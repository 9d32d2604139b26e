"""Random ABNF: what may stand behind the sign of equality, one element within another."""

from hypothesis import strategies as st


def elements(atoms, counts, most):
    """Draw an alternative of at most *most* of *atoms*, some in groups with one of *counts*, some optional."""

    def more(inner):
        sequence = st.lists(inner, min_size=1, max_size=3).map(" ".join)
        choice = st.lists(sequence, min_size=1, max_size=3).map(" / ".join)
        group = st.tuples(st.sampled_from(counts), choice).map(lambda each: "{}( {} )".format(*each))
        return st.one_of(sequence, choice.map("[ {} ]".format), group)

    return st.recursive(st.sampled_from(atoms), more, max_leaves=most)
