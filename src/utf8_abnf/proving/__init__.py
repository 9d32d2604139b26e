"""The proof by enumeration: the grammar's automaton and the installed kernels in, a statement about every input out."""
