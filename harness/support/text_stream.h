/* A stream that writes to a string, like open_memstream, but reports every failure. */
#ifndef HULLBENCH_TEXT_STREAM_H
#define HULLBENCH_TEXT_STREAM_H

#include <stdio.h>

/* Opens a stream for writing. After fflush or closing, *text is the NUL-terminated text and *size its length without
 * the NUL. When out of memory returns NULL with *text NULL; a later write that runs out of memory sets the stream's
 * error flag. */
FILE *text_stream_open(char **text, size_t *size);

/* Closes the stream. Returns 1 if all output is in *text, which the caller frees; otherwise 0, with *text freed and
 * NULL. A NULL stream counts as failed. */
int text_stream_close(FILE *stream, char **text);

#endif
