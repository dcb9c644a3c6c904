/* `hullbench list datasets`: every set is really loaded, so what is listed is what a run would get. */
#include "harness/cli/list_datasets.h"

#include <stdio.h>

#include "harness/data/dataset.h"
#include "harness/data/manifest.h"

static void line(const struct manifest_set *set, size_t rows, size_t dims, size_t positives, size_t official,
                 size_t splits, size_t n_train, size_t n_test, const char *source)
{
    char counts[32], sizes[32];
    snprintf(counts, sizeof counts, "%zu/%zu", official, splits);
    snprintf(sizes, sizeof sizes, "%zu/%zu", n_train, n_test);
    printf("%-14s %6zu %5zu %9.1f%% %9s %10s  %s\n", set->name, rows, dims,
           rows ? 100 * (double)positives / (double)rows : 0,
           counts, sizes, source);
}

static void line_loaded(const struct manifest_set *set, const struct dataset *dataset)
{
    size_t official = 0, positives = 0;
    for (size_t i = 0; i < dataset->n_splits; i++)
        official += dataset->splits[i].source == SPLIT_OFFICIAL;
    for (size_t i = 0; i < dataset->rows; i++)
        if (dataset->y[i] > 0)
            positives += dataset->multiplicity[i];
    line(set, dataset->full_size, dataset->dims, positives, official, dataset->n_splits, dataset->splits[0].n_train,
         dataset->splits[0].n_test, dataset->source);
}

static void line_absent(const struct manifest_set *set, const char *source)
{
    line(set, set->rows, set->dims, set->positives, 0, set->splits, set->n_train, set->n_test, source);
}

enum status list_datasets(const char *search_path, const char *cache, struct error *error)
{
    struct manifest *manifest = NULL;
    struct error first = {STATUS_OK, ""};
    enum status status = manifest_load(search_path, &manifest, error);
    if (status != STATUS_OK)
        return status;
    printf("%-14s %6s %5s %10s %9s %10s  %s\n", "name", "rows", "dims", "positives", "official", "train/test", "from");
    for (size_t i = 0; i < manifest->n_sets; i++) {
        const struct manifest_set *set = &manifest->sets[i];
        struct error reason = {STATUS_OK, ""};
        struct dataset *dataset = NULL;
        const struct dataset_request request = {
            .name = set->name, .search_path = search_path, .cache = cache, .allow_generated = 1};
        status = dataset_load(&request, &dataset, &reason);
        if (status == STATUS_OK)
            line_loaded(set, dataset);
        else if (status == STATUS_NOT_FOUND)
            line_absent(set, "missing: datasets/fetch.sh");
        else
            line_absent(set, reason.message);
        if (status != STATUS_OK && status != STATUS_NOT_FOUND && first.status == STATUS_OK)
            first = reason;
        dataset_free(dataset);
    }
    manifest_free(manifest);
    return first.status == STATUS_OK ? STATUS_OK : error_set(error, first.status, "%s", first.message);
}
