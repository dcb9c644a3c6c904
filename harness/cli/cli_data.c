/* Environment and small words shared by the verbs. */
#include "harness/cli/cli_data.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/file.h"
#include "harness/share.h"

char *cli_cache(void)
{
    char *manifest = NULL, *cache = NULL;
    if (share_find("datasets/manifest.json", &manifest, NULL) != STATUS_OK)
        return NULL;
    *strrchr(manifest, '/') = '\0';
    cache = path_join(manifest, "cache");
    free(manifest);
    return cache;
}

const struct lanes *cli_lanes(void)
{
    const char *name = getenv("HULLBENCH_LANES");
    const struct lanes *lanes = lanes_select(name && *name ? name : NULL);
    if (!lanes)
        fprintf(stderr, "hullbench: HULLBENCH_LANES: \"%s\" is unknown or not run by this processor; allowed: generic, avx2, "
                        "avx512\n", name);
    return lanes;
}

size_t cli_number(const char *text, size_t most)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return 0;
    unsigned long number = strtoul(text, &end, 10);
    return *end == '\0' && number <= most ? number : 0;
}

void cli_print_missing(const struct run *run)
{
    if (run->n_missing == 0)
        return;
    fputs("hullbench: data missing:", stderr);
    for (size_t m = 0; m < run->n_missing; m++)
        fprintf(stderr, " %s", run->missing[m].name);
    fprintf(stderr, "\n  %s\n", run->missing[0].reason);
}
