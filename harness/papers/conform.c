/*
 * Combines all comparisons. These are findings: a cell that differs, values printed for one split each that differ
 * jointly, and a claim that fails. A finding whose id a deviation lists is excused, unless the deviation's experiment
 * contradicts it. Cells that are near, undecidable or missing, standard deviations that differ, and claims that are not
 * decided are reported but are never findings. A number that a table repeats counts once. Marks are counted separately.
 * A mark that only we or only the paper has is reported; only a mark on the opposite side contradicts the paper and is
 * a finding.
 */
#include "harness/papers/conform.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "harness/config/config.h"
#include "harness/base/memory.h"
#include "harness/records/same_splits.h"

static void count_cells(struct conformance *conformance, struct paper_comparison *comparison,
                        const struct explanations *explanations)
{
    for (size_t i = 0; i < comparison->n_cells; i++) {
        struct comparison_cell *cell = &comparison->cells[i];
        const enum verdict verdict = cell->agreement.verdict;
        if (!cell->counted)
            continue;
        char *sd_id = xasprintf("%s/sd", cell->id);
        cell->explanation = explanations_find(explanations, cell->id);
        cell->sd_explanation = explanations_find(explanations, sd_id);
        free(sd_id);
        conformance->compared += verdict != VERDICT_MISSING;
        conformance->unexplained_sds += cell->agreement.sds_agree == SD_DIFFERS && !cell->synthetic &&
                                        !explanation_stands(cell->sd_explanation);
        /* a synthetic data set is not the paper's sample, so its cells are shown but do not gate */
        conformance->unexplained_cells +=
            verdict == VERDICT_DIFFERS && !cell->synthetic && !explanation_stands(cell->explanation);
    }
}

/* Whether a run was to measure the solver on the data set: its configuration has the set, which was not missing,
 * and the run was restricted to no others. Whether the configuration has the solver does not matter, since a column may
 * name a wrong one. */
static int was_to_measure(const struct run_folder *folder, const char *dataset, const char *solver)
{
    const struct run_info *run = &folder->run;
    const cJSON *item = NULL;
    int is_listed = 0;
    cJSON_ArrayForEach (item, cJSON_GetObjectItemCaseSensitive(folder->config, "datasets")) {
        const cJSON *name = cJSON_IsObject(item) ? cJSON_GetObjectItemCaseSensitive(item, "name") : item;
        is_listed = is_listed || (cJSON_IsString(name) && strcmp(name->valuestring, dataset) == 0);
    }
    for (size_t m = 0; m < run->missing.count; m++)
        is_listed = is_listed && strcmp(run->missing.item[m].dataset, dataset) != 0;
    return is_listed && !run->is_partial && run->shards <= 1 &&
           (!run->datasets || config_names(run->datasets, dataset)) &&
           (!run->solvers || config_names(run->solvers, solver));
}

/* Marks the cells that have no record although a folder for the table was to measure them. */
static void find_absent(const struct run_folders *runs, struct paper_comparison *comparison,
                        struct conformance *conformance)
{
    const struct paper_table *table = comparison->table;
    for (size_t i = 0; i < comparison->n_cells; i++) {
        struct comparison_cell *cell = &comparison->cells[i];
        const char *dataset = table->rows[i / table->n_columns].dataset;
        if (!cell->counted || cell->agreement.verdict != VERDICT_MISSING || cell->n_null > 0)
            continue;
        for (size_t f = 0; f < runs->count; f++)
            if (run_folder_is_for(&runs->items[f], table->name))
                cell->absent |= was_to_measure(&runs->items[f], dataset, cell->column->from.solver);
        conformance->absent += cell->absent != 0;
    }
}

/* Tests all cells of each table jointly, and those of all tables of each paper. */
static void test_jointly(struct conformance *conformance)
{
    struct paper_comparison **tables = xcalloc(conformance->n_tables + 1, sizeof *tables);
    struct joint *joints = xcalloc(conformance->n_tables + 1, sizeof *joints);
    conformance->joints = xcalloc(conformance->n_tables + 1, sizeof *conformance->joints);
    for (size_t p = 0; p < conformance->n_papers; p++) {
        struct conform_paper *paper = &conformance->papers[p];
        size_t count = 0;
        for (size_t t = 0; t < conformance->n_tables; t++)
            if (paper_table_named(paper->paper, conformance->tables[t]->table->name))
                tables[count++] = conformance->tables[t];
        joint_test(tables, count, joints, &paper->joint);
        count = 0;
        for (size_t t = 0; t < conformance->n_tables; t++) {
            struct conform_joint *joint = &conformance->joints[t];
            if (!paper_table_named(paper->paper, conformance->tables[t]->table->name))
                continue;
            joint->joint = joints[count++];
            joint->id = xasprintf("%s/one-split", conformance->tables[t]->table->name);
            joint->explanation = explanations_find(&paper->explanations, joint->id);
            conformance->unexplained_cells +=
                joint_places_differ(&joint->joint.places) && !explanation_stands(joint->explanation);
        }
    }
    free(tables);
    free(joints);
}

static void count_marks(struct conformance *conformance, struct paper_comparison *comparison,
                        const struct explanations *explanations)
{
    const struct paper_table *table = comparison->table;
    marks_add(&comparison->marks, &conformance->marks);
    for (size_t i = 0; i < comparison->n_tests; i++) {
        struct test_finding *test = &comparison->tests[i];
        const struct comparison_cell *row = comparison->cells + i / table->n_tests * table->n_columns;
        if (!test->compared)
            continue;
        test->explanation = explanations_find(explanations, test->id);
        int unexplained =
            !test->agrees && !explanation_stands(test->explanation) && !row[test->columns[0]].synthetic;
        conformance->unexplained_marks += unexplained != 0;
        conformance->unexplained_reversed += unexplained && test->marked && test->printed;
    }
}

/* Finds the paper of a table, and reads it on first use. */
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
    struct records records = {0};
    *made = (struct conform_paper){0};
    *paper = made;
    enum status status = paper_find(table, &made->paper, error);
    if (status != STATUS_OK)
        return status;
    if (strlen(made->paper->name) != length || strncmp(made->paper->name, table, length) != 0)
        return error_set(error, STATUS_BAD_INPUT, "%s: \"paper\" is \"%s\"; allowed: the name of the file",
                         made->paper->path, made->paper->name);
    status = deviations_read(made->paper, &made->deviations, error);
    if (status == STATUS_OK)
        status = deviations_check_names(made->paper, made->deviations, error);
    if (status == STATUS_OK)
        status = run_folders_records(runs, made->paper->name, DRAWS_FIRST, &records, error);
    if (status == STATUS_OK)
        run_folders_gaps(runs, made->paper->name, &made->gaps);
    if (status == STATUS_OK)
        status = claims_judge(made->paper, &records, runs, &made->claims, error);
    if (status == STATUS_OK)
        status = explanations_check(runs, made->paper, made->deviations, &made->claims, &made->explanations, error);
    records_free(&records);
    for (size_t i = 0; i < made->claims.count; i++) {
        struct claim *claim = &made->claims.items[i];
        claim->explanation = explanations_find(&made->explanations, claim->id);
        conformance->unexplained_claims +=
            claim->measured.verdict == CLAIM_FAILS && !explanation_stands(claim->explanation);
    }
    return status;
}

static enum status take_table(const struct run_folders *runs, const char *name, struct conformance *conformance,
                              struct error *error)
{
    const struct conform_paper *paper = NULL;
    struct paper_comparison *made = NULL;
    struct records first = {0}, all = {0};
    for (size_t i = 0; i < conformance->n_tables; i++)
        if (strcmp(conformance->tables[i]->table->name, name) == 0)
            return STATUS_OK;
    enum status status = take_paper(runs, name, conformance, &paper, error);
    if (status != STATUS_OK || paper_names_claims(name))
        return status;
    const struct paper_table *table = paper_table_named(paper->paper, name);
    if (!table)
        return error_set(error, STATUS_BAD_INPUT, "%s: unknown table \"%s\"; the first table is \"%s\"",
                         paper->paper->path, name, paper->paper->n_tables ? paper->paper->tables[0].name : "");
    status = run_folders_records(runs, name, DRAWS_FIRST, &first, error);
    if (status == STATUS_OK)
        status = run_folders_records(runs, name, DRAWS_ALL, &all, error);
    if (status == STATUS_OK)
        status = comparison_fill(table, &first, &all, run_folders_missing(runs, name), &made, error);
    records_free(&first);
    records_free(&all);
    if (status != STATUS_OK)
        return status;
    conformance->tables = xreallocarray(conformance->tables, conformance->n_tables + 1, sizeof *conformance->tables);
    conformance->tables[conformance->n_tables++] = made;
    verdict_counts_add(&made->counts, &conformance->counts);
    count_cells(conformance, made, &paper->explanations);
    find_absent(runs, made, conformance);
    count_marks(conformance, made, &paper->explanations);
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
    if (status == STATUS_OK)
        test_jointly(conformance);
    else
        conformance_free(conformance);
    return status;
}

const struct paper_comparison *conform_table_of(const struct conformance *conformance,
                                                const struct paper_table *table)
{
    for (size_t t = 0; t < conformance->n_tables; t++)
        if (conformance->tables[t]->table == table)
            return conformance->tables[t];
    return NULL;
}

void conformance_free(struct conformance *conformance)
{
    if (!conformance)
        return;
    for (size_t i = 0; i < conformance->n_tables; i++)
        comparison_free(conformance->tables[i]);
    for (size_t i = 0; conformance->joints && i < conformance->n_tables; i++)
        free(conformance->joints[i].id);
    for (size_t i = 0; i < conformance->n_papers; i++) {
        claims_free(&conformance->papers[i].claims);
        explanations_free(&conformance->papers[i].explanations);
        cJSON_Delete(conformance->papers[i].deviations);
        string_list_free(&conformance->papers[i].gaps);
        paper_free(conformance->papers[i].paper);
    }
    free(conformance->tables);
    free(conformance->joints);
    free(conformance->papers);
    *conformance = (struct conformance){0};
}
