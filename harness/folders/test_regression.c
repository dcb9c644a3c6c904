/* Compares artificial counts: the changed, missing and new records are those that a comparison of all pairs finds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/folders/regression.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "tests/read_run.h"
#include "tests/scratch_folder.h"

/* The quantities are the first numbers of records, the counts before the others. */
enum { COUNTS = FIELD_OBJECTIVE, QUANTITIES = FIELD_ERROR + 1 };

static const struct json_path place = {.file = "test"};

static cJSON *record(const char *solver, int split, double iterations, const char *more)
{
    char text[600];
    snprintf(
        text, sizeof text,
        "{\"solver\":\"%s\",\"dataset\":\"d\",\"split\":%d,\"params\":{\"mu\":0.5},"
             "\"kernel\":{\"type\":\"rbf\",\"width\":2},"
        "\"stop\":{\"rule\":\"kkt\",\"tolerance\":0.1},\"outcome\":\"converged\",\"iterations\":%.0f,"
        "\"kernel_operations\":{\"setup\":1,\"iterations\":2,\"predict\":3},"
             "\"kernel_evaluations\":4,\"support_vectors\":5,\"objective\":-6,\"duality_gap\":0.7,"
             "\"kkt_violation\":0.08,\"error_percent\":9%s}",
        solver, split, iterations, more);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    return json;
}

static void sort_entries(void *entries)
{
    entries_sort(entries, 1);
}

/* Takes ownership of the given entries as the records of a file. */
struct taking {
    struct pool *pool;
    cJSON *list;
    struct record_file *file;
};

static void take_entries(void *data)
{
    const struct taking *taking = data;
    record_file_take(taking->pool, "test", taking->list, taking->file);
}

static enum status take(cJSON **json, size_t count, struct record_file *file, struct records *entries,
                        struct error *error)
{
    struct pool *pool = pool_new_owned();
    cJSON *list = json_keep(pool, cJSON_CreateArray());
    *entries = (struct records){.pool = pool};
    for (size_t i = 0; i < count; i++)
        if (json[i])
            cJSON_AddItemToArray(list, json[i]);
    struct taking taking = {pool, list, file};
    enum status status = attempt(take_entries, &taking, error);
    file->pool = pool;
    if (status == STATUS_OK) {
        records_append(entries, &file->records);
        status = attempt(sort_entries, entries, error);
    }
    return status;
}

static void an_entry_has_the_counts_of_its_record(void **state)
{
    (void)state;
    struct error error = {0};
    struct record_file file = {0};
    struct records entries = {0};
    char text[128], brief[12];
    cJSON *json = record("mdm", 7, 11, "");
    assert_int_equal(take(&json, 1, &file, &entries, &error), STATUS_OK);
    const struct record *entry = entries.items[0];
    assert_string_equal(entry->solver, "mdm");
    assert_int_equal(entry->split, 7);
    const double expected[QUANTITIES] = {11, 1, 2, 3, 4, 5, -6, 0.7, 0.08, 9};
    for (unsigned q = 0; q < QUANTITIES; q++)
        assert_true(quantity_of(entry, (enum record_field)q) == expected[q]);
    assert_string_equal(record_settings_text(entry, text, sizeof text), "mu=0.5, rbf width=2, kkt tolerance=0.1");
    assert_string_equal(record_settings_text(entry, brief, sizeof brief), "mu=0.5, rbf");
    pool_free(file.pool);
}

static void counts_may_be_null_and_nothing_else(void **state)
{
    (void)state;
    static const char *const good[] = {"null", "0", "5e15"}, *const bad[] = {"-1", "1.5", "\"1\"", "[1]", "true"};
    struct error error = {0};
    struct record_file file = {0};
    struct records entries = {0};
    for (size_t i = 0; i < 8; i++) {
        cJSON *json = record("mdm", 1, 1, "");
        cJSON_ReplaceItemInObject(json, "kernel_evaluations", cJSON_Parse(i < 3 ? good[i] : bad[i - 3]));
        assert_int_equal(take(&json, 1, &file, &entries, &error), i < 3 ? STATUS_OK : STATUS_BAD_INPUT);
        if (i == 0)
            assert_true(isnan(quantity_of(entries.items[0], FIELD_KERNEL_EVALUATIONS)));
        if (i >= 3)
            assert_non_null(strstr(error.message, "test: records[0]: kernel_evaluations"));
        pool_free(file.pool);
    }
    cJSON *json = record("mdm", 1, 1, "");
    cJSON_ReplaceItemInObject(json, "kernel_operations", cJSON_CreateNull());
    assert_int_equal(take(&json, 1, &file, &entries, &error), STATUS_OK);
    const struct record *entry = entries.items[0];
    assert_true(isnan(quantity_of(entry, FIELD_SETUP_OPERATIONS)) &&
                isnan(quantity_of(entry, FIELD_PREDICT_OPERATIONS)) &&
                quantity_of(entry, FIELD_ITERATIONS) == 1);
    pool_free(file.pool);
    json = record("mdm", 1, 1, "");
    cJSON_DeleteItemFromObject(json, "support_vectors");
    assert_int_equal(take(&json, 1, &file, &entries, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "support_vectors"));
    pool_free(file.pool);
}

static void an_entry_stands_there_once(void **state)
{
    (void)state;
    struct error error = {0};
    struct record_file file = {0};
    struct records entries = {0};
    cJSON *json[] = {record("mdm", 1, 1, ""), record("mdm", 2, 1, ""), record("mdm", 1, 1, "")};
    assert_int_equal(take(json, 3, &file, &entries, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "records[0]"));
    assert_non_null(strstr(error.message, "records[2]"));
    pool_free(file.pool);
}

static void accuracy_may_be_null_and_has_to_be_there(void **state)
{
    (void)state;
    struct error error = {0};
    struct record_file file = {0};
    struct records entries = {0};
    for (unsigned q = COUNTS; q < QUANTITIES; q++)
        for (int i = 0; i < 4; i++) { /* null, a number below 0, a text, nothing */
            const char *name = measure_path(q);
            cJSON *json = record("mdm", 1, 1, "");
            if (i < 3)
                cJSON_ReplaceItemInObject(json, name, cJSON_Parse(i == 0 ? "null" : i == 1 ? "-1.5" : "\"1\""));
            else
                cJSON_DeleteItemFromObject(json, name);
            assert_int_equal(take(&json, 1, &file, &entries, &error), i < 2 ? STATUS_OK : STATUS_BAD_INPUT);
            if (i < 2)
                assert_true(i == 0 ? isnan(quantity_of(entries.items[0], (enum record_field)q))
                                   : quantity_of(entries.items[0], (enum record_field)q) == -1.5);
            else
                assert_non_null(strstr(error.message, name));
            entries_sort(&entries, 0); /* a baseline of schema 1 has none */
            pool_free(file.pool);
        }
}

/* The old and the new value of one quantity; NAN: null. */
struct move {
    double was, is;
};

static int holds(const char *tolerance, enum record_field quantity, struct move move, const char *rule,
                 const char *ended)
{
    struct pool *pool = pool_new();
    struct tolerances tolerances = tolerances_default(pool);
    struct record_file file = {0};
    struct records entries = {0};
    struct error error = {0};
    cJSON *json[2] = {record("a", 1, 0, ""), record("b", 1, 0, "")};
    const double values[2] = {move.was, move.is};
    for (int i = 0; i < 2; i++) {
        const char *name = measure_path(quantity), *dot = strchr(name, '.');
        cJSON *object = dot ? cJSON_GetObjectItem(json[i], "kernel_operations") : json[i];
        cJSON_ReplaceItemInObject(object, dot ? dot + 1 : name,
                                  isnan(values[i]) ? cJSON_CreateNull() : cJSON_CreateNumber(values[i]));
        cJSON_ReplaceItemInObject(cJSON_GetObjectItem(json[i], "stop"), "rule", cJSON_CreateString(rule));
    }
    cJSON_ReplaceItemInObject(json[1], "outcome", cJSON_CreateString(ended));
    assert_int_equal(take(json, 2, &file, &entries, &error), STATUS_OK);
    if (tolerance)
        tolerance_set(&tolerances, measure_path(quantity), tolerance, &place);
    int result = tolerance_holds(&tolerances, entries.items[0], entries.items[1], quantity);
    pool_free(file.pool);
    pool_free(pool);
    return result;
}

static void tolerances_hold_to_their_edge(void **state)
{
    (void)state;
    static const struct {
        const char *tolerance; /* NULL: the built-in tolerance */
        enum record_field quantity;
        struct move move;
        int holds;
    } cases[] = {
        {"0", FIELD_SETUP_OPERATIONS, {7, 7}, 1},
        {"0", FIELD_SETUP_OPERATIONS, {7, 8}, 0},
        {NULL, FIELD_SETUP_OPERATIONS, {7, 8}, 0},
        {"5", FIELD_SETUP_OPERATIONS, {10, 15}, 1},
        {"5", FIELD_SETUP_OPERATIONS, {10, 5}, 1},
        {"5", FIELD_SETUP_OPERATIONS, {10, 16}, 0},
        {"50%", FIELD_SETUP_OPERATIONS, {10, 15}, 1},
        {"50%", FIELD_SETUP_OPERATIONS, {10, 16}, 0},
        {"50%", FIELD_SETUP_OPERATIONS, {0, 1}, 0},
        {"50%+1", FIELD_SETUP_OPERATIONS, {10, 16}, 1},
        {"1+50%", FIELD_SETUP_OPERATIONS, {10, 17}, 0},
        {"0", FIELD_SETUP_OPERATIONS, {NAN, NAN}, 1},
        {"50%", FIELD_SETUP_OPERATIONS, {NAN, 1}, 0},
        {"50%", FIELD_SETUP_OPERATIONS, {1, NAN}, 0},
        /* the record's objective is -6 */
        {"50%objective", FIELD_DUALITY_GAP, {1, 4}, 1},
        {"50%objective", FIELD_DUALITY_GAP, {1, 4.5}, 0},
        {"10%+50%objective+1", FIELD_DUALITY_GAP, {10, 15}, 1},
        {"10%+50%objective+1", FIELD_DUALITY_GAP, {10, 15.5}, 0},
        {"10%", FIELD_DUALITY_GAP, {-10, -11}, 1}, /* shares are relative to the magnitude of the value */
        {"10%", FIELD_DUALITY_GAP, {-10, -11.5}, 0},
        /* 1e-9 of the objective; for the gap 1e-9, and 1e-12 of the objective; and 1e-14: improvements also count */
        {NULL, FIELD_OBJECTIVE, {1000, 1000 + 0.9e-6}, 1},
        {NULL, FIELD_OBJECTIVE, {1000, 1000 - 0.9e-6}, 1},
        {NULL, FIELD_OBJECTIVE, {1000, 1000 + 1.1e-6}, 0},
        {NULL, FIELD_OBJECTIVE, {1000, 1000 - 1.1e-6}, 0},
        {NULL, FIELD_OBJECTIVE, {0, 0.9e-14}, 1},
        {NULL, FIELD_OBJECTIVE, {0, 1.1e-14}, 0},
        {NULL, FIELD_DUALITY_GAP, {0.001, 0.001 + 6.9e-12}, 1},
        {NULL, FIELD_DUALITY_GAP, {0.001, 0.001 + 7.1e-12}, 0},
        {NULL, FIELD_DUALITY_GAP, {0.001, 0.001 - 7.1e-12}, 0},
        {NULL, FIELD_KKT_VIOLATION, {0.001, 0.001 + 6.9e-12}, 1},
        {NULL, FIELD_KKT_VIOLATION, {0.001, 0.001 + 7.1e-12}, 0},
        {NULL, FIELD_ERROR, {12.5, 12.5}, 1},
        {NULL, FIELD_ERROR, {12.5, 12.6}, 0},
        {NULL, FIELD_ERROR, {12.5, NAN}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (holds(cases[i].tolerance, cases[i].quantity, cases[i].move, "kkt", "converged") != cases[i].holds)
            fail_msg("case %zu", i);
}

static void accuracy_is_compared_where_it_has_a_meaning(void **state)
{
    (void)state;
    const struct move move = {1, 2};
    for (unsigned q = 0; q < QUANTITIES; q++)
        assert_int_equal(holds(NULL, (enum record_field)q, move, "kkt", "failed"), q >= COUNTS);
    assert_int_equal(holds(NULL, FIELD_KKT_VIOLATION, move, "kkt-relaxed", "converged"), 0);
    assert_int_equal(holds(NULL, FIELD_KKT_VIOLATION, move, "rch-gap", "converged"), 1);
    assert_int_equal(holds(NULL, FIELD_DUALITY_GAP, move, "rch-gap", "converged"), 0);
}

static void parse_tolerance(void *word)
{
    struct pool *pool = pool_new();
    struct tolerances tolerances = tolerances_default(pool);
    tolerance_parse(&tolerances, word, &place);
    pool_free(pool);
}

static void tolerances_are_read_by_name(void **state)
{
    (void)state;
    static char bad[][20] = {"iterations",    "iterations=",   "=1",      "x=1",
                                      "iterations=1x", "iterations=-1", "all=inf", "all=1%%",
                                      "objective=1+",  "objective=+1",  "objective=1 + 1", "objective=1%gap",
                                      ":iterations=1", "/d:iterations=1", "mdm/:all=1", "mdm:x=1"};
    struct pool *pool = pool_new();
    struct tolerances tolerances = tolerances_default(pool);
    struct error error = {0};
    const struct record any = {.solver = "mdm", .dataset = "d"};
#define OF(quantity) tolerance_of(&tolerances, &any, quantity)
    const struct tolerance objective = OF(FIELD_OBJECTIVE);
    tolerance_parse(&tolerances, "all=1%", &place);
    tolerance_parse(&tolerances, "kernel_operations=3", &place);
    tolerance_parse(&tolerances, "kernel_operations.predict=.5", &place);
    assert_true(OF(FIELD_ITERATIONS).relative == 0.01 && OF(FIELD_ITERATIONS).absolute == 0);
    assert_true(OF(FIELD_SETUP_OPERATIONS).relative == 0 && OF(FIELD_SETUP_OPERATIONS).absolute == 3 &&
                OF(FIELD_KERNEL_OPERATIONS).absolute == 3);
    assert_true(OF(FIELD_PREDICT_OPERATIONS).absolute == 0.5 && OF(FIELD_KERNEL_EVALUATIONS).relative == 0.01);
    /* "all" means the counts: 1 % of an objective is more than rounding */
    assert_true(OF(FIELD_OBJECTIVE).relative == objective.relative &&
                OF(FIELD_OBJECTIVE).absolute == objective.absolute);
    tolerance_parse(&tolerances, "duality_gap=1e+1%+2%objective+.5e-3", &place);
    assert_true(OF(FIELD_DUALITY_GAP).relative == 0.1 && OF(FIELD_DUALITY_GAP).of_objective == 0.02 &&
                OF(FIELD_DUALITY_GAP).absolute == .5e-3);
#undef OF
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (attempt(parse_tolerance, bad[i], &error) != STATUS_BAD_INPUT || !strstr(error.message, "test: "))
            fail_msg("%s", bad[i]);
    pool_free(pool);
}

/* A share of the objective allows nothing where the objective is not known. */
static void an_unknown_objective_allows_no_change(void **state)
{
    (void)state;
    struct pool *pool = pool_new();
    struct tolerances tolerances = tolerances_default(pool);
    struct record was = {.solver = "mdm", .dataset = "d"}, is = was;
    tolerance_parse(&tolerances, "duality_gap=2%objective", &place);
    for (int is_known = 0; is_known < 2; is_known++) {
        was.field[FIELD_OBJECTIVE] = is_known ? -5 : (double)NAN;
        was.field[FIELD_DUALITY_GAP] = 0.1;
        is.field[FIELD_DUALITY_GAP] = 0.11;
        assert_int_equal(tolerance_holds(&tolerances, &was, &is, FIELD_DUALITY_GAP), is_known);
    }
    pool_free(pool);
}

/* The last restricted rule that covers the solver, the data set and the quantity holds, else the last of the others. */
static void tolerances_may_be_of_a_solver_and_a_data_set(void **state)
{
    (void)state;
    static const struct {
        const char *solver, *dataset;
        double iterations, operations;
    } cases[] = {
        {"mdm", "titanic", 4, 2}, {"mdm", "banana", 1, 2}, {"mu-mdm", "titanic", 4, 3}, {"mu-gsk", "a=b:c/d", 5, 3},
        {"gsk", "banana", 1, 0},
    };
    struct pool *pool = pool_new();
    struct tolerances tolerances = tolerances_default(pool);
    static const char *const rules[] = {"all=0", "iterations=7", "mdm:kernel_operations=2", "mu-*:kernel_operations=3",
                                        "*/titanic:iterations=4", "mu-gsk/a=b:c/d:iterations=5", "iterations=1"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        tolerance_parse(&tolerances, rules[i], &place);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct record record = {.solver = cases[i].solver, .dataset = cases[i].dataset};
        assert_true(tolerance_of(&tolerances, &record, FIELD_ITERATIONS).absolute == cases[i].iterations);
        assert_true(tolerance_of(&tolerances, &record, FIELD_PREDICT_OPERATIONS).absolute == cases[i].operations);
    }
    pool_free(pool);
}

/* ---- random pairs of runs ---- */

enum { SPLITS = 40 };

struct side {
    struct record_file file;
    struct records entries;
};

static void make_side(gsl_rng *random, struct side *side, double *iterations)
{
    struct error error = {0};
    cJSON *json[SPLITS];
    for (int s = 0; s < SPLITS; s++) {
        json[s] = NULL;
        iterations[s] = NAN;
        if (gsl_rng_uniform_int(random, 4) == 0)
            continue;
        iterations[s] = (double)gsl_rng_uniform_int(random, 3); /* so that many are equal and some are 0 */
        json[s] = record(s % 2 ? "mdm" : "gsk", s + 1, iterations[s], "");
    }
    assert_int_equal(take(json, SPLITS, &side->file, &side->entries, &error), STATUS_OK);
}

static void free_side(struct side *side)
{
    pool_free(side->file.pool);
}

static void every_move_is_found_and_no_other(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(random);
    for (int round = 0; round < 200; round++) {
        double was[SPLITS], is[SPLITS];
        struct side old, now;
        struct pool *pool = pool_new();
        struct tolerances tolerances = tolerances_default(pool);
        tolerance_parse(&tolerances, "iterations=1", &place);
        make_side(random, &old, was);
        make_side(random, &now, is);
        struct baseline baseline = {.config = "c", .entries = old.entries};
        /* Half of the rounds are runs of the splits up to 30, a quarter of gsk alone. Only what such a run was told to
         * leave out may be absent; what it should have made is missing. */
        const char *solvers = round % 4 == 3 ? "munk,gsk" : NULL;
        struct measured_run measured = {
            .folder = {.run = {.config = "c", .splits = round % 2 ? "1-20,21-30" : NULL, .solvers = solvers}},
            .entries = now.entries};
        int subset = round % 8 != 1;
        size_t moved = 0, missing = 0, left_out = 0, fresh = 0, both = 0;
        for (int s = 0; s < SPLITS; s++) {
            int is_left_out = subset && ((round % 2 && s + 1 > 30) || (solvers && s % 2));
            missing += !is_left_out && !isnan(was[s]) && isnan(is[s]);
            left_out += is_left_out && !isnan(was[s]) && isnan(is[s]);
            fresh += isnan(was[s]) && !isnan(is[s]);
            both += !isnan(was[s]) && !isnan(is[s]);
            moved += fabs(was[s] - is[s]) > 1; /* false where one is NAN */
        }
        const struct regression regression = regression_compare(pool, &baseline, &measured, &tolerances, subset);
        assert_int_equal(regression.compared, both);
        assert_int_equal(regression.moved, moved);
        assert_int_equal(regression.kinds[CHANGE_VALUE], moved);
        assert_int_equal(regression.totals[FIELD_ITERATIONS].moved, moved);
        assert_int_equal(regression.kinds[CHANGE_NEW], fresh);
        assert_int_equal(regression.kinds[CHANGE_MISSING], missing);
        assert_int_equal(regression.passed, left_out);
        for (size_t i = 1; i < regression.changes.count; i++) {
            const struct change *next = &regression.changes.item[i], *one = next - 1;
            assert_true(one->kind < next->kind || (one->kind == next->kind && one->size >= next->size));
        }
        pool_free(pool);
        free_side(&old);
        free_side(&now);
    }
    gsl_rng_free(random);
}

static void a_baseline_reads_back_what_was_written(void **state)
{
    (void)state;
    char folder[SCRATCH_PATH_SIZE], *path;
    double iterations[SPLITS];
    struct side now;
    struct pool *pool = pool_new();
    const struct baseline *first, *second;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(scratch_folder_new(folder, "test-check"));
    assert_non_null(path = xasprintf("%s/%s", folder, "baseline.json"));
    make_side(random, &now, iterations);
    struct run_info_data data[] = {{.dataset = "z", .sha256 = "1"}, {.dataset = "d", .sha256 = "2"}};
    struct measured_run measured = {.config_hash = "ab",
                                  .entries = now.entries,
                                  .folder = {.run = {.config = "c \"quoted\"",
                                                     .version = "1.0",
                                                     .data = {data, 2, 2}}}};
    struct baseline_change change = {.by = "me\\", .message = "a \"reason\"\nand more", .moved = 3};
    baseline_write(pool, path, NULL, &measured, 0, &change);
    assert_non_null(first = baseline_read(pool, path));
    assert_string_equal(first->config, measured.folder.run.config);
    assert_int_equal(first->entries.count, now.entries.count);
    for (size_t i = 0; i < now.entries.count; i++) {
        assert_int_equal(entries_compare(first->entries.items[i], now.entries.items[i]), 0);
        for (unsigned q = 0; q < QUANTITIES; q++)
            assert_true(quantity_of(first->entries.items[i], (enum record_field)q) ==
                        quantity_of(now.entries.items[i], (enum record_field)q));
    }
    const struct tolerances built_in = tolerances_default(pool);
    for (unsigned q = 0; q < QUANTITIES; q++) {
        const struct tolerance x = tolerance_of(&first->tolerances, now.entries.items[0], (enum record_field)q),
                               y = tolerance_of(&built_in, now.entries.items[0], (enum record_field)q);
        assert_memory_equal(&x, &y, sizeof x);
    }
    for (unsigned q = COUNTS; q < QUANTITIES; q++) /* a baseline contains its tolerances */
        assert_string_equal(cJSON_GetObjectItem(first->tolerances_given, measure_path(q))->valuestring,
                            measure_row(q)->tolerance);
    change.message = "again";
    baseline_write(pool, path, first, &measured, 1, &change);
    assert_non_null(second = baseline_read(pool, path));
    assert_int_equal(second->history.count, 2);
    assert_string_equal(second->history.item[0].message, "a \"reason\"\nand more");
    assert_string_equal(second->history.item[0].by, "me\\");
    assert_int_equal(second->history.item[0].moved, 3);
    assert_string_equal(second->history.item[1].message, "again");
    assert_string_equal(second->data->child->string, "d");
    assert_int_equal(second->entries.count, first->entries.count);
    pool_free(pool);
    free_side(&now);
    gsl_rng_free(random);
    remove(path);
    rmdir(folder);
    free(path);
}

struct writing {
    struct pool *pool;
    const char *path;
    const struct baseline *old;
    const struct measured_run *measured;
    int keep;
};

static void write_baseline(void *data)
{
    const struct writing *writing = data;
    const struct baseline_change change = {.by = "me", .message = "why", .moved = 1};
    baseline_write(writing->pool, writing->path, writing->old, writing->measured, writing->keep, &change);
}

/* Reads a baseline from the text, overwrites it with one of `is`, and reads that. */
static const struct baseline *update(struct pool *pool, const char *text, cJSON **is, size_t count, int keep,
                                     enum status expected)
{
    char path[SCRATCH_PATH_SIZE];
    struct record_file file = {0};
    struct records entries = {0};
    const struct baseline *old;
    struct error error = {0};
    assert_int_equal(scratch_file_new(path, "test-check"), 0);
    file_write(path, text, strlen(text));
    assert_non_null(old = baseline_read(pool, path));
    assert_int_equal(take(is, count, &file, &entries, &error), STATUS_OK);
    struct run_info_data data[] = {{.dataset = "d", .sha256 = "1"}};
    struct measured_run measured = {
        .config_hash = "x",
        .entries = entries,
        .folder = {.run = {.config = "c", .version = "1", .data = {data, 1, 1}}}};
    struct writing writing = {pool, path, old, &measured, keep};
    assert_int_equal(attempt(write_baseline, &writing, &error), expected);
    if (expected != STATUS_OK)
        assert_non_null(strstr(error.message, "has schema 1, without accuracy"));
    const struct baseline *written = baseline_read(pool, path);
    pool_free(file.pool);
    remove(path);
    return written;
}

#define FILE_OF(schema, tolerances, records)                                                                         \
    "{\"schema\":" schema ",\"config\":\"c\",\"config_sha256\":\"x\",\"data\":{\"d\":\"1\"}," \
    "\"tolerances\":" tolerances ",\"history\":[],\"records\":[" records "]}"
#define HEAD_OF_RECORD                                                                                         \
    "{\"solver\":\"mdm\",\"dataset\":\"d\",\"split\":1,\"params\":{\"mu\":0.5},"                                \
    "\"kernel\":{\"type\":\"rbf\",\"width\":2},\"stop\":{\"rule\":\"kkt\",\"tolerance\":0.1},"                  \
    "\"outcome\":\"converged\",\"iterations\":3,\"kernel_operations\":{\"setup\":1,\"iterations\":2,\"predict\":3}," \
    "\"kernel_evaluations\":4,\"support_vectors\":5"

static void an_update_replaces_what_moved_by_more_than_rounding(void **state)
{
    (void)state;
    const char *old = FILE_OF("2", "{\"objective\":\"50%\",\"iterations\":3}",
                              HEAD_OF_RECORD ",\"objective\":100.5,\"duality_gap\":0.25,\"kkt_violation\":0.5,"
                                             "\"error_percent\":1}");
    struct pool *pool = pool_new();
    cJSON *is = record("mdm", 1, 3, "");
    const double gap = 0.25 + 0x1p-44; /* needs 17 digits; within 1e-9 of the gap and 1e-12 of the objective */
    cJSON_ReplaceItemInObject(is, "objective", cJSON_CreateNumber(101.5)); /* by 1 %: much more than rounding */
    cJSON_ReplaceItemInObject(is, "duality_gap", cJSON_CreateNumber(gap));
    cJSON_ReplaceItemInObject(is, "kkt_violation", cJSON_CreateNumber(0.5 + 0x1p-20));
    const struct baseline *written = update(pool, old, &is, 1, 0, STATUS_OK);
    const struct record *entry = written->entries.items[0];
    assert_true(quantity_of(entry, FIELD_OBJECTIVE) == 101.5);
    assert_true(quantity_of(entry, FIELD_DUALITY_GAP) == 0.25);
    assert_true(quantity_of(entry, FIELD_KKT_VIOLATION) == 0.5 + 0x1p-20);
    assert_true(quantity_of(entry, FIELD_ERROR) == 9);
    assert_true(tolerance_of(&written->tolerances, entry, FIELD_OBJECTIVE).relative == 0.5); /* set by hand */
    assert_true(tolerance_of(&written->tolerances, entry, FIELD_ITERATIONS).absolute == 3);
    assert_true(tolerance_of(&written->tolerances, entry, FIELD_DUALITY_GAP).of_objective > 0);
    pool_free(pool);
}

static void a_baseline_without_accuracy_is_read_and_gets_it(void **state)
{
    (void)state;
    const char *old = FILE_OF("1", "{}", HEAD_OF_RECORD "}");
    struct pool *pool = pool_new();
    cJSON *is = record("mdm", 1, 3, ""), *again = cJSON_Duplicate(is, 1);
    update(pool, old, &is, 1, 1, STATUS_BAD_INPUT); /* other records would stay without accuracy */
    const struct baseline *written = update(pool, old, &again, 1, 0, STATUS_OK);
    assert_true(written->has_accuracy);
    assert_true(quantity_of(written->entries.items[0], FIELD_ERROR) == 9);
    pool_free(pool);
}

static void accuracy_is_compared_both_ways_and_told_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *solver;
        enum record_field quantity;
        double is;
        const char *says;
    } cases[] = {
        {"mdm", FIELD_OBJECTIVE, -6.5, "0.5 better, allowed 6e-09"}, /* half a norm, which is minimised */
        {"mdm", FIELD_OBJECTIVE, -5.5, "0.5 worse, allowed"},
        {"1-smo", FIELD_OBJECTIVE, -5.5, "0.5 better, allowed"}, /* a dual objective, which is maximised */
        {"1-smo", FIELD_OBJECTIVE, -6.5, "0.5 worse, allowed"},
        {"of a plugin", FIELD_OBJECTIVE, -5.5, "0.5 larger, allowed"},
        {"of a plugin", FIELD_OBJECTIVE, -6.5, "0.5 smaller, allowed"},
        {"mdm", FIELD_DUALITY_GAP, 0.75, "0.05 worse, allowed 7.1e-10"}, /* 0.7e-9 + 6e-12 + 1e-14 */
        {"mdm", FIELD_DUALITY_GAP, 0.65, "0.05 better, allowed"},
        {"mdm", FIELD_KKT_VIOLATION, 0.09, "0.01 worse, allowed"},
        {"mdm", FIELD_ERROR, 8, "1 better, allowed 0"},
        {"mdm", FIELD_ERROR, NAN, "known on one side only"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct side old, now;
        struct error error = {0};
        struct pool *pool = pool_new();
        const struct tolerances tolerances = tolerances_default(pool);
        cJSON *was = record(cases[i].solver, 1, 1, ""), *is = cJSON_Duplicate(was, 1);
        cJSON_ReplaceItemInObject(is, measure_path(cases[i].quantity),
                                  isnan(cases[i].is) ? cJSON_CreateNull() : cJSON_CreateNumber(cases[i].is));
        assert_int_equal(take(&was, 1, &old.file, &old.entries, &error), STATUS_OK);
        assert_int_equal(take(&is, 1, &now.file, &now.entries, &error), STATUS_OK);
        struct baseline baseline = {.config = "c", .has_accuracy = 1, .entries = old.entries};
        struct measured_run measured = {.folder = {.run = {.config = "c"}}, .entries = now.entries};
        struct regression regression = regression_compare(pool, &baseline, &measured, &tolerances, 0);
        assert_int_equal(regression.changes.count, 1);
        assert_int_equal(regression.moved, 1);
        assert_int_equal(regression.changes.item[0].quantity, cases[i].quantity);
        assert_int_equal(regression.totals[cases[i].quantity].moved, 1);
        const char *text = change_text(pool, &regression.changes.item[0]);
        if (!strstr(text, cases[i].says))
            fail_msg("case %zu: %s", i, text);
        baseline.has_accuracy = 0;
        regression = regression_compare(pool, &baseline, &measured, &tolerances, 0);
        assert_int_equal(regression.changes.count, 0);
        pool_free(pool);
        free_side(&old);
        free_side(&now);
    }
}

/* The sums in that form or, with a regression, JUnit XML. */
static char *exported(enum ci_form form, const struct measured_run *measured, const struct regression *regression)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    if (!regression)
        ci_report_sums(stream, measured, form);
    else
        ci_report_junit(stream, regression, measured);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void exports_leave_out_what_is_not_counted_and_quote_names(void **state)
{
    (void)state;
    struct error error = {0};
    struct record_file file = {0};
    struct records entries = {0};
    cJSON *json[2] = {record("s", 1, 3, ""), record("s", 2, 4, "")};
    for (int i = 0; i < 2; i++)
        cJSON_ReplaceItemInObject(json[i], "dataset", cJSON_CreateString("a<b>&\"c\""));
    cJSON_ReplaceItemInObject(json[1], "duality_gap", cJSON_CreateNumber(0.7 + 0x1p-30));
    cJSON_ReplaceItemInObject(cJSON_GetObjectItem(json[1], "kernel_operations"), "predict", cJSON_CreateNull());
    assert_int_equal(take(json, 2, &file, &entries, &error), STATUS_OK);
    const double updates = quantity_of(entries.items[0], FIELD_KERNEL_OPERATIONS);
    struct measured_run measured = {.folder = {.run = {.config = "c&d"}}, .entries = entries};
    struct change moved[] = {{.kind = CHANGE_OUTCOME, .was = entries.items[1], .is = entries.items[1]},
                             {.kind = CHANGE_VALUE,
                              .was = entries.items[0],
                              .is = entries.items[1],
                              .quantity = FIELD_DUALITY_GAP,
                              .allowed = 1e-9}};
    struct regression regression = {
        .changes = {.item = moved, .count = 2}, .moved = 1, .kinds = {[CHANGE_OUTCOME] = 1}};

    char *text = exported(CI_BENCHER, &measured, NULL);
    cJSON *bencher = cJSON_Parse(text), *series = bencher->child;
    assert_string_equal(series->string, "s/a<b>&\"c\"");
    assert_true(cJSON_GetObjectItem(cJSON_GetObjectItem(series, "iterations"), "value")->valuedouble == 7);
    assert_true(cJSON_GetObjectItem(cJSON_GetObjectItem(series, "support_vectors"), "value")->valuedouble == 10);
    const cJSON *operations = cJSON_GetObjectItem(series, "kernel_operations.iterations");
    assert_true(cJSON_GetObjectItem(operations, "value")->valuedouble == 2 * updates);
    assert_null(cJSON_GetObjectItem(series, "kernel_operations.predict")); /* one record does not count it */
    cJSON_Delete(bencher);
    free(text);
    text = exported(CI_GITHUB, &measured, NULL);
    cJSON *github = cJSON_Parse(text);
    assert_int_equal(cJSON_GetArraySize(github), 5); /* six measures except the one that is not counted */
    assert_string_equal(cJSON_GetObjectItem(github->child, "extra")->valuestring, "sum over 2 records");
    cJSON_Delete(github);
    free(text);
    text = exported(CI_BENCHER, &measured, &regression);
    assert_non_null(strstr(text, "<testsuite name=\"hullbench check c&amp;d\" tests=\"2\" failures=\"1\""));
    assert_non_null(strstr(text, "classname=\"s.a&lt;b&gt;&amp;&quot;c&quot;\" name=\"split 1, mu=0.5, rbf width=2"));
    assert_non_null(strstr(text, "outcome: was converged, is converged"));
    assert_non_null(strstr(text, "duality_gap: was 0.7, is 0.70000000093132"));
    assert_non_null(strstr(text, ": 9.3e-10 worse, allowed 1e-09\n"));
    free(text);
    /* missing records and data are test cases besides the measured ones; all failing kinds are failures */
    regression = (struct regression){.moved = 8, .kinds = {[CHANGE_MISSING] = 1, [CHANGE_DATA] = 2, [CHANGE_NEW] = 4}};
    text = exported(CI_BENCHER, &measured, &regression);
    assert_non_null(strstr(text, "<testsuites tests=\"5\" failures=\"15\">"));
    assert_non_null(strstr(text, "\" tests=\"5\" failures=\"15\" errors"));
    free(text);
    pool_free(file.pool);
}

static void read_in_a_pool(void *path)
{
    struct pool *pool = pool_new();
    baseline_read(pool, path);
    pool_free(pool);
}

static void damaged_baselines_are_named_by_member(void **state)
{
    (void)state;
#define HEAD "\"schema\":1,\"config\":\"c\",\"config_sha256\":\"x\",\"data\":{},\"history\":[]"
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"[]", "object"},
        {"{\"schema\":3}", "schema"},
        {"{\"schema\":1.5}", "schema"},
        {"{\"config\":\"c\"}", "schema"},
        {FILE_OF("2", "{}", HEAD_OF_RECORD ",\"objective\":1,\"duality_gap\":null,\"error_percent\":1}"),
         "records[0]: kkt_violation"},
        {FILE_OF("2", "{\"objective\":\"1%%\"}", ""), "tolerances.objective"},
        {"{" HEAD "}", "key \"records\" is missing"},
        {"{" HEAD ",\"records\":[{}]}", "records[0]"},
        {"{" HEAD ",\"records\":[],\"tolerances\":{\"speed\":1}}", "unknown quantity \"speed\""},
        {"{" HEAD ",\"records\":[],\"tolerances\":{\"iterations\":[1]}}", "tolerances.iterations: expected a number"},
        {"{" HEAD ",\"records\":[],\"tolerances\":{\"iterations\":-1}}", "is not a tolerance"},
        {FILE_OF("2", "{\"gsk:iterations\":1}", HEAD_OF_RECORD ",\"objective\":1,\"duality_gap\":null,"
                                              "\"kkt_violation\":1,\"error_percent\":1}"),
         "tolerances: \"gsk:iterations\""},
        {"{" HEAD ",\"records\":[],\"other\":1}", "other"},
        {"{\"schema\":1,\"config\":\"c\",\"config_sha256\":\"x\",\"data\":[],\"history\":[],\"records\":[]}",
         "data: expected an object"},
        {"{\"schema\":1,\"config\":\"c\",\"config_sha256\":\"x\",\"data\":{},\"history\":1,\"records\":[]}",
         "history: 1 is not a list"},
    };
    char path[SCRATCH_PATH_SIZE];
    assert_int_equal(scratch_file_new(path, "test-check"), 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error error = {0};
        file_write(path, bad[i].text, strlen(bad[i].text));
        assert_int_equal(attempt(read_in_a_pool, path, &error), STATUS_BAD_INPUT);
        if (!strstr(error.message, bad[i].says))
            fail_msg("%s: %s", bad[i].text, error.message);
    }
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_has_the_counts_of_its_record),
        cmocka_unit_test(counts_may_be_null_and_nothing_else),
        cmocka_unit_test(an_entry_stands_there_once),
        cmocka_unit_test(tolerances_hold_to_their_edge),
        cmocka_unit_test(tolerances_are_read_by_name),
        cmocka_unit_test(an_unknown_objective_allows_no_change),
        cmocka_unit_test(tolerances_may_be_of_a_solver_and_a_data_set),
        cmocka_unit_test(every_move_is_found_and_no_other),
        cmocka_unit_test(accuracy_may_be_null_and_has_to_be_there),
        cmocka_unit_test(accuracy_is_compared_where_it_has_a_meaning),
        cmocka_unit_test(accuracy_is_compared_both_ways_and_told_in_words),
        cmocka_unit_test(an_update_replaces_what_moved_by_more_than_rounding),
        cmocka_unit_test(a_baseline_without_accuracy_is_read_and_gets_it),
        cmocka_unit_test(a_baseline_reads_back_what_was_written),
        cmocka_unit_test(exports_leave_out_what_is_not_counted_and_quote_names),
        cmocka_unit_test(damaged_baselines_are_named_by_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
