/*
 * What is fuzzed: each reader of files that may come from anywhere, as a function of one file's bytes. The same
 * functions run under libFuzzer (fuzz.c, `make fuzz`) and over the kept files of tests/fuzz/corpus (test_corpora.c).
 */
#ifndef HULLBENCH_FUZZ_TARGETS_H
#define HULLBENCH_FUZZ_TARGETS_H

#include <stddef.h>

struct fuzz_target {
    const char *name; /* of the folder of its files, too */
    /* Reads the file at `path`, whose `size` bytes are also at `bytes`, and whatever it says, ends in memory released
     * and either a result that is sound or one line that says what is wrong. Else the process is aborted. */
    void (*run)(const char *path, const unsigned char *bytes, size_t size);
};

/* Ends in a target without a name. */
extern const struct fuzz_target fuzz_targets[];
/* NULL: there is none of this name. */
const struct fuzz_target *fuzz_target_find(const char *name);

/* Writes a case, without waiting for the disk; aborts where that fails. */
void fuzz_write(const char *path, const unsigned char *bytes, size_t size);

#endif
