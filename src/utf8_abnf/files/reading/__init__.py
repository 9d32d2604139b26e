"""What compressed files, archives and columnar files hold: a stream of bytes in, the texts in it out, one by one.

``unpacking.unpack`` is the door; its table has a row for each format, which names the module that reads it. Such a
module is a thin layer on a library and is imported when an input needs it. ``streams`` has what they read and give; it
names a class of ``columns`` in an annotation.

Rule 1: nothing is written to the disk under a name that an archive gives. Rule 2: memory is bounded, and so is what
comes out. Rule 3: whatever a library raises becomes an ``UnreadableError``.
"""
