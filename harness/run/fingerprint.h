/* Identifies everything that the results in a folder depend on, and reports how it differs from the current request. */
#ifndef HULLBENCH_FINGERPRINT_H
#define HULLBENCH_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

#include "solvers/error.h"

struct cJSON;

struct fingerprint {
    uint64_t plan;                  /* 64-bit FNV-1a of everything below except the program */
    uint64_t config, options,
        data; /* its parts: text of the configuration; restrictions and shard; data and plugins */
    char program[65];               /* SHA-256 of the program's file; "": unknown */
};

enum { FINGERPRINT_DIFF_SIZE = 160 };

/* SHA-256 of the program file of this process; "" if the system does not provide it. Fails only when out of memory. */
void fingerprint_program(char hash[65]);

/* Reads a hash of 16 hexadecimal digits under `key`; returns 0 and sets *hash to 0 if there is none. */
int fingerprint_hash(const struct cJSON *json, const char *key, uint64_t *hash);

/* Prints the members of a JSON object, without braces; returns their length. */
size_t fingerprint_print(const struct fingerprint *fingerprint, char *text, size_t size);

/*
 * Compares with the fingerprint stored in a folder. Returns 0 if they agree; otherwise writes what differs to `words`,
 * for example "another configuration, other options". A part whose hash is 0 and an unknown program are not compared.
 */
int fingerprint_differs(const struct fingerprint *now, const struct fingerprint *then,
                        char words[FINGERPRINT_DIFF_SIZE]);

/* What identifies a plan: the inputs of the plan hash stored in a folder. */
struct plan_fingerprint {
    const char *version;                     /* of the program */
    const char *config;                      /* text of the configuration, byte for byte */
    const char *solvers, *datasets, *splits; /* restrictions as given; NULL: none */
    size_t shard, shards;
    const char *const *sha256; /* of the data sets found, in the configuration's order, then of the plugins used, in the
                                * solvers' order: as in run.json */
    size_t n_files;
    size_t repeats; /* as given; 0: not given */
};

uint64_t plan_fingerprint_hash(const struct plan_fingerprint *plan);
/* Sets everything in a fingerprint except the program: the plan hash and the hashes of its parts. */
void plan_fingerprint_parts(const struct plan_fingerprint *plan, struct fingerprint *parts);

#endif
