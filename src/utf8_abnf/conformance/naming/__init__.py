"""Names the faults of a decoder: its learned automaton goes in, and lines of ABNF with the places of faults come out.

- ``pieces`` puts the model and the standard side by side and finds the words between two boundaries, as boxes;
- ``covering`` makes few boxes of many; ``words`` are automata of words, and ``places`` say where these are wrong;
- ``naming`` makes lines of them. ``reading`` is the way back: the automaton of a decoder that does what lines say. A
  line is printed only if the reading of all lines is the model: equal automata, no samples;
- ``written`` writes an automaton whole, as ABNF; ``periodic`` names kinds of faults by offsets, which no model knows.
"""

from utf8_abnf.conformance.naming.naming import EXTRA, MISSING, Line, Naming, name
from utf8_abnf.conformance.naming.places import Context, Place
from utf8_abnf.conformance.naming.reading import Fact, reading

__all__ = ["EXTRA", "MISSING", "Context", "Fact", "Line", "Naming", "Place", "name", "reading"]
