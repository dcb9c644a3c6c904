/* Text put together through a stream, as by open_memstream, but with no failure kept to itself. */
#ifndef HULLBENCH_TEXT_STREAM_H
#define HULLBENCH_TEXT_STREAM_H

#include <stdio.h>

/* A stream for writing whose text is in *text, NUL-terminated, *size bytes without the NUL, after fflush or when it is
 * closed. NULL without memory, with *text NULL. A write that memory was missing for sets the stream's error flag. */
FILE *text_stream_open(char **text, size_t *size);

/* Closes the stream. 1 where all that was written is in *text, the caller's; else 0, with *text freed and NULL. Accepts
 * a NULL stream, as a failed one. */
int text_stream_close(FILE *stream, char **text);

#endif
