/* The manifest and the files with several data sets in them, each read once however many data sets are loaded. */
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset_parts.h"

struct manifest_entry {
    struct manifest_entry *next;
    char *search_path;
    struct manifest *manifest;
};

struct dataset_source {
    struct manifest_entry *manifests; /* more than one only where search paths differ */
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
        struct manifest_entry *entry = source->manifests;
        source->manifests = entry->next;
        manifest_free(entry->manifest);
        free(entry->search_path);
        free(entry);
    }
    free(source);
}

static enum status add_manifest(struct dataset_source *source, const char *search_path, struct error *error)
{
    struct manifest_entry *entry = calloc(1, sizeof *entry);
    if (!entry || !(entry->search_path = strdup(search_path))) {
        free(entry);
        return error_set(error, STATUS_NO_MEMORY, "data sets: out of memory");
    }
    enum status status = manifest_load(search_path, &entry->manifest, error);
    if (status == STATUS_OK) {
        entry->next = source->manifests;
        source->manifests = entry;
        return STATUS_OK;
    }
    free(entry->search_path);
    free(entry);
    return status;
}

enum status dataset_source_manifest(struct dataset_source *source, const char *search_path,
                                    const struct manifest **manifest, struct error *error)
{
    const char *wanted = search_path ? search_path : "";
    enum status status = STATUS_OK;
#pragma omp critical(dataset_source)
    {
        struct manifest_entry *entry = source->manifests;
        while (entry && strcmp(entry->search_path, wanted) != 0)
            entry = entry->next;
        if (!entry)
            status = add_manifest(source, wanted, error);
        *manifest = status == STATUS_OK ? entry ? entry->manifest : source->manifests->manifest : NULL;
    }
    return status;
}

static struct matlab_file *find(const struct dataset_source *source, const char *path)
{
    struct matlab_file *file = source->files;
    while (file && strcmp(file->path, path) != 0)
        file = file->next;
    return file;
}

enum status dataset_source_matlab(struct dataset_source *source, const char *path, const struct matlab_file **out,
                                  struct error *error)
{
    enum status status = STATUS_OK;
#pragma omp critical(matio)
    {
        struct matlab_file *file = find(source, path);
        if (!file && (status = matlab_file_open(path, &file, error)) == STATUS_OK) {
            file->next = source->files;
            source->files = file;
        }
        *out = file;
    }
    return status;
}
