/*
 * All comparisons of one or more runs with the papers they reproduce: the published tables, cell by cell, and the
 * claims.
 */
#ifndef HULLBENCH_CONFORM_H
#define HULLBENCH_CONFORM_H

#include "harness/papers/claims.h"
#include "harness/papers/reproduction.h"
#include "harness/records/conditions.h"

/* ---- explanations of deviations, checked by experiment (explanations.c) ---- */

enum explanation_state {
    EXPLANATION_NONE,      /* listed without an experiment: not explained */
    EXPLANATION_UNCHECKED, /* the folders hold no record of the experiment, or only part of it */
    EXPLANATION_SHOWN,     /* the experiment agrees with the paper and has the result that the entry gives */
    EXPLANATION_NOT_SHOWN, /* it does not, so the entry does not explain this id */
    EXPLANATION_STATES
};
/* "unexplained", "not checked", "explained", "not shown". */
extern const char *const explanation_state_names[];

/* One cell, mark or claim that an entry lists. Records of other run folders replace the usual ones and are judged by
 * the same functions (docs/verdicts.md, "Deviations"). */
struct explanation {
    const char *id, *entry; /* ids of the cell, mark or claim and of the entry; point into the deviations */
    enum explanation_state state;
    char detail[512]; /* the experiment's result, "" if none */
};

struct explanations {
    struct explanation *items;
    size_t count;
    size_t counts[EXPLANATION_STATES];
};

/* Checks every entry of `deviations`, which must outlive the explanations. `claims` are the paper's, already judged: an
 * entry of kind "contradiction" without an experiment is explained by claims that fail by the paper's own tables. Reads
 * the folders' records. Ends with STATUS_BAD_INPUT also if a claim under "shows" is malformed. */
struct explanations explanations_check(struct pool *pool, const struct run_folders *runs, const struct paper *paper,
                                       const struct deviations *deviations, const struct claims *claims);
/* The item with that id, or NULL. */
const struct explanation *explanations_find(const struct explanations *explanations, const char *id);
/* Whether an entry lists the deviation and no experiment contradicts that entry. NULL gives 0. */
int explanation_stands(const struct explanation *explanation);

/* ---- all comparisons ---- */

/* One paper with its claims. */
struct conform_paper {
    const struct paper *paper;
    struct claims claims;
    struct explanations explanations;
    struct joint joint; /* of all of its compared tables */
    struct string_list gaps; /* what the runs for this paper lack (conditions.h) */
};

struct conformance {
    struct conform_paper *papers;
    size_t n_papers;
    struct reproduction **tables;
    size_t n_tables;
    struct verdict_counts counts;
    struct joint_facts facts; /* of all tables */
    size_t compared; /* cells with records; repeated numbers count once */
    int has_cells;   /* some cell, counted or not, has records */
    size_t absent;   /* cells without a record although a run for the table was to measure them; cell->absent */
    /* differing cells, failing claims and marks that no entry lists, or only one that an experiment contradicts */
    size_t unexplained_cells, unexplained_claims;
    size_t unexplained_sds; /* the same for standard deviations, which are reported but are not findings */
    size_t unexplained_marks;    /* disagreements, reversed or not */
    size_t unexplained_reversed; /* our mark and the printed one are on different sides */
};

/* Compares the runs with every table and paper that their configurations name, in the order of first mention. The name
 * PAPER.claims means only the paper's claims. A table that no paper has and a missing paper or record end with
 * STATUS_BAD_INPUT. Reads the folders' records. The result is in the pool. */
struct conformance conform_runs(struct pool *pool, const struct run_folders *runs);
/* The comparison of a paper's table in *conformance, or NULL if no configuration names the table. */
const struct reproduction *conform_table_of(const struct conformance *conformance, const struct paper_table *table);

/* Prints text that begins and ends with the summary; the caller checks the stream for errors. */
void conform_print(const struct conformance *conformance, FILE *stream);
/* Prints the same as JSON: the rows of tables/NAME.json, with ids. */
void conform_print_json(const struct conformance *conformance, FILE *stream);

/* Whether the text lists this data set separately, because it does not support the claim or is excepted; and the note
 * that follows its detail. */
int claim_case_is_told(const struct claim_case *one);
const char *claim_case_note(const struct claim_case *one);

/* Adds a row with the id of each claim, our verdict, counts of data sets, the verdict of the paper's own tables and the
 * text; at first also the columns. */
void claims_table(const struct conform_paper *paper, struct result *table);
/* Writes FOLDER/PAPER.claims.json, .md, .tex and .csv; the folder must exist. */
void claims_write(const struct conform_paper *paper, const char *folder);

#endif
