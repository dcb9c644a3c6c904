/* SHA-256 through libmd, and FNV-1a. */
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

/* The eight bytes of a word, least significant first. */
static void spell(uint64_t word, unsigned char bytes[8])
{
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> (8 * i) & 0xff);
}

void sha256_add_word(struct sha256 *hash, uint64_t word)
{
    unsigned char bytes[8];
    spell(word, bytes);
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
    SHA256End(&hash->context, hex);
}

void sha256_hex(const void *bytes, size_t size, char hex[65])
{
    SHA256Data(bytes, size, hex);
}

void sha256_base64(const void *bytes, size_t size, char base64[45])
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    struct sha256 hash;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    unsigned bits = 0, held = 0, used = 0;
    sha256_begin(&hash);
    sha256_add(&hash, bytes, size);
    SHA256Final(digest, &hash.context);
    for (size_t i = 0; i < sizeof digest; i++) {
        bits = bits << 8 | digest[i];
        for (held += 8; held >= 6; held -= 6)
            base64[used++] = letters[bits >> (held - 6) & 63];
    }
    base64[used++] = letters[bits << (6 - held) & 63]; /* 256 = 42 * 6 + 4 bits */
    base64[used++] = '=';
    base64[used] = '\0';
}

uint64_t fnv(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t fnv_word(uint64_t hash, uint64_t word)
{
    unsigned char bytes[8];
    spell(word, bytes);
    return fnv(hash, bytes, sizeof bytes);
}
