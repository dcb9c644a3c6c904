/* What the results in a folder rest on, and how that is told apart from what is asked for now. */
#ifndef HULLBENCH_FINGERPRINT_H
#define HULLBENCH_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

#include "solvers/error.h"

struct cJSON;

struct fingerprint {
    uint64_t plan;                  /* 64-bit FNV-1a of all that follows but the program */
    uint64_t config, options,
        data; /* parts of it: the configuration's text; restrictions and shard; data and plugins */
    char program[65];               /* SHA-256 of the program's file; "": not known */
};

enum { FINGERPRINT_DIFF_SIZE = 160 };

/* SHA-256 of the file that the process runs; "" where the system does not show it. Fails only out of memory. */
enum status fingerprint_program(char hash[65], struct error *error);

/* The hash of 16 hexadecimal digits under `key`; returns 0, and *hash is 0, where there is none. */
int fingerprint_hash(const struct cJSON *json, const char *key, uint64_t *hash);

/* Writes the members of a JSON object, without the braces; returns their length. */
size_t fingerprint_print(const struct fingerprint *fingerprint, char *text, size_t size);

/*
 * Compares with what a folder tells of itself. Returns 0 where nothing differs, else writes into `words` what does:
 * "another configuration, other options", say. A part whose hash is 0 and a program that is not known are not compared.
 */
int fingerprint_differs(const struct fingerprint *now, const struct fingerprint *then,
                        char words[FINGERPRINT_DIFF_SIZE]);

/* What makes two plans the same: what goes into the hash by which a folder knows its plan. */
struct plan_fingerprint {
    const char *version;                     /* the program's */
    const char *config;                      /* the text of the configuration, byte for byte */
    const char *solvers, *datasets, *splits; /* restrictions as they were given; NULL: none */
    size_t shard, shards;
    const char *const *sha256; /* of the data sets that were found, in the configuration's order, then of the plugins
                                  that solvers come from, in the solvers' order: as in run.json */
    size_t n_files;
    size_t repeats; /* as they were given; 0: not */
};

uint64_t plan_fingerprint_hash(const struct plan_fingerprint *plan);
/* Sets all of a fingerprint but the program: that hash and those of its parts. */
void plan_fingerprint_parts(const struct plan_fingerprint *plan, struct fingerprint *parts);

#endif
