/* Writes run.json and reads it back; checks that invalid files are refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/run/run.h"
#include "harness/base/json_writer.h"
#include "harness/run/run_info.h"
#include "harness/support/file.h"
#include "solvers/registry.h"

static const char complete[] =
    "{\"schema\": 1, \"config\": \"a\", \"version\": \"0.2.0\", \"build\": \"gcc -O2\", \"compiler\": \"12\", \"gsl\": "
    "\"2.7\","
    "\"libc\": \"2.36\", \"finished\": \"2024-01-01T00:00:00Z\", \"plan\": \"00000000000000ab\","
    "\"standardise\": \"none\", \"parameters\": {\"mdm\": 0}, \"kernel_parameters\": {\"w\": 10},"
    "\"search_seconds\": {\"s\": 11},"
    "\"plan_of\": {\"config\": \"0000000000000001\", \"options\": \"0000000000000002\", \"data\": "
    "\"ffffffffffffffff\"},"
    "\"program_sha256\": \"ab12\", \"records\": 12, \"units\": 13, \"blocks_of_plan\": 14,"
    "\"outcomes\": {\"converged\": 15, \"iteration-limit\": 16, \"operation-limit\": 17, \"time-limit\": 18,"
    "               \"stalled\": 19, \"failed\": 20},"
    "\"restricted_to\": {\"solvers\": \"mdm\", \"datasets\": \"h*\", \"splits\": \"1-3\", \"shard\": 2,"
    "                    \"shards\": 4, \"repeats\": 7},"
    "\"plugins\": [{\"file\": \"./x.so\", \"sha256\": \"cd\", \"solvers\": [\"x\", \"y\"], \"kernels\": [\"k\"],"
    "              \"stops\": [\"z\"]}],"
    "\"data\": [{\"dataset\": \"heart\", \"source\": \"h.mat\", \"sha256\": \"ef\", \"altered\": \"i.mat\","
    "            \"official\": 21, \"resampled\": 22, \"generated\": 23, \"fold\": 24, \"train\": 170, \"test\": 100}],"
    "\"missing\": [{\"dataset\": \"q\", \"reason\": \"not here\", \"command\": \"get q\"}], \"partial\": [\"half\"],"
    "\"machine\": {\"system\": \"Linux\", \"release\": \"6\", \"architecture\": \"x86_64\", \"processor\": \"p\","
    "              \"vector_width\": \"avx2\", \"threads\": 3, \"peak_megabytes\": 20.5},"
    "\"seconds\": 1.5, \"check_rows\": true, \"time\": {\"kernels\": 1.25, \"start\": 2.5, \"selection\": 3.5,"
    "\"stopping\": 4.5,"
    "\"update\": 5, \"judging\": 6, \"prediction\": 9, \"files\": 8, \"processor\": 2.25, \"busy\": 0.75},"
    "\"merged_from\": [{\"folder\": \"b\"}]}";

static struct pool *pool;

static int set_up(void **state)
{
    (void)state;
    pool = pool_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pool_free(pool);
    return 0;
}

struct reading {
    const cJSON *json;
    const char *path;
    struct run_info *info;
};

static void read_it(void *data)
{
    const struct reading *reading = data;
    run_info_read(pool, reading->json, reading->path, reading->info);
}

static enum status read_info(const cJSON *json, const char *path, struct run_info *info, struct error *error)
{
    struct reading reading = {json, path, info};
    return attempt(read_it, &reading, error);
}

/* As it is read from the file. */
static cJSON *printed(const struct run_info *info)
{
    char *text = json_line(json_keep(pool, members_write(run_info_members, info)));
    cJSON *json = json_parse(pool, "run.json", text);
    free(text);
    return json;
}

/* Fails if the JSON lacks a row of a table. */
static void assert_has_all(const struct member *members, const cJSON *json)
{
    for (; members->kind != MEMBER_LAST; members++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, members->key);
        if (!item)
            fail_msg("run.json lacks \"%s\": is it in the example and in run_info_of_ended?", members->key);
        if (members->inner)
            assert_has_all(members->inner, members->kind == MEMBER_LIST ? item->child : item);
    }
}

/* Two members of the example have different values: otherwise rows with the same field would not be noticed. */
static void assert_distinct(const cJSON *json, const char **seen)
{
    json_each (item, json) {
        const char *text = pool_strdup(pool, json_to_text(item));
        size_t n = 0;
        for (; seen[n] && !item->child; n++)
            if (strcmp(seen[n], text) == 0)
                fail_msg("the example has the value %s twice, at last in \"%s\"", text, json->string);
        if (item->child)
            assert_distinct(item, seen);
        else
            seen[n] = text;
    }
}

static void every_member_is_read(void **state)
{
    struct run_info info;
    struct run_times times;
    struct error error = {0};
    cJSON *json = cJSON_Parse(complete);
    (void)state;
    assert_has_all(run_info_members, json);
    assert_distinct(json, (const char *[128]){NULL});
    assert_int_equal(read_info(json, "run.json", &info, &error), STATUS_OK);
    cJSON_DeleteItemFromObject(json, "merged_from"); /* which no table has */
    assert_true(cJSON_Compare(json, printed(&info), 1));
    assert_string_equal(info.version, "0.2.0");
    assert_true(info.fingerprint.plan == 0xab && info.fingerprint.data == UINT64_MAX);
    assert_string_equal(info.fingerprint.program, "ab12");
    assert_true(info.has_records && info.records == 12 && info.total_blocks == 14 && info.is_partial);
    assert_true(strcmp(info.splits, "1-3") == 0 && info.shard == 2 && info.shards == 4);
    assert_int_equal(info.plugins.count, 1);
    assert_string_equal(info.plugins.item[0].sha256, "cd");
    const struct run_info_data *data = run_info_data(&info, "heart");
    assert_true(data && data->n_train == 170 && data->n_test == 100);
    assert_string_equal(data->source, "h.mat");
    assert_null(run_info_data(&info, "q"));
    assert_string_equal(run_info_why_missing(&info, "q"), "not here");
    assert_true(run_info_times(&info, &times) && times.seconds == 1.5 && times.peak_megabytes == 20.5);
    assert_true(times.stage_times.seconds[STAGE_FILES] == 8 && times.stage_times.processor == 2.25 &&
                times.available == 3);
    cJSON_Delete(json);
}

static double of_distance(double squared_distance, const double *values)
{
    return values[0] - squared_distance;
}

static int never(const struct stopping_look *look, void *memory)
{
    (void)look, (void)memory;
    return 0;
}

static const struct parameter shape = {.name = "shape", .meaning = "m", .max = 9, .fallback = 1};
static const struct kernel_family kernel = {.name = "own-kernel", .meaning = "m", .type = KERNEL_OF_PLUGIN,
                                            .parameters = PARAMETERS(&shape), .of_distance = of_distance};

/* Adds a solver, a kernel and a stopping rule of a plugin to the configuration. */
static void use_plugin(struct config *config)
{
    static char file[] = "own.so";
    static const struct solver_origin origin = {.file = file, .sha256 = "cd"};
    static const struct stopping_rule rule = {.name = "own-rule", .text = "t", .met = never,
                                              .formulations = STOPPING_ALL_FORMULATIONS};
    static const char *const built_in[] = {NULL};
    static struct solver solver;
    static struct config_solver configured = {.solver = &solver};
    solver = *solver_find("mdm");
    solver.name = "own-solver";
    struct error error = {0};
    if (solvers_add((const struct solver *const[]){&solver, NULL}, &origin, &error) != STATUS_OK ||
        kernel_families_add((const struct kernel_family *const[]){&kernel, NULL}, &origin, &error) != STATUS_OK ||
        stopping_rules_add((const struct stopping_rule *const[]){&rule, NULL}, built_in, &origin, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    configured.stop_rule = stop_rule_find("own-rule");
    config->kernel = &kernel;
    config->solvers = &configured;
    config->n_solvers = 1;
}

/* Of a run of one data set, of which each split has another source, and that has everything that run.json may show. */
static struct run_info written(const struct plan *plan)
{
    static const size_t outcomes[OUTCOMES] = {11, 12, 13, 14, 15, 16};
    static struct run_options options = {.solvers = "own-solver", .datasets = "heart", .splits = "1-4", .shard = 2,
                                         .shards = 4, .repeats = 7, .threads = 2, .check_rows = 1};
    static struct missing_dataset missing = {"q", "q: not here; get q"};
    options.simd = simd_select(NULL);
    const struct run run = {.options = &options, .missing = &missing, .n_missing = 1, .seconds = 3,
                            .stage_times = {.processor = 1},
                            .fingerprint = {.plan = 0xab, .config = 1, .options = 2, .data = UINT64_MAX,
                                            .program = "ab12"}};
    return run_info_of_ended(pool, &run, plan, 17, outcomes);
}

static void stages_have_names_of_their_own(void **state)
{
    (void)state;
    for (unsigned s = 0; s < STAGES; s++)
        for (unsigned t = 0; t < s; t++)
            assert_string_not_equal(stage_name((enum stage)s), stage_name((enum stage)t));
}

static void what_is_written_is_read(void **state)
{
    static char name[] = "heart", source[] = "h.mat", altered[] = "i.mat";
    struct split splits[SPLIT_SOURCES];
    struct job jobs[SPLIT_SOURCES] = {{.dataset = 0}};
    struct unit units[SPLIT_SOURCES];
    for (size_t i = 0; i < SPLIT_SOURCES; i++) {
        splits[i] = (struct split){.number = i + 1, .n_train = 8 - i, .n_test = 9 - i, .source = (enum split_source)i};
        jobs[i].split = i;
        units[i] = (struct unit){.first = i, .count = 1};
    }
    struct dataset dataset = {.name = name, .source = source, .sha256 = "ef", .altered = altered, .splits = splits,
                              .n_splits = SPLIT_SOURCES};
    struct dataset *datasets[] = {&dataset, NULL};
    struct config config = {.name = "a", .n_datasets = 2};
    const struct plan plan = {&config, datasets, jobs, SPLIT_SOURCES, units, SPLIT_SOURCES, 6};
    const struct run_times stage_times = {1.5, 3, 20.5, {.seconds = {[STAGE_FILES] = 8}, .processor = 2.25}};
    const char *lacks = "half";
    struct run_info info;
    struct run_times times;
    (void)state;
    use_plugin(&config);
    struct run_info made = written(&plan);
    run_info_set_times(pool, &made, "2024-01-01T00:00:00Z", &stage_times);
    made.search_seconds = json_parse(pool, "times", "{}"); /* of run_end */
    cJSON *json = printed(&made);
    struct error error = {0};
    if (read_info(json, "run.json", &info, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_string_equal(info.config, "a");
    assert_true(info.fingerprint.plan == 0xab && info.fingerprint.data == UINT64_MAX);
    assert_true(info.records == 17 && info.total_blocks == 6 && info.shard == 2 && info.shards == 4);
    assert_string_equal(info.splits, "1-4");
    assert_true(info.data.count == 1 && info.data.item[0].n_train == 5 && info.data.item[0].n_test == 9);
    assert_string_equal(info.data.item[0].sha256, "ef");
    assert_string_equal(run_info_why_missing(&info, "q"), "not here");
    assert_true(run_info_times(&info, &times) && memcmp(&times, &stage_times, sizeof times) == 0);
    assert_false(info.is_partial);
    run_info_set_partial(pool, &made, &lacks, 1);
    json = printed(&made);
    assert_has_all(run_info_members, json); /* a row without an assignment would be missing */
    if (read_info(json, "run.json", &info, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    assert_true(info.is_partial && info.fingerprint.plan != 0xab);
}

static void no_member_is_required(void **state)
{
    struct run_info info;
    struct run_times times;
    cJSON *json = cJSON_Parse("{\"later\": [1]}");
    (void)state;
    assert_int_equal(read_info(json, "run.json", &info, NULL), STATUS_OK);
    assert_true(!info.version && !info.has_records && info.fingerprint.plan == 0 && info.shards == 1 &&
                !info.is_partial && !run_info_times(&info, &times));
    cJSON_Delete(json);
    json = cJSON_Parse("{\"data\": [{}, {\"dataset\": \"heart\"}], \"missing\": [{}]}");
    assert_int_equal(read_info(json, "run.json", &info, NULL), STATUS_OK);
    const struct run_info_data *data = run_info_data(&info, "heart");
    assert_true(data && data == &info.data.item[1] && strcmp(data->sha256, "") == 0 && !data->source);
    assert_null(run_info_why_missing(&info, "heart"));
    cJSON_Delete(json);
}

static void a_member_of_another_type_is_named(void **state)
{
    static const char *const texts[][2] = {
        {"[]", "object"},
        {"{\"schema\": 2}", "schema: 2 is out of range; allowed: "},
        {"{\"schema\": \"1\"}", "schema: \"1\" is not a number"},
        {"{\"records\": \"1\"}", "records"},
        {"{\"records\": -2}", "records"},
        {"{\"plan\": \"zz\"}", "plan"},
        {"{\"plan_of\": {\"data\": 1}}", "plan_of.data"},
        {"{\"restricted_to\": {\"shard\": 3, \"shards\": 2}}", "restricted_to.shard"},
        {"{\"data\": {}}", "data"},
        {"{\"data\": [{}, {\"train\": \"x\"}]}", "data[1].train"},
        {"{\"plugins\": [{\"sha256\": 1}]}", "plugins[0].sha256"}};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct run_info info;
        struct error error = {0};
        cJSON *json = cJSON_Parse(texts[i][0]);
        assert_int_equal(read_info(json, "F/run.json", &info, &error), STATUS_BAD_INPUT);
        if (!strstr(error.message, "F/run.json") || !strstr(error.message, texts[i][1]))
            fail_msg("%s: no %s", error.message, texts[i][1]);
        cJSON_Delete(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_is_read),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(stages_have_names_of_their_own),
        cmocka_unit_test(no_member_is_required),
        cmocka_unit_test(a_member_of_another_type_is_named),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
