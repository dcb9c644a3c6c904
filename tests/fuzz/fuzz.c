/*
 * The entry point for libFuzzer. The program's name selects the target: "fuzz-csv" fuzzes csv. Cases are passed to the
 * readers as files, in a folder of this process in $TMPDIR.
 */
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/support/file.h"
#include "tests/fuzz/targets.h"

int LLVMFuzzerInitialize(int *count, char ***words);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const struct fuzz_target *target;
static char path[512];

static void remove_folder(void)
{
    remove(path);
    rmdir(dirname(path));
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
    const char *name = strrchr((*words)[0], '-'), *temporary = getenv("TMPDIR");
    (void)count;
    target = name ? fuzz_target_find(name + 1) : NULL;
    snprintf(path, sizeof path - 8, "%s/fuzz-XXXXXX", temporary ? temporary : "/tmp");
    if (!target || !mkdtemp(path)) {
        fprintf(stderr, "%s: %s\n", (*words)[0], target ? "no folder for the cases" : "no such target");
        exit(2);
    }
    strcat(path, "/case");
    atexit(remove_folder);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_write(path, bytes, size);
    fuzz_run(target, path, bytes, size);
    return 0;
}
