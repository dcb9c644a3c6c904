/*
 * The fuzz targets: each reader of files from untrusted sources, as a function of one file's bytes. The same functions
 * run under libFuzzer (fuzz.c, `make fuzz`) and on the stored files of tests/fuzz/corpus (test_corpora.c).
 */
#ifndef HULLBENCH_FUZZ_TARGETS_H
#define HULLBENCH_FUZZ_TARGETS_H

#include <stddef.h>

struct fuzz_target {
    const char *name; /* also the name of its corpus folder */
    /* Reads the file at `path`, whose `size` bytes are also at `bytes`. Every outcome must release its memory and give
     * either a valid result or one line that describes the error. Otherwise the process aborts. */
    void (*read)(void *path); /* dies with an error of the file; or NULL, and `run` */
    void (*run)(const char *path, const unsigned char *bytes, size_t size);
};

/* Terminated by a target without a name. */
extern const struct fuzz_target fuzz_targets[];
/* NULL if there is none of this name. */
const struct fuzz_target *fuzz_target_find(const char *name);

/* Writes a case without syncing it to disk; aborts on failure. */
void fuzz_write(const char *path, const unsigned char *bytes, size_t size);

/* Runs the target; what it refuses must be an error of the file, in one line. */
void fuzz_run(const struct fuzz_target *target, const char *path, const unsigned char *bytes, size_t size);

#endif
