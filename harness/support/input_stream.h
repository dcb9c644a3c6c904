/* Reads a file once, sequentially and in chunks, and decompresses gzip, bzip2, xz and zstd. */
#ifndef HULLBENCH_INPUT_STREAM_H
#define HULLBENCH_INPUT_STREAM_H

#include "harness/support/sha256.h"

struct input_progress {
    const char *path;
    double bytes;   /* bytes of the file read so far, compressed or not */
    double size;    /* size of the file; negative if unknown, as for pipes */
    double seconds; /* since the file was opened */
    int is_done;    /* the file has been closed */
};

/* A callback for progress reports. */
struct input_watch {
    void (*report)(void *context, const struct input_progress *progress); /* called after each chunk */
    void *context;
};

/* Zero-initialise. */
struct input_options {
    struct sha256 *hash, *second;    /* both hash the file's bytes as they are on disk; NULL: no hash */
    const struct input_watch *watch; /* NULL: no reports */
    size_t chunk;                    /* bytes per read; 0: INPUT_CHUNK */
};
#ifndef INPUT_CHUNK /* the fuzzer's short files shall need several reads (tests/fuzz/fuzz.mk) */
enum { INPUT_CHUNK = 1 << 20 };
#endif

struct input_stream;

/* Opens a file; "-" is standard input. Non-regular files such as FIFOs are read as well. `path` and everything the
 * options point to must live until input_close. STATUS_NOT_FOUND if the file does not exist. */
struct input_stream *input_open(const char *path, const struct input_options *options);
/* Dies as input_open does for a missing or unreadable file, without reading anything. */
void input_check(const char *path);
/* Reads up to `room` bytes, at least one; returns the number, 0 at the end of the file. Concatenated compressed parts
 * are one text. STATUS_BAD_INPUT if compressed data are damaged, or by decompress_check_size. */
size_t input_read(struct input_stream *stream, char *to, size_t room);
/* The path for messages. */
const char *input_path(const struct input_stream *stream);
/* Accepts NULL. Afterwards each hash covers all bytes that were read. */
void input_close(struct input_stream *stream);

/* Whether `packed` compressed bytes became `size` bytes, and that is more than 64 MiB and more than 200 times as much:
 * a few kilobytes of a stranger would otherwise fill the memory or the disk. */
int decompress_is_too_large(double packed, double size);
/* STATUS_BAD_INPUT if that is so for the file. */
void decompress_check_size(const char *path, double packed, double size);

#endif
