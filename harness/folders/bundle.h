/*
 * A bundle: one tar archive of a finished run, to be handed to a journal or a colleague.
 *
 *     hullbench-NAME/README.md         what it is, how to check it, the commands that repeat the run
 *     hullbench-NAME/SHA256SUMS        a line for each other file, as sha256sum writes them
 *     hullbench-NAME/run/...           config.json, run.json and every file that run.json lists
 *     hullbench-NAME/plugins/FILE      sources of plugins, if given
 *
 * NAME is the configuration's. Archives of one run folder have the same bytes: entries are sorted, have mode 644, owner
 * 0 and time 0, and the format is ustar (POSIX.1-1988), with pax headers for names that are too long for it.
 */
#ifndef HULLBENCH_BUNDLE_H
#define HULLBENCH_BUNDLE_H

#include <stddef.h>

struct pool;

struct bundle_request {
    const char *folder;          /* of a finished run */
    const char *const *sources;  /* files with the sources of plugins */
    size_t n_sources;
};

struct bundle {
    const char *name; /* hullbench-NAME */
    size_t files;
    const char *bytes; /* the archive */
    size_t size;
};

/* Verifies the folder (replay.h) and makes the archive, in the pool. Dies with STATUS_BAD_INPUT: the folder is no
 * finished run or a file of it was changed, also while it is packed; two sources have one name, or one cannot be
 * read. */
struct bundle bundle_make(struct pool *pool, const struct bundle_request *request);

/* Unpacks an archive, which may be compressed by gzip, into the folder `into`, which exists and is empty, and checks it
 * against its SHA256SUMS. Returns the path of the unpacked run folder, INTO/hullbench-NAME/run. Dies with
 * STATUS_NOT_FOUND: there is no such file; with STATUS_BAD_INPUT: it is not a regular file or no bundle, or a file in
 * it was changed; links, devices and names that lead out of the folder are refused, and so are sparse files, more
 * than 4 GiB, gzip within gzip, and what decompress_check_size does not allow. */
const char *bundle_unpack(struct pool *pool, const char *path, const char *into);

#endif
