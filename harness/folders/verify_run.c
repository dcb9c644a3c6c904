/* See verify_run.h. */
#include "harness/folders/verify_run.h"

#include "harness/base/memory.h"
#include "harness/records/run_folder.h"
#include "harness/run/file_hashes.h"

static void add_fault(struct run_verification *verification, const struct error *cause)
{
    if (!string_list_add(&verification->faults, "%s", cause->message))
        out_of_memory();
}

/* Every file is as it was written; what it says must also make sense. A failure of the system is no fault of a file. */
static enum status read_contents(struct run_folder *folder, struct run_verification *verification,
                                 struct error *error)
{
    struct error cause = {0};
    if (!folder->plan_agrees) {
        error_set(&cause, STATUS_BAD_INPUT,
                  "%s/run.json: was changed: its plan is not that of the configuration, restrictions and data",
                  folder->path);
        add_fault(verification, &cause);
    }
    enum status status = run_folder_read_records(folder, &cause);
    if (status == STATUS_OK && file_hash_listed(folder->info, "timings.jsonl"))
        status = run_folder_read_times(folder, &cause);
    if (status == STATUS_NO_MEMORY || status == STATUS_IO)
        return error_set(error, status, "%s", cause.message);
    if (status != STATUS_OK)
        add_fault(verification, &cause);
    else
        verification->records = folder->file.n_all;
    return STATUS_OK;
}

enum status run_verify(const char *path, struct run_verification *verification, struct error *error)
{
    struct run_folder folder = {0};
    struct error cause = {0};
    *verification = (struct run_verification){0};
    enum status status = run_folder_read(path, FOLDER_FINISHED, &folder, &cause);
    if (status == STATUS_OK)
        status = file_hashes_verify(folder.info, path, &verification->faults, &verification->unchecked,
                                    &verification->files, &cause);
    if (status == STATUS_OK && verification->faults.count == 0)
        status = read_contents(&folder, verification, &cause);
    if (status != STATUS_OK)
        error_set(error, status == STATUS_NOT_FOUND ? STATUS_BAD_INPUT : status, "%s", cause.message);
    run_folder_free(&folder);
    return status == STATUS_NOT_FOUND ? STATUS_BAD_INPUT : status;
}

void run_verification_free(struct run_verification *verification)
{
    string_list_free(&verification->faults);
    string_list_free(&verification->unchecked);
}
