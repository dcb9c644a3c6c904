/*
 * The comparison as a whole. A cell that differs, or a claim that fails, is a finding; one whose id a deviation
 * explains is none. Near and missing cells are reported and never findings, and so are claims that hold in part. Marks
 * are counted apart: one that is there and not printed, or the reverse, is reported; only a mark on the other side
 * than the printed one contradicts the paper and is a finding.
 */
#include "harness/papers/conform.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/program/memory.h"
#include "harness/records/same_splits.h"

static void count_cells(struct conformance *conformance, struct conform_table *table, const cJSON *deviations)
{
    for (size_t i = 0; i < table->comparison->n_cells; i++) {
        struct comparison_cell *cell = &table->comparison->cells[i];
        const enum verdict verdict = cell->agreement.verdict;
        if (!cell->compared)
            continue;
        cell->explained = deviations_explain(deviations, cell->id);
        table->counts[verdict]++;
        conformance->compared += verdict != VERDICT_MISSING;
        /* a set made here is another sample than the paper's: its cells are shown, not gated */
        conformance->unexplained_cells += verdict == VERDICT_DIFFERS && !cell->synthetic && !cell->explained;
    }
}

static void count_marks(struct conformance *conformance, const struct paper_comparison *comparison,
                        const cJSON *deviations)
{
    const struct paper_table *table = comparison->table;
    marks_add(&comparison->marks, &conformance->marks);
    for (size_t i = 0; i < comparison->n_tests; i++) {
        struct test_finding *test = &comparison->tests[i];
        const struct comparison_cell *row = comparison->cells + i / table->n_tests * table->n_columns;
        if (!test->compared)
            continue;
        test->explained = deviations_explain(deviations, test->id);
        int unexplained = !test->agrees && !test->explained && !row[test->columns[0]].synthetic;
        conformance->unexplained_marks += unexplained != 0;
        conformance->unexplained_reversed += unexplained && test->marked && test->printed;
    }
}

/* The paper of a table, read where this is its first one. */
static enum status take_paper(const struct run_folders *runs, const char *table, struct conformance *conformance,
                              const struct conform_paper **paper, struct error *error)
{
    size_t length = strcspn(table, ".");
    for (size_t i = 0; i < conformance->n_papers; i++) {
        *paper = &conformance->papers[i];
        if (strncmp((*paper)->paper->name, table, length) == 0 && (*paper)->paper->name[length] == '\0')
            return STATUS_OK;
    }
    conformance->papers = xreallocarray(conformance->papers, conformance->n_papers + 1, sizeof *conformance->papers);
    struct conform_paper *made = &conformance->papers[conformance->n_papers++];
    *made = (struct conform_paper){0};
    *paper = made;
    enum status status = paper_find(table, &made->paper, error);
    if (status != STATUS_OK)
        return status;
    if (strlen(made->paper->name) != length || strncmp(made->paper->name, table, length) != 0)
        return error_set(error, STATUS_BAD_INPUT, "%s: \"paper\" is \"%s\", not the file's name", made->paper->path,
                         made->paper->name);
    status = deviations_read(made->paper, &made->deviations, error);
    if (status == STATUS_OK)
        status = run_folders_records(runs, made->paper->name, &made->records, error);
    if (status == STATUS_OK)
        status = claims_judge(made->paper, &made->records, &made->claims, error);
    for (size_t i = 0; i < made->claims.count; i++) {
        struct claim *claim = &made->claims.items[i];
        claim->explained = deviations_explain(made->deviations, claim->id);
        conformance->unexplained_claims += claim->measured.verdict == CLAIM_FAILS && !claim->explained;
    }
    return status;
}

static enum status take_table(const struct run_folders *runs, const char *name, struct conformance *conformance,
                              struct error *error)
{
    const struct conform_paper *paper = NULL;
    for (size_t i = 0; i < conformance->n_tables; i++)
        if (strcmp(conformance->tables[i].comparison->table->name, name) == 0)
            return STATUS_OK;
    enum status status = take_paper(runs, name, conformance, &paper, error);
    if (status != STATUS_OK || paper_names_claims(name))
        return status;
    const struct paper_table *table = paper_table_named(paper->paper, name);
    if (!table)
        return error_set(error, STATUS_BAD_INPUT, "%s: no table is called \"%s\" (the first is \"%s\")",
                         paper->paper->path, name, paper->paper->n_tables ? paper->paper->tables[0].name : "");
    conformance->tables = xreallocarray(conformance->tables, conformance->n_tables + 1, sizeof *conformance->tables);
    struct conform_table *made = &conformance->tables[conformance->n_tables++];
    *made = (struct conform_table){0};
    status = run_folders_records(runs, name, &made->records, error);
    made->missing = run_folders_missing(runs, name);
    if (status == STATUS_OK)
        status = comparison_fill(table, &made->records, made->missing, &made->comparison, error);
    if (status != STATUS_OK)
        return status;
    count_cells(conformance, made, paper->deviations);
    count_marks(conformance, made->comparison, paper->deviations);
    return STATUS_OK;
}

enum status conform_runs(const struct run_folders *runs, struct conformance *conformance, struct error *error)
{
    *conformance = (struct conformance){0};
    enum status status = run_folders_check_splits(runs, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < runs->count && status == STATUS_OK; i++) {
        const cJSON *item = NULL;
        cJSON_ArrayForEach (item, runs->items[i].tables)
            if (status == STATUS_OK)
                status = take_table(runs, item->valuestring, conformance, error);
    }
    if (status != STATUS_OK)
        conformance_free(conformance);
    return status;
}

const struct conform_table *conform_table_of(const struct conformance *conformance, const struct paper_table *table)
{
    for (size_t t = 0; t < conformance->n_tables; t++)
        if (conformance->tables[t].comparison->table == table)
            return &conformance->tables[t];
    return NULL;
}

void conformance_free(struct conformance *conformance)
{
    if (!conformance)
        return;
    for (size_t i = 0; i < conformance->n_tables; i++) {
        comparison_free(conformance->tables[i].comparison);
        records_free(&conformance->tables[i].records);
        cJSON_Delete(conformance->tables[i].missing);
    }
    for (size_t i = 0; i < conformance->n_papers; i++) {
        claims_free(&conformance->papers[i].claims);
        records_free(&conformance->papers[i].records);
        cJSON_Delete(conformance->papers[i].deviations);
        paper_free(conformance->papers[i].paper);
    }
    free(conformance->tables);
    free(conformance->papers);
    *conformance = (struct conformance){0};
}
