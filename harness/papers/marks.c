/* Tests and marks of one row, by the rule in the header. */
#include "harness/papers/marks.h"

#include "harness/base/json_writer.h"

static double mean_of(const struct sample *sample)
{
    return summary_of(sample->values, sample->n).mean;
}

static int has_values(const struct test_side *side, const struct sample *samples)
{
    for (size_t i = 0; i < side->n; i++)
        if (samples[side->columns[i]].n == 0)
            return 0;
    return 1;
}

static size_t lowest_mean(const struct test_side *side, const struct sample *samples)
{
    size_t best = side->columns[0];
    for (size_t i = 1; i < side->n; i++)
        if (mean_of(&samples[side->columns[i]]) < mean_of(&samples[best]))
            best = side->columns[i];
    return best;
}

/* Marks the best column of the better side, and its other columns that qualify by the rule in the header. */
static uint64_t mark_side(const struct paper_test *test, const struct test_side *side, size_t best, size_t worse,
                          const struct sample *samples)
{
    uint64_t marked = (uint64_t)1 << best;
    for (size_t i = 0; i < side->n; i++) {
        const struct sample *column = &samples[side->columns[i]];
        struct rank_test with_best, with_worse;
        if (side->columns[i] == best || !(mean_of(column) < mean_of(&samples[worse])))
            continue;
        samples_test(test->kind, column, &samples[best], &with_best);
        samples_test(test->kind, column, &samples[worse], &with_worse);
        if (with_best.p_value >= test->level && with_worse.p_value < test->level)
            marked |= (uint64_t)1 << side->columns[i];
    }
    return marked;
}

/* Tests samples indexed by the table's columns; for signed-rank tests, on the splits that they share. */
static struct test_finding test_samples(const struct paper_test *test, const struct sample *samples)
{
    struct test_finding finding = {.result = {.p_value = 1}};
    int full = 1;
    for (int s = 0; s < 2; s++) {
        full = full && has_values(&test->sides[s], samples);
        finding.columns[s] = full ? lowest_mean(&test->sides[s], samples) : test->sides[s].columns[0];
    }
    if (!full)
        return finding;
    const struct sample *first = &samples[finding.columns[0]], *second = &samples[finding.columns[1]];
    finding.n = samples_test(test->kind, first, second, &finding.result);
    finding.significant = finding.n > 0 && finding.result.p_value < test->level;
    int better = mean_of(second) < mean_of(first);
    if (finding.significant && test->mark && mean_of(first) != mean_of(second))
        finding.marked = mark_side(test, &test->sides[better], finding.columns[better], finding.columns[!better],
                                   samples);
    return finding;
}

struct test_finding marks_test(struct pool *pool, const struct paper_test *test, const struct sample *samples)
{
    const struct sample *asked[2 * TEST_SIDE_MAX] = {NULL};
    struct sample shared[2 * TEST_SIDE_MAX], placed[TABLE_COLUMNS_MAX] = {{0}};
    size_t count = 0;
    if (test->kind != TEST_SIGNED_RANK)
        return test_samples(test, samples);
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < test->sides[s].n; i++)
            asked[count++] = &samples[test->sides[s].columns[i]];
    samples_shared(pool, asked, count, shared);
    for (size_t k = 0; k < count; k++)
        placed[asked[k] - samples] = shared[k];
    return test_samples(test, placed);
}

enum marked_side marked_side(const struct paper_test *test, uint64_t marked)
{
    int on[2] = {0, 0};
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < test->sides[s].n; i++)
            on[s] |= (int)(marked >> test->sides[s].columns[i] & 1);
    return on[0] && on[1] ? MARKED_BOTH : on[0] ? MARKED_FIRST : on[1] ? MARKED_SECOND : MARKED_NOWHERE;
}

void marks_json(struct cJSON *object, const char *key, const struct paper_table *table, uint64_t marked)
{
    cJSON *list = json_put_array(object, key);
    for (size_t j = 0; j < table->n_columns; j++)
        if (marked >> j & 1)
            json_add_text(list, table->columns[j].key);
}
