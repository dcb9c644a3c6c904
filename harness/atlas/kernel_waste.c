/*
 * A solution with SV support vectors is determined, and its gap can be computed, by SV rows of N kernel values. Any
 * values computed beyond them belong to patterns that are not support vectors in the end:
 *     share = max(0, 1 - SV N / evaluations),
 * which is 0 if the run needed fewer because it stopped before it had all complete rows. For operations the same share
 * also includes repeated requests.
 */
#include "harness/atlas/kernel_waste.h"

#include <math.h>


struct tallies {
    double *evaluations, *operations, *reuse, *n;
};

static double share_beyond(double needed, double spent)
{
    return spent > needed ? 1 - needed / spent : 0;
}

static void add_run(const struct atlas *atlas, const struct atlas_family *family, size_t at, size_t problem,
                    struct tallies *tallies, size_t *n)
{
    const size_t d = family->problems[problem].dataset;
    const double needed = family->runs[at]->field[FIELD_SUPPORT_VECTORS] * atlas->datasets[d].n_train,
                 evaluations = family->spent[ATLAS_EVALUATIONS][at],
                 operations = family->spent[ATLAS_ALL_OPERATIONS][at];
    if (!atlas_reached(family, at) || !(needed > 0 && evaluations > 0 && operations > 0))
        return;
    tallies->evaluations[d] += share_beyond(needed, evaluations);
    tallies->operations[d] += share_beyond(needed, operations);
    tallies->reuse[d] += log(operations / evaluations);
    tallies->n[d]++;
    ++*n;
}

static void fill_row(struct atlas *atlas, const struct atlas_family *family, size_t series, size_t target,
                     struct kernel_waste *row)
{
    const size_t n = atlas->n_datasets;
    double *memory = pool_array(atlas->scratch, 4 * n, sizeof *memory);
    struct tallies tallies = {memory, memory + n, memory + 2 * n, memory + 3 * n};
    for (size_t p = 0; p < family->n_problems; p++)
        add_run(atlas, family, atlas_at(family, series, p, target), p, &tallies, &row->n);
    row->evaluations = atlas_interval(atlas, tallies.evaluations, tallies.n, 0);
    row->operations = atlas_interval(atlas, tallies.operations, tallies.n, 0);
    row->reuse = atlas_interval(atlas, tallies.reuse, tallies.n, 1);
}

int kernel_waste_of(struct atlas *atlas, const struct atlas_family *family, struct kernel_waste_table *table)
{
    *table = (struct kernel_waste_table){.family = family};
    if (!atlas->sizes_known || family->n_problems == 0)
        return 0;
    table->rows = pool_array(atlas->pool, family->n_series * family->n_targets, sizeof *table->rows);
    for (size_t s = 0; s < family->n_series; s++)
        for (size_t t = 0; t < family->n_targets; t++)
            fill_row(atlas, family, s, t, &table->rows[s * family->n_targets + t]);
    return 1;
}

