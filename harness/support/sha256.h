/* SHA-256 (FIPS 180-4) through libmd; it identifies the data of a run. */
#ifndef HULLBENCH_SHA256_H
#define HULLBENCH_SHA256_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <sha2.h>

/* A hash computed incrementally. */
struct sha256 {
    SHA2_CTX context;
};
void sha256_begin(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *bytes, size_t size);
/* Adds eight bytes, least significant first on every machine; for a double, those of its bit pattern. */
void sha256_add_word(struct sha256 *hash, uint64_t word);
void sha256_add_double(struct sha256 *hash, double value);
/* Writes 64 lower-case hexadecimal digits and a NUL into hex. */
void sha256_end(struct sha256 *hash, char hex[65]);

/* Hashes `size` bytes in memory in one call. */
void sha256_hex(const void *bytes, size_t size, char hex[65]);
/* The same in base64 (RFC 4648): 44 characters and a NUL. */
void sha256_base64(const void *bytes, size_t size, char base64[45]);

/* 64-bit FNV-1a of the bytes, continued from `hash`; start with FNV_START. */
#define FNV_START UINT64_C(0xcbf29ce484222325)
uint64_t fnv(uint64_t hash, const void *bytes, size_t size);
/* The same of the eight bytes of a word, least significant first. */
uint64_t fnv_word(uint64_t hash, uint64_t word);

#endif
