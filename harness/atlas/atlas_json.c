/*
 * Writes atlas.json and atlas.html, the interactive page with the same data. Large arrays are flat and numbers have
 * four digits, to keep the file small enough for a page. Solvers, targets, values of C and factors are listed once and
 * referred to by index. Summaries of several runs of a cell are ordered by solver, then by target.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "harness/atlas/atlas_output.h"
#include "harness/base/json_writer.h"
#include "harness/format/flat_numbers.h"
#include "harness/support/file.h"
#include "harness/support/resource.h"
#include "harness/support/sha256.h"

/* ---- the data: costs of the runs of each cell of each data set ---- */

static int is_in_cell(const struct atlas_problem *problem, size_t dataset, size_t c, size_t factor)
{
    return problem->dataset == dataset && problem->c_level == c && problem->factor_level == factor;
}

/* Writes the geometric means over splits. */
static void put_cell_costs(cJSON *costs, const struct atlas_family *family, enum atlas_cost cost,
                           const size_t *problems, size_t n)
{
    const struct cube *cube = &family->costs[cost];
    struct flat_numbers flat;
    flat_numbers_open(&flat);
    for (size_t s = 0; s < family->n_series; s++)
        for (size_t t = 0; t < family->n_targets; t++) {
            double mean = 0;
            for (size_t i = 0; i < n; i++)
                mean += cube_log(cube, s, problems[i] * family->n_targets + t) / (double)n;
            flat_numbers_add(&flat, cube_counts(cube, s) ? exp(mean) : (double)NAN);
        }
    flat_numbers_close(&flat, costs, atlas_cost_texts[cost].key);
}

static void put_cell(cJSON *cells, const struct atlas_family *family, const size_t *problems, size_t n)
{
    const struct atlas_problem *problem = &family->problems[problems[0]];
    cJSON *json = json_add_object(cells);
    struct flat_numbers reached;
    json_put_number(json, "dataset", (double)problem->dataset);
    json_put_number(json, "c", problem->c_level == ATLAS_ALL ? (double)NAN : (double)problem->c_level);
    json_put_number(json, "factor", (double)problem->factor_level);
    json_put_number(json, "splits", (double)n);
    flat_numbers_open(&reached);
    for (size_t s = 0; s < family->n_series; s++)
        for (size_t t = 0; t < family->n_targets; t++) {
            size_t count = 0;
            for (size_t i = 0; i < n; i++)
                count += (size_t)atlas_reached(family, atlas_at(family, s, problems[i], t));
            flat_numbers_add(&reached, (double)count);
        }
    flat_numbers_close(&reached, json, "reached");
    cJSON *costs = json_put_object(json, "costs");
    for (int cost = 0; cost < ATLAS_COSTS; cost++)
        if (family->costs[cost].n_counting > 0)
            put_cell_costs(costs, family, (enum atlas_cost)cost, problems, n);
}

static void put_cells(cJSON *json, const struct atlas *atlas, const struct atlas_family *family)
{
    cJSON *cells = json_put_array(json, "cells");
    size_t *problems = pool_array(atlas->scratch, family->n_problems, sizeof *problems);
    for (size_t d = 0; d < atlas->n_datasets; d++)
        for (size_t c = 0; c <= family->n_c; c++)
            for (size_t factor = 0; factor < family->n_factors; factor++) {
                size_t n = 0;
                for (size_t p = 0; p < family->n_problems; p++)
                    if (is_in_cell(&family->problems[p], d, c < family->n_c ? c : ATLAS_ALL, factor))
                        problems[n++] = p;
                if (n > 0)
                    put_cell(cells, family, problems, n);
            }
}

/* ---- results ---- */

static void put_shares(cJSON *array, const struct budget_shares *shares)
{
    const struct atlas_family *family = shares->family;
    struct flat_numbers share, low, high, quartiles;
    cJSON *json = json_add_object(array);
    json_put_text(json, "cost", atlas_cost_texts[shares->cost].key);
    json_put_number(json, "target", shares->target == ATLAS_ALL ? (double)NAN : (double)shares->target);
    json_put_number(json, "pairs", (double)shares->n_pairs);
    flat_numbers_put(json, "budgets", shares->place, SHARE_PLACES);
    flat_numbers_open(&share);
    flat_numbers_open(&low);
    flat_numbers_open(&high);
    flat_numbers_open(&quartiles);
    for (size_t s = 0; s < family->n_series; s++) {
        const int counts = cube_counts(&family->costs[shares->cost], s);
        for (size_t k = 0; k < SHARE_PLACES; k++) {
            const struct interval *at = &shares->curves[s].at[k];
            flat_numbers_add(&share, counts ? at->estimate : (double)NAN);
            flat_numbers_add(&low, counts ? at->low : (double)NAN);
            flat_numbers_add(&high, counts ? at->high : (double)NAN);
        }
        for (size_t q = 0; q < 3; q++)
            flat_numbers_add(&quartiles, counts ? shares->curves[s].quartiles[q] : (double)NAN);
    }
    flat_numbers_close(&share, json, "share");
    flat_numbers_close(&low, json, "low");
    flat_numbers_close(&high, json, "high");
    flat_numbers_close(&quartiles, json, "quartiles");
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
    struct flat_numbers flat;
    flat_numbers_put(json, "cell", numbers, sizeof numbers / sizeof *numbers);
    flat_numbers_open(&flat);
    for (size_t s = 0; s < family->n_series && cell->reached; s++)
        if (cell->may_be_best[s])
            flat_numbers_add(&flat, (double)s);
    flat_numbers_close(&flat, json, "candidates");
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

/* Whether a cell has several data sets or splits. With one, all solvers may be the best, and `cells` has the rest. */
static int has_several(const struct regime_map *map)
{
    for (size_t i = 0; i < map->n_cells; i++)
        if (map->cells[i].n > 1)
            return 1;
    return 0;
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
    for (size_t i = 0; i < out->maps.count; i++)
        if (out->maps.item[i].family == family && has_several(&out->maps.item[i]))
            put_map(maps, &out->maps.item[i]);
}

static int is_counted(const struct atlas *atlas, enum atlas_cost cost)
{
    size_t n = 0;
    for (size_t f = 0; f < atlas->n_families; f++)
        n += atlas->families[f].costs[cost].n_counting;
    return n > 0;
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
        if (!is_counted(atlas, (enum atlas_cost)cost))
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

/* Writes JSON into a script element, which would end at "</". In JSON "<" occurs only in strings. */
static void put_json(FILE *stream, const char *json)
{
    for (; *json; json++)
        if (*json == '<')
            fputs("\\u003c", stream);
        else
            fputc(*json, stream);
}

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
        else
            put_json(stream, json);
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
