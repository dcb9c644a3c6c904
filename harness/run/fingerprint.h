/* Identifies everything that the results in a folder depend on, and reports how it differs from the current request. */
#ifndef HULLBENCH_FINGERPRINT_H
#define HULLBENCH_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

struct run_info;

struct fingerprint {
    uint64_t plan;                  /* 64-bit FNV-1a of everything below except the program */
    uint64_t config, options, data; /* its parts: text of the configuration; restrictions and shard; data and plugins */
    const char *program;            /* SHA-256 of the program's file; NULL: unknown */
};

/* Of version, restrictions, data and plugins in `info` and the text of the configuration; the program is unknown. */
struct fingerprint fingerprint_of(const struct run_info *info, const char *config);
/* SHA-256 of the program file of this process, which is read once; NULL if the system does not provide it. */
const char *fingerprint_program(void);

/*
 * Compares with the fingerprint stored in a folder. Returns 0 if they agree; otherwise writes what differs to `words`,
 * for example "another configuration, other options". A part whose hash is 0 and an unknown program are not compared.
 */
enum { FINGERPRINT_DIFF_SIZE = 160 };
int fingerprint_differs(const struct fingerprint *now, const struct fingerprint *then,
                        char words[FINGERPRINT_DIFF_SIZE]);

/* 64-bit FNV-1a of the bytes, continued from `hash`; start with FNV_START. */
#define FNV_START UINT64_C(0xcbf29ce484222325)
uint64_t fnv(uint64_t hash, const void *bytes, size_t size);

#endif
