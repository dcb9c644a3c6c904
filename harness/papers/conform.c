/*
 * The comparison as a whole. A cell that differs, or a claim that fails, is a finding; one whose id stands between
 * backticks in docs/deviations.md is an explained one. Near and missing cells are reported and never findings, and so
 * are claims that hold in part. Marks are counted apart: one that is there and not printed, or the reverse, is reported;
 * only a mark on the other side than the printed one contradicts the paper and is a finding.
 */
#include "harness/papers/conform.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/file.h"
#include "harness/support/resource.h"
#include "harness/records/same_splits.h"

enum status conform_read_deviations(char **text, struct error *error)
{
    char *path = NULL;
    *text = NULL;
    enum status status = resource_find("docs/deviations.md", &path, error);
    if (status == STATUS_OK)
        status = file_read(path, text, NULL, error);
    free(path);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
}

int conform_explained(const char *deviations, const char *id)
{
    size_t length = strlen(id);
    for (const char *at = deviations ? strstr(deviations, id) : NULL; at; at = strstr(at + 1, id))
        if (at > deviations && at[-1] == '`' && at[length] == '`')
            return 1;
    return 0;
}

void conform_cell_id(const struct paper_table *table, size_t row, size_t column, char *text, size_t size)
{
    snprintf(text, size, "%s/%s/%s", table->name, table->rows[row].dataset, table->columns[column].key);
}

static void count_table(struct conformance *conformance, struct conform_table *table)
{
    char id[512];
    const struct paper_table *paper = table->comparison->table;
    for (size_t i = 0; i < paper->n_rows; i++)
        for (size_t j = 0; j < paper->n_columns; j++) {
            const struct comparison_cell *cell = &table->comparison->rows[i].cells[j];
            if (!cell->compared)
                continue;
            table->counts[cell->comparison.verdict]++;
            conformance->compared += cell->comparison.verdict != VERDICT_MISSING;
            conform_cell_id(paper, i, j, id, sizeof id);
            /* a set made here is another sample of 7400 or 5000 patterns than the paper's: its cells are shown, not gated */
            conformance->unexplained_cells += cell->comparison.verdict == VERDICT_DIFFERS && !cell->synthetic &&
                                              !conform_explained(conformance->deviations, id);
        }
}

void conform_mark_id(const struct paper_table *table, size_t row, size_t test, char *text, size_t size)
{
    snprintf(text, size, "%s/%s/%s", table->name, table->rows[row].dataset, table->tests[test].key);
}

static void count_marks(struct conformance *conformance, const struct paper_comparison *comparison)
{
    char id[512];
    const struct paper_table *paper = comparison->table;
    conformance->marks.agree += comparison->marks.agree;
    conformance->marks.compared += comparison->marks.compared;
    conformance->marks.untested += comparison->marks.untested;
    for (size_t i = 0; i < paper->n_rows; i++)
        for (size_t k = 0; k < paper->n_tests; k++) {
            if (!comparison_mark_compared(comparison, i, k) || comparison_mark_agrees(comparison, i, k))
                continue;
            int both = marked_side(&paper->tests[k], paper->rows[i].marked[k]) != MARKED_NOWHERE &&
                       marked_side(&paper->tests[k], comparison->rows[i].marked[k]) != MARKED_NOWHERE;
            int synthetic = comparison->rows[i].cells[comparison->rows[i].tests[k].columns[0]].synthetic;
            conform_mark_id(paper, i, k, id, sizeof id);
            int unexplained = !synthetic && !conform_explained(conformance->deviations, id);
            conformance->unexplained_marks += unexplained != 0;
            conformance->unexplained_reversed += unexplained && both;
        }
}

static enum status take_paper(const struct run_folders *runs, const char *table, struct conformance *conformance,
                              const struct paper **paper, struct error *error)
{
    size_t length = strcspn(table, ".");
    for (size_t i = 0; i < conformance->n_papers; i++) {
        *paper = conformance->papers[i].paper;
        if (strncmp((*paper)->name, table, length) == 0 && (*paper)->name[length] == '\0')
            return STATUS_OK;
    }
    struct conform_paper *grown =
        realloc(conformance->papers, (conformance->n_papers + 1) * sizeof *conformance->papers);
    if (!grown)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", table);
    conformance->papers = grown;
    struct conform_paper *made = &grown[conformance->n_papers++];
    *made = (struct conform_paper){0};
    enum status status = paper_find(table, &made->paper, error);
    if (status != STATUS_OK)
        return status;
    *paper = made->paper;
    if (strlen(made->paper->name) != length || strncmp(made->paper->name, table, length) != 0)
        return error_set(error, STATUS_BAD_INPUT, "%s: \"paper\" is \"%s\", not the file's name", made->paper->path,
                         made->paper->name);
    status = run_folders_records(runs, made->paper->name, &made->records, error);
    if (status == STATUS_OK)
        status = claims_judge(made->paper, &made->records, &made->claims, error);
    for (size_t i = 0; i < made->claims.count; i++)
        conformance->unexplained_claims += made->claims.items[i].measured.verdict == CLAIM_FAILS &&
                                           !conform_explained(conformance->deviations, made->claims.items[i].id);
    return status;
}

static enum status take_table(const struct run_folders *runs, const char *name, struct conformance *conformance,
                              struct error *error)
{
    const struct paper *paper = NULL;
    for (size_t i = 0; i < conformance->n_tables; i++)
        if (strcmp(conformance->tables[i].comparison->table->name, name) == 0)
            return STATUS_OK;
    enum status status = take_paper(runs, name, conformance, &paper, error);
    if (status != STATUS_OK || paper_names_claims(name))
        return status;
    const struct paper_table *table = paper_table_named(paper, name);
    if (!table)
        return error_set(error, STATUS_BAD_INPUT, "%s: no table is called \"%s\" (the first is \"%s\")", paper->path,
                         name, paper->n_tables ? paper->tables[0].name : "");
    struct conform_table *grown =
        realloc(conformance->tables, (conformance->n_tables + 1) * sizeof *conformance->tables);
    if (!grown)
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", name);
    conformance->tables = grown;
    struct conform_table *made = &grown[conformance->n_tables];
    *made = (struct conform_table){0};
    status = run_folders_records(runs, name, &made->records, error);
    made->missing = run_folders_missing(runs, name);
    if (status == STATUS_OK)
        status = comparison_fill(table, &made->records, made->missing, &made->comparison, error);
    if (status != STATUS_OK) { /* not counted in n_tables, so released here */
        records_free(&made->records);
        cJSON_Delete(made->missing);
        return status;
    }
    conformance->n_tables++;
    count_table(conformance, made);
    count_marks(conformance, made->comparison);
    return STATUS_OK;
}

enum status conform_runs(const struct run_folders *runs, const char *deviations, struct conformance *conformance,
                         struct error *error)
{
    *conformance = (struct conformance){0};
    enum status status = run_folders_check_splits(runs, error);
    if (status != STATUS_OK)
        return status;
    if (deviations && !(conformance->deviations = strdup(deviations)))
        return error_set(error, STATUS_NO_MEMORY, "deviations: out of memory");
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
        paper_free(conformance->papers[i].paper);
    }
    free(conformance->tables);
    free(conformance->papers);
    free(conformance->deviations);
    *conformance = (struct conformance){0};
}
