/* SHA-256 through libmd; only the hexadecimal form is needed here. */
#include "harness/sha256.h"

#include <stdint.h>
#include <sys/types.h>

#include <sha2.h>

void sha256_hex(const void *bytes, size_t size, char hex[65])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t hash[SHA256_DIGEST_LENGTH];
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, bytes, size);
    SHA256Final(hash, &context);
    for (size_t i = 0; i < sizeof hash; i++) {
        hex[2 * i] = digits[hash[i] >> 4];
        hex[2 * i + 1] = digits[hash[i] & 15];
    }
    hex[64] = '\0';
}
