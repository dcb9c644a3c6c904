/* SHA-256 through libmd; only the hexadecimal form is needed here. */
#include "harness/support/sha256.h"

#include <string.h>

void sha256_begin(struct sha256 *hash)
{
    SHA256Init(&hash->context);
}

void sha256_add(struct sha256 *hash, const void *bytes, size_t size)
{
    SHA256Update(&hash->context, bytes, size);
}

void sha256_add_word(struct sha256 *hash, uint64_t word)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> (8 * i) & 0xff);
    sha256_add(hash, bytes, sizeof bytes);
}

void sha256_add_double(struct sha256 *hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    sha256_add_word(hash, bits);
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
