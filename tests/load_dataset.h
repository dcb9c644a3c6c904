/* Data sets for tests that go on after an error. */
#ifndef HULLBENCH_LOAD_DATASET_H
#define HULLBENCH_LOAD_DATASET_H

#include "harness/data/dataset.h"

/* dataset_load in an attempt, into a pool of the set's own. After an error, which may be NULL, *dataset is NULL. */
enum status load_dataset(const struct dataset_request *request, struct dataset **dataset, struct error *error);
/* Releases the set with its pool; accepts NULL. */
void release_dataset(struct dataset *dataset);

#endif
