/*
 * A page of HTML: one file that loads nothing. Its style is plots/page.css and plots/NAME.css, its script plots/page.js
 * and plots/NAME.js. The content security policy forbids the browser to load anything but images inside the page, and
 * allows only the script with the given SHA-256, so markup that got through by mistake could do nothing.
 */
#ifndef HULLBENCH_PAGE_H
#define HULLBENCH_PAGE_H

#include "harness/base/pool.h"

struct page {
    FILE *stream; /* the caller checks it for errors */
    struct pool *pool;
    const char *name; /* of the style and the script */
    const char *script;
};

/* Writes the beginning, up to a link to the element "main" of the body. Ends with STATUS_BAD_INPUT if a style or script
 * is missing. */
void page_begin(struct page *page, const char *title);
/* Writes the script and the end. */
void page_end(const struct page *page);
/* Writes a whole page: the body plots/NAME.html, and the JSON text as the element "data" for the script. */
void page_write(struct page *page, const char *title, const char *json);

#endif
