/* The figures of a folder as a report sees them: their SVGs, their headings, and which of them it holds. */
#ifndef HULLBENCH_FIGURES_H
#define HULLBENCH_FIGURES_H

#include <stddef.h>

#include "solvers/error.h"

struct cJSON;

struct report_figure {
    char *name;              /* of DIR/plots/NAME.gp */
    char *heading, *caption; /* of the same; heading: the name where the file says nothing; caption: "" */
    char *file;              /* in a report: "figures/LABEL.NAME.svg", in the letters of html_id */
    char *svg;               /* without the groups that hold nothing; NULL where there is no picture */
    size_t bytes;            /* inside a page */
    double width, height;    /* in pixels; 0 where the picture does not say */
    int rank;                /* 0: shown first */
    int embedded;
};

struct report_figures {
    struct report_figure *items; /* by rank, then name */
    size_t count;
};

/* Reads DIR/plots, where it is there; `label` tells the folder apart. Freed with report_figures_free. */
enum status report_figures_read(const char *folder, const char *label, const struct cJSON *config,
                                struct report_figures *figures, struct error *error);
void report_figures_free(struct report_figures *figures);

/* Whether pictures are missing or older than the file `than`; also where there are no figures at all. */
int report_figures_stale(const char *folder, const char *than);

/* Of the figures of all folders those are embedded that fit `max` bytes together and a tenth of it each: those of the
 * first rank, one of each folder in turn, then those of the next. `folders` are `count` pointers. */
void report_figures_choose(struct report_figures *const *folders, size_t count, size_t max);

#endif
