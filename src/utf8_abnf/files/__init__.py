"""Bytes that people have: read packed files and URLs, repair text, ask what a target refuses, check columns."""
