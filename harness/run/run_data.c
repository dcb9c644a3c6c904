/*
 * Loads the data sets of a run. Each is read by a separate thread, because files are hashed, checked and decompressed
 * as a whole. Missing sets are recorded; only the first error, in configuration order, is reported.
 */
#include "harness/run/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/base/die.h"

void run_transform_dataset(const struct config *config, struct dataset *dataset)
{
    if (config->kernel->type == KERNEL_PRECOMPUTED)
        dataset_make_symmetric(dataset);
    dataset_standardise(dataset, config_standardise(config));
    if (config->reverse_training)
        dataset_reverse_training(dataset);
    if (config->swap_labels)
        dataset_swap_labels(dataset);
}

struct loading {
    const struct run *run;
    const struct dataset_spec *wanted;
    int needs_file;
    struct pool *pool;
    struct dataset *dataset;
    struct error error;
};

static void load_dataset(void *data)
{
    struct loading *loading = data;
    const struct run *run = loading->run;
    const struct config *config = run->config;
    const struct dataset_spec *wanted = loading->wanted;
    const struct dataset_request request = {
        .set = *wanted,
        .search_path = run->options->search_path,
        .cache = run->options->cache,
        .want_splits = wanted->file || wanted->family ? config->splits[config->n_splits - 1] : 0,
        .draws = config->draws,
        .config = run->options->config,
        .folds = config->folds,
        .seed = config->seed,
        .allow_generated = config->generate_missing && !loading->needs_file,
        .watch = run->options->reading,
        .source = config->source,
    };
    loading->dataset = dataset_load(loading->pool, &request);
    run_transform_dataset(config, loading->dataset);
}

/* An attempt, into a pool of the set's own, since threads share none. The error of a missing set has
 * STATUS_NOT_FOUND. */
static void try_dataset(struct loading *loading)
{
    loading->needs_file = config_names(loading->run->options->from_files, loading->wanted->name);
    loading->pool = pool_new_owned();
    if (attempt(load_dataset, loading, &loading->error) == STATUS_OK)
        return;
    pool_free(loading->pool);
    loading->dataset = NULL;
    if (loading->error.status == STATUS_NOT_FOUND && loading->wanted->file && !loading->needs_file)
        loading->error.status = STATUS_BAD_INPUT;
}

void run_load_datasets(struct run *run)
{
    const size_t count = run->config->n_datasets;
    struct loading *loading = xcalloc(count, sizeof *loading);
    run->datasets = xcalloc(count, sizeof *run->datasets);
    run->missing = xcalloc(count, sizeof *run->missing);
#pragma omp parallel for schedule(dynamic, 1) num_threads(run_threads(run->options))
    for (size_t d = 0; d < count; d++) {
        loading[d] = (struct loading){.run = run, .wanted = &run->config->datasets[d]};
        try_dataset(&loading[d]);
        run->datasets[d] = loading[d].dataset;
    }
    for (size_t d = 0; d < count; d++)
        if (loading[d].error.status == STATUS_NOT_FOUND) {
            struct missing_dataset *missing = &run->missing[run->n_missing++];
            missing->name = run->config->datasets[d].name;
            snprintf(missing->reason, sizeof missing->reason, "%s", loading[d].error.message);
        } else if (loading[d].error.status != STATUS_OK)
            die_of(&loading[d].error);
    free(loading);
}
