/*
 * All comparisons of one or more runs with the papers they are for: the published tables, cell by cell, and the claims.
 */
#ifndef HULLBENCH_CONFORM_H
#define HULLBENCH_CONFORM_H

#include <stdio.h>

#include "harness/papers/explanations.h"
#include "harness/papers/joint.h"
#include "harness/papers/paper_comparison.h"
#include "harness/records/run_folder.h"

/* One paper with its claims. */
struct conform_paper {
    struct paper *paper;
    struct claims claims;
    struct cJSON *deviations; /* of docs/verdicts.md; NULL where the paper has no file of them */
    struct explanations explanations;
    struct joint joint; /* of all of its tables that are compared */
};

/* What is tested jointly about a table. */
struct conform_joint {
    struct joint joint;
    char *id;                              /* "TABLE/one-split": its values printed for one split each; owned */
    const struct explanation *explanation; /* what lists the id as a deviation, or NULL */
};

struct conformance {
    struct conform_paper *papers;
    size_t n_papers;
    struct paper_comparison **tables;
    struct conform_joint *joints; /* one for each table */
    size_t n_tables;
    struct verdict_counts counts;
    size_t compared; /* cells with records, each number once */
    /* differing cells, failing claims and marks that no entry lists, or only one that an experiment speaks against */
    size_t unexplained_cells, unexplained_claims;
    size_t unexplained_sds; /* standard deviations likewise; they are reported and fail nothing */
    struct marks_count marks;
    size_t unexplained_marks;    /* disagreements, reversed ones or not */
    size_t unexplained_reversed; /* ours and the printed mark stand on different sides */
};

/* Compares the runs with every table and paper their configurations name, tables in the order of first mention. A table
 * PAPER.claims stands for the paper's claims alone. A table no paper has is STATUS_BAD_INPUT. The folders' records are
 * read. *conformance is freed with conformance_free. */
enum status conform_runs(const struct run_folders *runs, struct conformance *conformance, struct error *error);
/* What the records give for a table of a paper in *conformance, or NULL where no configuration names it. */
const struct paper_comparison *conform_table_of(const struct conformance *conformance,
                                                const struct paper_table *table);
/* Accepts NULL and zeroed conformances. */
void conformance_free(struct conformance *conformance);

/* For people, on a stream whose errors the caller looks at. */
void conform_print(const struct conformance *conformance, FILE *stream);
/* For machines, the same. */
void conform_print_json(const struct conformance *conformance, FILE *stream);

/* For people: whether a data set is told of by itself, because it does not bear the claim out or is excepted, and what
 * follows its detail. */
int claim_case_is_told(const struct claim_case *one);
const char *claim_case_note(const struct claim_case *one);

/* Fills a zeroed table for people: the id of a claim, our verdict, counts of data sets, the verdict of the paper's own
 * tables, the text. */
void claims_table(const struct conform_paper *paper, struct text_table *table);
/* Writes FOLDER/PAPER.claims.json, .md, .tex and .csv; the folder exists. */
enum status claims_write(const struct conform_paper *paper, const char *folder, struct error *error);

#endif
