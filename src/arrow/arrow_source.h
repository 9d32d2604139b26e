/* Where the rows come from: a column of another library. Include it after Python.h. */
#ifndef UTF8_ARROW_SOURCE_H
#define UTF8_ARROW_SOURCE_H

#include "arrow_in.h"
#include "compiler.h"

typedef struct {
    struct ArrowSchema schema;
    struct ArrowArray array; /* the next part */
    struct ArrowArrayStream stream;
    utf8_kind kind;
    bool chunked;
} source;

/* Ask a column for its rows: by __arrow_c_array__ or __arrow_c_stream__. 0, or -1 with an exception set. */
UTF8_OURS int open_source(PyObject *column, source *from);

/* Get the next part of a stream: 1, 0 when there is none, -1 with an exception set. */
UTF8_OURS int next_part(source *from);

/* Release what is held. */
UTF8_OURS void close_source(source *from);

#endif
