/* SHA-256 through libmd; only the hexadecimal form is needed here. */
#include "harness/support/sha256.h"

#include <stdint.h>
#include <sys/types.h>

#include <sha2.h>

void sha256_hex_pieces(const char *const *pieces, const size_t *sizes, size_t count, char hex[65])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t hash[SHA256_DIGEST_LENGTH];
    SHA2_CTX context;
    SHA256Init(&context);
    for (size_t i = 0; i < count; i++)
        SHA256Update(&context, (const uint8_t *)pieces[i], sizes[i]);
    SHA256Final(hash, &context);
    for (size_t i = 0; i < sizeof hash; i++) {
        hex[2 * i] = digits[hash[i] >> 4];
        hex[2 * i + 1] = digits[hash[i] & 15];
    }
    hex[64] = '\0';
}

void sha256_hex(const void *bytes, size_t size, char hex[65])
{
    const char *piece = bytes;
    sha256_hex_pieces(&piece, &size, 1, hex);
}
