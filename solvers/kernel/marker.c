/* Signalling NaNs as markers, see marker.h. They are handled as bits, because copying a double might make it quiet. */
#include "solvers/kernel/marker.h"

#include <string.h>

#define MARKER_BITS UINT64_C(0x7ff468756c6c0000) /* the marker's number is added */
#define SIGN_BIT (UINT64_C(1) << 63)
#define QUIET_BIT (UINT64_C(1) << 51)

static uint64_t bits_of(enum marker marker)
{
    return MARKER_BITS + (uint64_t)marker;
}

void marker_fill(void *block, size_t bytes, enum marker marker)
{
    unsigned char *at = block;
    uint64_t bits = bits_of(marker);
    for (; bytes >= sizeof bits; bytes -= sizeof bits, at += sizeof bits)
        memcpy(at, &bits, sizeof bits);
    memcpy(at, &bits, bytes);
}

int marker_is_intact(const void *block, size_t bytes, enum marker marker)
{
    const unsigned char *at = block;
    uint64_t bits = bits_of(marker), differences = 0;
    for (; bytes >= sizeof bits; bytes -= sizeof bits, at += sizeof bits) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        differences |= word ^ bits;
    }
    return differences == 0 && memcmp(at, &bits, bytes) == 0;
}

enum marker marker_find(const void *block, size_t bytes)
{
    const unsigned char *at = block;
    for (size_t i = 0; i + sizeof(uint64_t) <= bytes; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, at + i, sizeof word);
        uint64_t number = (word & ~(SIGN_BIT | QUIET_BIT)) - MARKER_BITS;
        if (number > MARKER_NONE && number < MARKERS)
            return (enum marker)number;
    }
    return MARKER_NONE;
}
