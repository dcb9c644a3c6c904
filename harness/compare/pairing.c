/*
 * Pairing by problem. Some of a record's settings belong to the problem (kernel, mu, C, nu, the added coordinate), the
 * others to the solver, except the stopping rule. Two solvers may be compared under different rules, but if both were
 * run to several tolerances, records with the same one are paired. So candidates are narrowed step by step, and a pair
 * is two records that are each other's only candidate.
 */
#include "harness/compare/pairing.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/support/json_field.h"
#include "harness/program/memory.h"
#include "harness/records/same_problem.h"

/* An arm's records, sorted by training set. */
struct arm_records {
    const struct record **items, **candidates; /* candidates has the same capacity */
    size_t count;
};

static int compare_items(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left, *b = *(const struct record *const *)right;
    int order = compare_training_sets(a, b);
    return order ? order : (a > b) - (a < b); /* one array, so this is the order of the file */
}

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static int same_pair_problem(const struct record *a, const struct record *b)
{
    return same_problem(a, b, PROBLEM_OF_PAIR);
}

static int same_stop(const struct record *a, const struct record *b)
{
    return cJSON_Compare(a->stop, b->stop, 1);
}

static int same_parameters(const struct record *a, const struct record *b)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, a->params) {
        const cJSON *other = member(b->params, item->string);
        if (other && !cJSON_Compare(item, other, 1))
            return 0;
    }
    return 1;
}

/* Moves the candidates that agree with the record to the front; returns their number. */
static size_t narrow(const struct record **candidates, size_t n, const struct record *record,
                     int (*agree)(const struct record *a, const struct record *b))
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (agree(record, candidates[i])) {
            const struct record *other = candidates[i];
            candidates[i] = candidates[kept];
            candidates[kept++] = other;
        }
    return kept;
}

/* Moves the record's partners that remain after narrowing to the front of half->candidates; returns their number. */
static size_t find_partners(const struct record *record, const struct arm_records *half)
{
    size_t low = 0, high = half->count, n = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_training_sets(half->items[middle], record) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < half->count && compare_training_sets(half->items[low], record) == 0; low++)
        half->candidates[n++] = half->items[low];
    n = narrow(half->candidates, n, record, same_pair_problem);
    size_t stops = narrow(half->candidates, n, record, same_stop);
    n = stops ? stops : n;
    size_t alike = narrow(half->candidates, n, record, same_parameters);
    return alike ? alike : n;
}

static enum status ambiguous(const struct record *record, const struct arm_records *half, size_t count,
                             struct error *error)
{
    const struct record *first = half->candidates[0], *second = half->candidates[1];
    return error_set(
        error, STATUS_BAD_INPUT,
        "%s, split %zu: %zu records of %s match the record of %s with params %.100s; the first two have params %.100s, "
        "stop %.100s and params %.100s, stop %.100s; keep only one of them in the configuration",
        record->dataset, record->split, count, first->solver, record->solver, record->params_text, first->params_text,
        first->stop_text, second->params_text, second->stop_text);
}

/* Finds the record's only partner if it is that one's only partner too; otherwise *partner is NULL. */
static enum status find_partner(const struct record *record, const struct arm_records *own,
                                const struct arm_records *others, const struct record **partner, struct error *error)
{
    size_t found = find_partners(record, others);
    if (found > 1)
        return ambiguous(record, others, found, error);
    *partner = found ? others->candidates[0] : NULL;
    size_t returned = found ? find_partners(*partner, own) : 0;
    if (returned > 1)
        return ambiguous(*partner, own, returned, error);
    if (returned && own->candidates[0] != record)
        *partner = NULL;
    return STATUS_OK;
}

static void arm_records_take(const struct pairing_arm *arm, struct arm_records *half)
{
    half->items = xcalloc(arm->records->count, sizeof *half->items);
    half->candidates = xcalloc(arm->records->count, sizeof *half->candidates);
    for (size_t i = 0; i < arm->records->count; i++)
        if (strcmp(arm->records->items[i]->solver, arm->solver) == 0)
            half->items[half->count++] = arm->records->items[i];
    qsort(half->items, half->count, sizeof *half->items, compare_items);
}

/* ---- cases ---- */

static int same_case(const struct pair *a, const struct pair *b)
{
    for (int s = 0; s < ARMS; s++)
        if (strcmp(a->records[s]->dataset, b->records[s]->dataset) != 0 ||
            strcmp(a->records[s]->params_text, b->records[s]->params_text) != 0 ||
            strcmp(a->records[s]->kernel_text, b->records[s]->kernel_text) != 0 ||
            strcmp(a->records[s]->stop_text, b->records[s]->stop_text) != 0)
            return 0;
    return 1;
}

/* Groups the pairs by case and the cases by data set, and otherwise keeps the order. */
static void sort_into_cases(struct pairing *pairing)
{
    struct pair *sorted = xcalloc(pairing->n_pairs, sizeof *sorted);
    char *taken = xcalloc(pairing->n_pairs, 1);
    size_t used = 0;
    pairing->cases = xcalloc(pairing->n_pairs, sizeof *pairing->cases);
    for (size_t d = 0; d < pairing->n_pairs; d++) { /* the first of each data set, then of each of its cases */
        const char *dataset = pairing->pairs[d].records[BASELINE]->dataset;
        if (taken[d])
            continue;
        pairing->n_datasets++;
        for (size_t c = d; c < pairing->n_pairs; c++) {
            if (taken[c] || strcmp(pairing->pairs[c].records[BASELINE]->dataset, dataset) != 0)
                continue;
            struct pair_case *at = &pairing->cases[pairing->n_cases++];
            *at = (struct pair_case){.dataset = dataset, .first = used};
            for (size_t p = c; p < pairing->n_pairs; p++)
                if (!taken[p] && same_case(&pairing->pairs[c], &pairing->pairs[p])) {
                    taken[p] = 1;
                    sorted[used++] = pairing->pairs[p];
                }
            at->count = used - at->first;
        }
    }
    free(pairing->pairs);
    free(taken);
    pairing->pairs = sorted;
}

/* The object of a record that may contain a setting; `object` indexes the names. */
static const cJSON *object_of(const struct record *record, size_t object)
{
    const cJSON *const objects[] = {record->kernel, record->params, record->stop};
    return objects[object];
}

/* Whether some other case of the data set has another value of the setting. */
static int tells_apart(const struct pairing *pairing, const struct pair_case *at, int arm, size_t object,
                       const cJSON *setting)
{
    for (size_t c = 0; c < pairing->n_cases; c++) {
        const cJSON *other = object_of(pairing->pairs[pairing->cases[c].first].records[arm], object);
        if (strcmp(pairing->cases[c].dataset, at->dataset) == 0 &&
            !cJSON_Compare(setting, member(other, setting->string), 1))
            return 1;
    }
    return 0;
}

static void name_case(const struct pairing *pairing, struct pair_case *at)
{
    size_t size, named = 0;
    FILE *stream = xopen_text(&at->settings, &size);
    const struct record *const *records = pairing->pairs[at->first].records;
    for (int arm = 0; arm < ARMS; arm++)
        for (size_t object = 0; object < 3; object++) {
            const cJSON *setting = NULL, *baselines = object_of(records[BASELINE], object);
            cJSON_ArrayForEach (setting, object_of(records[arm], object)) {
                char shown[72];
                const char *text = cJSON_GetStringValue(setting);
                if ((arm != BASELINE && cJSON_Compare(setting, member(baselines, setting->string), 1)) ||
                    !tells_apart(pairing, at, arm, object, setting))
                    continue;
                fprintf(stream, "%s%s = %s", named++ ? ", " : "", setting->string,
                        text ? text : json_to_text(setting, shown, sizeof shown));
            }
        }
    xclose_text(stream);
}

/* ---- the pairing ---- */

int pair_ended(const struct pair *pair, enum arm arm)
{
    return pair->records[arm]->converged;
}

static enum status pair_up(const struct pairing_arm *arm, const struct arm_records halves[ARMS],
                           struct pairing *pairing, struct error *error)
{
    pairing->pairs = xcalloc(halves[BASELINE].count, sizeof *pairing->pairs);
    for (size_t i = 0; i < arm->records->count; i++) {
        const struct record *record = arm->records->items[i], *partner = NULL;
        if (strcmp(record->solver, arm->solver) != 0)
            continue;
        enum status status = find_partner(record, &halves[BASELINE], &halves[CANDIDATE], &partner, error);
        if (status != STATUS_OK)
            return status;
        if (partner)
            pairing->pairs[pairing->n_pairs++] = (struct pair){.records = {record, partner}};
    }
    for (int s = 0; s < ARMS; s++)
        pairing->alone[s] = halves[s].count - pairing->n_pairs;
    return STATUS_OK;
}

enum status pairing_make(const struct pairing_arm arms[ARMS], struct pairing *pairing, struct error *error)
{
    struct arm_records halves[ARMS] = {0};
    *pairing = (struct pairing){0};
    for (int s = 0; s < ARMS; s++)
        arm_records_take(&arms[s], &halves[s]);
    enum status status = pair_up(&arms[BASELINE], halves, pairing, error);
    if (status == STATUS_OK && pairing->n_pairs == 0)
        status = error_set(
            error, STATUS_NOT_FOUND,
            "nothing to compare: none of the %zu records of %s and %zu of %s share data set, split, kernel and problem",
            halves[BASELINE].count, arms[BASELINE].solver, halves[CANDIDATE].count, arms[CANDIDATE].solver);
    if (status == STATUS_OK)
        sort_into_cases(pairing);
    for (size_t c = 0; c < pairing->n_cases; c++)
        name_case(pairing, &pairing->cases[c]);
    for (int s = 0; s < ARMS; s++) {
        free(halves[s].items);
        free(halves[s].candidates);
    }
    if (status != STATUS_OK)
        pairing_free(pairing);
    return status;
}

void pairing_free(struct pairing *pairing)
{
    for (size_t c = 0; c < pairing->n_cases; c++)
        free(pairing->cases[c].settings);
    free(pairing->cases);
    free(pairing->pairs);
    *pairing = (struct pairing){0};
}
