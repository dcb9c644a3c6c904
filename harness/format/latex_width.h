/* How wide LaTeX sets a text, without running LaTeX. */
#ifndef HULLBENCH_LATEX_WIDTH_H
#define HULLBENCH_LATEX_WIDTH_H

/* The width in points of UTF-8 text in one line, as latex_text writes it, in Computer Modern Roman at 10 pt: the sum of
 * the widths of its letters by Knuth's metrics (cmr10, and cmsy and cmmi for signs), without kerning and ligatures,
 * which make it narrower. A character without an entry counts 10 pt. Bold is 1.15 times as wide. */
double latex_width(const char *text, int bold);

/* The sizes in which a table may be set, largest first. cmr9, cmr8 and cmr7 are drawn wider than cmr10 made smaller. */
struct latex_size {
    const char *command;
    double scale; /* of widths, to those at 10 pt */
    double points;
};
enum { LATEX_SIZES = 3 };
extern const struct latex_size latex_sizes[LATEX_SIZES];

#endif
