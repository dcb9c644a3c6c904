/* What makes two plans the same: what goes into the hash by which a folder knows its plan. */
#ifndef HULLBENCH_PLAN_FINGERPRINT_H
#define HULLBENCH_PLAN_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

#include "harness/run/fingerprint.h"

struct plan_fingerprint {
    const char *version;                     /* the program's */
    const char *config;                      /* the text of the configuration, byte for byte */
    const char *solvers, *datasets, *splits; /* restrictions as they were given; NULL: none */
    size_t shard, shards;
    const char *const *sha256; /* of the data sets that were found, in the configuration's order, then of the plugins
                                  that solvers come from, in the solvers' order: as in run.json */
    size_t n_files;
};

uint64_t plan_fingerprint_hash(const struct plan_fingerprint *identity);
/* Sets all of an identity but the program: that hash and those of its parts. */
void plan_fingerprint_parts(const struct plan_fingerprint *identity, struct fingerprint *parts);

#endif
