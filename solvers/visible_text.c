/* Characters without a glyph: Default_Ignorable_Code_Point and White_Space of Unicode 15, and its controls, format
 * characters and noncharacters, as ranges of code points. */
#include "solvers/visible_text.h"

#include <stdio.h>
#include <string.h>

struct range {
    uint32_t first, last;
};

static const struct range invisible[] = {
    {0x0000, 0x001f},   {0x007f, 0x00a0},   {0x00ad, 0x00ad},   {0x034f, 0x034f},   {0x0600, 0x0605},
    {0x061c, 0x061c},   {0x06dd, 0x06dd},   {0x070f, 0x070f},   {0x0890, 0x0891},   {0x08e2, 0x08e2},
    {0x115f, 0x1160},   {0x1680, 0x1680},   {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x2000, 0x200f},
    {0x2028, 0x202f},   {0x205f, 0x206f},   {0x2800, 0x2800},   {0x3000, 0x3000},   {0x3164, 0x3164},
    {0xfdd0, 0xfdef},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfffb},
    {0xfffe, 0xffff},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3},
    {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

static int is_visible(uint32_t code)
{
    if ((code & 0xfffe) == 0xfffe)
        return 0;
    for (size_t r = 0; r < sizeof invisible / sizeof *invisible; r++)
        if (code >= invisible[r].first && code <= invisible[r].last)
            return 0;
    return 1;
}

int is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

int text_has_control(const char *text, const char *allowed)
{
    uint32_t code;
    while (*text) {
        const size_t count = utf8_decode(text, &code);
        if (count && is_control(code) && !(count == 1 && strchr(allowed, *text)))
            return 1;
        text += count ? count : 1;
    }
    return 0;
}

size_t utf8_decode(const char *bytes, uint32_t *code)
{
    const unsigned char *text = (const unsigned char *)bytes;
    const unsigned char lead = text[0], second_min = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned char second_max = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    const size_t count = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    *code = count < 2 ? lead : lead & (0x7fu >> count);
    for (size_t i = 1; i < count; i++) {
        if (text[i] < (i == 1 ? second_min : 0x80) || text[i] > (i == 1 ? second_max : 0xbf))
            return 0;
        *code = *code << 6 | (text[i] & 0x3fu);
    }
    return count;
}

size_t visible_character(const char *text, char shown[VISIBLE_SIZE])
{
    const unsigned char *bytes = (const unsigned char *)text;
    uint32_t code;
    size_t count = utf8_decode(text, &code);
    if (count && is_visible(code)) {
        memcpy(shown, text, count);
        shown[count] = '\0';
        return count;
    }
    count = count ? count : 1;
    for (size_t i = 0; i < count; i++)
        snprintf(shown + 4 * i, VISIBLE_SIZE - 4 * i, "\\x%02X", bytes[i]);
    return count;
}

const char *visible_text(const char *text, char *shown, size_t size)
{
    char character[VISIBLE_SIZE];
    size_t used = 0;
    while (*text) {
        text += visible_character(text, character);
        size_t length = strlen(character);
        if (used + length >= size)
            break;
        memcpy(shown + used, character, length);
        used += length;
    }
    shown[used] = '\0';
    return shown;
}
