/* Markdown of the project's own tables and documents as parts of an HTML page. */
#ifndef HULLBENCH_MARKDOWN_H
#define HULLBENCH_MARKDOWN_H

#include <stdio.h>

#include "solvers/error.h"

struct markdown {
    unsigned top_level;    /* what a heading of the first level becomes, 2 to 6; deeper ones follow without a gap */
    const char *id_prefix; /* texts between backticks that have a '/' get ids that begin so; NULL: none does */
    size_t *tables;        /* counts the tables of the page: each takes the next number */
    const char *table_class;
    char **anchors; /* those texts, each once, in order; owned */
    size_t n_anchors;
};

/* Writes the text, CommonMark with tables, as HTML. Raw HTML in it is text; links lead to http and https addresses
 * only, others and pictures become their text. Cells of a table's first column head their rows; its caption is the last
 * heading. STATUS_NO_MEMORY, or STATUS_IO where the parser fails. `label` is for messages. */
enum status markdown_write(struct markdown *markdown, const char *label, const char *text, FILE *stream,
                           struct error *error);
/* Releases the anchors. */
void markdown_free(struct markdown *markdown);
/* Whether the text stands among the anchors: then html_id(id_prefix, text) is its place. */
int markdown_has_anchor(const struct markdown *markdown, const char *text);

#endif
