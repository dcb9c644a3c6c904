/* SHA-256 through libmd; only the hexadecimal form is needed here. */
#include "harness/support/sha256.h"

void sha256_begin(struct sha256 *hash)
{
    SHA256Init(&hash->context);
}

void sha256_add(struct sha256 *hash, const void *bytes, size_t size)
{
    SHA256Update(&hash->context, bytes, size);
}

void sha256_end(struct sha256 *hash, char hex[65])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t bytes[SHA256_DIGEST_LENGTH];
    SHA256Final(bytes, &hash->context);
    for (size_t i = 0; i < sizeof bytes; i++) {
        hex[2 * i] = digits[bytes[i] >> 4];
        hex[2 * i + 1] = digits[bytes[i] & 15];
    }
    hex[64] = '\0';
}

void sha256_hex(const void *bytes, size_t size, char hex[65])
{
    struct sha256 hash;
    sha256_begin(&hash);
    sha256_add(&hash, bytes, size);
    sha256_end(&hash, hex);
}
