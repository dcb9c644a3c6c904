/*
 * Pairing by problem. Some of a record's settings belong to the problem (kernel, mu, C, nu, the added coordinate), the
 * others to the solver, except the stopping rule. Two solvers may be compared under different rules, but if both were
 * run to several tolerances, records with the same one are paired. So candidates are narrowed step by step, and a pair
 * is two records that are each other's only candidate.
 */
#include "harness/compare/pairing.h"

#include <stdlib.h>
#include <string.h>

#include "harness/support/json_reader.h"
#include "harness/records/plan_order.h"
#include "harness/records/same_problem.h"

/* An arm's records in the order of the file, grouped by pair_key. */
struct arm_records {
    const struct record **items, **candidates; /* candidates has the same capacity */
    size_t count;
    size_t *next, *first; /* the next record of the same group, and the first of each group: indices plus 1, or 0 */
};

static int same_stop(const struct record *a, const struct record *b)
{
    return cJSON_Compare(a->stop, b->stop, 1);
}

static int same_parameters(const struct record *a, const struct record *b)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, a->params) {
        const cJSON *other = json_member(b->params, item->string);
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

/* Moves the record's partners in the group that remain after narrowing to the front of half->candidates; returns their
 * number. */
static size_t find_partners(const struct record *record, size_t group, const struct arm_records *half)
{
    size_t n = 0;
    for (size_t i = half->first[group]; i > 0; i = half->next[i - 1])
        half->candidates[n++] = half->items[i - 1];
    n = narrow(half->candidates, n, record, same_pair_problem);
    size_t stops = narrow(half->candidates, n, record, same_stop);
    n = stops ? stops : n;
    size_t alike = narrow(half->candidates, n, record, same_parameters);
    return alike ? alike : n;
}

static const char *ambiguity_of(struct pool *pool, const struct record *record, const struct arm_records *half,
                                size_t count)
{
    const struct record *first = half->candidates[0], *second = half->candidates[1];
    return pool_printf(
        pool,
        "%s, split %zu: %zu records of %s match the record of %s with params %.100s; the first two have params %.100s, "
        "stop %.100s and params %.100s, stop %.100s; keep only one of them in the configuration",
        record->dataset, record->split, count, first->solver, record->solver, record->params_text, first->params_text,
        first->stop_text, second->params_text, second->stop_text);
}

/* The record's only partner if it is that one's only partner too, else NULL. Several are an ambiguity. */
static const struct record *find_partner(struct pool *pool, const struct record *record, size_t group,
                                         const struct arm_records *own, const struct arm_records *others,
                                         struct pairing *pairing)
{
    const size_t found = find_partners(record, group, others);
    const struct record *partner = found ? others->candidates[0] : NULL;
    const size_t returned = found == 1 ? find_partners(partner, group, own) : 0;
    if (found > 1)
        pairing->ambiguity = ambiguity_of(pool, record, others, found);
    else if (returned > 1)
        pairing->ambiguity = ambiguity_of(pool, partner, own, returned);
    return returned && own->candidates[0] == record ? partner : NULL;
}

/* Groups the records of both arms by the parameters that all of them have. A group has few records of a run: those of
 * several tolerances, or several values of a parameter that does not change the problem. Returns the group of each
 * record of the baseline. */
static size_t *group(struct pool *pool, struct arm_records halves[ARMS])
{
    struct name_order keys = {.pool = pool};
    size_t *groups = pool_array(pool, halves[BASELINE].count, sizeof *groups), all = 0;
    unsigned parameters = ~0u;
    for (int s = 0; s < ARMS; all += halves[s++].count)
        for (size_t i = 0; i < halves[s].count; i++)
            parameters &= problem_parameters(halves[s].items[i]);
    for (int s = 0; s < ARMS; s++) {
        halves[s].first = pool_array(pool, all, sizeof *halves[s].first);
        halves[s].next = pool_array(pool, halves[s].count, sizeof *halves[s].next);
        for (size_t i = halves[s].count; i-- > 0;) {
            const size_t at = name_order_take(&keys, pair_key(halves[s].items[i], parameters));
            if (s == BASELINE)
                groups[i] = at;
            halves[s].next[i] = halves[s].first[at];
            halves[s].first[at] = i + 1;
        }
    }
    return groups;
}

/* ---- cases ---- */

/* A pair with the numbers of its data set and case and its own, by which pairs are sorted. */
struct numbered_pair {
    size_t at[3];
    struct pair pair;
};

static int compare_numbered(const void *left, const void *right)
{
    const size_t *a = ((const struct numbered_pair *)left)->at, *b = ((const struct numbered_pair *)right)->at;
    int order = 0;
    for (size_t i = 0; i < 3 && order == 0; i++)
        order = (a[i] > b[i]) - (a[i] < b[i]);
    return order;
}

/* Groups the pairs by case and the cases by data set, and otherwise keeps the order. */
static void sort_into_cases(struct pool *pool, struct pairing *pairing)
{
    struct numbered_pair *numbered = pool_array(pool, pairing->n_pairs, sizeof *numbered);
    struct name_order datasets = {.pool = pool}, cases = {.pool = pool};
    for (size_t p = 0; p < pairing->n_pairs; p++) {
        const struct record *a = pairing->pairs[p].records[0], *b = pairing->pairs[p].records[1];
        char *key = pool_printf(pool, "%s\n%s\n%s\n%s\n%s\n%s\n%s", a->dataset, a->params_text, a->kernel_text,
                                a->stop_text, b->params_text, b->kernel_text, b->stop_text);
        numbered[p] = (struct numbered_pair){
            {name_order_add(&datasets, a->dataset), name_order_add(&cases, key), p}, pairing->pairs[p]};
    }
    qsort(numbered, pairing->n_pairs, sizeof *numbered, compare_numbered);
    pairing->cases = pool_array(pool, pairing->n_pairs, sizeof *pairing->cases);
    pairing->n_datasets = datasets.count;
    for (size_t p = 0; p < pairing->n_pairs; p++) {
        pairing->pairs[p] = numbered[p].pair;
        if (p == 0 || numbered[p].at[1] != numbered[p - 1].at[1])
            pairing->cases[pairing->n_cases++] =
                (struct pair_case){.dataset = pairing->pairs[p].records[BASELINE]->dataset, .first = p};
        pairing->cases[pairing->n_cases - 1].count++;
    }
}

/* The objects of a record that contain settings. */
enum { OBJECTS = 3 };

static const cJSON *object_of(const struct pairing *pairing, const struct pair_case *at, int arm, size_t object)
{
    const struct record *record = pairing->pairs[at->first].records[arm];
    const cJSON *const objects[OBJECTS] = {record->kernel, record->params, record->stop};
    return objects[object];
}

/* Whether the setting takes several values in the n cases of a data set, or some of them lack it. */
static int varies(const struct pairing *pairing, const struct pair_case *cases, size_t n, int arm, size_t object,
                  const char *name)
{
    const cJSON *first = json_member(object_of(pairing, cases, arm, object), name);
    for (size_t c = 1; c < n; c++) {
        const cJSON *other = json_member(object_of(pairing, &cases[c], arm, object), name);
        if (!first != !other || (first && !cJSON_Compare(first, other, 1)))
            return 1;
    }
    return 0;
}

/* Names the n cases of a data set by their settings that vary; a candidate's only if the baseline's differ. */
static void name_cases(struct pool *pool, const struct pairing *pairing, struct pair_case *cases, size_t n)
{
    for (size_t i = 0; i < n * ARMS * OBJECTS; i++) {
        struct pair_case *at = &cases[i / ARMS / OBJECTS];
        const int arm = (int)(i / OBJECTS % ARMS);
        const size_t object = i % OBJECTS;
        const cJSON *setting = NULL, *baselines = object_of(pairing, at, BASELINE, object);
        at->settings = i % (ARMS * OBJECTS) ? at->settings : "";
        cJSON_ArrayForEach (setting, object_of(pairing, at, arm, object)) {
            const char *text = cJSON_GetStringValue(setting);
            if ((arm != BASELINE && cJSON_Compare(setting, json_member(baselines, setting->string), 1)) ||
                !varies(pairing, cases, n, arm, object, setting->string))
                continue;
            at->settings = pool_printf(pool, "%s%s%s = %s", at->settings, *at->settings ? ", " : "", setting->string,
                                       text ? text : json_to_text(setting));
        }
    }
}

/* ---- the pairing ---- */

int pair_converged(const struct pair *pair, enum arm arm)
{
    return pair->records[arm]->converged;
}

static void pair_up(struct pool *pool, const struct arm_records halves[ARMS], const size_t *groups,
                    struct pairing *pairing)
{
    pairing->pairs = pool_array(pool, halves[BASELINE].count, sizeof *pairing->pairs);
    for (size_t i = 0; i < halves[BASELINE].count && !pairing->ambiguity; i++) {
        const struct record *record = halves[BASELINE].items[i],
                            *partner = find_partner(pool, record, groups[i], &halves[BASELINE], &halves[CANDIDATE],
                                                    pairing);
        if (partner)
            pairing->pairs[pairing->n_pairs++] = (struct pair){.records = {record, partner}};
    }
    if (pairing->ambiguity)
        pairing->n_pairs = 0;
    for (int s = 0; s < ARMS; s++)
        pairing->alone[s] = halves[s].count - pairing->n_pairs;
}

struct pairing pairing_make(struct pool *pool, const struct pairing_arm arms[ARMS])
{
    struct arm_records halves[ARMS] = {0};
    struct pairing pairing = {0};
    for (int s = 0; s < ARMS; s++) {
        const struct records *records = arms[s].records;
        halves[s].items = pool_array(pool, records->count, sizeof *halves[s].items);
        halves[s].candidates = pool_array(pool, records->count, sizeof *halves[s].candidates);
        for (size_t i = 0; i < records->count; i++)
            if (strcmp(records->items[i]->solver, arms[s].solver) == 0)
                halves[s].items[halves[s].count++] = records->items[i];
    }
    pair_up(pool, halves, group(pool, halves), &pairing);
    sort_into_cases(pool, &pairing);
    for (size_t c = 0, end; c < pairing.n_cases; c = end) {
        for (end = c; end < pairing.n_cases && strcmp(pairing.cases[end].dataset, pairing.cases[c].dataset) == 0;)
            end++;
        name_cases(pool, &pairing, &pairing.cases[c], end - c);
    }
    return pairing;
}
