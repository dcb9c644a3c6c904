/*
 * Expands the values of a swept setting, and compares the best one again. It is chosen on the odd splits and compared
 * on the even ones. The two halves share no split, so the choice does not bias the second comparison. But splits of one
 * data set share patterns, and both halves come from the same data sets.
 */
#include "harness/compare/value_sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/records/coverage.h"

static int is_swept(const struct solver_setting *setting)
{
    return strcmp(setting->value, "*") == 0 || strchr(setting->value, '|') != NULL;
}

/* ---- the values ---- */

/* Collects the values in the solver's records with the other settings, in ascending order; returns their number. */
static size_t values_of_records(const struct solver_choice *choice, size_t swept, const struct records *records,
                                const struct setting **values)
{
    size_t n = 0;
    for (size_t r = 0; r < records->count; r++) {
        const struct record *record = records->items[r];
        const struct setting *found = record_setting(record, choice->settings[swept].name);
        size_t known = 0, at;
        if (!found || !solver_choice_matches(choice, record))
            continue;
        while (known < n && strcmp(values[known]->text, found->text) != 0)
            known++;
        if (known < n)
            continue;
        for (at = n++; at > 0 && values[at - 1]->number > found->number; at--)
            values[at] = values[at - 1];
        values[at] = found;
    }
    return n;
}

/* "2|4|8" from the records' values; NULL if there are none. */
static const char *list_of_records(struct pool *pool, const struct solver_choice *choice, size_t swept,
                                   const struct records *records)
{
    const struct setting **values = pool_array(pool, records->count, sizeof *values);
    const size_t n = values_of_records(choice, swept, records, values);
    const char *list = NULL;
    for (size_t i = 0; i < n; i++)
        list = pool_printf(pool, "%s%s%s", i ? list : "", i ? "|" : "", values[i]->text);
    return list;
}

/* ---- expanding a choice ---- */

/* A list of choices that grows. */
struct choice_list {
    struct solver_choice *item;
    size_t count, capacity;
};

static void add_choice(struct pool *pool, struct choice_list *choices, const struct solver_choice *from, size_t swept,
                       const char *value, size_t length, size_t sweep)
{
    struct solver_choice *choice = pool_push(pool, choices);
    *choice = (struct solver_choice){.name = from->name,
                                     .text = from->name,
                                     .n_settings = from->n_settings,
                                     .settings = pool_array(pool, from->n_settings, sizeof *choice->settings),
                                     .sweep = sweep};
    for (size_t i = 0; i < from->n_settings; i++) {
        struct solver_setting *setting = &choice->settings[i];
        *setting = from->settings[i];
        if (i == swept)
            setting->value = pool_strndup(pool, value, length);
        choice->text = pool_printf(pool, "%s%s%s=%s%s", choice->text, i ? "," : "[", setting->name, setting->value,
                                   i + 1 == from->n_settings ? "]" : "");
    }
    choice->swept = sweep ? choice->settings[swept].name : NULL;
}

static void add_values(struct pool *pool, const char *option, const struct solver_choice *from, size_t swept,
                       const char *list, size_t sweep, struct choice_list *choices)
{
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, "|");
        if (length == 0)
            die(STATUS_BAD_INPUT, "%s: \"%s\" has an empty value of %s", option, from->text,
                from->settings[swept].name);
        add_choice(pool, choices, from, swept, at, length, sweep);
        for (size_t i = 0; i + 1 < choices->count; i++)
            if (strcmp(choices->item[i].text, choices->item[choices->count - 1].text) == 0)
                die(STATUS_BAD_INPUT, "%s: \"%s\" occurs twice", option, choices->item[i].text);
        at += length;
        if (!*at)
            return;
    }
}

static void expand_one(struct pool *pool, const char *option, const struct solver_choice *from,
                       const struct records *records, size_t sweep, struct choice_list *choices)
{
    size_t swept = from->n_settings;
    for (size_t i = 0; i < from->n_settings; i++) {
        if (is_swept(&from->settings[i]) && swept < from->n_settings)
            die(STATUS_BAD_INPUT, "%s: \"%s\" sweeps %s and %s; allowed: several values of one setting", option,
                from->text, from->settings[swept].name, from->settings[i].name);
        swept = is_swept(&from->settings[i]) ? i : swept;
    }
    if (swept == from->n_settings) {
        add_choice(pool, choices, from, swept, "", 0, 0);
        return;
    }
    const char *list = from->settings[swept].value;
    if (strcmp(list, "*") == 0 && records)
        list = list_of_records(pool, from, swept, records);
    if (!list)
        die(STATUS_BAD_INPUT, "%s: no record of %s has a setting \"%s\"", option, from->text,
            from->settings[swept].name);
    add_values(pool, option, from, swept, list, sweep, choices);
}

struct solver_choices sweep_expand(struct pool *pool, const char *option, const struct records *records,
                                   const struct solver_choices *choices)
{
    struct choice_list expanded = {0};
    for (size_t i = 0; i < choices->count; i++)
        expand_one(pool, option, &choices->items[i], records, i + 1, &expanded);
    return (struct solver_choices){expanded.item, expanded.count};
}

/* ---- the best value ---- */

static struct solver_choice half_of(const struct solver_choice *choice, enum choice_half half)
{
    struct solver_choice part = *choice;
    part.half = half;
    return part;
}

/* The logarithm of the ratio of costs on the odd splits; NAN if there is none. Adds the records of the pairs. */
static double ratio_on_odd(struct pool *pool, const struct compare_options *options, const struct run_folders *runs,
                           const struct solver_choice *baseline, const struct solver_choice *candidate,
                           struct records *paired)
{
    const struct solver_choice parts[ARMS] = {half_of(baseline, SPLITS_ODD), half_of(candidate, SPLITS_ODD)};
    const struct solver_choice *const choices[ARMS] = {&parts[BASELINE], &parts[CANDIDATE]};
    const struct comparison comparison = compare_runs(pool, options, runs, choices);
    if (comparison.obstacle)
        return (double)NAN;
    for (size_t p = 0; p < comparison.pairing.n_pairs; p++)
        records_add(paired, comparison.pairing.pairs[p].records[CANDIDATE]);
    const struct finding finding = finding_of(&comparison);
    return finding.cost.estimate.n > 0 ? finding.cost.estimate.difference.estimate : (double)NAN;
}

/* Chooses among those of the `count` choices of one sweep that all have the same pairs, or the most, and compares the
 * best with the baseline on the even splits. */
static void pick(const struct compare_options *options, struct comparisons *comparisons,
                 const struct solver_choice *baseline, const struct solver_choice *values, size_t count)
{
    struct comparisons *confirmed = comparisons->confirmed;
    struct sweep_pick best = {.baseline = baseline, .values = count, .log_ratio = (double)INFINITY};
    struct pool *pool = pool_new();
    struct records *paired = pool_array(pool, count, sizeof *paired);
    double *ratios = pool_array(pool, count, sizeof *ratios);
    for (size_t i = 0; i < count; i++) {
        paired[i].pool = pool;
        ratios[i] = ratio_on_odd(pool, options, comparisons->runs, baseline, &values[i], &paired[i]);
    }
    const struct coverage coverage = coverage_of_records(pool, paired, count, 0);
    for (size_t i = 0; i < count; i++) {
        if (!coverage_is_full(&coverage, i))
            best.n_incomplete += paired[i].count > 0;
        else if (ratios[i] < best.log_ratio) {
            best.log_ratio = ratios[i];
            best.chosen = &values[i];
        }
    }
    pool_free(pool);
    if (!best.chosen && best.n_incomplete > 0)
        comparisons_omit(comparisons, baseline->text, values[0].name,
                         "no value of the sweep has all data sets and splits of the others, so none is chosen");
    if (!best.chosen)
        return;
    const struct solver_choice parts[ARMS] = {half_of(baseline, SPLITS_EVEN), half_of(best.chosen, SPLITS_EVEN)};
    best.at = confirmed->n;
    best.omitted = confirmed->omitted.count;
    comparisons_add(confirmed, options,
                    (const struct solver_choice *const[ARMS]){&parts[BASELINE], &parts[CANDIDATE]});
    best.is_compared = confirmed->n > best.at;
    *pool_push(comparisons->pool, &comparisons->picks) = best;
}

size_t sweep_end(const struct solver_choices *choices, size_t first)
{
    size_t end = first;
    while (end < choices->count && choices->items[end].sweep == choices->items[first].sweep)
        end++;
    return end;
}

const char *sweep_value(const struct solver_choice *choice)
{
    size_t i = 0;
    while (strcmp(choice->settings[i].name, choice->swept) != 0)
        i++;
    return choice->settings[i].value;
}

static const char *sentence_of(const struct comparisons *confirmed, const struct sweep_pick *pick)
{
    struct pool *pool = confirmed->pool;
    const char *outcome =
        pick->is_compared ? confirmed->sentences[pick->at] : confirmed->omitted.item[pick->omitted].reason;
    const char *incomplete =
        pick->n_incomplete ? pool_printf(pool, " (%zu left out, since they lack data sets or splits of others)",
                                         pick->n_incomplete)
                           : "";
    return pool_printf(pool,
                       "Of the %zu values of %s%s, %s costs least compared with %s on the odd splits (ratio %.3g). The "
                       "best value looks too good on the splits on which it was chosen. On the even splits, which were "
                       "not used for the choice: %s%s",
                       pick->values, pick->chosen->swept, incomplete, sweep_value(pick->chosen), pick->baseline->text,
                       exp(pick->log_ratio), outcome, pick->is_compared ? "" : ".");
}

void sweep_confirm(const struct compare_options *options, struct comparisons *comparisons)
{
    const struct solver_choices *candidates = &comparisons->sides[CANDIDATE];
    const struct solver_choices *baselines = &comparisons->sides[BASELINE];
    comparisons->confirmed =
        comparisons_new(comparisons->pool, comparisons->runs, baselines->count * candidates->count);
    for (size_t c = 0, end; c < candidates->count; c = end) {
        end = sweep_end(candidates, c);
        for (size_t b = 0; b < baselines->count && candidates->items[c].sweep && end - c > 1; b++)
            pick(options, comparisons, &baselines->items[b], &candidates->items[c], end - c);
    }
    comparisons_conclude(comparisons->confirmed, &comparisons->left_out);
    for (size_t i = 0; i < comparisons->picks.count; i++)
        comparisons->picks.item[i].sentence = sentence_of(comparisons->confirmed, &comparisons->picks.item[i]);
}

/* ---- --sweep ---- */

char *sweep_add(struct pool *pool, const char *list, const char *sweep)
{
    const char *equals = strchr(sweep, '=');
    char *text = NULL;
    size_t size;
    int inside = 0;
    if (!equals || equals == sweep || !equals[1] || strpbrk(sweep, "[]|"))
        return NULL;
    char *values = pool_strdup(pool, equals + 1);
    for (char *at = values; (at = strchr(at, ',')) != NULL;)
        *at = '|';
    FILE *stream = xopen_text(&text, &size);
    for (const char *at = list;; at++) {
        int ends = !*at || (*at == ',' && !inside), closes = *at == ']';
        if (closes || (ends && (at == list || at[-1] != ']')))
            fprintf(stream, "%c%.*s=%s]", closes ? ',' : '[', (int)(equals - sweep), sweep, values);
        inside = *at == '[' || (inside && !closes);
        if (!*at)
            break;
        if (!closes)
            fputc(*at, stream);
    }
    xclose_text(stream);
    pool_keep(pool, free, text);
    return text;
}
