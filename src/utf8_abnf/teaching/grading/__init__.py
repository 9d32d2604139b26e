"""Grade a grammar by the bytes that it accepts: a grammar and a reference in, points and reasons out."""
