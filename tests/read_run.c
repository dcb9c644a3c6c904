/* See read_run.h. */
#include "tests/read_run.h"

struct trial {
    const char *path;
    struct pool *pool;
    struct record_file *file;
    enum folder_need need;
    enum try_reading reading;
    struct run_folder *folder;
    int found;
};

static void read_file(void *data)
{
    const struct trial *trial = data;
    record_file_read_lines(trial->pool, trial->path, trial->file);
    record_file_parse(trial->file);
}

enum status try_records(const char *path, struct record_file *file, struct error *error)
{
    struct trial trial = {.path = path, .pool = pool_new_owned(), .file = file};
    const enum status status = attempt(read_file, &trial, error);
    file->pool = trial.pool;
    return status;
}

static void read_more(void *data)
{
    struct trial *trial = data;
    if (trial->pool)
        run_folder_open(trial->pool, trial->path, trial->need, trial->folder);
    if (trial->reading == TRY_LINES)
        run_folder_read_lines(trial->folder);
    if (trial->reading == TRY_RECORDS)
        run_folder_read_records(trial->folder);
    if (trial->reading == TRY_TIMES)
        trial->found = run_folder_read_times(trial->folder);
}

enum status try_folder(const char *path, enum folder_need need, enum try_reading reading, struct run_folder *folder,
                       struct error *error)
{
    struct trial trial = {.path = path, .pool = pool_new_owned(), .need = need, .reading = reading, .folder = folder};
    const enum status status = attempt(read_more, &trial, error);
    folder->pool = trial.pool;
    return status;
}

enum status try_more(struct run_folder *folder, enum try_reading reading, int *found, struct error *error)
{
    struct trial trial = {.reading = reading, .folder = folder};
    const enum status status = attempt(read_more, &trial, error);
    if (found)
        *found = trial.found;
    return status;
}
