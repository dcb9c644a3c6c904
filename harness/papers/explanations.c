/*
 * An experiment judges a copy of the paper reduced to the ids in the entry, with two changes. If the entry has
 * "replace", the copy's columns and claims select records by its conditions. And the records of the entry's
 * configurations replace the usual ones of the same data set, solver and stopping rule. reproduction_make and
 * claims_judge then give verdicts as usual. The experiment explains a cell if its verdict is "agrees" or "compatible",
 * and a standard deviation if the two agree, provided that our number, to five digits, is the one under "found"; a mark
 * if it agrees; a claim if it holds. If the entry has claims under "shows", these are judged instead, and each must
 * hold.
 */
#include "harness/papers/conform.h"

#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/support/json_reader.h"

const char *const explanation_state_names[] = {[EXPLANATION_NONE] = "unexplained",
                                               [EXPLANATION_UNCHECKED] = "not checked",
                                               [EXPLANATION_SHOWN] = "explained",
                                               [EXPLANATION_NOT_SHOWN] = "not shown"};

/* ---- the reduced paper ---- */

/* The object with the members of the other in place of its own. */
static const cJSON *with_members(struct pool *pool, const cJSON *object, const cJSON *others)
{
    const cJSON *item = NULL;
    if (!others)
        return object;
    cJSON *made = json_keep(pool, object ? cJSON_Duplicate(object, 1) : json_new_object());
    cJSON_ArrayForEach (item, others) {
        cJSON_DeleteItemFromObjectCaseSensitive(made, item->string);
        json_put_copy(made, item->string, item);
    }
    return made;
}

/* Adds the conditions of "replace" to a selection of its solver. */
static void replace_in(struct pool *pool, struct record_filter *filter, const struct record_filter *replace)
{
    if (!replace || !filter->solver || strcmp(filter->solver, replace->solver) != 0)
        return;
    filter->params = with_members(pool, filter->params, replace->params);
    filter->kernel = with_members(pool, filter->kernel, replace->kernel);
    filter->stop = with_members(pool, filter->stop, replace->stop);
}

/* The table with only the rows that the entry lists. */
static struct paper_table cut_table(struct pool *pool, const struct paper_table *table, const struct deviation *entry)
{
    struct paper_table cut = *table;
    cut.n_rows = 0;
    cut.rows = pool_array(pool, table->n_rows, sizeof *cut.rows);
    cut.columns = pool_array(pool, table->n_columns, sizeof *cut.columns);
    for (size_t i = 0; i < table->n_rows; i++) {
        const char *start = pool_printf(pool, "%s/%s/", table->name, table->rows[i].dataset);
        int listed = 0;
        for (size_t k = 0; k < entry->explains.count; k++)
            listed |= strncmp(entry->explains.item[k], start, strlen(start)) == 0;
        if (listed)
            cut.rows[cut.n_rows++] = table->rows[i];
    }
    for (size_t j = 0; j < table->n_columns; j++) {
        cut.columns[j] = table->columns[j];
        replace_in(pool, &cut.columns[j].from, entry->experiment->replace);
        replace_in(pool, &cut.columns[j].right, entry->experiment->replace);
    }
    return cut;
}

/* The claims under "shows"; without them, those of the paper that the entry lists. */
static void cut_claims(struct pool *pool, const struct paper *paper, const struct deviation *entry, struct paper *cut)
{
    if (entry->experiment->shows) {
        cut->claims = claims_read(pool, entry->experiment->shows, paper->path, entry->id, &paper->datasets,
                                  &cut->n_claims);
        return;
    }
    cut->claims = pool_array(pool, paper->n_claims, sizeof *cut->claims);
    cut->n_claims = 0;
    for (size_t i = 0; i < paper->n_claims; i++) {
        struct paper_claim *claim = &cut->claims[cut->n_claims];
        *claim = paper->claims[i];
        for (size_t k = 0; k < CLAIM_SELECTIONS_MAX; k++)
            replace_in(pool, &claim->from[k], entry->experiment->replace);
        cut->n_claims += texts_have(entry->explains.item, claim->id) != 0;
    }
}

static const struct paper *cut_paper(struct pool *pool, const struct paper *paper, const struct deviation *entry)
{
    struct paper *cut = pool_alloc(pool, sizeof *cut);
    *cut = *paper;
    cut->tables = pool_array(pool, paper->n_tables, sizeof *cut->tables);
    cut->n_tables = 0;
    for (size_t t = 0; t < paper->n_tables; t++) {
        cut->tables[cut->n_tables] = cut_table(pool, &paper->tables[t], entry);
        cut->n_tables += cut->tables[cut->n_tables].n_rows > 0;
    }
    cut_claims(pool, paper, entry, cut);
    return cut;
}

/* ---- the experiment's records ---- */

/* The name of the folder's configuration. */
static const char *name_of(const struct run_folder *folder)
{
    const char *name = json_text(folder->config, "name");
    return name ? name : "";
}

/* The records of the entry's configurations; none if the folders lack a complete run of one of them. */
static struct records take_experiment(struct pool *pool, const struct run_folders *runs,
                                      const struct deviation *entry)
{
    struct records records = {.pool = pool};
    for (size_t k = 0; k < entry->configurations.count; k++) {
        struct run_folder *found = NULL;
        for (size_t i = 0; i < runs->count; i++)
            if (strcmp(name_of(&runs->items[i]), entry->configurations.item[k]) == 0 &&
                cJSON_GetArraySize(json_member(runs->items[i].info, "restricted_to")) == 0)
                found = &runs->items[i]; /* it ran its whole configuration */
        if (!found)
            return (struct records){0};
        records_join(&records, run_folder_read_records(found));
    }
    return records;
}

/* A data set whose data differ between a folder of the entry and one of the paper; NULL if there is none. */
static const char *other_data(const struct run_folders *runs, const struct deviation *entry, const char *paper)
{
    for (size_t i = 0; i < runs->count; i++)
        for (size_t j = 0; j < runs->count; j++) {
            const struct run_info *own = &runs->items[i].run, *usual = &runs->items[j].run;
            if (!texts_have(entry->configurations.item, name_of(&runs->items[i])) ||
                !run_folder_is_for(&runs->items[j], paper))
                continue;
            for (size_t d = 0; d < own->data.count; d++) {
                const struct run_info_data *data = &own->data.item[d], *other = run_info_data(usual, data->dataset);
                if (other && *data->sha256 && *other->sha256 && strcmp(data->sha256, other->sha256) != 0)
                    return data->dataset;
            }
        }
    return NULL;
}

/* Whether a record has the data set, solver and stopping rule of this one. */
static int has_place(const struct records *places, const struct record *record)
{
    for (size_t i = 0; i < places->count; i++)
        if (strcmp(places->items[i]->dataset, record->dataset) == 0 &&
            strcmp(places->items[i]->solver, record->solver) == 0 &&
            strcmp(places->items[i]->stop_text, record->stop_text) == 0)
            return 1;
    return 0;
}

/* The usual records of the table or paper `name`, replaced by the experiment's where it has them. */
static struct records put_in_place(struct pool *pool, const struct run_folders *runs, const char *name,
                                   const struct records *experiment)
{
    const struct records usual = run_folders_records(pool, runs, name, DRAWS_FIRST);
    struct records records = {.pool = pool}, places = {.pool = pool};
    for (size_t i = 0; i < experiment->count; i++)
        if (!has_place(&places, experiment->items[i]))
            records_add(&places, experiment->items[i]);
    for (size_t i = 0; i < usual.count; i++)
        if (!has_place(&places, usual.items[i]))
            records_add(&records, usual.items[i]);
    records_append(&records, experiment);
    return records;
}

/* ---- judging ---- */

struct check {
    struct pool *pool; /* of this entry */
    const struct run_folders *runs;
    const struct deviation *entry;
    struct records experiment;
    struct explanation *items; /* of this entry */
    size_t count;
};

static struct explanation *item_of(const struct check *check, const char *id)
{
    for (size_t i = 0; i < check->count; i++)
        if (strcmp(check->items[i].id, id) == 0)
            return &check->items[i];
    return NULL;
}

#define TELL(item, ...) snprintf((item)->detail, sizeof(item)->detail, __VA_ARGS__)
#define SETTLE(item, is_shown, ...) \
    ((item)->state = (is_shown) ? EXPLANATION_SHOWN : EXPLANATION_NOT_SHOWN, (void)TELL(item, __VA_ARGS__))

/* Sets the state for a cell's mean or standard deviation. */
static void check_number(const struct check *check, double printed, int decimals, double number, int agrees,
                         struct explanation *item)
{
    const cJSON *said = json_member(check->entry->experiment->found, item->id);
    char found[32], expected[32];
    snprintf(found, sizeof found, "%.5g", number);
    snprintf(expected, sizeof expected, "%.5g", cJSON_GetNumberValue(said));
    int as_said = strcmp(found, expected) == 0;
    SETTLE(item, as_said && agrees, "printed %.*f, found %s%s%s, %s", decimals, printed, found,
           as_said ? "" : " and not ", as_said ? "" : expected, agrees ? "agrees" : "does not agree");
}

static void check_cell(const struct check *check, const struct reproduction_cell *cell)
{
    const struct printed *printed = cell->printed;
    struct explanation *of_mean = item_of(check, cell->id),
                       *of_sd = item_of(check, pool_printf(check->pool, "%s/sd", cell->id));
    if (of_mean && cell->agreement.verdict != VERDICT_MISSING)
        check_number(check, printed->mean, printed->decimals, cell->ours, verdict_is_agreement(cell->agreement.verdict),
                     of_mean);
    if (of_sd && cell->agreement.sds_agree != SD_UNDECIDABLE)
        check_number(check, printed->sd, printed->sd_decimals, cell->measured.sd, cell->agreement.sds_agree, of_sd);
}

/* Whether the experiment provides records for the column; if not, its figures are the usual ones and show nothing. */
static int feeds_column(const struct records *experiment, const char *dataset, const struct paper_column *column)
{
    const int reduction = column->statistic == STATISTIC_REDUCTION;
    for (size_t i = 0; i < experiment->count && column->statistic != STATISTIC_VALUE; i++) {
        const struct record *record = experiment->items[i];
        if (strcmp(record->dataset, dataset) == 0 &&
            (strcmp(record->solver, column->from.solver) == 0 ||
             (reduction && strcmp(record->solver, column->right.solver) == 0)))
            return 1;
    }
    return 0;
}

static void check_table(const struct check *check, const struct paper_table *table)
{
    const struct records records = put_in_place(check->pool, check->runs, table->name, &check->experiment);
    const struct reproduction *comparison = reproduction_make(check->pool, table, &records, &records, NULL);
    for (size_t i = 0; i < table->n_rows; i++) {
        const struct reproduction_row *row = &comparison->rows[i];
        int has_records = 0;
        for (size_t k = 0; k < check->experiment.count; k++)
            has_records |= strcmp(check->experiment.items[k]->dataset, row->dataset) == 0;
        if (!has_records)
            continue;
        for (size_t j = 0; j < table->n_columns; j++)
            if (feeds_column(&check->experiment, row->dataset, &table->columns[j]))
                check_cell(check, &row->cells[j]);
        for (size_t k = 0; k < table->n_tests; k++) {
            const struct test_finding *test = &row->tests[k];
            struct explanation *item = test->id ? item_of(check, test->id) : NULL;
            if (item && test->compared)
                SETTLE(item, test->agrees, "p %.3g, n %zu, %s", test->result.p_value, test->n,
                       test->agrees ? "agrees" : "does not agree");
        }
    }
}

/* Whether the claim lacks figures. */
static int is_missing(const struct claim_finding *finding)
{
    return finding->n_cases == 0 || finding->verdict == CLAIM_MISSING;
}

/* Judges the claims under "shows" for all items: one that does not hold leaves them "not shown", one without figures
 * unchecked, even if the others hold. */
static void check_shown(const struct check *check, const struct claims *claims)
{
    const struct claim *told = NULL; /* the first that does not hold; otherwise the last */
    int missing = 0, holds = 1;
    for (size_t i = 0; i < claims->count && holds; i++) {
        missing |= is_missing(&claims->items[i].measured);
        if (!is_missing(&claims->items[i].measured)) {
            told = &claims->items[i];
            holds = told->measured.verdict == CLAIM_HOLDS;
        }
    }
    for (size_t k = 0; k < check->count && told; k++) {
        const struct claim_case *one = told->measured.cases; /* the first case that does not support it */
        for (size_t i = 0; i < told->measured.n_cases && !holds && one->answer == CLAIM_FOR; i++)
            one = &told->measured.cases[i];
        SETTLE(&check->items[k], holds, "%s: %s (%s: %s)", claim_verdict_names[told->measured.verdict], told->text,
               one->dataset, one->detail);
        if (holds && missing) {
            check->items[k].state = EXPLANATION_UNCHECKED;
            TELL(&check->items[k], "a claim under \"shows\" has no records");
        }
    }
}

static void check_claims(const struct check *check, const struct paper *paper)
{
    const struct records records = put_in_place(check->pool, check->runs, paper->name, &check->experiment);
    const struct claims claims = claims_judge(check->pool, paper, &records, check->runs);
    if (check->entry->experiment->shows)
        check_shown(check, &claims);
    for (size_t i = 0; i < claims.count; i++) {
        const enum claim_verdict verdict = claims.items[i].measured.verdict;
        struct explanation *item = item_of(check, claims.items[i].id);
        if (item && verdict != CLAIM_MISSING)
            SETTLE(item, verdict == CLAIM_HOLDS, "%s", claim_verdict_names[verdict]);
    }
}

static void check_experiment(struct check *check, const struct paper *paper)
{
    for (size_t i = 0; i < check->count; i++)
        check->items[i].state = EXPLANATION_UNCHECKED;
    check->experiment = take_experiment(check->pool, check->runs, check->entry);
    if (check->experiment.count == 0)
        return;
    const char *dataset = other_data(check->runs, check->entry, paper->name);
    for (size_t k = 0; dataset && k < check->count; k++) /* it shows nothing about the paper's runs */
        SETTLE(&check->items[k], 0, "made with other data of %s", dataset);
    if (dataset)
        return;
    const struct paper *cut = cut_paper(check->pool, paper, check->entry);
    for (size_t t = 0; !check->entry->experiment->shows && t < cut->n_tables; t++)
        check_table(check, &cut->tables[t]);
    check_claims(check, cut);
}

/* Whether the paper's own tables refute each claim listed. */
static void check_contradiction(const struct check *check, const struct claims *claims)
{
    for (size_t i = 0; i < claims->count; i++) {
        const enum claim_verdict printed = claims->items[i].printed.verdict;
        struct explanation *item = item_of(check, claims->items[i].id);
        if (!item)
            continue;
        SETTLE(item, printed == CLAIM_FAILS, "by the paper's own tables: %s", claim_verdict_names[printed]);
    }
}

struct explanations explanations_check(struct pool *pool, const struct run_folders *runs, const struct paper *paper,
                                       const struct deviations *deviations, const struct claims *claims)
{
    struct explanations explanations = {.count = 0};
    struct pool *of_entry = pool_new();
    size_t total = 0;
    for (size_t e = 0; e < deviations->list.count; e++)
        total += deviations->list.item[e].explains.count;
    explanations.items = pool_array(pool, total, sizeof *explanations.items);
    for (size_t e = 0; e < deviations->list.count; e++) {
        const struct deviation *entry = &deviations->list.item[e];
        struct check check = {.pool = of_entry,
                              .runs = runs,
                              .entry = entry,
                              .items = explanations.items + explanations.count,
                              .count = entry->explains.count};
        for (size_t i = 0; i < check.count; i++)
            check.items[i] = (struct explanation){.id = entry->explains.item[i], .entry = entry->id};
        explanations.count += check.count;
        if (entry->experiment)
            check_experiment(&check, paper);
        else if (entry->kind == DEVIATION_CONTRADICTION)
            check_contradiction(&check, claims);
        pool_reset(of_entry);
    }
    pool_free(of_entry);
    for (size_t i = 0; i < explanations.count; i++)
        explanations.counts[explanations.items[i].state]++;
    return explanations;
}

const struct explanation *explanations_find(const struct explanations *explanations, const char *id)
{
    for (size_t i = 0; i < explanations->count; i++)
        if (strcmp(explanations->items[i].id, id) == 0)
            return &explanations->items[i];
    return NULL;
}

int explanation_stands(const struct explanation *explanation)
{
    return explanation && explanation->state != EXPLANATION_NOT_SHOWN;
}
