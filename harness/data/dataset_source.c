/* The manifest and the files with several data sets, each read once for any number of loads. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/die.h"
#include "harness/base/memory.h"
#include "harness/base/pool.h"
#include "harness/data/dataset_parts.h"

struct dataset_source {
    struct pool *pool;
    struct manifest *manifests; /* more than one only if search paths differ */
    struct matlab_file *files;
};

static void release_file(void *file)
{
    matlab_file_free(file);
}

struct dataset_source *dataset_source_new(struct pool *pool)
{
    struct dataset_source *source = pool_alloc(pool, sizeof *source);
    source->pool = pool;
    return source;
}

struct loading {
    struct dataset_source *source;
    const char *path;
    struct manifest *manifest;
    struct matlab_file *file;
};

static void load_manifest(void *data)
{
    struct loading *loading = data;
    loading->manifest = manifest_load(loading->source->pool, loading->path);
}

static void open_matlab(void *data)
{
    struct loading *loading = data;
    struct error error;
    if (matlab_file_open(loading->path, &loading->file, &error) != STATUS_OK)
        die_of(&error);
}

/* An attempt, since an error must not leave the critical region otherwise. */
enum status dataset_source_manifest(struct dataset_source *source, const char *search_path,
                                    const struct manifest **out, struct error *error)
{
    const char *wanted = search_path ? search_path : "";
    enum status status = STATUS_OK;
#pragma omp critical(dataset_source)
    {
        struct manifest *manifest = source->manifests;
        while (manifest && strcmp(manifest->search_path, wanted) != 0)
            manifest = manifest->next;
        if (!manifest) {
            struct loading loading = {source, wanted, NULL, NULL};
            status = attempt(load_manifest, &loading, error);
            manifest = loading.manifest;
            if (manifest) {
                manifest->next = source->manifests;
                source->manifests = manifest;
            }
        }
        *out = manifest;
    }
    return status;
}

enum status dataset_source_matlab(struct dataset_source *source, const char *path, const struct matlab_file **out,
                                  struct error *error)
{
    enum status status = STATUS_OK;
#pragma omp critical(matio)
    {
        struct matlab_file *file = source->files;
        while (file && strcmp(file->path, path) != 0)
            file = file->next;
        if (!file) {
            struct loading loading = {source, path, NULL, NULL};
            status = attempt(open_matlab, &loading, error);
            file = loading.file;
            if (file) {
                pool_keep(source->pool, release_file, file);
                file->next = source->files;
                source->files = file;
            }
        }
        *out = file;
    }
    return status;
}
