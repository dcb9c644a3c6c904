/* The width of a text in LaTeX, computed without running LaTeX. */
#ifndef HULLBENCH_LATEX_WIDTH_H
#define HULLBENCH_LATEX_WIDTH_H

#include <stddef.h>

/* The width in points of the first `length` bytes of one line of UTF-8 text, as latex_text writes it, in Computer
 * Modern Roman at 10 pt: the sum of the character widths in Knuth's metrics (cmr10, with cmsy and cmmi for symbols),
 * without kerning and ligatures, which would make it narrower. A character without an entry counts 10 pt. Bold is 1.15
 * times as wide. */
double latex_width(const char *text, size_t length, int bold);

/* The font sizes available for tables, largest first. cmr9, cmr8 and cmr7 are wider than cmr10 scaled down. */
struct latex_size {
    const char *command;
    double scale; /* of widths, relative to 10 pt */
    double points;
};
enum { LATEX_SIZES = 3 };
extern const struct latex_size latex_sizes[LATEX_SIZES];

#endif
