/*
 * SHA-256 (FIPS 180-4) of bytes in memory, by libmd: names the data a run was made from.
 */
#ifndef HULLBENCH_SHA256_H
#define HULLBENCH_SHA256_H

#include <stddef.h>

/* Writes the 64 lower-case hexadecimal digits of the hash of `size` bytes, and a NUL, into hex. Cannot fail. */
void sha256_hex(const void *bytes, size_t size, char hex[65]);
/* The same of `count` pieces of bytes, as if they stood one behind the other. */
void sha256_hex_pieces(const char *const *pieces, const size_t *sizes, size_t count, char hex[65]);

#endif
