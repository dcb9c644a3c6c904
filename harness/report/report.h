/*
 * The contents of `hullbench report`, collected from run and search folders without new measurements or decisions.
 * Verdicts come from conform_runs, other tables are the folders' Markdown files, figures are their SVGs.
 *
 * A report is a list of blocks: headings, texts, results, figures and folded lists, some of them in parts. Sections put
 * them one after the other, and one of two back ends writes each: an HTML page, or a folder of Markdown, in which parts
 * are files.
 */
#ifndef HULLBENCH_REPORT_H
#define HULLBENCH_REPORT_H

#include "harness/format/markup.h"
#include "harness/format/result.h"
#include "harness/papers/conform.h"
#include "harness/support/file.h"

/* The maximum number of main figures. */
enum { MAX_MAIN_FIGURES = 6 };

struct report_figure {
    size_t folder;                 /* its index in report.folders */
    const char *name;              /* of DIR/plots/NAME.gp */
    const char *heading, *caption; /* from NAME.txt; heading: default is the name; caption: default is "" */
    const char *file;              /* name in a report: "figures/LABEL.NAME.svg", encoded by html_id */
    const char *table;             /* the printed table beside which it stands; NULL: none */
    const char *svg;               /* NULL if there is no picture */
    size_t bytes;                  /* size within a page */
    size_t rank;                   /* 0: shown first */
    size_t turn;                   /* its index among those of the same rank in the folder, by name */
    int embedded, is_main;
};

struct report_folder {
    const char *label;      /* the rest of the path after the common parent: distinguishes folders */
    struct run_folder *run; /* its config.json and run.json, in report.runs; empty if there is only a comparison */
    int has_records;        /* zero: a search, or only a comparison */
    const struct cJSON *comparison; /* compare.json, or NULL */
    size_t n_figures;
};

struct report {
    struct pool *pool;
    struct report_folder *folders;
    size_t count;
    struct run_folders runs;
    struct conformance conformance;
    struct report_figures LIST_OF(struct report_figure) figures;
    struct report_figure *main[MAX_MAIN_FIGURES];
    size_t n_main;
    const char *interactive;     /* the file name of the interactive page, beside the page; NULL: none */
    const char *findings;        /* a list in Markdown; "": none */
    struct string_list notes;    /* what the report lacks, for the reader */
};

/* Reads everything into the pool. A folder is of a run, of a search, or of a comparison alone. First it writes tables
 * that are missing or of other records and draws figures, into the folders. A figure that cannot be drawn is a note,
 * not an error. The paths must outlive the report. Dies with STATUS_BAD_INPUT if a folder is missing, given twice, or
 * holds no configuration or records. */
struct report *report_gather(struct pool *pool, const char *const *paths, size_t count);
/* The common parent of the folders, or the only folder; absolute. Dies with STATUS_BAD_INPUT if one is missing. */
const char *report_find_parent(struct pool *pool, const char *const *paths, size_t count);

/* Prints one self-contained HTML page (docs/report.md), with identical bytes for identical folders. The caller checks
 * the stream for errors. */
void report_print_page(struct report *report, FILE *stream);

/* Prints the interactive page (plots/interactive.html) about the runs that compare solvers and are not for tables of
 * papers, and sets report->interactive to the last part of its path. Returns 0 if there are none. */
int report_print_interactive(struct report *report, const char *path, FILE *stream);

/* Writes a short version in Markdown and SVG: tables and main figures, with README.md as index; creates the folder.
 * Replaces files of an earlier version and removes none. */
void report_write_markdown(struct report *report, const char *folder);

/* ---- blocks ---- */

struct writer {
    struct pool *pool;
    const struct report *report;
    FILE *text; /* the current text: Markdown, which sections write; put_* end it on a page */
    /* a page: */
    FILE *page; /* NULL: a folder */
    struct pool_text *chunk;      /* `text` */
    struct name_order ids, notes; /* on the page so far */
    unsigned fold;                /* fold each heading of this level with what follows, up to the next one; 0: none */
    int is_folding;
    const char *heading; /* the last one: the name of the tables below it */
    size_t documents, n_omitted; /* the size of the folders' documents so far, and the number of those left out */
    /* a folder: */
    const char *folder;
    struct outfile part; /* the current one */
    FILE *outer;         /* what it interrupts; NULL outside of parts */
};

/* Begins a page on the stream or, without one, a folder with `index` as the stream of README.md. */
void writer_open(struct writer *writer, const struct report *report, FILE *page, const char *folder, FILE *index);
/* On a page: renders the text written since the last block; also to be called at the end. */
void writer_flush(struct writer *writer);
/* Ends the folded part, if any. */
void writer_end_fold(struct writer *writer);

/* A heading; its id on a page is html_id of its text up to a colon, unless an earlier one has it. */
void put_heading(struct writer *writer, unsigned level, const char *heading);
/* A table. A page has each note once, in its first table. */
void put_result(struct writer *writer, const struct result *table);
/* A figure with its words. A page has each sentence of captions, such as a legend, once, below its first figure. */
void put_figure(struct writer *writer, const struct report_figure *figure);
/* A text in Markdown (CommonMark with tables): the section's own, a file of a folder without its heading, or the table
 * of deviations, in which code with a '/' has the id "why-" + html_id. Headings of files are moved below those of
 * the page. On a page raw HTML is text, links lead to http and https addresses, into the page and to the interactive
 * page only, and pictures become their text. */
enum source { SOURCE_TEXT, SOURCE_FOLDER, SOURCE_DEVIATIONS };
void put_document(struct writer *writer, const char *markdown, enum source source);

/* A part with a heading: on a page of the fourth level, or with a label of the third; in a folder the file
 * LABEL.NAME.md, or NAME.md without a label, to which the line "- BEFORE[title](...)AFTER" leads. */
struct part {
    const char *label, *name, *before, *title, *after, *heading;
};
void begin_part(struct writer *writer, const struct part *part);
void end_part(struct writer *writer);
/* The prefix and an id from any text, usable without escaping in id="...", href="#..." and file names: letters, digits,
 * '-', '.' and '=' stay, other bytes become '_' and two hexadecimal digits, so that different texts have different
 * ids. */
const char *html_id(struct pool *pool, const char *prefix, const char *text);
/* [LABEL.]NAME of these ids; the label may be NULL. */
const char *part_id(struct pool *pool, const char *label, const char *name);
/* Writes a data: URI of an SVG (RFC 2397), percent-encoded for a double-quoted attribute; a fifth smaller than base64.
 * Returns its length in bytes; a NULL stream only counts. */
size_t html_svg_uri(FILE *stream, const char *svg);

/* The text that is a member of the object; "" if there is none. */
const char *text_member(const struct cJSON *object, const char *name);

/* ---- gathering ---- */

/* The names of a folder's files with that extension, without it, sorted by file name; none if there is no folder. */
struct name_order report_list(struct pool *pool, const char *folder, const char *ending);
/* Adds the figures of DIR/plots; returns whether each has a picture. */
int report_figures_read(struct report *report, size_t folder);
/* Selects the figures to embed: together they fit `max` bytes, and each takes at most a tenth. Figures of the first
 * rank come first, one from each folder in turn, then those of the next rank. Sorts them in that order, and chooses
 * the main ones. */
void report_figures_choose(struct report *report, size_t max);

/* ---- sections ---- */

/* The verdicts of a paper: cells, marks and claims, counted as `hullbench conform` counts them. */
struct score {
    struct verdict_counts counts;
    size_t claims[CLAIM_VERDICT_COUNT];
    size_t claims_tuned_to_paper; /* not independent, and not counted among the others */
};
/* Adds the tables and claims of one paper to *score, which is zero-initialised. */
void score_add(const struct conformance *conformance, const struct conform_paper *paper, struct score *score);
/* The percentage of cells that agree, of those neither missing nor undecidable; NaN if there are none. */
double score_percent(const struct score *score);

/* The names if there are at most four, else their number and what they are. */
const char *names_or_count(struct pool *pool, const struct name_order *names, const char *what);
/* The conclusions of compare.json, of one comparison or several; NULL has none. */
struct string_list conclusions_of(struct pool *pool, const struct cJSON *comparison);
/* The names of the folder's own tables, in it. */
struct name_order tables_of(const struct report *report, const struct report_folder *folder);
const char *report_findings(const struct report *report);

/* Nonzero if the run is for no table of a paper, but others are. */
int is_own_run(const struct report *report, const struct report_folder *folder);

void section_short(struct writer *writer);
void section_own_runs(struct writer *writer);
void section_agreement(struct writer *writer);
void section_comparisons(struct writer *writer);
void section_main_figures(struct writer *writer);
void section_tables(struct writer *writer);
void section_findings(struct writer *writer);
void section_verdicts(struct writer *writer);
void section_papers(struct writer *writer);
void section_deviations(struct writer *writer);
void section_figures(struct writer *writer);
void section_runs(struct writer *writer);
void section_machines(struct writer *writer);
void section_commands(struct writer *writer);

#endif
