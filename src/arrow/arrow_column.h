/* Column and ChunkedColumn, the results as Python sees them. Include it after Python.h. */
#ifndef UTF8_ARROW_COLUMN_H
#define UTF8_ARROW_COLUMN_H

#include "arrow_out.h"
#include "compiler.h"

typedef struct {
    PyObject_HEAD
    utf8_made *prototype; /* has the type, and no rows */
    utf8_made **parts;
    size_t count;
} made_column;

UTF8_OURS extern PyType_Spec column_spec, chunked_spec;

/* Add a part, whose one use goes to the column, also where this fails. 0, or -1 with an exception set. */
UTF8_OURS int add_part(made_column *self, utf8_made *part);

#endif
