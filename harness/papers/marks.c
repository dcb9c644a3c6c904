/* Tests and marks of one row; the rule is in the header. */
#include "harness/papers/marks.h"

#include <stdio.h>

#include "harness/stats/rank_sum.h"
#include "harness/stats/summary.h"
#include "harness/program/json_writer.h"
#include "harness/papers/paired.h"

static enum status compare(enum test_kind kind, const struct sample *first, const struct sample *second,
                           struct rank_test *result, size_t *n, struct error *error)
{
    struct pairs pairs = {0};
    if (kind == TEST_RANK_SUM) {
        *n = first->n < second->n ? first->n : second->n;
        return rank_sum_test(first->values, first->n, second->values, second->n, NULL, result, error);
    }
    pairs_of(first, second, &pairs);
    *n = pairs.n;
    enum status status = pairs_test(&pairs, result, error);
    pairs_free(&pairs);
    return status;
}

/* The means of a side's columns and the place of the lowest; *full is 0 where a column has no values. */
static enum status side_means(const struct test_side *side, const struct sample *samples, double *means, size_t *best,
                              int *full, struct error *error)
{
    *best = 0;
    for (size_t i = 0; i < side->n; i++) {
        struct summary summary;
        const struct sample *sample = &samples[side->columns[i]];
        enum status status = summary_of(sample->values, sample->n, &summary, error);
        if (status != STATUS_OK)
            return status;
        *full = *full && sample->n > 0;
        means[i] = summary.mean;
        if (means[i] < means[*best])
            *best = i;
    }
    return STATUS_OK;
}

/* Marks the columns of the better side that share its place; `worse` is the other side's best column. */
static enum status mark_side(const struct paper_test *test, const struct test_side *side, size_t best,
                             const double *means, size_t worse, double worse_mean, const struct sample *samples,
                             struct test_finding *finding, struct error *error)
{
    finding->marked = (uint64_t)1 << side->columns[best];
    for (size_t i = 0; i < side->n; i++) {
        struct rank_test with_best, with_worse;
        size_t n = 0, column = side->columns[i];
        if (i == best || !(means[i] < worse_mean))
            continue;
        enum status status =
            compare(test->kind, &samples[column], &samples[side->columns[best]], &with_best, &n, error);
        if (status == STATUS_OK)
            status = compare(test->kind, &samples[column], &samples[worse], &with_worse, &n, error);
        if (status != STATUS_OK)
            return status;
        if (with_best.p_value >= test->level && with_worse.p_value < test->level)
            finding->marked |= (uint64_t)1 << column;
    }
    return STATUS_OK;
}

/* Tests samples that stand at the places of the table's columns. */
static enum status test_samples(const struct paper_test *test, const struct sample *samples,
                                struct test_finding *finding, struct error *error)
{
    double means[2][TEST_SIDE_MAX];
    size_t best[2] = {0, 0};
    int full = 1;
    for (int s = 0; s < 2; s++) {
        enum status status = side_means(&test->sides[s], samples, means[s], &best[s], &full, error);
        if (status != STATUS_OK)
            return status;
        finding->columns[s] = test->sides[s].columns[full ? best[s] : 0];
    }
    if (!full)
        return STATUS_OK;
    enum status status = compare(test->kind, &samples[finding->columns[0]], &samples[finding->columns[1]],
                                 &finding->result, &finding->n, error);
    finding->significant = status == STATUS_OK && finding->n > 0 && finding->result.p_value < test->level;
    double first = means[0][best[0]], second = means[1][best[1]];
    if (!finding->significant || !test->mark || first == second)
        return status;
    int better = second < first;
    return mark_side(test, &test->sides[better], best[better], means[better], finding->columns[!better],
                     means[!better][best[!better]], samples, finding, error);
}

enum status marks_test(const struct paper_test *test, const struct sample *samples, struct test_finding *finding,
                       struct error *error)
{
    const struct sample *asked[2 * TEST_SIDE_MAX] = {NULL};
    struct sample shared[2 * TEST_SIDE_MAX], placed[TABLE_COLUMNS_MAX] = {{0}};
    size_t count = 0;
    *finding = (struct test_finding){.result = {.p_value = 1}};
    if (test->kind != TEST_SIGNED_RANK)
        return test_samples(test, samples, finding, error);
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < test->sides[s].n; i++)
            asked[count++] = &samples[test->sides[s].columns[i]];
    samples_shared(asked, count, shared);
    for (size_t k = 0; k < count; k++)
        placed[asked[k] - samples] = shared[k];
    enum status status = test_samples(test, placed, finding, error);
    for (size_t k = 0; k < count; k++)
        sample_free(&shared[k]);
    return status;
}

enum marked_side marked_side(const struct paper_test *test, uint64_t marked)
{
    int on[2] = {0, 0};
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < test->sides[s].n; i++)
            on[s] |= (int)(marked >> test->sides[s].columns[i] & 1);
    return on[0] && on[1] ? MARKED_BOTH : on[0] ? MARKED_FIRST : on[1] ? MARKED_SECOND : MARKED_NOWHERE;
}

void marks_text(const struct paper_table *table, size_t column, const uint64_t *marked, char *text, size_t size)
{
    static const char *const superscripts[] = {"", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < table->n_tests && used < size; k++)
        if (marked[k] >> column & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "",
                                     superscripts[table->tests[k].mark]);
}

void marks_json(struct cJSON *object, const char *key, const struct paper_table *table, uint64_t marked)
{
    cJSON *list = json_put_array(object, key);
    for (size_t j = 0; j < table->n_columns; j++)
        if (marked >> j & 1)
            json_add_text(list, table->columns[j].key);
}
