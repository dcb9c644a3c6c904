/* See verify_run.h. */
#include "harness/folders/verify_run.h"

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/records/run_folder.h"
#include "harness/run/file_hashes.h"

struct verifying {
    struct run_folder folder;
    struct run_verification result;
};

/* Every file is as it was written; what it says must also make sense. A failure of the system is no fault of a file. */
static void read_contents(struct verifying *verifying)
{
    struct run_folder *folder = &verifying->folder;
    struct error error = {0};
    struct string_list *faults = &verifying->result.faults;
    if (!folder->plan_agrees)
        string_list_add(faults,
                        "%s/run.json: was changed: its plan is not that of the configuration, restrictions and data",
                        folder->path);
    enum status status = run_folder_read_records(folder, &error);
    if (status == STATUS_OK && file_hash_listed(folder->info, "timings.jsonl"))
        status = run_folder_read_times(folder, &error);
    if (status == STATUS_OK)
        verifying->result.records = folder->file.n_all;
    else if (status == STATUS_NO_MEMORY || status == STATUS_IO)
        die_of(&error);
    else
        string_list_add(faults, "%s", error.message);
}

static void release(void *data)
{
    struct verifying *verifying = data;
    run_folder_free(&verifying->folder);
    string_list_free(&verifying->result.faults);
    string_list_free(&verifying->result.unchecked);
}

const struct run_verification *run_verify(struct pool *pool, const char *path)
{
    struct verifying *verifying = pool_alloc(pool, sizeof *verifying);
    struct run_verification *result = &verifying->result;
    struct error error = {0};
    pool_keep(pool, release, verifying);
    die_unless_found(run_folder_read(path, FOLDER_FINISHED, &verifying->folder, &error), &error);
    result->files = file_hashes_verify(verifying->folder.info, path, &result->faults, &result->unchecked);
    if (result->faults.count == 0)
        read_contents(verifying);
    return result;
}
