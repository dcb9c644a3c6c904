/* Deviations of a toy paper, and experiments that explain them, fail to, or were not run. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/papers/conform.h"
#include "harness/support/file.h"
#include "tests/paper_trial.h"
#include "tests/scratch_folder.h"

static void write_text(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
    file_write(path, text, strlen(text));
}

/* The paper prints 50 iterations for fast, with mark 1, and 80 for slow. */
static const char toy_text[] =
    "{\"paper\":\"toy\",\"datasets\":[\"p\"],\"splits\":{\"default\":6},\"tables\":[{\"name\":\"toy.t\","
    "\"caption\":\"c\",\"source\":\"s\",\"columns\":["
    "{\"key\":\"fast\",\"title\":\"f\",\"solver\":\"clip-mdm\",\"stop\":{\"rule\":\"kkt\"},\"field\":\"iterations\","
    "\"statistic\":\"mean_sd\"},{\"key\":\"slow\",\"title\":\"slow\",\"solver\":\"mu-gsk\",\"stop\":{\"rule\":\"kkt\"},"
    "\"field\":\"iterations\",\"statistic\":\"mean_sd\"}],\"tests\":[{\"key\":\"m\",\"kind\":\"signed-rank\","
    "\"mark\":\"1\",\"level\":0.1,\"between\":[\"fast\",\"slow\"]}],\"rows\":{\"p\":{"
    "\"fast\":{\"mean\":50,\"sd\":2,\"decimals\":0,\"marks\":[\"1\"]},"
    "\"slow\":{\"mean\":80,\"sd\":2,\"decimals\":0}}}}],\"claims\":["
    "{\"id\":\"toy.claims/wins\",\"text\":\"t\",\"kind\":\"lower_mean\",\"field\":\"iterations\",\"left\":"
    "{\"solver\":\"clip-mdm\",\"stop\":{\"rule\":\"kkt\"}},\"right\":\"mu-gsk\",\"quantifier\":\"all\"},"
    "{\"id\":\"toy.claims/loses\",\"text\":\"t\",\"kind\":\"lower_mean\",\"field\":\"iterations\",\"left\":"
    "\"mu-gsk\",\"right\":\"clip-mdm\",\"quantifier\":\"all\"}]}";

/* Adds six splits with iterations centre - 5, centre - 3 ... centre + 5. */
static void add(FILE *stream, const char *solver, const char *rule, int centre)
{
    for (int split = 1; split <= 6; split++)
        fprintf(stream,
                "{\"schema\":1,\"config\":\"c\",\"dataset\":\"p\",\"split\":%d,\"split_source\":\"official\","
                "\"solver\":\"%s\",\"params\":{},\"kernel\":{},\"stop\":{\"rule\":\"%s\"},\"outcome\":\"converged\","
                "\"iterations\":%d}\n",
                split, solver, rule, centre + 2 * split - 7);
}

/* Makes the run of the paper's configuration, in which fast needs 100 iterations and slow 80, or one of fast alone. */
static void make_run(const char *name, const char *config, const char *rule, int fast, int slow)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
    folder_make(path);
    snprintf(path, sizeof path, "%s/config.json", name);
    write_text(path, config);
    snprintf(path, sizeof path, "%s/%s/records.jsonl", scratch_folder, name);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    add(stream, "clip-mdm", rule, fast);
    if (slow)
        add(stream, "mu-gsk", rule, slow);
    assert_int_equal(fclose(stream), 0);
}

static int make_folders(void **state)
{
    char path[256];
    if (scratch_folder_make(state) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/papers", scratch_folder);
    folder_make(path);
    write_text("papers/toy.json", toy_text);
    make_run("usual", "{\"name\":\"usual\",\"tables\":[\"toy.t\"]}", "kkt", 100, 80);
    make_run("right", "{\"name\":\"right\"}", "kkt", 50, 0);
    make_run("wrong", "{\"name\":\"wrong\"}", "kkt", 95, 0);
    make_run("other-rule", "{\"name\":\"other-rule\"}", "rch-gap", 50, 0);
    return setenv("HULLBENCH_SHARE", scratch_folder, 1);
}

/* Compares the usual run, and the experiment's unless it is NULL, given one entry with these members. */
static enum status compare(const char *members, const char *experiment, struct run_folders *runs,
                           struct conformance *conformance, struct error *error)
{
    char text[2048], paths[2][256];
    const char *const list[] = {paths[0], paths[1]};
    snprintf(text, sizeof text,
             "{\"schema\":1,\"paper\":\"toy\",\"deviations\":[{\"id\":\"d\",\"section\":\"s\",\"evidence\":\"e\",%s}]}",
             members);
    write_text("papers/toy.deviations.json", text);
    snprintf(paths[0], sizeof paths[0], "%s/usual", scratch_folder);
    snprintf(paths[1], sizeof paths[1], "%s/%s", scratch_folder, experiment ? experiment : "");
    *runs = run_folders_open(trial_pool(), list, experiment ? 2 : 1, FOLDER_CONFIG);
    return try_conform(runs, conformance, error);
}

/* Expects this state of the one listed id, and this number of unexplained cells, claims and reversed marks. */
static void expect(const char *members, const char *experiment, enum explanation_state state, size_t unexplained)
{
    struct run_folders runs = {0};
    struct conformance conformance = {0};
    struct error error = {0};
    if (compare(members, experiment, &runs, &conformance, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    const struct explanations *found = &conformance.papers[0].explanations;
    assert_int_equal(found->count, 1);
    if (found->items[0].state != state)
        fail_msg("%s: \"%s\", not \"%s\": %s", members, explanation_state_names[found->items[0].state],
                 explanation_state_names[state], found->items[0].detail);
    assert_int_equal(found->counts[state], 1);
    assert_int_equal(conformance.unexplained_cells + conformance.unexplained_claims +
                         conformance.unexplained_reversed,
                     unexplained);
}

#define UNSTATED(name) "\"kind\":\"unstated\",\"configurations\":[\"" name "\"],"
#define CELL "\"explains\":[\"toy.t/p/fast\"]"
#define MARK "\"explains\":[\"toy.t/p/m\"]"
#define CLAIM "\"explains\":[\"toy.claims/wins\"]"
#define FOUND(number) ",\"experiment\":{\"found\":{\"toy.t/p/fast\":" number "}}"
enum { ALL = 3, BUT_ONE = 2 }; /* findings: fast's cell, its mark and the claim that it wins */

static void an_entry_without_an_experiment_lists_and_explains_nothing(void **state)
{
    (void)state;
    expect("\"kind\":\"unexplained\"," CELL, NULL, EXPLANATION_NONE, BUT_ONE);
    expect("\"kind\":\"unexplained\"," MARK, NULL, EXPLANATION_NONE, BUT_ONE);
    expect("\"kind\":\"unexplained\"," CLAIM, NULL, EXPLANATION_NONE, BUT_ONE);
}

static void an_experiment_that_gives_the_printed_figure_explains_a_cell(void **state)
{
    (void)state;
    expect(UNSTATED("right") CELL FOUND("50"), "right", EXPLANATION_SHOWN, BUT_ONE);
}

static void an_experiment_that_does_not_give_it_explains_nothing(void **state)
{
    (void)state;
    expect(UNSTATED("wrong") CELL FOUND("95"), "wrong", EXPLANATION_NOT_SHOWN, ALL);
}

static void an_entry_that_says_another_number_than_was_found_explains_nothing(void **state)
{
    (void)state;
    expect(UNSTATED("right") CELL FOUND("50.01"), "right", EXPLANATION_NOT_SHOWN, ALL);
}

/* The printed sd is 2; ours is sqrt(14) = 3.74166 on six splits, not significantly different by the F test. */
static void standard_deviations_are_explained_by_themselves(void **state)
{
    (void)state;
#define SD(number) "\"explains\":[\"toy.t/p/fast/sd\"],\"experiment\":{\"found\":{\"toy.t/p/fast/sd\":" number "}}"
    expect(UNSTATED("wrong") SD("3.7417"), "wrong", EXPLANATION_SHOWN, ALL);
    expect(UNSTATED("wrong") SD("3.7418"), "wrong", EXPLANATION_NOT_SHOWN, ALL);
}

static void an_experiment_whose_folder_is_not_given_is_not_checked(void **state)
{
    (void)state;
    expect(UNSTATED("right") CELL FOUND("50"), NULL, EXPLANATION_UNCHECKED, BUT_ONE);
    expect(UNSTATED("right") CELL FOUND("50"), "wrong", EXPLANATION_UNCHECKED, BUT_ONE);
}

static void marks_and_claims_are_judged_by_the_experiments_records(void **state)
{
    (void)state;
    expect(UNSTATED("right") MARK ",\"experiment\":{}", "right", EXPLANATION_SHOWN, BUT_ONE);
    expect(UNSTATED("wrong") MARK ",\"experiment\":{}", "wrong", EXPLANATION_NOT_SHOWN, ALL);
    expect(UNSTATED("right") CLAIM ",\"experiment\":{}", "right", EXPLANATION_SHOWN, BUT_ONE);
    expect(UNSTATED("wrong") CLAIM ",\"experiment\":{}", "wrong", EXPLANATION_NOT_SHOWN, ALL);
}

static void conditions_of_columns_and_claims_are_replaced_for_one_solver(void **state)
{
    (void)state;
#define RULE_B "\"replace\":{\"solver\":\"clip-mdm\",\"stop\":{\"rule\":\"rch-gap\"}}"
    expect(UNSTATED("other-rule") CELL ",\"experiment\":{" RULE_B ",\"found\":{\"toy.t/p/fast\":50}}", "other-rule",
           EXPLANATION_SHOWN, BUT_ONE);
    expect(UNSTATED("other-rule") MARK ",\"experiment\":{" RULE_B "}", "other-rule", EXPLANATION_SHOWN, BUT_ONE);
    expect(UNSTATED("other-rule") CLAIM ",\"experiment\":{" RULE_B "}", "other-rule", EXPLANATION_SHOWN, BUT_ONE);
    /* without it the columns use the usual records of rule a */
    expect(UNSTATED("other-rule") CELL FOUND("100"), "other-rule", EXPLANATION_NOT_SHOWN, ALL);
}

static void an_effect_is_shown_by_claims_of_the_entrys_own(void **state)
{
    (void)state;
#define SHOWS(high)                                                                                                    \
    ",\"experiment\":{\"shows\":[{\"text\":\"t\",\"kind\":\"ratio_between\",\"field\":\"iterations\",\"over\":"        \
    "\"clip-mdm\",\"under\":\"mu-gsk\",\"low\":0.5,\"high\":" high ",\"quantifier\":\"all\"}]}"
    expect(UNSTATED("right") CELL SHOWS("0.7"), "right", EXPLANATION_SHOWN, BUT_ONE);
    expect(UNSTATED("right") CELL SHOWS("0.6"), "right", EXPLANATION_NOT_SHOWN, ALL);
    expect(UNSTATED("wrong") CLAIM SHOWS("0.7"), "wrong", EXPLANATION_NOT_SHOWN, ALL);
}

/* Records exist for rule a but not for rule z. */
static void all_claims_of_the_entrys_own_must_have_records(void **state)
{
    (void)state;
#define RATIO(rule)                                                                                                    \
    "{\"text\":\"t\",\"kind\":\"ratio_between\",\"field\":\"iterations\",\"over\":"                                    \
    "{\"solver\":\"clip-mdm\",\"stop\":{\"rule\":\"" rule "\"}},\"under\":\"mu-gsk\",\"low\":0.5,\"high\":0.7,"      \
    "\"quantifier\":\"all\"}"
#define BOTH(one, other) ",\"experiment\":{\"shows\":[" RATIO(one) "," RATIO(other) "]}"
    expect(UNSTATED("right") CELL BOTH("kkt", "kkt"), "right", EXPLANATION_SHOWN, BUT_ONE);
    expect(UNSTATED("right") CELL BOTH("kkt", "z"), "right", EXPLANATION_UNCHECKED, BUT_ONE);
    expect(UNSTATED("right") CELL BOTH("z", "kkt"), "right", EXPLANATION_UNCHECKED, BUT_ONE);
}

/* Slow's cell agrees in the usual run; the experiment has no records for it. */
static void usual_records_show_nothing(void **state)
{
    (void)state;
#define SLOW "\"explains\":[\"toy.t/p/slow\"],\"experiment\":{\"found\":{\"toy.t/p/slow\":80}}"
    expect(UNSTATED("right") SLOW, "right", EXPLANATION_UNCHECKED, ALL);
}

static void an_experiment_with_other_data_explains_nothing(void **state)
{
    (void)state;
#define DATA(sha) "{\"data\":[{\"dataset\":\"p\",\"sha256\":\"" sha "\"}]}"
    write_text("usual/run.json", DATA("aa"));
    write_text("right/run.json", DATA("aa"));
    expect(UNSTATED("right") CELL FOUND("50"), "right", EXPLANATION_SHOWN, BUT_ONE);
    write_text("right/run.json", DATA("bb"));
    expect(UNSTATED("right") CELL FOUND("50"), "right", EXPLANATION_NOT_SHOWN, ALL);
    expect(UNSTATED("right") CLAIM ",\"experiment\":{}", "right", EXPLANATION_NOT_SHOWN, ALL);
}

static void a_part_of_an_experiment_explains_nothing(void **state)
{
    (void)state;
    write_text("usual/run.json", "{}");
    write_text("right/run.json", "{\"restricted_to\":{}}");
    expect(UNSTATED("right") CELL FOUND("50"), "right", EXPLANATION_SHOWN, BUT_ONE);
    write_text("right/run.json", "{\"restricted_to\":{\"splits\":\"1-2\"}}");
    expect(UNSTATED("right") CELL FOUND("50"), "right", EXPLANATION_UNCHECKED, BUT_ONE);
}

static void a_contradiction_may_rest_on_the_papers_own_tables(void **state)
{
    (void)state;
    expect("\"kind\":\"contradiction\",\"explains\":[\"toy.claims/loses\"]", NULL, EXPLANATION_SHOWN, ALL);
    expect("\"kind\":\"contradiction\"," CLAIM, NULL, EXPLANATION_NOT_SHOWN, ALL);
    expect("\"kind\":\"contradiction\"," CELL, NULL, EXPLANATION_NONE, BUT_ONE);
}

static const cJSON *member(const cJSON *json, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);
    if (!item)
        fail_msg("\"%s\" is missing", key);
    return item;
}

/* Ours on fast is 100 with variance 14 on six splits, the paper's 50 with 2^2 on six, rounded by up to 0.5. With fewer
 * than eight splits of ours, both variances have the paper's degrees of freedom. */
static void the_json_report_has_the_entry_and_the_interval_of_its_cell(void **state)
{
    (void)state;
    struct run_folders runs = {0};
    struct conformance conformance = {0};
    cJSON *json = NULL;
    char path[256];
    const double ours = 14.0 / 6, theirs = 4.0 / 6, sum = ours + theirs;
    const double df = sum * sum / (ours * ours / 5 + theirs * theirs / 5);
    const double half = gsl_cdf_tdist_Qinv(0.025, df) * sqrt(sum) + 0.5;
    assert_int_equal(compare(UNSTATED("wrong") CELL FOUND("95"), "wrong", &runs, &conformance, NULL), STATUS_OK);
    snprintf(path, sizeof path, "%s/conform.json", scratch_folder);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    conform_print_json(&conformance, stream);
    assert_int_equal(fclose(stream), 0);
    json = read_json_file(path);
    const cJSON *entries = member(json, "explanations");
    assert_int_equal(cJSON_GetArraySize(entries), 1);
    assert_string_equal(member(entries->child, "id")->valuestring, "toy.t/p/fast");
    assert_string_equal(member(entries->child, "entry")->valuestring, "d");
    assert_string_equal(member(entries->child, "state")->valuestring, "not shown");
    assert_string_equal(member(entries->child, "detail")->valuestring, "printed 50, found 95, does not agree");
    const cJSON *cell = member(json, "rows")->child;
    while (cell && strcmp(member(cell, "id")->valuestring, "toy.t/p/fast") != 0)
        cell = cell->next;
    assert_string_equal(member(cell, "verdict")->valuestring, "differs");
    assert_true(member(cell, "difference")->valuedouble == 50);
    assert_true(fabs(member(cell, "low")->valuedouble - (50 - half)) < 1e-9); /* 12 digits */
    assert_true(fabs(member(cell, "high")->valuedouble - (50 + half)) < 1e-9);
    cJSON_Delete(json);
}

static void damaged_experiments_are_refused_by_place_and_value(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {UNSTATED("right") CELL, "deviations[0]: \"kind\" is \"unstated\"; allowed without"},
        {"\"kind\":\"unexplained\",\"configurations\":[\"c\"]," CELL FOUND("50"), "deviations[0]: \"experiment\""},
        {"\"kind\":\"unstated\"," CELL FOUND("50"), "deviations[0]: \"experiment\" needs \"configurations\""},
        {UNSTATED("right") CELL ",\"experiment\":{\"find\":{}}", "deviations[0].experiment: unknown key \"find\""},
        {UNSTATED("right") CELL ",\"experiment\":7", "deviations[0].experiment: 7 is not"},
        {UNSTATED("right") CELL ",\"experiment\":{\"found\":{}}",
         "experiment.found: key \"toy.t/p/fast\" is missing"},
        {UNSTATED("right") CELL FOUND("\"50\""), "experiment.found.toy.t/p/fast: \"50\" is not"},
        {UNSTATED("right") MARK FOUND("50"), "experiment.found: \"toy.t/p/fast\" is not a cell under \"explains\""},
        {UNSTATED("right") CELL ",\"experiment\":{\"replace\":{\"stop\":{}}}", "replace: key \"solver\" is missing"},
        {UNSTATED("right") CELL ",\"experiment\":{\"replace\":{\"solver\":\"clip-mdm\",\"kernels\":{}}}",
         "experiment.replace: unknown key \"kernels\""},
        {UNSTATED("right") CELL ",\"experiment\":{\"shows\":[]}", "experiment: \"shows\" must"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct run_folders runs = {0};
        struct conformance conformance = {0};
        struct error error = {0};
        assert_int_equal(compare(bad[i][0], "right", &runs, &conformance, &error), STATUS_BAD_INPUT);
        if (!strstr(error.message, bad[i][1]) || !strstr(error.message, "toy.deviations.json"))
            fail_msg("\"%s\" does not say %s", error.message, bad[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_without_an_experiment_lists_and_explains_nothing),
        cmocka_unit_test(an_experiment_that_gives_the_printed_figure_explains_a_cell),
        cmocka_unit_test(an_experiment_that_does_not_give_it_explains_nothing),
        cmocka_unit_test(an_entry_that_says_another_number_than_was_found_explains_nothing),
        cmocka_unit_test(standard_deviations_are_explained_by_themselves),
        cmocka_unit_test(an_experiment_whose_folder_is_not_given_is_not_checked),
        cmocka_unit_test(marks_and_claims_are_judged_by_the_experiments_records),
        cmocka_unit_test(conditions_of_columns_and_claims_are_replaced_for_one_solver),
        cmocka_unit_test(an_effect_is_shown_by_claims_of_the_entrys_own),
        cmocka_unit_test(all_claims_of_the_entrys_own_must_have_records),
        cmocka_unit_test(usual_records_show_nothing),
        cmocka_unit_test(an_experiment_with_other_data_explains_nothing),
        cmocka_unit_test(a_part_of_an_experiment_explains_nothing),
        cmocka_unit_test(a_contradiction_may_rest_on_the_papers_own_tables),
        cmocka_unit_test(the_json_report_has_the_entry_and_the_interval_of_its_cell),
        cmocka_unit_test(damaged_experiments_are_refused_by_place_and_value),
    };
    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, make_folders, scratch_folder_remove);
}
