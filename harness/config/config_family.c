/*
 * The object "generate" of a data set: the family to draw from (dataset_family.h).
 */
#include <cjson/cJSON.h>

#include "harness/config/config_reader.h"

static enum status check_shape(const struct dataset_family *family, const struct json_path *place, const cJSON *json,
                               struct error *error)
{
    static const char *const of_gaussians[] = {"features", "separation", "condition", "density", NULL};
    if (family->shape == FAMILY_CHESSBOARD)
        for (size_t i = 0; of_gaussians[i]; i++)
            if (config_member(json, of_gaussians[i]))
                return json_error(place, error, "shape \"chessboard\" does not read \"%s\"", of_gaussians[i]);
    return STATUS_OK;
}

enum status config_read_family(const cJSON *json, const struct json_path *place, struct config_dataset *dataset,
                               struct error *error)
{
    struct dataset_family *family = &dataset->family;
    const cJSON *object = config_member(json, "generate");
    const struct json_path at = {.file = place->file, .outer = place, .key = "generate"};
    if (!object)
        return STATUS_OK;
    *family = (struct dataset_family){.features = 2, .separation = 2, .condition = 1, .density = 1, .positives = 0.5};
    int shape = FAMILY_GAUSSIANS;
    const struct json_member members[] = {
        {.key = "shape", .required = 1, .choice = &shape, .names = family_shapes},
        {.key = "features", .count = &family->features, .above = 0, .at_most = 1e6},
        {.key = "separation", .number = &family->separation, .above = 0, .is_closed = 1, .at_most = 100},
        {.key = "condition", .number = &family->condition, .above = 1, .is_closed = 1, .at_most = 1e12},
        {.key = "density", .number = &family->density, .above = 0, .at_most = 1},
        {.key = "positives", .number = &family->positives, .above = 0, .at_most = 0.99},
        {.key = "label_noise", .number = &family->label_noise, .above = 0, .is_closed = 1, .at_most = 0.5},
    };
    enum status status = json_only_members(object, &at, members, sizeof members / sizeof *members, error);
    if (status != STATUS_OK)
        return status;
    family->shape = (enum family_shape)shape;
    if (dataset->file || dataset->synthetic)
        return json_error(place, error, "\"generate\" cannot be combined with \"%s\"",
                          dataset->file ? "file" : "synthetic");
    if (!dataset->n_train || !dataset->n_test)
        return json_error(place, error, "\"generate\" needs \"n_train\" and \"n_test\"");
    dataset->is_drawn = 1;
    return check_shape(family, &at, object, error);
}

enum status config_check_families(const struct config_reader *reader)
{
    const struct config *config = reader->config;
    const struct json_path place = {.file = reader->top.file, .outer = &reader->top, .key = "datasets"};
    for (size_t d = 0; d < config->n_datasets; d++) {
        const struct json_path at = {.file = place.file, .outer = &place, .index = d};
        if (!config->datasets[d].is_drawn)
            continue;
        if (config->standardise != STANDARDISE_NONE && config->standardise != STANDARDISE_TRAINING)
            return json_error(&at, reader->error, "\"generate\" needs \"standardise\": \"none\" or \"training\", "
                                                  "because each split is a separate sample");
        if (config->kernel->type == KERNEL_PRECOMPUTED)
            return json_error(&at, reader->error, "\"generate\" cannot be combined with a precomputed kernel");
    }
    return STATUS_OK;
}
