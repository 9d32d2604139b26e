"""What compressed files, archives and columnar files hold: a stream of bytes in, the texts in it out, one by one.

``unpacking.unpack`` is the door. A reader is a module here and a row in ``readers.READERS``: ``compressed`` (gzip,
zstd, bzip2, xz), ``tar_members``, ``zip_members``, ``warc_records`` and ``columns`` (Parquet, Arrow). The libraries of
a reader are imported when an input needs them. ``part`` names a class of ``columns``, in an annotation only.
``zip_headers`` finds the members of a zip archive without a directory.

Rule 1: nothing is written to the disk under a name that an archive gives. Rule 2: memory is bounded, and ``limits``
bounds what comes out. Rule 3: whatever a library raises becomes an ``UnreadableError``.
"""
