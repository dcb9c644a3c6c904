/* The manifest and the files with several data sets, each read once for any number of loads. */
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset_parts.h"

struct dataset_source {
    struct manifest *manifests; /* more than one only if search paths differ */
    struct matlab_file *files;
};

enum status dataset_source_open(struct dataset_source **source, struct error *error)
{
    *source = calloc(1, sizeof **source);
    return *source ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "data sets: out of memory");
}

void dataset_source_close(struct dataset_source *source)
{
    while (source && source->files) {
        struct matlab_file *file = source->files;
        source->files = file->next;
        matlab_file_free(file);
    }
    while (source && source->manifests) {
        struct manifest *manifest = source->manifests;
        source->manifests = manifest->next;
        manifest_free(manifest);
    }
    free(source);
}

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
        if (!manifest && (status = manifest_load(wanted, &manifest, error)) == STATUS_OK) {
            manifest->next = source->manifests;
            source->manifests = manifest;
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
        if (!file && (status = matlab_file_open(path, &file, error)) == STATUS_OK) {
            file->next = source->files;
            source->files = file;
        }
        *out = file;
    }
    return status;
}
