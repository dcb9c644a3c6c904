/*
 * Writes atlas.json and atlas.html, the interactive page with the same data. Large arrays are flat and numbers have
 * four digits, to keep the file small enough for a page. Solvers, targets, values of C and factors are listed once and
 * referred to by index. Summaries of several runs of a cell are ordered by solver, then by target.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/atlas/atlas.h"
#include "harness/base/json_writer.h"
#include "harness/format/page.h"
#include "harness/support/file.h"

void atlas_json_numbers(cJSON *object, const char *key, const double *numbers, size_t n, size_t stride)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&text, &size);
    for (size_t i = 0; i < n; i++) {
        const double number = numbers[i * stride];
        fputs(i ? "," : "[", stream);
        if (isfinite(number))
            fprintf(stream, number == rint(number) && fabs(number) < 1e7 ? "%.0f" : "%.4g", number);
        else
            fputs("null", stream);
    }
    fputs(n ? "]" : "[]", stream);
    xclose_text(stream);
    json_put_raw(object, key, text);
    free(text);
}

/* Counts over splits of the runs that reached the target, and mean costs (PAR-10). */
static void put_cell(cJSON *cells, struct pool *pool, const struct atlas_family *family, const struct atlas_cell *cell)
{
    const size_t targets = family->n_targets, all = family->n_series * targets, c = cell->place->c_level;
    double *numbers = pool_array(pool, all, sizeof *numbers);
    const struct json_number place[] = {
        {"dataset", (double)cell->place->dataset}, {"c", c == ATLAS_ALL ? (double)NAN : (double)c},
        {"factor", (double)cell->place->factor_level}, {"splits", (double)cell->n}};
    cJSON *json = json_add_object(cells);
    json_put_numbers(json, place, sizeof place / sizeof *place);
    for (size_t k = 0; k < all; k++)
        numbers[k] = (double)atlas_cell_reached(family, cell, k / targets, k % targets);
    atlas_json_numbers(json, "reached", numbers, all, 1);
    cJSON *costs = json_put_object(json, "costs");
    for (int cost = 0; cost < ATLAS_COSTS; cost++) {
        for (size_t k = 0; k < all; k++)
            numbers[k] = cube_counts(&family->costs[cost], k / targets)
                             ? exp(atlas_cell_log(family, cell, (enum atlas_cost)cost, k / targets, k % targets))
                             : (double)NAN;
        if (family->costs[cost].n_counting > 0)
            atlas_json_numbers(costs, atlas_cost_texts[cost].key, numbers, all, 1);
    }
}

static void put_family(cJSON *families, const struct atlas *atlas, const struct atlas_family *family)
{
    cJSON *json = json_add_object(families);
    json_put_text(json, "key", family->key);
    json_put_text(json, "title", family->title);
    cJSON *solvers = json_put_array(json, "solvers");
    for (size_t s = 0; s < family->n_series; s++)
        json_add_text(solvers, family->series[s].label);
    cJSON *omitted = json_put_array(json, "omitted");
    for (size_t i = 0; i < family->omitted.count; i++)
        json_add_text(omitted, family->omitted.item[i]);
    json_put_number(json, "problems", (double)family->n_problems);
    json_put_number(json, "incomplete", (double)family->n_incomplete);
    atlas_json_numbers(json, "targets", family->targets, family->n_targets, 1);
    cJSON *c_values = json_put_array(json, "C"); /* as configured, not rounded to four digits */
    for (size_t c = 0; c < family->n_c; c++)
        json_add_number(c_values, family->c_values[c]);
    atlas_json_numbers(json, "factors", family->factors, family->n_factors, 1);
    cJSON *cells = json_put_array(json, "cells");
    for (size_t i = 0; i < family->n_cells; i++)
        put_cell(cells, atlas->scratch, family, &family->cells[i]);
    json_put_array(json, "shares");
    json_put_array(json, "maps");
}

void atlas_json_begin(struct atlas_output *out)
{
    const struct atlas *atlas = out->atlas;
    const struct json_number numbers[] = {
        {"seed", (double)atlas->options.seed}, {"resamples", (double)atlas->options.resamples},
        {"level", ATLAS_LEVEL}, {"penalty", PENALTY_FACTOR}};
    cJSON *json = out->json = json_keep(atlas->pool, json_new_object());
    json_put_number(json, "schema", 3);
    json_put_text(json, "rule", atlas->rule);
    json_put_numbers(json, numbers, sizeof numbers / sizeof *numbers);
    if (atlas->time_note)
        json_put_text(json, "time_note", atlas->time_note);
    cJSON *costs = json_put_array(json, "costs"), *datasets = json_put_array(json, "datasets"),
          *families = json_put_array(json, "families");
    for (int cost = 0; cost < ATLAS_COSTS; cost++) {
        const struct atlas_cost_text *text = &atlas_cost_texts[cost];
        size_t n_counting = 0;
        for (size_t f = 0; f < atlas->n_families; f++)
            n_counting += atlas->families[f].costs[cost].n_counting;
        if (n_counting == 0)
            continue;
        cJSON *item = json_add_object(costs);
        json_put_text(item, "key", text->key);
        json_put_text(item, "title", text->title);
        json_put_text(item, "budget", atlas->sizes_known ? text->budget : text->title);
    }
    for (size_t d = 0; d < atlas->n_datasets; d++) {
        const struct atlas_dataset *dataset = &atlas->datasets[d];
        const struct json_number sizes[] = {
            {"train", dataset->n_train}, {"test", dataset->n_test}, {"tuned_width", dataset->tuned_width}};
        cJSON *item = json_add_object(datasets);
        json_put_text(item, "name", dataset->name);
        json_put_numbers(item, sizes, sizeof sizes / sizeof *sizes);
    }
    for (size_t f = 0; f < atlas->n_families; f++)
        put_family(families, atlas, &atlas->families[f]);
    pool_reset(atlas->scratch);
}

cJSON *atlas_json_add(const struct atlas_output *out, const char *list, const struct atlas_family *family,
                      enum atlas_cost cost, size_t target)
{
    const cJSON *families = cJSON_GetObjectItemCaseSensitive(out->json, "families"),
                *of = cJSON_GetArrayItem(families, (int)(family - out->atlas->families));
    cJSON *json = json_add_object(cJSON_GetObjectItemCaseSensitive(of, list));
    json_put_text(json, "cost", atlas_cost_texts[cost].key);
    json_put_number(json, "target", target == ATLAS_ALL ? (double)NAN : (double)target);
    return json;
}

void atlas_json_write(const struct atlas_output *out)
{
    struct pool *pool = out->atlas->scratch;
    struct page page = {.pool = pool, .name = "atlas"};
    struct outfile file = {0};
    char *json = json_line(out->json);
    const char *text = pool_printf(pool, "%s\n", json);
    file_write(pool_printf(pool, "%s/atlas.json", out->folder), text, strlen(text));
    outfile_open(&file, pool_printf(pool, "%s/atlas.html", out->folder));
    page.stream = file.stream;
    page_write(&page, "hullbench: the atlas", json);
    outfile_commit(&file);
    free(json);
    pool_reset(pool);
}
