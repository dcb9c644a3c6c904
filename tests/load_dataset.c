/* Data sets for tests, see load_dataset.h. */
#include "tests/load_dataset.h"

#include "harness/base/die.h"

struct loading {
    struct pool *pool;
    const struct dataset_request *request;
    struct dataset *dataset;
};

static void load(void *data)
{
    struct loading *loading = data;
    loading->dataset = dataset_load(loading->pool, loading->request);
}

enum status load_dataset(const struct dataset_request *request, struct dataset **dataset, struct error *error)
{
    struct loading loading = {pool_new_owned(), request, NULL};
    const enum status status = attempt(load, &loading, error);
    if (status != STATUS_OK)
        pool_free(loading.pool);
    *dataset = loading.dataset;
    return status;
}

void release_dataset(struct dataset *dataset)
{
    if (dataset)
        pool_free(dataset->pool);
}
