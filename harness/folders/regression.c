/* Compares a run with a baseline (regression.h). Both sides are sorted, so one pass over both finds missing, new and
 * changed records. */
#include "harness/folders/regression.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"

static void add_change(struct pool *pool, struct regression *regression, const struct change *change)
{
    *pool_push(pool, &regression->changes) = *change;
    regression->kinds[change->kind]++;
}

static void compare_data(struct pool *pool, struct regression *regression, const cJSON *before,
                         const struct run_info *run)
{
    const cJSON *item = NULL;
    cJSON_ArrayForEach (item, before) {
        const struct run_info_data *data = run_info_data(run, item->string);
        const char *was = cJSON_GetStringValue(item), *is = data && data->sha256 ? data->sha256 : "";
        struct change change = {
            .kind = CHANGE_DATA, .dataset = item->string, .was_hash = was ? was : "", .is_hash = is};
        if (data && strcmp(change.was_hash, is) != 0) /* a missing set is reported through its missing records */
            add_change(pool, regression, &change);
    }
}

static void compare_pair(struct pool *pool, struct regression *regression, const struct record *was,
                         const struct record *is, const struct tolerance *tolerances, int accuracy)
{
    size_t before = regression->changes.count;
    struct change change = {.kind = CHANGE_OUTCOME, .was = was, .is = is};
    if (strcmp(was->outcome, is->outcome) != 0)
        add_change(pool, regression, &change);
    change.kind = CHANGE_VALUE;
    for (enum record_field q = 0; q < RECORD_FIELDS; q++) {
        if (!quantity_is_compared(q, accuracy))
            continue;
        struct quantity_total *total = &regression->totals[q];
        const double old = quantity_of(was, q), now = quantity_of(is, q);
        change.quantity = q;
        change.size = isnan(old) || isnan(now) || old == 0 ? HUGE_VAL : fabs((now - old) / old);
        change.allowed = tolerance_allows(&tolerances[q], was, q);
        total->was += isnan(old) ? 0 : old;
        total->is += isnan(now) ? 0 : now;
        if (tolerance_holds(&tolerances[q], was, is, q))
            continue;
        total->moved++;
        add_change(pool, regression, &change);
    }
    regression->compared++;
    regression->moved += regression->changes.count > before;
}

static void compare_entries(struct pool *pool, struct regression *regression, const struct baseline *baseline,
                            const struct measured_run *measured, const struct tolerance *tolerances, int subset)
{
    const struct records *old = &baseline->entries, *now = &measured->entries;
    for (size_t o = 0, n = 0; o < old->count || n < now->count;) {
        int order = o == old->count ? 1 : n == now->count ? -1 : entries_compare(old->items[o], now->items[n]);
        struct change change = {.kind = order < 0 ? CHANGE_MISSING : CHANGE_NEW};
        if (order <= 0)
            change.was = old->items[o++];
        if (order >= 0)
            change.is = now->items[n++];
        if (order == 0)
            compare_pair(pool, regression, change.was, change.is, tolerances, baseline->has_accuracy);
        else if (order < 0 && subset && run_leaves_out(measured, change.was))
            regression->passed++;
        else
            add_change(pool, regression, &change);
    }
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
    int order = entries_compare(x->was ? x->was : x->is, y->was ? y->was : y->is);
    return order ? order : (x->quantity > y->quantity) - (x->quantity < y->quantity);
}

struct regression regression_compare(struct pool *pool, const struct baseline *baseline,
                                     const struct measured_run *measured,
                                     const struct tolerance tolerances[RECORD_FIELDS], int subset)
{
    const struct run_info *run = &measured->folder.run;
    struct regression regression = {0};
    if (strcmp(baseline->config, run->config) != 0)
        die(STATUS_BAD_INPUT, "%s: is a run of \"%s\", but the reference counts are of \"%s\"", measured->folder.path,
            run->config, baseline->config);
    compare_data(pool, &regression, baseline->data, run);
    compare_entries(pool, &regression, baseline, measured, tolerances, subset);
    if (regression.changes.count)
        qsort(regression.changes.item, regression.changes.count, sizeof *regression.changes.item, worse_first);
    return regression;
}

/* ---- a summary for people: changes, worst first, then sums over all records ---- */

const char *change_text(const struct change *change, char *text, size_t size)
{
    static const char *const words[2][3] = {{"better", "larger", "worse"}, {"worse", "smaller", "better"}};
    double was = quantity_of(change->was, change->quantity), is = quantity_of(change->is, change->quantity);
    int direction = quantity_direction(change->was, change->quantity);
    if (isnan(was) || isnan(is))
        snprintf(text, size, "known on one side only");
    else
        snprintf(text, size, "%.2g %s, allowed %.2g", fabs(is - was),
                 is > was ? words[0][1 - direction] : words[1][1 - direction], change->allowed);
    return text;
}

static void print_value(FILE *stream, double value, enum record_field quantity)
{
    if (isnan(value))
        fprintf(stream, " %13s", quantity_is_count(quantity) ? "not counted" : "not known");
    else
        fprintf(stream, quantity_is_count(quantity) ? " %13.0f" : " %13.7g", value);
}

static void print_growth(FILE *stream, double was, double is)
{
    if (isnan(was) || isnan(is))
        fprintf(stream, " %22s", "");
    else if (was == 0)
        fprintf(stream, " %+12.0f %9s", is - was, "from 0");
    else
        fprintf(stream, " %+12.0f %+7.2f %%", is - was, 100 * (is - was) / was);
}

static void print_change(FILE *stream, const struct change *change)
{
    static const char *const kinds[CHANGE_KINDS] = {"data", "missing", "outcome", "moved", "new"};
    const struct record *entry = change->was ? change->was : change->is;
    char settings[256], accuracy[80];
    if (change->kind == CHANGE_DATA) {
        fprintf(stream, "%-8s%-22s SHA-256 was %.16s..., is %.16s...\n", kinds[change->kind], change->dataset,
                change->was_hash, change->is_hash);
        return;
    }
    fprintf(stream, "%-8s%-22s %-14s %5zu ", kinds[change->kind], entry->solver, entry->dataset, entry->split);
    if (change->kind == CHANGE_OUTCOME)
        fprintf(stream, "%-28s %13s %13s %22s", "outcome", change->was->outcome, change->is->outcome, "");
    if (change->kind == CHANGE_VALUE) {
        double was = quantity_of(change->was, change->quantity), is = quantity_of(change->is, change->quantity);
        fprintf(stream, "%-28s", measure_path(change->quantity));
        print_value(stream, was, change->quantity);
        print_value(stream, is, change->quantity);
        if (quantity_is_count(change->quantity))
            print_growth(stream, was, is);
        else
            fprintf(stream, "  %s", change_text(change, accuracy, sizeof accuracy));
    }
    fprintf(stream, "  %s\n", record_settings_text(entry, settings, sizeof settings));
}

void regression_print(const struct regression *regression, size_t max, FILE *stream)
{
    size_t shown = regression->changes.count < max ? regression->changes.count : max;
    if (shown)
        fprintf(stream, "%-8s%-22s %-14s %5s %-28s %13s %13s %12s %9s  %s\n", "", "solver", "data set", "split",
                "figure", "was", "is", "change", "", "settings");
    for (size_t i = 0; i < shown; i++)
        print_change(stream, &regression->changes.item[i]);
    if (shown < regression->changes.count)
        fprintf(stream, "... and %zu more lines (--all shows them)\n", regression->changes.count - shown);
    for (enum record_field q = 0; q < RECORD_FIELDS; q++) {
        const struct quantity_total *total = &regression->totals[q];
        if (!total->moved)
            continue;
        fprintf(stream, "sum     %-22s %zu of %zu records moved %-15s", "", total->moved, regression->compared, "");
        fprintf(stream, quantity_is_count(q) ? "%-28s" : "%s", measure_path(q));
        if (quantity_is_count(q)) {
            print_value(stream, total->was, q);
            print_value(stream, total->is, q);
            print_growth(stream, total->was, total->is);
        }
        fputc('\n', stream);
    }
}
