/* A file read from its beginning to its end once, in parts, decompressed where it is compressed. */
#ifndef HULLBENCH_INPUT_STREAM_H
#define HULLBENCH_INPUT_STREAM_H

#include <stddef.h>

#include "harness/support/sha256.h"
#include "solvers/error.h"

/* How much of a file has been read. */
struct input_progress {
    const char *path;
    double bytes;   /* read of the file, compressed or not */
    double size;    /* of the file; negative where it is not known: pipes */
    double seconds; /* since it was opened */
    int is_done;    /* it is closed now */
};

/* Who is told of the progress. */
struct input_watch {
    void (*report)(void *context, const struct input_progress *progress); /* after each part of the file */
    void *context;
};

/* Zero-initialise. */
struct input_options {
    struct sha256 *hash;             /* gets the bytes of the file as they are on the disk; NULL: none is computed */
    const struct input_watch *watch; /* NULL: nobody */
    size_t chunk;                    /* bytes that are read from the file at once; 0: INPUT_CHUNK */
};
enum { INPUT_CHUNK = 1 << 20 };

struct input_stream;

/* Opens the file; "-" is standard input. Files that are not regular, such as FIFOs, are read as they come. `path` and
 * what the options point to have to live until input_close. STATUS_NOT_FOUND where there is no file. */
enum status input_open(struct input_stream **stream, const char *path, const struct input_options *options,
                       struct error *error);
/* The error of input_open where the file is not there or may not be read, before anything is read. */
enum status input_check(const char *path, struct error *error);
/* input_open for bytes in memory, which are taken as they are; `path` is for messages. */
enum status input_open_bytes(struct input_stream **stream, const char *path, const char *bytes, size_t size,
                             struct error *error);
/* Puts up to `room` bytes, at least one, into `to`; *got gets how many, 0 at the end of the file. */
enum status input_read(struct input_stream *stream, char *to, size_t room, size_t *got, struct error *error);
/* The path in messages. */
const char *input_path(const struct input_stream *stream);
/* How much of the file has been read, from 0 to 1; NaN where its size is not known. */
double input_share(const struct input_stream *stream);
/* Accepts NULL. The hash has all bytes that were read after this. */
void input_close(struct input_stream *stream);

#endif
