/*
 * What the comparisons of a call leave out of their folders. A solver, a setting or a data set chosen after a look at
 * the results belongs to a family of tests that no adjustment here knows, so the conclusion names its size.
 */
#include "harness/compare/comparisons.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "harness/base/pool.h"
#include "harness/config/config.h"
#include "harness/records/plan_order.h"

static int is_of_side(const struct comparisons *comparisons, int arm, const struct run_folder *folder)
{
    const struct run_folders *runs = comparisons->runs;
    return folder == &runs->items[arm < (int)runs->count ? arm : 0];
}

/* Whether a choice for this folder selects the record or, if `by_name` is nonzero, another one of its solver. */
static int is_chosen(const struct comparisons *comparisons, const struct run_folder *folder,
                     const struct record *record, int by_name)
{
    for (int s = 0; s < ARMS; s++) {
        const struct solver_choices *side = &comparisons->sides[s];
        if (!is_of_side(comparisons, s, folder))
            continue;
        for (size_t i = 0; i < side->count; i++)
            if (by_name ? strcmp(side->items[i].name, record->solver) == 0
                        : solver_choice_matches(&side->items[i], record))
                return 1;
        if (side->count == 0 && strcmp(comparisons->items[0].arms.solvers[s], record->solver) == 0)
            return 1;
    }
    return 0;
}

static size_t count_solvers(const struct comparisons *comparisons)
{
    struct name_order compared = {.pool = comparisons->pool}, all = {.pool = comparisons->pool};
    for (size_t f = 0; f < comparisons->runs->count; f++) {
        const struct run_folder *folder = &comparisons->runs->items[f];
        const struct records *records = &folder->file.records;
        for (size_t r = 0; r < records->count; r++) {
            if (r > 0 && records->items[r]->solver == records->items[r - 1]->solver)
                continue;
            name_order_add(&all, records->items[r]->solver);
            if (is_chosen(comparisons, folder, records->items[r], 1))
                name_order_add(&compared, records->items[r]->solver);
        }
    }
    return all.count - compared.count;
}

/* Whether an earlier record of the list has the same data set, solver and settings. */
static int is_repeated(const struct records *list, const struct record *record)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i]->dataset == record->dataset && strcmp(list->items[i]->solver, record->solver) == 0 &&
            record_same_settings(list->items[i], record))
            return 1;
    return 0;
}

/* Each data set may have its own values, so a solver's settings are those of the data set with the most. */
static size_t most_of_solver(const struct records *left, const char *solver)
{
    size_t most = 0;
    for (size_t i = 0; i < left->count; i++) {
        size_t n = 0;
        for (size_t j = 0; j < left->count; j++)
            n += left->items[j]->dataset == left->items[i]->dataset && strcmp(left->items[j]->solver, solver) == 0;
        most = n > most ? n : most;
    }
    return most;
}

static size_t count_settings(const struct comparisons *comparisons, const struct run_folder *folder)
{
    const struct records *records = &folder->file.records;
    struct records left = {.pool = comparisons->pool}; /* the first record of each setting */
    struct name_order solvers = {.pool = comparisons->pool};
    size_t settings = 0;
    for (size_t r = 0; r < records->count; r++) {
        const struct record *record = records->items[r];
        if (!is_chosen(comparisons, folder, record, 1) || is_chosen(comparisons, folder, record, 0) ||
            is_repeated(&left, record))
            continue;
        records_add(&left, record);
        name_order_add(&solvers, record->solver);
    }
    for (size_t s = 0; s < solvers.count; s++)
        settings += most_of_solver(&left, solvers.names[s]);
    return settings;
}

/* Data sets of the folders or their configurations without a pair. */
static size_t count_datasets(const struct comparisons *comparisons)
{
    struct name_order names = {.pool = comparisons->pool};
    for (size_t i = 0; i < comparisons->n; i++)
        for (size_t c = 0; c < comparisons->items[i].pairing.n_cases; c++)
            name_order_add(&names, comparisons->items[i].pairing.cases[c].dataset);
    const size_t compared = names.count;
    for (size_t f = 0; f < comparisons->runs->count; f++) {
        const struct run_folder *folder = &comparisons->runs->items[f];
        const cJSON *entry = NULL;
        for (size_t r = 0; r < folder->file.records.count; r++)
            name_order_add(&names, folder->file.records.items[r]->dataset);
        cJSON_ArrayForEach (entry, cJSON_GetObjectItemCaseSensitive(folder->config, "datasets")) {
            const cJSON *name = cJSON_IsObject(entry) ? cJSON_GetObjectItemCaseSensitive(entry, "name") : entry;
            if (cJSON_IsString(name))
                name_order_add(&names, name->valuestring);
        }
    }
    return names.count - compared;
}

/* The configuration's splits that --splits left out of the run; 0 if it was not given. */
static size_t count_splits(const struct run_folder *folder)
{
    const cJSON *splits = cJSON_GetObjectItemCaseSensitive(folder->config, "splits");
    const cJSON *folds = cJSON_GetObjectItemCaseSensitive(splits, "folds");
    const cJSON *repeats = cJSON_GetObjectItemCaseSensitive(splits, "repeats");
    struct pool *pool = pool_new();
    size_t n_all = 0, n_kept = 0, left = 0;
    char *printed = cJSON_PrintUnformatted(splits),
         *text = cJSON_IsString(splits)   ? pool_strdup(pool, splits->valuestring)
                 : cJSON_IsObject(splits) ? pool_printf(pool, "1-%.0f", (folds ? folds->valuedouble : 10) *
                                                                            (repeats ? repeats->valuedouble : 1))
                                          : printed;
    /* "[1,2]" without its brackets is a list like any other */
    const int list = text && *text == '[';
    if (list)
        text[strlen(text) - 1] = '\0';
    const int is_restricted = folder->run.splits && text;
    const size_t *all = is_restricted ? split_list_parse(pool, text + list, &n_all) : NULL,
                 *kept = is_restricted ? split_list_parse(pool, folder->run.splits, &n_kept) : NULL;
    if (all && kept)
        for (size_t i = 0, k = 0; i < n_all; i++) {
            while (k < n_kept && kept[k] < all[i])
                k++;
            left += k == n_kept || kept[k] != all[i];
        }
    cJSON_free(printed);
    pool_free(pool);
    return left;
}

struct left_out left_out_count(const struct comparisons *comparisons)
{
    struct left_out left = {.solvers = count_solvers(comparisons), .datasets = count_datasets(comparisons)};
    for (size_t f = 0; f < comparisons->runs->count; f++) {
        const struct run_folder *folder = &comparisons->runs->items[f];
        const size_t splits = count_splits(folder), shards = folder->run.shards > 1 ? folder->run.shards - 1 : 0;
        left.settings += count_settings(comparisons, folder);
        left.splits = splits > left.splits ? splits : left.splits;
        left.shards = shards > left.shards ? shards : left.shards;
    }
    return left;
}
