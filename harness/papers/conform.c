/*
 * Combines all comparisons. These are findings: a cell that differs, values printed for one split each that differ
 * jointly, and a claim that fails. A finding whose id a deviation lists is excused, unless the deviation's experiment
 * contradicts it. Cells that are near, undecidable or missing, standard deviations that differ, and claims that are not
 * decided are reported but are never findings. A number that a table repeats counts once. Marks are counted separately.
 * A mark that only we or only the paper has is reported; only a mark on the opposite side contradicts the paper and is
 * a finding.
 */
#include "harness/papers/conform.h"

#include <string.h>

#include "harness/config/config.h"
#include "harness/support/json_reader.h"

static void count_cells(struct pool *pool, struct conformance *conformance, struct reproduction *comparison,
                        const struct explanations *explanations)
{
    for (size_t i = 0; i < comparison->n_cells; i++) {
        struct reproduction_cell *cell = &comparison->cells[i];
        const enum verdict verdict = cell->agreement.verdict;
        conformance->has_cells |= cell->compared && verdict != VERDICT_MISSING;
        if (!cell->counted)
            continue;
        cell->explanation = explanations_find(explanations, cell->id);
        cell->sd_explanation = explanations_find(explanations, pool_printf(pool, "%s/sd", cell->id));
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
    cJSON_ArrayForEach (item, json_member(folder->config, "datasets")) {
        const char *name = config_entry_name(item);
        is_listed = is_listed || (name && strcmp(name, dataset) == 0);
    }
    for (size_t m = 0; m < run->missing.count; m++)
        is_listed = is_listed && strcmp(run->missing.item[m].dataset, dataset) != 0;
    return is_listed && !run->is_partial && run->shards <= 1 &&
           (!run->datasets || config_names(run->datasets, dataset)) &&
           (!run->solvers || config_names(run->solvers, solver));
}

/* Marks the cells that have no record although a folder for the table was to measure them. */
static void find_absent(const struct run_folders *runs, struct reproduction *comparison,
                        struct conformance *conformance)
{
    const struct paper_table *table = comparison->table;
    for (size_t i = 0; i < comparison->n_cells; i++) {
        struct reproduction_cell *cell = &comparison->cells[i];
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
static void test_jointly(struct pool *pool, struct conformance *conformance)
{
    struct reproduction **tables = pool_array(pool, conformance->n_tables, sizeof *tables);
    struct joint *joints = pool_array(pool, conformance->n_tables, sizeof *joints);
    for (size_t p = 0; p < conformance->n_papers; p++) {
        struct conform_paper *paper = &conformance->papers[p];
        size_t count = 0;
        for (size_t t = 0; t < conformance->n_tables; t++)
            if (paper_table_named(paper->paper, conformance->tables[t]->table->name))
                tables[count++] = conformance->tables[t];
        joint_test(tables, count, joints, &paper->joint);
        for (size_t t = 0; t < count; t++) {
            tables[t]->joint = joints[t];
            tables[t]->one_split = pool_printf(pool, "%s/one-split", tables[t]->table->name);
            tables[t]->one_split_explanation = explanations_find(&paper->explanations, tables[t]->one_split);
            conformance->unexplained_cells +=
                joint_places_differ(&joints[t].places) && !explanation_stands(tables[t]->one_split_explanation);
        }
    }
}

static void count_marks(struct conformance *conformance, struct reproduction *comparison,
                        const struct explanations *explanations)
{
    const struct paper_table *table = comparison->table;
    for (size_t i = 0; i < comparison->n_tests; i++) {
        struct test_finding *test = &comparison->tests[i];
        const struct reproduction_cell *row = comparison->cells + i / table->n_tests * table->n_columns;
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
static const struct conform_paper *take_paper(struct pool *pool, const struct run_folders *runs, const char *table,
                                              struct conformance *conformance)
{
    size_t length = strcspn(table, ".");
    for (size_t i = 0; i < conformance->n_papers; i++) {
        const char *name = conformance->papers[i].paper->name;
        if (strncmp(name, table, length) == 0 && name[length] == '\0')
            return &conformance->papers[i];
    }
    struct conform_paper *made = &conformance->papers[conformance->n_papers++];
    struct error error;
    const struct paper *paper = made->paper = paper_find_or_null(pool, table, &error);
    if (!paper) /* a missing paper is not a missing record */
        die(STATUS_BAD_INPUT, "%s", error.message);
    if (strlen(paper->name) != length || strncmp(paper->name, table, length) != 0)
        die(STATUS_BAD_INPUT, "%s: \"paper\" is \"%s\"; allowed: the name of the file", paper->path, paper->name);
    const struct deviations *deviations = deviations_read(pool, paper);
    const struct records records = run_folders_records(pool, runs, paper->name, DRAWS_FIRST);
    made->gaps = run_folders_gaps(pool, runs, paper->name);
    made->claims = claims_judge(pool, paper, &records, runs);
    made->explanations = explanations_check(pool, runs, paper, deviations, &made->claims);
    for (size_t i = 0; i < made->claims.count; i++) {
        struct claim *claim = &made->claims.items[i];
        claim->explanation = explanations_find(&made->explanations, claim->id);
        conformance->unexplained_claims +=
            claim->measured.verdict == CLAIM_FAILS && !explanation_stands(claim->explanation);
    }
    return made;
}

/* Repetitions are found by the number of folds, so that of the run has to be the paper's. */
static void check_folds(const struct run_folders *runs, const struct paper *paper, const char *table)
{
    for (size_t f = 0; paper->folds > 1 && f < runs->count; f++) {
        const cJSON *folds = json_member(json_member(runs->items[f].config, "splits"), "folds");
        if (run_folder_is_for(&runs->items[f], table) && cJSON_IsNumber(folds) &&
            folds->valuedouble != (double)paper->folds)
            die(STATUS_BAD_INPUT, "%s: \"splits.folds\" is %g; allowed for %s: %zu, as in %s", runs->items[f].path,
                folds->valuedouble, table, paper->folds, paper->path);
    }
}

static void take_table(struct pool *pool, const struct run_folders *runs, const char *name,
                       struct conformance *conformance)
{
    for (size_t i = 0; i < conformance->n_tables; i++)
        if (strcmp(conformance->tables[i]->table->name, name) == 0)
            return;
    const struct conform_paper *paper = take_paper(pool, runs, name, conformance);
    check_folds(runs, paper->paper, name);
    if (paper_names_claims(name))
        return;
    const struct paper_table *table = paper_table_named(paper->paper, name);
    if (!table)
        die(STATUS_BAD_INPUT, "%s: unknown table \"%s\"; the first table is \"%s\"", paper->paper->path, name,
            paper->paper->n_tables ? paper->paper->tables[0].name : "");
    const struct records first = run_folders_records(pool, runs, name, DRAWS_FIRST),
                         all = run_folders_records(pool, runs, name, DRAWS_ALL);
    struct reproduction *made =
        reproduction_make(pool, table, &first, &all, json_keep(pool, run_folders_missing(runs, name)));
    conformance->tables[conformance->n_tables++] = made;
    verdict_counts_add(&made->counts, &conformance->counts);
    count_cells(pool, conformance, made, &paper->explanations);
    find_absent(runs, made, conformance);
    count_marks(conformance, made, &paper->explanations);
}

struct conformance conform_runs(struct pool *pool, const struct run_folders *runs)
{
    struct conformance conformance = {.n_tables = 0};
    const cJSON *item = NULL;
    size_t most = 0;
    run_folders_check_splits(runs);
    for (size_t i = 0; i < runs->count; i++)
        most += (size_t)cJSON_GetArraySize(runs->items[i].tables);
    conformance.papers = pool_array(pool, most, sizeof *conformance.papers);
    conformance.tables = pool_array(pool, most, sizeof *conformance.tables);
    for (size_t i = 0; i < runs->count; i++)
        cJSON_ArrayForEach (item, runs->items[i].tables)
            take_table(pool, runs, item->valuestring, &conformance);
    test_jointly(pool, &conformance);
    conformance.facts = joint_facts(conformance.tables, conformance.n_tables);
    return conformance;
}

const struct reproduction *conform_table_of(const struct conformance *conformance, const struct paper_table *table)
{
    for (size_t t = 0; t < conformance->n_tables; t++)
        if (conformance->tables[t]->table == table)
            return conformance->tables[t];
    return NULL;
}
