/*
 * Widths in hundredths of a point, from cmr10.tfm, cmsy10.tfm and cmmi10.tfm. Superscripts are taken at \footnotesize,
 * where they are widest relative to the text, with TeX's \scriptspace.
 */
#include "harness/format/latex_width.h"

#include <stddef.h>
#include <string.h>

/* From the space on. Characters that latex_text writes as commands have the width of the command. */
static const short ascii[] = {
    /*   ! " # $ % & ' */ 334, 278, 500, 834, 500, 834, 778, 278,
    /* ( ) * + , - . / */ 389, 389, 500, 778, 278, 334, 278, 500,
    /* 0 to 9, : ; */ 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278,
    /* < = > ? @ */ 778, 778, 778, 473, 778,
    /* A to M */ 750, 709, 723, 764, 681, 653, 785, 750, 362, 514, 778, 625, 917,
    /* N to Z */ 750, 778, 681, 778, 737, 556, 723, 750, 750, 1028, 750, 750, 612,
    /* [ \ ] ^ _ ` */ 278, 500, 278, 500, 360, 278,
    /* a to m */ 500, 556, 445, 556, 445, 306, 500, 556, 278, 306, 528, 278, 834,
    /* n to z */ 556, 500, 556, 528, 392, 395, 389, 556, 528, 723, 528, 528, 445,
    /* { | } ~ */ 500, 278, 500, 500,
};

static const struct {
    const char *text;
    short width;
} signs[] = {
    {"±", 778}, {"–", 500}, {"—", 1000}, {"−", 778}, {"×", 778}, {"·", 278}, {"≤", 778}, {"≥", 778},
    {"≈", 778}, {"†", 470}, {"‡", 470},  {"⁻", 740}, {"⁺", 740}, {"…", 1000}, {"μ", 603}, {"ν", 494},
    {"σ", 571}, {"γ", 518}, {"λ", 584},  {"ε", 467}, {"α", 640}, {"κ", 576}, {"τ", 437}, {"χ", 626},
    {"⁰", 490}, {"¹", 490}, {"²", 490},  {"³", 490}, {"⁴", 490}, {"⁵", 490}, {"⁶", 490}, {"⁷", 490},
    {"⁸", 490}, {"⁹", 490}, {"\u202f", 167}, {"\u00a0", 334},
};

const struct latex_size latex_sizes[LATEX_SIZES] = {
    {"\\small", 0.93, 9}, {"\\footnotesize", 0.855, 8}, {"\\scriptsize", 0.805, 7}};

/* The length in bytes of the character at the start of the text. */
static size_t length_of(const char *text)
{
    size_t length = 1;
    while (((unsigned char)text[length] & 0xc0) == 0x80)
        length++;
    return length;
}

double latex_width(const char *text, size_t size, int bold)
{
    double width = 0;
    const char *end = text + size;
    for (size_t length; text < end; text += length) {
        const unsigned char first = (unsigned char)*text;
        short own = 1000;
        length = length_of(text);
        if (first >= ' ' && first - ' ' < (int)(sizeof ascii / sizeof *ascii))
            own = ascii[first - ' '];
        for (size_t i = 0; first >= 0x80 && i < sizeof signs / sizeof *signs; i++)
            if (*signs[i].text == *text && strlen(signs[i].text) == length &&
                memcmp(signs[i].text, text, length) == 0)
                own = signs[i].width;
        width += own;
    }
    return width / 100 * (bold ? 1.15 : 1);
}
