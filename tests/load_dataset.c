/* Data sets for tests, see load_dataset.h. */
#include "tests/load_dataset.h"

enum status load_dataset(const struct dataset_request *request, struct dataset **dataset, struct error *error)
{
    struct pool *pool = pool_new_owned();
    const enum status status = dataset_try_load(pool, request, dataset, error);
    if (status != STATUS_OK)
        pool_free(pool);
    return status;
}

void release_dataset(struct dataset *dataset)
{
    if (dataset)
        pool_free(dataset->pool);
}
