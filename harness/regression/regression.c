/* Comparing, see regression.h. Both sides are sorted, so one walk over both finds what is missing, new and moved. */
#include "harness/regression/regression.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int add_change(struct regression *gate, const struct change *change)
{
    if ((gate->n_changes & (gate->n_changes - 1)) == 0) { /* full at powers of two */
        size_t capacity = gate->n_changes ? 2 * gate->n_changes : 1;
        struct change *grown = realloc(gate->changes, capacity * sizeof *grown);
        if (!grown)
            return 0;
        gate->changes = grown;
    }
    gate->changes[gate->n_changes++] = *change;
    gate->kinds[change->kind]++;
    return 1;
}

static int compare_data(struct regression *gate, const struct baseline *baseline, const struct run_counts *measured)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, baseline->data) {
        const struct run_info_data *data = run_info_data(&measured->folder.run, item->string);
        const char *was = cJSON_GetStringValue(item), *is = data ? data->sha256 : NULL;
        struct change change = {
            .kind = CHANGE_DATA, .dataset = item->string, .was_hash = was ? was : "", .is_hash = is};
        if (is && strcmp(change.was_hash, is) != 0 &&
            !add_change(gate, &change)) /* a set that is not there lacks records */
            return 0;
    }
    return 1;
}

/* How much worse: relative, and beyond all measure where there is nothing to relate to. */
static double change_size(double was, double is)
{
    if (isnan(was) || isnan(is) || was == 0)
        return HUGE_VAL;
    return fabs(is - was) / was;
}

static int compare_pair(struct regression *gate, const struct count_record *was, const struct count_record *is,
                        const struct tolerance tolerances[COUNTS])
{
    size_t before = gate->n_changes;
    struct change change = {.kind = CHANGE_OUTCOME, .was = was, .is = is};
    if (strcmp(was->outcome, is->outcome) != 0 && !add_change(gate, &change))
        return 0;
    change.kind = CHANGE_COUNT;
    for (unsigned c = 0; c < COUNTS; c++) {
        change.count = (enum count)c;
        change.size = change_size(was->counts[c], is->counts[c]);
        gate->totals[c].was += isnan(was->counts[c]) ? 0 : was->counts[c];
        gate->totals[c].is += isnan(is->counts[c]) ? 0 : is->counts[c];
        if (tolerance_holds(&tolerances[c], was->counts[c], is->counts[c]))
            continue;
        gate->totals[c].moved++;
        if (!add_change(gate, &change))
            return 0;
    }
    gate->compared++;
    gate->moved += gate->n_changes > before;
    return 1;
}

static int compare_entries(struct regression *gate, const struct count_records *old, const struct count_records *now,
                           const struct tolerance tolerances[COUNTS], int subset)
{
    int good = 1;
    for (size_t o = 0, n = 0; good && (o < old->count || n < now->count);) {
        int order = o == old->count ? 1 : n == now->count ? -1 : count_record_compare(&old->items[o], &now->items[n]);
        struct change change = {.kind = order < 0 ? CHANGE_MISSING : CHANGE_NEW};
        if (order <= 0)
            change.was = &old->items[o++];
        if (order >= 0)
            change.is = &now->items[n++];
        if (order == 0)
            good = compare_pair(gate, change.was, change.is, tolerances);
        else if (order < 0 && subset)
            gate->passed++;
        else
            good = add_change(gate, &change);
    }
    return good;
}

static int worse_first(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->kind == CHANGE_DATA)
        return strcmp(x->dataset, y->dataset);
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    int order = count_record_compare(x->was ? x->was : x->is, y->was ? y->was : y->is);
    return order ? order : (x->count > y->count) - (x->count < y->count);
}

enum status regression_compare(const struct baseline *baseline, const struct run_counts *measured,
                               const struct tolerance tolerances[COUNTS], int subset, struct regression *gate,
                               struct error *error)
{
    *gate = (struct regression){0};
    if (strcmp(baseline->config, measured->config) != 0)
        return error_set(error, STATUS_BAD_INPUT, "%s: is a run of \"%s\", the baseline is of \"%s\"",
                         measured->folder.path, measured->config, baseline->config);
    if (!compare_data(gate, baseline, measured) ||
        !compare_entries(gate, &baseline->entries, &measured->entries, tolerances, subset)) {
        regression_free(gate);
        return error_set(error, STATUS_NO_MEMORY, "%s: out of memory", measured->folder.path);
    }
    if (gate->n_changes)
        qsort(gate->changes, gate->n_changes, sizeof *gate->changes, worse_first);
    return STATUS_OK;
}

void regression_free(struct regression *gate)
{
    free(gate->changes);
    *gate = (struct regression){0};
}
