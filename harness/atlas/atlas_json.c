/*
 * Writes atlas.json and atlas.html, the interactive page with the same data. Large arrays are flat and numbers have
 * four digits, to keep the file small enough for a page. Solvers, targets, values of C and factors are listed once and
 * referred to by index. Summaries of several runs of a cell are ordered by solver, then by target.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/atlas/atlas_output.h"
#include "harness/base/json_writer.h"
#include "harness/base/memory.h"
#include "harness/support/file.h"
#include "harness/support/resource.h"
#include "harness/support/sha256.h"

/* Adds an array of n numbers with four digits, printed at once; one that is not finite becomes null. */
static void flat_numbers_put(cJSON *object, const char *key, const double *numbers, size_t n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = xopen_text(&text, &size);
    for (size_t i = 0; i < n; i++) {
        const int is_whole = numbers[i] == rint(numbers[i]) && fabs(numbers[i]) < 1e7;
        fputs(i ? "," : "[", stream);
        if (isfinite(numbers[i]))
            fprintf(stream, is_whole ? "%.0f" : "%.4g", numbers[i]);
        else
            fputs("null", stream);
    }
    fputs(n ? "]" : "[]", stream);
    xclose_text(stream);
    json_put_raw(object, key, text);
    free(text);
}

/* ---- the data: costs of the runs of each cell of each data set ---- */

/* Counts over splits of the runs that reached the target, and geometric means of their costs. */
static void put_cell(cJSON *cells, struct pool *pool, const struct atlas_family *family, const size_t *problems,
                     size_t n)
{
    const struct atlas_problem *problem = &family->problems[problems[0]];
    const size_t targets = family->n_targets, all = family->n_series * targets;
    double *numbers = pool_array(pool, all, sizeof *numbers);
    cJSON *json = json_add_object(cells);
    json_put_number(json, "dataset", (double)problem->dataset);
    json_put_number(json, "c", problem->c_level == ATLAS_ALL ? (double)NAN : (double)problem->c_level);
    json_put_number(json, "factor", (double)problem->factor_level);
    json_put_number(json, "splits", (double)n);
    for (size_t k = 0; k < all; k++)
        for (size_t i = 0; i < n; i++)
            numbers[k] += atlas_reached(family, atlas_at(family, k / targets, problems[i], k % targets));
    flat_numbers_put(json, "reached", numbers, all);
    cJSON *costs = json_put_object(json, "costs");
    for (int cost = 0; cost < ATLAS_COSTS; cost++) {
        const struct cube *cube = &family->costs[cost];
        for (size_t k = 0; k < all; k++) {
            double mean = 0;
            for (size_t i = 0; i < n; i++)
                mean += cube_log(cube, k / targets, problems[i] * targets + k % targets) / (double)n;
            numbers[k] = cube_counts(cube, k / targets) ? exp(mean) : (double)NAN;
        }
        if (cube->n_counting > 0)
            flat_numbers_put(costs, atlas_cost_texts[cost].key, numbers, all);
    }
}

static void put_cells(cJSON *json, const struct atlas *atlas, const struct atlas_family *family)
{
    cJSON *cells = json_put_array(json, "cells");
    size_t *problems = pool_array(atlas->scratch, family->n_problems, sizeof *problems);
    for (size_t i = 0; i < atlas->n_datasets * (family->n_c + 1) * family->n_factors; i++) {
        const size_t c = i / family->n_factors % (family->n_c + 1), level = c < family->n_c ? c : ATLAS_ALL;
        size_t n = 0;
        for (size_t p = 0; p < family->n_problems; p++) {
            const struct atlas_problem *problem = &family->problems[p];
            if (problem->dataset == i / family->n_factors / (family->n_c + 1) && problem->c_level == level &&
                problem->factor_level == i % family->n_factors)
                problems[n++] = p;
        }
        if (n > 0)
            put_cell(cells, atlas->scratch, family, problems, n);
    }
}

/* ---- results ---- */

static void put_shares(cJSON *array, const struct budget_shares *shares)
{
    static const char *const keys[] = {"share", "low", "high", "quartiles"};
    const struct atlas_family *family = shares->family;
    const size_t all = family->n_series * SHARE_PLACES;
    double *lists[4], *numbers = xcalloc(4 * all, sizeof *numbers);
    cJSON *json = json_add_object(array);
    json_put_text(json, "cost", atlas_cost_texts[shares->cost].key);
    json_put_number(json, "target", shares->target == ATLAS_ALL ? (double)NAN : (double)shares->target);
    json_put_number(json, "pairs", (double)shares->n_pairs);
    flat_numbers_put(json, "budgets", shares->place, SHARE_PLACES);
    for (int l = 0; l < 4; l++)
        lists[l] = numbers + (size_t)l * all;
    for (size_t s = 0; s < family->n_series; s++) {
        const int counts = cube_counts(&family->costs[shares->cost], s);
        for (size_t k = 0; k < SHARE_PLACES; k++) {
            const struct interval *at = counts ? &shares->curves[s].at[k] : &no_interval;
            lists[0][s * SHARE_PLACES + k] = at->estimate;
            lists[1][s * SHARE_PLACES + k] = at->low;
            lists[2][s * SHARE_PLACES + k] = at->high;
        }
        for (size_t q = 0; q < 3; q++)
            lists[3][3 * s + q] = counts ? shares->curves[s].quartiles[q] : (double)NAN;
    }
    for (int l = 0; l < 4; l++)
        flat_numbers_put(json, keys[l], lists[l], l < 3 ? all : 3 * family->n_series);
    free(numbers);
}

static void put_map_cell(cJSON *cells, const struct regime_map *map, size_t at)
{
    const struct regime_cell *cell = &map->cells[at];
    const struct atlas_family *family = map->family;
    const struct interval *ratio = cell->reached ? &cell->ratio : &no_interval;
    const double none = (double)NAN, numbers[] = {(double)(at / family->n_factors),
                                                  (double)(at % family->n_factors),
                                                  (double)cell->n,
                                                  cell->reached ? (double)cell->best : none,
                                                  cell->reached ? (double)cell->second : none,
                                                  cell->reached ? cell->best_cost : none,
                                                  cell->best_reached,
                                                  ratio->estimate,
                                                  ratio->low,
                                                  ratio->high,
                                                  cell->reached ? cell->p : none};
    cJSON *json = json_add_object(cells);
    double *candidates = xcalloc(family->n_series, sizeof *candidates);
    size_t n = 0;
    flat_numbers_put(json, "cell", numbers, sizeof numbers / sizeof *numbers);
    for (size_t s = 0; s < family->n_series && cell->reached; s++)
        if (cell->may_be_best[s])
            candidates[n++] = (double)s;
    flat_numbers_put(json, "candidates", candidates, n);
    free(candidates);
}

static void put_map(cJSON *array, const struct regime_map *map)
{
    cJSON *json = json_add_object(array);
    json_put_text(json, "cost", atlas_cost_texts[map->cost].key);
    json_put_number(json, "target", (double)map->target);
    json_put_number(json, "dataset", map->dataset == ATLAS_ALL ? (double)NAN : (double)map->dataset);
    cJSON *cells = json_put_array(json, "cells");
    for (size_t at = 0; at < map->n_cells; at++)
        if (map->cells[at].n > 0)
            put_map_cell(cells, map, at);
}

static void put_family(cJSON *families, const struct atlas_output *out, const struct atlas_family *family)
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
    flat_numbers_put(json, "targets", family->targets, family->n_targets);
    cJSON *c_values = json_put_array(json, "C"); /* as configured, not rounded to four digits */
    for (size_t c = 0; c < family->n_c; c++)
        json_add_number(c_values, family->c_values[c]);
    flat_numbers_put(json, "factors", family->factors, family->n_factors);
    put_cells(json, out->atlas, family);
    cJSON *shares = json_put_array(json, "shares"), *maps = json_put_array(json, "maps");
    for (size_t i = 0; i < out->shares.count; i++)
        if (out->shares.item[i].family == family)
            put_shares(shares, &out->shares.item[i]);
    for (size_t i = 0; i < out->maps.count; i++) {
        const struct regime_map *map = &out->maps.item[i];
        int has_several = 0; /* data sets or splits. With one, all solvers may be the best, and `cells` has the rest */
        for (size_t k = 0; k < map->n_cells; k++)
            has_several |= map->cells[k].n > 1;
        if (map->family == family && has_several)
            put_map(maps, map);
    }
}

static cJSON *whole_atlas(const struct atlas_output *out)
{
    const struct atlas *atlas = out->atlas;
    cJSON *json = json_new_object();
    json_put_number(json, "schema", 2);
    json_put_text(json, "rule", atlas->rule);
    json_put_number(json, "seed", (double)atlas->options.seed);
    json_put_number(json, "resamples", (double)atlas->options.resamples);
    json_put_number(json, "level", ATLAS_LEVEL);
    json_put_number(json, "penalty", PENALTY_FACTOR);
    if (atlas->time_note)
        json_put_text(json, "time_note", atlas->time_note);
    cJSON *costs = json_put_array(json, "costs"), *datasets = json_put_array(json, "datasets"),
          *families = json_put_array(json, "families");
    for (int cost = 0; cost < ATLAS_COSTS; cost++) {
        size_t n_counting = 0;
        for (size_t f = 0; f < atlas->n_families; f++)
            n_counting += atlas->families[f].costs[cost].n_counting;
        if (n_counting == 0)
            continue;
        cJSON *item = json_add_object(costs);
        json_put_text(item, "key", atlas_cost_texts[cost].key);
        json_put_text(item, "title", atlas_cost_texts[cost].title);
        json_put_text(item, "budget",
                      atlas->sizes_known ? atlas_cost_texts[cost].budget : atlas_cost_texts[cost].title);
    }
    for (size_t d = 0; d < atlas->n_datasets; d++) {
        cJSON *item = json_add_object(datasets);
        json_put_text(item, "name", atlas->datasets[d].name);
        json_put_number(item, "train", atlas->datasets[d].n_train);
        json_put_number(item, "test", atlas->datasets[d].n_test);
        json_put_number(item, "tuned_width", atlas->datasets[d].tuned_width);
    }
    for (size_t f = 0; f < atlas->n_families; f++)
        put_family(families, out, &atlas->families[f]);
    return json;
}

/* ---- the page: a single file that loads nothing ---- */

enum { TEMPLATE, STYLE, SCRIPT, PARTS };
static const char *const files[PARTS] = {"plots/atlas.html", "plots/atlas.css", "plots/atlas.js"};

/* Prints the template with its @WORD@ placeholders replaced. The page's content security policy allows only the script
 * with the given SHA-256. The script's hash covers its element's text, which begins
 * with the template's newline. */
static void put_page(struct pool *pool, FILE *stream, char *const part[PARTS], const char *json)
{
    char *script = pool_printf(pool, "\n%s", part[SCRIPT]), hash[45];
    const struct {
        const char *word, *text; /* NULL: the data */
    } words[] = {{"@HASH@", hash}, {"@STYLE@", part[STYLE]}, {"@SCRIPT@", part[SCRIPT]}, {"@DATA@", NULL}};
    enum { WORDS = sizeof words / sizeof *words };
    sha256_base64(script, strlen(script), hash);
    for (const char *at = part[TEMPLATE]; *at;) {
        size_t w = 0;
        while (w < WORDS && strncmp(at, words[w].word, strlen(words[w].word)) != 0)
            w++;
        if (w == WORDS) {
            fputc(*at++, stream);
            continue;
        }
        if (words[w].text)
            fputs(words[w].text, stream);
        for (const char *data = words[w].text ? "" : json; *data; data++) /* a script element would end at "</" */
            if (*data == '<')
                fputs("\\u003c", stream); /* in JSON "<" occurs only in strings */
            else
                fputc(*data, stream);
        at += strlen(words[w].word);
    }
}

static void write_page(struct pool *pool, const char *json, const char *folder)
{
    char *part[PARTS];
    struct outfile out;
    for (size_t p = 0; p < PARTS; p++)
        part[p] = resource_read(pool, files[p], STATUS_NOT_FOUND);
    outfile_open(&out, pool_printf(pool, "%s/atlas.html", folder));
    put_page(pool, out.stream, part, json);
    outfile_commit(&out);
}

void atlas_json_write(const struct atlas_output *out)
{
    struct pool *pool = out->atlas->scratch;
    cJSON *json = whole_atlas(out);
    char *line = json_line(json), *text = pool_printf(pool, "%s\n", line);
    cJSON_Delete(json);
    file_write(pool_printf(pool, "%s/atlas.json", out->folder), text, strlen(text));
    write_page(pool, line, out->folder);
    cJSON_free(line);
    pool_reset(pool);
}
