/* A toy paper and toy runs, through tables, verdicts and files; and the structure of the real paper's data. */
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

#include "harness/base/die.h"
#include "harness/support/file.h"
#include "harness/base/pool.h"
#include "harness/papers/conform.h"
#include "harness/tables/run_tables.h"
#include "tests/paper_trial.h"
#include "tests/scratch_folder.h"

/* cmocka compares reals as float; these are compared in double precision. */
#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    file_write(in_folder(name), text, strlen(text));
}

/* Two tables of means, and one of minima with a set-up column. */
static const char toy_text[] =
    "{\"paper\":\"toy\",\"datasets\":[\"p\",\"q\"],\"splits\":{\"default\":4,\"q\":6},\"tables\":["
    "{\"name\":\"toy.a\",\"caption\":\"c\",\"source\":\"s\",\"columns\":["
    "{\"key\":\"fast.cost\",\"title\":\"fast\",\"unit\":1000,\"solver\":\"clip-mdm\",\"field\":\"kernel_operations."
    "iterations\","
    "\"statistic\":\"mean_sd\"},"
    "{\"key\":\"slow.cost\",\"title\":\"slow\",\"unit\":1000,\"solver\":\"mu-gsk\",\"field\":\"kernel_operations."
    "iterations\","
    "\"statistic\":\"mean_sd\",\"params\":{\"mu\":0.5}}],"
    "\"tests\":[{\"kind\":\"rank-sum\",\"level\":0.1,\"between\":[\"fast.cost\",\"slow.cost\"]}],"
    "\"rows\":{\"p\":{\"fast.cost\":{\"mean\":2.5,\"sd\":1.3,\"decimals\":1},\"slow.cost\":{\"mean\":90,\"sd\":1.3,"
    "\"decimals\":0,\"sd_decimals\":1}},\"q\":{\"fast.cost\":{\"mean\":1,\"sd\":1,\"decimals\":1},"
    "\"slow.cost\":{\"mean\":1,\"sd\":1,\"decimals\":1}}}},"
    "{\"name\":\"toy.b\",\"caption\":\"c\",\"source\":\"s\",\"columns\":["
    "{\"key\":\"dim\",\"title\":\"dim\",\"statistic\":\"value\"},"
    "{\"key\":\"mu\",\"title\":\"mu\",\"solver\":\"clip-mdm\",\"field\":\"rch_mu\",\"clamp_min_field\":\"mu_floor\","
    "\"clamp_max\":1,"
    "\"statistic\":\"min\"}],"
    "\"rows\":{\"p\":{\"dim\":{\"mean\":3,\"decimals\":0},\"mu\":{\"mean\":0.2,\"decimals\":1}}}}],"
    "\"claims\":[{\"id\":\"toy.claims/slow-wins\",\"text\":\"t\",\"kind\":\"lower_mean\","
    "\"field\":\"kernel_operations.iterations\",\"left\":\"mu-gsk\",\"right\":\"clip-mdm\"}]}";

/* Records of splits 1 to `last` of data set p: fast costs 1000, 2000, ... and slow 101000, 102000, ... */
static void write_splits(const char *name, int last)
{
    FILE *stream = fopen(in_folder(name), "w");
    assert_non_null(stream);
    for (int solver = 0; solver < 2; solver++)
        for (int split = 1; split <= last; split++)
            fprintf(
                stream,
                "{\"schema\":1,\"config\":\"c\",\"dataset\":\"p\",\"split\":%d,\"split_source\":\"%s\",\"solver\":\"%"
                "s\","
                "\"params\":{\"mu\":0.5},\"kernel\":{},\"stop\":{},\"outcome\":\"%s\",\"iterations\":%d,"
                "\"kernel_operations\":{\"iterations\":%d},\"rch_mu\":%g,\"mu_floor\":0.15,\"error_percent\":null}\n",
                split, split >= 4 ? "resampled" : "official", solver ? "mu-gsk" : "clip-mdm",
                solver && split == 2 ? "iteration-limit" : "converged", split, 1000 * (split + 100 * solver),
                0.1 * split);
    assert_int_equal(fclose(stream), 0);
}

static void write_records(const char *name)
{
    write_splits(name, 4);
}

static int make_folders(void **state)
{
    if (scratch_folder_make(state) != 0)
        return -1;
    folder_make(in_folder("papers"));
    folder_make(in_folder("run/tables"));
    folder_make(in_folder("other"));
    write_text("papers/toy.json", toy_text);
    write_text("run/config.json", "{\"tables\":[\"toy.a\",\"toy.b\"]}");
    write_text("run/run.json", "{\"missing\":[{\"dataset\":\"q\",\"reason\":\"not here\",\"command\":\"get q\"}]}");
    write_text("other/config.json", "{\"name\":\"no tables\"}");
    write_records("run/records.jsonl");
    write_records("other/records.jsonl");
    return setenv("HULLBENCH_SHARE", scratch_folder, 1);
}

static struct run_folders runs; /* of the last comparison, which holds pointers into them */

static int remove_folders(void **state)
{
    return scratch_folder_remove(state);
}

struct comparing {
    const char *name, *other;
    struct conformance *conformance;
};

static void compare_them(void *data)
{
    const struct comparing *comparing = data;
    const char *name = comparing->name, *other = comparing->other;
    char path[2][256];
    const char *const paths[] = {path[0], path[1]};
    snprintf(path[0], sizeof path[0], "%s/%s", scratch_folder, name);
    snprintf(path[1], sizeof path[1], "%s/%s", scratch_folder, other ? other : "");
    runs = run_folders_open(trial_pool(), paths, other ? 2 : 1, FOLDER_CONFIG);
    *comparing->conformance = conform_runs(trial_pool(), &runs);
}

static enum status compare_two(const char *name, const char *other, struct conformance *conformance,
                               struct error *error)
{
    struct comparing comparing = {name, other, conformance};
    return attempt(compare_them, &comparing, error);
}

static enum status compare(const char *name, struct conformance *conformance, struct error *error)
{
    return compare_two(name, NULL, conformance, error);
}

/* The text of `conform`, malloc'ed. */
static char *printed_text(const struct conformance *conformance)
{
    char *text = NULL;
    FILE *stream = fopen(in_folder("conform.txt"), "w");
    assert_non_null(stream);
    conform_print(conformance, stream);
    assert_int_equal(fclose(stream), 0);
    text = read_file(in_folder("conform.txt"), NULL);
    return text;
}

static void cells_hold_means_in_the_printed_unit(void **state)
{
    (void)state;
    struct conformance conformance;
    assert_int_equal(compare("run", &conformance, NULL), STATUS_OK);
    assert_int_equal(conformance.n_tables, 2);
    const struct reproduction *a = conformance.tables[0];
    const struct reproduction_cell *cells = a->rows[0].cells;
    assert_int_equal(cells[0].measured.n, 4);
    assert_near(cells[0].measured.mean, 2.5, 1e-14);         /* one or two rounding errors */
    assert_near(cells[0].measured.sd, sqrt(5.0 / 3), 1e-14); /* (2.25 + 0.25) * 2 / 3 */
    assert_int_equal(cells[0].agreement.verdict, VERDICT_UNDECIDABLE); /* four values of 1 to 4 */
    assert_int_equal(cells[1].agreement.verdict, VERDICT_DIFFERS); /* 102.5 against 90 */
    assert_int_equal(a->rows[1].cells[0].agreement.verdict, VERDICT_MISSING);
    assert_string_equal(a->rows[1].reason, "not here");
    assert_string_equal(a->splits, "Splits: 3 official, 1 resampled (p), 0 generated.");
    assert_near(a->rows[0].tests[0].result.p_value, 2.0 / 70, 1e-15); /* 2 / C(8, 4): no overlap */
    assert_true(a->rows[0].tests[0].significant && !a->rows[1].tests[0].significant);
    /* the smallest of max(0.1 split, 0.15) is 0.15, which is printed as 0.2: half a unit off */
    const struct reproduction *b = conformance.tables[1];
    assert_false(b->rows[0].cells[0].compared);
    assert_true(b->rows[0].cells[1].ours == 0.15);
    assert_int_equal(b->rows[0].cells[1].agreement.verdict, VERDICT_UNDECIDABLE);
    assert_int_equal(conformance.compared, 3);
    assert_int_equal(conformance.tables[0]->counts.cells[VERDICT_MISSING], 2);
    assert_int_equal(verdict_counts_tested(&conformance.counts), 1);
    assert_int_equal(conformance.counts.sds_agree, 2);
}

/* A third column repeats the numbers of "slow.cost": its cells get verdicts but are not counted. */
static void numbers_that_are_printed_twice_count_once(void **state)
{
    (void)state;
    struct conformance once, twice;
    assert_int_equal(compare("run", &once, NULL), STATUS_OK);
    static const char column[] = "\"params\":{\"mu\":0.5}}]", again[] =
        "\"params\":{\"mu\":0.5}},{\"key\":\"again\",\"title\":\"slow\",\"unit\":1000,\"solver\":\"mu-gsk\",\"field\":"
        "\"kernel_operations.iterations\",\"statistic\":\"mean_sd\",\"same_as\":\"slow.cost\"}]";
    static const char cell[] = "\"slow.cost\":{\"mean\":90", both[] =
        "\"again\":{\"mean\":90,\"sd\":1.3,\"decimals\":0,\"sd_decimals\":1},\"slow.cost\":{\"mean\":90";
    char text[sizeof toy_text + sizeof again + sizeof both];
    const char *first = strstr(toy_text, column), *second = strstr(toy_text, cell);
    snprintf(text, sizeof text, "%.*s%s%.*s%s%s", (int)(first - toy_text), toy_text, again,
             (int)(second - first - (ptrdiff_t)strlen(column)), first + strlen(column), both, second + strlen(cell));
    write_text("papers/toy.json", text);
    const struct verdict_counts counts = once.counts;
    const size_t compared = once.compared, unexplained = once.unexplained_cells;
    assert_int_equal(compare("run", &twice, NULL), STATUS_OK);
    const struct reproduction_cell *copy = &twice.tables[0]->rows[0].cells[2];
    assert_true(copy->compared && !copy->counted && copy->agreement.verdict == VERDICT_DIFFERS);
    assert_int_equal(twice.counts.repeated, 1);
    for (int v = 0; v < VERDICT_COUNT; v++)
        assert_int_equal(twice.counts.cells[v], counts.cells[v]);
    assert_true(twice.compared == compared && twice.unexplained_cells == unexplained);
    assert_true(twice.counts.can_agree == counts.can_agree && twice.counts.expected == counts.expected);
    write_text("papers/toy.json", toy_text);
}

/* Another paper prints slow's mean on p again, with or without a difference. */
static void numbers_of_another_paper_count_once(void **state)
{
    (void)state;
    static const struct {
        const char *same_as, *mean, *message;
    } cases[] = {{"toy.a/slow.cost", "90", NULL},
                 {"toy.a/slow.cost", "91", "columns[0].same_as: the column does not print the numbers of \"toy.a/slow"},
                 {"toy.a/mu", "90", "columns[0].same_as: \"toy.a/mu\" is not a column"},
                 {"toy.c/slow.cost", "90", "columns[0].same_as: \"toy.c/slow.cost\" is not a column"},
                 {"none.a/slow.cost", "90", "papers/none.json"}};
    write_text("run/config.json", "{\"tables\":[\"toy.a\",\"toy.b\",\"again.t\"]}");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        struct conformance conformance;
        struct error error = {0};
        snprintf(text, sizeof text,
                 "{\"paper\":\"again\",\"datasets\":[\"p\"],\"splits\":{\"default\":4},\"tables\":[{\"name\":"
                 "\"again.t\",\"caption\":\"c\",\"source\":\"s\",\"columns\":[{\"key\":\"slow\",\"title\":\"slow\","
                 "\"unit\":1000,"
                 "\"solver\":\"mu-gsk\",\"field\":\"kernel_operations.iterations\",\"statistic\":\"mean\",\"params\":"
                 "{\"mu\":0.5},\"same_as\":\"%s\"}],\"rows\":{\"p\":{\"slow\":{\"mean\":%s,\"decimals\":0}}}}]}",
                 cases[i].same_as, cases[i].mean);
        write_text("papers/again.json", text);
        const enum status status = compare("run", &conformance, &error);
        assert_int_equal(status, cases[i].message ? STATUS_BAD_INPUT : STATUS_OK);
        if (cases[i].message && !strstr(error.message, cases[i].message))
            fail_msg("\"%s\" does not say %s", error.message, cases[i].message);
        if (cases[i].message)
            continue;
        const struct reproduction_cell *copy = &conformance.tables[2]->rows[0].cells[0];
        assert_true(copy->compared && !copy->counted && copy->agreement.verdict != VERDICT_MISSING);
        assert_true(conformance.compared == 3 && conformance.counts.repeated == 1 && conformance.has_cells);
        assert_true(conformance.facts.cells == 3);
    }
    write_text("run/config.json", "{\"tables\":[\"toy.a\",\"toy.b\"]}");
}

/* With two folds, splits 1 and 2 are one repetition, and 3 and 4 another: two values, with the means of two. */
static void folds_of_a_repetition_are_one_value(void **state)
{
    (void)state;
    char text[sizeof toy_text + 32];
    struct conformance conformance;
    static const char key[] = "\"tables\"";
    const char *at = strstr(toy_text, key);
    snprintf(text, sizeof text, "%.*s\"folds\":2,%s", (int)(at - toy_text), toy_text, at);
    write_text("papers/toy.json", text);
    assert_int_equal(compare("run", &conformance, NULL), STATUS_OK);
    const struct reproduction_cell *cell = &conformance.tables[0]->rows[0].cells[0];
    assert_true(cell->measured.n == 2 && cell->measured.min == 1.5 && cell->measured.max == 3.5);
    assert_near(cell->measured.sd, sqrt(2), 1e-14);
    struct error error = {0};
    write_text("run/config.json", "{\"tables\":[\"toy.a\",\"toy.b\"],\"splits\":{\"folds\":3}}");
    assert_int_equal(compare("run", &conformance, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "/run: \"splits.folds\" is 3; allowed for toy.a: 2"));
    write_text("run/config.json", "{\"tables\":[\"toy.a\",\"toy.b\"],\"splits\":{\"folds\":2}}");
    assert_int_equal(compare("run", &conformance, &error), STATUS_OK);
    write_text("run/config.json", "{\"tables\":[\"toy.a\",\"toy.b\"]}");
    write_text("papers/toy.json", toy_text);
}

#define DEVIATION(explains)                                                                                            \
    "{\"schema\":1,\"paper\":\"toy\",\"deviations\":[{\"id\":\"d\",\"kind\":\"unexplained\",\"section\":\"s\","        \
    "\"configurations\":[\"c\"],\"evidence\":\"e\",\"explains\":[" explains "]}]}"

static void what_a_deviation_explains_is_no_finding(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t cells, claims;
    } cases[] = {
        {"{\"schema\":1,\"paper\":\"toy\",\"deviations\":[]}", 1, 1},
        {DEVIATION("\"toy.a/q/slow.cost\""), 1, 1},
        {DEVIATION("\"toy.a/p/slow.cost\""), 0, 1},
        {DEVIATION("\"toy.a/p/slow.cost\",\"toy.claims/slow-wins\""), 0, 0},
        {DEVIATION("\"toy.a/p/slow.cost/sd\""), 1, 1}, /* the standard deviation, not the mean */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct conformance conformance;
        write_text("papers/toy.deviations.json", cases[i].text);
        assert_int_equal(compare("run", &conformance, NULL), STATUS_OK);
        assert_int_equal(conformance.unexplained_cells, cases[i].cells);
        assert_int_equal(conformance.unexplained_claims, cases[i].claims);
    }
    unlink(in_folder("papers/toy.deviations.json"));
}

/* A mean of 1 is printed for one split. Ours is 1 on one split, which is the same split only if it is official. Of two
 * values that a draw could have given, equal ones have the middle rank. */
static void a_value_of_one_split_is_judged_as_such_on_an_official_split_only(void **state)
{
    (void)state;
    static const char *const sources[] = {"official", "resampled"};
    static const enum verdict verdicts[] = {VERDICT_AGREES, VERDICT_UNDECIDABLE};
    write_text("papers/toy.json",
               "{\"paper\":\"toy\",\"datasets\":[\"p\"],\"splits\":{\"default\":1},\"tables\":[{\"name\":"
               "\"toy.a\",\"caption\":\"c\",\"source\":\"s\",\"columns\":[{\"key\":\"k\",\"title\":\"t\",\"unit\":1,"
               "\"solver\":\"clip-mdm\",\"field\":\"iterations\",\"statistic\":\"mean\"}],\"rows\":{\"p\":{\"k\":{"
               "\"mean\":1,\"decimals\":2}}}}]}");
    write_text("run/config.json", "{\"tables\":[\"toy.a\"]}");
    for (size_t i = 0; i < 2; i++) {
        struct conformance conformance;
        char line[512];
        snprintf(line, sizeof line,
                 "{\"schema\":1,\"config\":\"c\",\"dataset\":\"p\",\"split\":1,\"split_source\":\"%s\",\"solver\":"
                 "\"clip-mdm\",\"params\":{},\"kernel\":{},\"stop\":{},\"outcome\":\"converged\",\"iterations\":1,"
                 "\"kernel_operations\":{\"iterations\":1},\"error_percent\":null}\n",
                 sources[i]);
        write_text("run/records.jsonl", line);
        assert_int_equal(compare("run", &conformance, NULL), STATUS_OK);
        assert_int_equal(conformance.tables[0]->cells[0].agreement.verdict, verdicts[i]);
        char *text = printed_text(&conformance);
        assert_int_equal(strstr(text, "jointly: 1 values printed for one split have a mean rank of 0.50 ") != NULL, i);
        assert_int_equal(strstr(text, "printed for one split") != NULL, i);
        free(text);
    }
    write_text("papers/toy.json", toy_text);
    write_text("run/config.json", "{\"tables\":[\"toy.a\",\"toy.b\"]}");
    write_records("run/records.jsonl");
}

static void damaged_deviations_are_refused_by_place_and_value(void **state)
{
    (void)state;
    static const char *const changes[][3] = {
        /* text to find, replacement, expected message */
        {"\"toy\"", "\"boy\"", "\"boy\"; allowed: \"toy\""},
        {"\"schema\":1", "\"schema\":2", "schema: 2 is out of range; allowed: "},
        {"\"unexplained\"", "\"unexplaned\"",
         "deviations[0].kind: unknown kind \"unexplaned\"; did you mean \"unexplained\""},
        {"\"section\"", "\"sections\"", "deviations[0]: unknown key \"sections\""},
        {"\"s\"", "7", "deviations[0].section: 7 is not"},
        {"[\"c\"]", "\"c\"", "deviations[0].configurations: \"c\" is not a list"},
        {"\"evidence\":\"e\",", "", "deviations[0]: key \"evidence\" is missing"},
        {"\"toy.a/p/slow.cost\"", "\"toy.a/p/slow\"", "deviations[0].explains[0]: \"toy.a/p/slow\" is not a cell"},
        {"\"toy.a/p/slow.cost\"", "\"toy.a/x/slow.cost\"", "allowed: TABLE/DATA SET/COLUMN"},
        {"\"toy.a/p/slow.cost\"", "\"toy.b/p/mu/sd\"", "\"toy.b/p/mu/sd\" is not a cell"}, /* a minimum has no sd */
        {"\"toy.a/p/slow.cost\"", "3", "deviations[0].explains[0]: 3 is not a non-empty string"},
    };
    static const char good[] = DEVIATION("\"toy.a/p/slow.cost\"");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char text[sizeof good + 64];
        struct conformance conformance = {0};
        struct error error = {0};
        const char *found = strstr(good, changes[i][0]);
        assert_non_null(found);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(found - good), good, changes[i][1],
                 found + strlen(changes[i][0]));
        write_text("papers/toy.deviations.json", text);
        assert_int_equal(compare("run", &conformance, &error), STATUS_BAD_INPUT);
        if (!strstr(error.message, changes[i][2]) || !strstr(error.message, "toy.deviations.json"))
            fail_msg("\"%s\" does not say %s", error.message, changes[i][2]);
    }
    unlink(in_folder("papers/toy.deviations.json"));
}

static void a_run_that_names_no_table_feeds_none(void **state)
{
    (void)state;
    struct conformance conformance;
    assert_int_equal(compare("other", &conformance, NULL), STATUS_OK);
    assert_true(conformance.n_tables == 0 && conformance.n_papers == 0 && conformance.compared == 0);
}

static void two_runs_of_the_same_records_count_once(void **state)
{
    (void)state;
    struct run_folders two = {0};
    struct conformance conformance = {0};
    char path[256];
    snprintf(path, sizeof path, "%s/run", scratch_folder);
    const char *const paths[] = {path, path};
    two = run_folders_open(trial_pool(), paths, 2, FOLDER_CONFIG);
    assert_int_equal(try_conform(&two, &conformance, NULL), STATUS_OK);
    assert_int_equal(conformance.tables[0]->rows[0].cells[0].measured.n, 4);
}

/* A folder "draws" of two draws, splits 1 to 8. */
static void write_draws(void)
{
    folder_make(in_folder("draws"));
    write_text("draws/config.json", "{\"draws\":2,\"tables\":[\"toy.a\",\"toy.b\"]}");
    write_splits("draws/records.jsonl", 8);
}

static void a_cell_rests_on_all_draws_and_shows_the_first(void **state)
{
    (void)state;
    for (int swapped = 0; swapped < 2; swapped++) {
        struct conformance conformance = {0};
        write_draws();
        assert_int_equal(compare_two(swapped ? "draws" : "run", swapped ? "run" : "draws", &conformance, NULL),
                         STATUS_OK);
        const struct reproduction_cell *cell = &conformance.tables[0]->rows[0].cells[0];
        assert_int_equal(cell->measured.n, 8);
        assert_near(cell->measured.mean, 4.5, 1e-14);   /* over splits 1 to 8 */
        assert_near(cell->measured.sd, sqrt(6), 1e-14); /* 2 (12.25 + 6.25 + 2.25 + 0.25) / 7 */
        assert_int_equal(cell->one_draw.n, 4);
        assert_near(cell->one_draw.mean, 2.5, 1e-14);
        /* the difference is over all draws: 4.5 against the printed 2.5 */
        assert_near(cell->agreement.difference, 2, 1e-14);
        assert_string_equal(conformance.tables[0]->splits, "Splits: 3 official, 5 resampled (p), 0 generated.");
    }
}

static void a_minimum_of_more_splits_is_that_of_as_many_as_printed(void **state)
{
    (void)state;
    struct conformance conformance = {0};
    const double values[] = {0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}; /* max(0.1 split, 0.15) */
    double sum = 0;
    size_t choices = 0;
    write_draws();
    assert_int_equal(compare_two("run", "draws", &conformance, NULL), STATUS_OK);
    for (unsigned set = 0; set < 256; set++) { /* all choices of four; the lowest set bit is the smallest element */
        size_t chosen = 0, least = 8;
        for (size_t i = 8; i-- > 0;)
            if (set >> i & 1) {
                chosen++;
                least = i;
            }
        choices += chosen == 4;
        sum += chosen == 4 ? values[least] : 0;
    }
    const struct reproduction_cell *cell = &conformance.tables[1]->rows[0].cells[1];
    assert_int_equal(choices, 70);
    assert_near(cell->ours, sum / 70, 1e-14);
    assert_near(cell->agreement.difference, sum / 70 - 0.2, 1e-14);
    assert_int_equal(cell->measured.n, 8);
    assert_true(cell->measured.min == 0.15 && cell->one_draw.min == 0.15);
}

static void tests_and_claims_rest_on_the_first_draw(void **state)
{
    (void)state;
    struct conformance one = {0}, both = {0};
    write_draws();
    assert_int_equal(compare("run", &one, NULL), STATUS_OK);
    char *detail = strdup(one.papers[0].claims.items[0].measured.cases[0].detail);
    assert_non_null(detail);
    assert_int_equal(compare_two("run", "draws", &both, NULL), STATUS_OK);
    const struct test_finding *test = &both.tables[0]->rows[0].tests[0];
    assert_int_equal(test->n, 4);
    assert_near(test->result.p_value, 2.0 / 70, 1e-15); /* 2 / C(8, 4), as with one draw */
    assert_string_equal(both.papers[0].claims.items[0].measured.cases[0].detail, detail);
    free(detail);
}

static void several_draws_alone_give_cells_but_no_test_and_no_claim(void **state)
{
    (void)state;
    struct conformance conformance = {0};
    write_draws();
    assert_int_equal(compare("draws", &conformance, NULL), STATUS_OK);
    assert_int_equal(conformance.tables[0]->rows[0].cells[0].measured.n, 8);
    assert_int_equal(conformance.tables[0]->rows[0].cells[0].one_draw.n, 0);
    assert_int_equal(conformance.tables[0]->rows[0].tests[0].n, 0);
    assert_int_equal(conformance.papers[0].claims.items[0].measured.verdict, CLAIM_MISSING);
}

static void draws_that_contradict_the_first_are_refused(void **state)
{
    (void)state;
    struct conformance conformance = {0};
    struct error error = {0};
    char *text = NULL;
    write_draws();
    text = read_file(in_folder("draws/records.jsonl"), NULL);
    char *number = strstr(text, "\"kernel_operations\":{\"iterations\":1000}");
    assert_non_null(number);
    memcpy(strstr(number, "1000"), "1001", 4);
    write_text("draws/records.jsonl", text);
    free(text);
    assert_int_equal(compare_two("run", "draws", &conformance, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "draws/records.jsonl:1"));
    assert_non_null(strstr(error.message, "\"kernel_operations.iterations\" is 1001"));
}

static void settings_are_never_pooled(void **state)
{
    (void)state;
    struct conformance conformance = {0};
    struct error error = {0};
    folder_make(in_folder("mixed"));
    write_text("mixed/config.json", "{\"tables\":[\"toy.a\"]}");
    FILE *stream = fopen(in_folder("mixed/records.jsonl"), "w");
    assert_non_null(stream);
    for (int i = 1; i <= 2; i++)
        fprintf(stream,
                "{\"schema\":1,\"dataset\":\"p\",\"split\":1,\"split_source\":\"fold\",\"solver\":\"clip-mdm\","
                "\"params\":{\"mu\":0.%d},\"kernel\":{},\"stop\":{},\"outcome\":\"converged\"}\n",
                i);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(compare("mixed", &conformance, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "records.jsonl:2: clip-mdm on p with params {\"mu\":0.2}"));
}

static void an_unknown_table_or_paper_is_an_error(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"{\"tables\":[\"toy.z\"]}", "unknown table \"toy.z\""},
        {"{\"tables\":[\"nobody.table1\"]}", "papers/nobody.json"},
        {"{\"tables\":[\"../toy.a\"]}", "is not the name of a table, PAPER.TABLE"},
        {"{\"tables\":\"toy.a\"}", "must be an array"},
    };
    folder_make(in_folder("bad"));
    write_text("bad/records.jsonl", "");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct conformance conformance = {0};
        struct error error = {0};
        write_text("bad/config.json", bad[i][0]);
        assert_int_not_equal(compare("bad", &conformance, &error), STATUS_OK);
        if (!strstr(error.message, bad[i][1]))
            fail_msg("\"%s\" does not say %s", error.message, bad[i][1]);
    }
}

static const cJSON *at(const cJSON *json, const char *const *keys)
{
    for (; *keys && json; keys++)
        json = cJSON_GetObjectItemCaseSensitive(json, *keys);
    assert_non_null(json);
    return json;
}

/* The row of a cell. */
static const cJSON *cell_at(const cJSON *json, const char *dataset, const char *column)
{
    const cJSON *row = NULL;
    cJSON_ArrayForEach (row, at(json, (const char *const[]){"rows", NULL}))
        if (strcmp(at(row, (const char *const[]){"dataset", NULL})->valuestring, dataset) == 0 &&
            strcmp(at(row, (const char *const[]){"column", NULL})->valuestring, column) == 0)
            return row;
    fail_msg("no cell %s, %s", dataset, column);
    return NULL;
}

static void the_files_carry_ours_the_papers_and_the_verdict(void **state)
{
    (void)state;
    struct conformance conformance;
    cJSON *json = NULL;
    char tables[256], *text = NULL;
    struct table_log log = {0};
    snprintf(tables, sizeof tables, "%s/run/tables", scratch_folder);
    assert_int_equal(compare("run", &conformance, NULL), STATUS_OK);
    reproduction_write(conformance.tables[0], tables);
    claims_write(&conformance.papers[0], tables);
    struct pool *pool = pool_new();
    summary_table_write(pool, &runs.items[0], tables, &log);
    pool_free(pool);

    json = read_json_file(in_folder("run/tables/toy.a.json"));
    const cJSON *cell = cell_at(json, "p", "slow.cost");
    assert_true(at(cell, (const char *const[]){"ours", "mean", NULL})->valuedouble == 102.5);
    assert_true(at(cell, (const char *const[]){"paper", "mean", NULL})->valuedouble == 90);
    assert_string_equal(at(cell, (const char *const[]){"verdict", NULL})->valuestring, "differs");
    const cJSON *missing = at(json, (const char *const[]){"missing", NULL})->child;
    assert_string_equal(at(missing, (const char *const[]){"dataset", NULL})->valuestring, "q");
    assert_string_equal(at(missing, (const char *const[]){"reason", NULL})->valuestring, "not here");
    const cJSON *test = at(json, (const char *const[]){"tests", NULL})->child;
    assert_string_equal(at(test, (const char *const[]){"dataset", NULL})->valuestring, "p");
    assert_string_equal(at(test, (const char *const[]){"kind", NULL})->valuestring, "rank-sum");
    assert_string_equal(at(test, (const char *const[]){"first", NULL})->valuestring, "fast.cost");
    assert_string_equal(at(test, (const char *const[]){"second", NULL})->valuestring, "slow.cost");
    assert_true(at(test, (const char *const[]){"level", NULL})->valuedouble == 0.1);
    assert_true(at(test, (const char *const[]){"n", NULL})->valuedouble == 4);
    cJSON_Delete(json);
    text = read_file(in_folder("run/tables/toy.a.md"), NULL);
    assert_non_null(strstr(text, "| p        | 2.5 ± 1.3 |  2.5 ± 1.3 ? |  90 ± 1.3 |  102 ± 1.3 ≠ | 0.0286* |\n"));
    assert_non_null(strstr(text, "q: not here; get q"));
    free(text);
    text = read_file(in_folder("run/tables/toy.a.csv"), NULL);
    assert_non_null(strstr(text, "\r\ntoy.a,q,fast.cost,1000,,,0,,,,0,,,,,1,1,,6,1,missing,,,,,,,,,,,,,\r\n"));
    free(text);
    text = read_file(in_folder("run/tables/summary.csv"), NULL);
    assert_non_null(
        strstr(text, ",iterations.mean ± sd,p,clip-mdm,iterations,mean ± sd,1,4,4,0,4,2.5,1.2909944487358"));
    free(text);
    assert_int_equal(access(in_folder("run/tables/toy.claims.tex"), R_OK), 0);
}

/* With 13 instead of 1.3 the variance of slow's cell is 101 times ours; with three degrees of freedom each, the F test
 * at 99 % rejects from 47.5 on. The other cell agrees. */
static void differing_standard_deviations_are_counted_among_all(void **state)
{
    (void)state;
    struct conformance conformance;
    char paper[sizeof toy_text], tables[256], *text = NULL;
    const char *sd = strstr(toy_text, "90,\"sd\":1.3") + strlen("90,\"sd\":");
    snprintf(tables, sizeof tables, "%s/run/tables", scratch_folder);
    snprintf(paper, sizeof paper, "%.*s13%s", (int)(sd - toy_text), toy_text, sd + strlen("1.3"));
    write_text("papers/toy.json", paper);
    assert_int_equal(compare("run", &conformance, NULL), STATUS_OK);
    reproduction_write(conformance.tables[0], tables);
    text = printed_text(&conformance);
    assert_non_null(strstr(text, "  standard deviations: 1 of 2 agree, 1 differ\n"));
    free(text);
    text = read_file(in_folder("run/tables/toy.a.md"), NULL);
    assert_non_null(strstr(text, "standard deviations: 1 of 2 differ from the printed ones (F test at 99 %), marked"));
    free(text);
    write_text("papers/toy.json", toy_text);
}

/* Ours is 104.5 with variance 6 on eight splits, the paper's 90 with 1.3^2 on four, rounded by up to 0.5. Welch's
 * interval from its definition; 12 digits hide how its quantile was computed. */
static void limits_of_differences_are_written_with_twelve_digits(void **state)
{
    (void)state;
    struct conformance conformance;
    char tables[256], limits[64], *text = NULL;
    const double ours = 6.0 / 8, theirs = 1.3 * 1.3 / 4, sum = ours + theirs;
    const double df = sum * sum / (ours * ours / 7 + theirs * theirs / 3);
    const double half = gsl_cdf_tdist_Qinv(0.025, df) * sqrt(sum) + 0.5;
    snprintf(tables, sizeof tables, "%s/run/tables", scratch_folder);
    snprintf(limits, sizeof limits, ",%.12g,%.12g,4.5,", 14.5 - half, 14.5 + half); /* 5 % of 90 */
    write_draws();
    assert_int_equal(compare("draws", &conformance, NULL), STATUS_OK);
    reproduction_write(conformance.tables[0], tables);
    text = read_file(in_folder("run/tables/toy.a.csv"), NULL);
    const char *row = strstr(text, "\r\ntoy.a,p,slow.cost,");
    assert_non_null(row);
    const char *found = strstr(row, limits);
    assert_true(found && found < strstr(row + 1, "\r\n"));
    free(text);
}

/* 2.5 +- 0.65 over 4 splits is a standard deviation of 1.3. */
static void a_printed_standard_error_is_read_as_a_deviation(void **state)
{
    (void)state;
    static const char *const changes[][2] = {{"\"mean_sd\"", "\"mean_se\""},
                                             {"\"sd\":1.3,\"decimals\":1",
                                              "\"se\":0.65,\"decimals\":1,\"se_decimals\":2"},
                                             {"\"fast.cost\":{\"mean\":1,\"sd\"", "\"fast.cost\":{\"mean\":1,\"se\""}};
    char text[sizeof toy_text + 64];
    const struct paper *paper = NULL;
    struct error error = {0};
    memcpy(text, toy_text, sizeof toy_text);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char before[sizeof text];
        memcpy(before, text, sizeof text);
        const char *found = strstr(before, changes[i][0]);
        assert_non_null(found);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(found - before), before, changes[i][1],
                 found + strlen(changes[i][0]));
    }
    write_text("errors.json", text);
    if (try_paper(in_folder("errors.json"), &paper, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    const struct printed *printed = &paper->tables[0].rows[0].cells[0];
    assert_true(printed->is_error && printed->sd_decimals == 2 && printed->decimals == 1);
    assert_true(fabs(printed->sd - 1.3) < 1e-15);
    assert_true(paper_column_has_sd(&paper->tables[0].columns[0]));
    assert_true(paper_column_is_mean(&paper->tables[0].columns[0]));
    assert_false(paper_column_has_sd(&paper->tables[1].columns[1]));
}

static void a_damaged_paper_is_refused_by_name(void **state)
{
    (void)state;
    static const char *const changes[][3] = {
        /* text to find, replacement, expected message */
        {"\"paper\"", "\"schema\":2,\"paper\"", "schema: 2 is out of range; allowed: "},
        {"\"paper\"", "\"schema\":\"1\",\"paper\"", "schema: \"1\" is not a number"},
        {"\"mean_sd\"", "\"median\"", "tables[0].columns[0].statistic: unknown statistic \"median\""},
        {"\"sd\":1.3", "\"so\":1.3", "tables[0].rows.p.fast.cost: unknown key \"so\"; did you mean \"sd\"?"},
        {"\"mean_sd\"", "\"mean_se\"", "tables[0].rows.p.fast.cost: unknown key \"sd\"; did you mean \"se\"?"},
        {"\"fast.cost\":{", "\"fast.cosy\":{", "unknown column \"fast.cosy\""},
        {"\"unit\":1000", "\"unit\":0", "tables[0].columns[0].unit: 0 is out of range"},
        {"[\"fast.cost\"", "[\"none\"", "\"none\" is not a measured column"},
        {"\"sd\":1.3", "\"sd\":-13", "tables[0].rows.p.fast.cost.sd: -13 is out of range"},
        {"\"statistic\":\"min\"", "\"statistic\":\"min\",\"same_as\":\"mu\"",
         "tables[1].columns[1].same_as: \"mu\" is not a column"},
        {"\"statistic\":\"min\"", "\"statistic\":\"min\",\"same_as\":\"nu\"",
         "tables[1].columns[1].same_as: \"nu\" is not a column"},
        {"\"statistic\":\"min\"", "\"statistic\":\"min\",\"same_as\":\"dim\"",
         "the column does not print the numbers of \"dim\" for p"},
        {"\"default\":4", "\"default\":1", "\"splits\" of p"},
        {"\"tests\"", "\"tuned_to_paper\":[{}],\"tests\"", "tables[0].tuned_to_paper[0]: key \"why\" is missing"},
        {"\"tests\"", "\"tuned_to_paper\":[{\"why\":\"w\",\"rows\":[]}],\"tests\"",
         "tables[0].tuned_to_paper[0]: unknown key \"rows\""},
        {"\"tests\"", "\"tuned_to_paper\":[{\"why\":\"w\",\"columns\":[\"clip-mdm\"]}],\"tests\"",
         "tables[0].tuned_to_paper[0]: \"columns\" must be keys"},
        {"\"tests\"", "\"tuned_to_paper\":[{\"why\":\"w\",\"datasets\":[\"r\"]}],\"tests\"",
         "tables[0].tuned_to_paper[0]: \"datasets\" must be names"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char text[sizeof toy_text + 128];
        const struct paper *paper = NULL;
        struct error error = {0};
        const char *found = strstr(toy_text, changes[i][0]);
        assert_non_null(found);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(found - toy_text), toy_text, changes[i][1],
                 found + strlen(changes[i][0]));
        write_text("damaged.json", text);
        assert_int_equal(try_paper(in_folder("damaged.json"), &paper, &error), STATUS_BAD_INPUT);
        if (!strstr(error.message, changes[i][2]) || !strstr(error.message, "damaged.json"))
            fail_msg("\"%s\" does not say %s", error.message, changes[i][2]);
        assert_null(paper);
    }
}

/* Table a with 103 instead of 90: on p slow's cell agrees and fast's is undecidable; q has no runs. */
static void cells_that_chose_a_convention_are_marked_at_their_verdict(void **state)
{
    (void)state;
    static const struct {
        const char *tuned_to_paper;
        int fast, slow; /* whether the cells on p are marked */
    } cases[] = {{"{\"why\":\"W\",\"columns\":[\"fast.cost\"]}", 1, 0},
                 {"{\"why\":\"W\",\"datasets\":[\"q\"]}", 0, 0},
                 {"{\"why\":\"W\",\"columns\":[\"fast.cost\"],\"datasets\":[\"p\"]}", 1, 0},
                 {"{\"why\":\"W\",\"columns\":[\"slow.cost\"],\"datasets\":[\"p\"]}", 0, 1},
                 {"{\"why\":\"W\"}", 1, 1}};
    const char *tests = strstr(toy_text, "\"tests\""), *mean = strstr(toy_text, "90,\"sd\"");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct conformance conformance;
        cJSON *json = NULL;
        char *text = NULL, tables[256];
        char paper[sizeof toy_text + 128];
        snprintf(tables, sizeof tables, "%s/run/tables", scratch_folder);
        snprintf(paper, sizeof paper, "%.*s\"fitted\":[%s],%.*s103%s", (int)(tests - toy_text), toy_text,
                 cases[i].tuned_to_paper, (int)(mean - tests), tests, mean + strlen("90"));
        write_text("papers/toy.json", paper);
        assert_int_equal(compare("run", &conformance, NULL), STATUS_OK);
        const struct reproduction_cell *cells = conformance.tables[0]->rows[0].cells;
        assert_true((cells[0].tuned_to_paper != NULL) == cases[i].fast);
        assert_true((cells[1].tuned_to_paper != NULL) == cases[i].slow);
        assert_int_equal(conformance.tables[0]->counts.tuned_to_paper, cases[i].slow);
        assert_int_equal(conformance.counts.tuned_to_paper, cases[i].slow);
        reproduction_write(conformance.tables[0], tables);
        text = read_file(in_folder("run/tables/toy.a.md"), NULL);
        assert_true((strstr(text, "‡ Agreement is not an independent confirmation: W.") != NULL) ==
                    (cases[i].fast || cases[i].slow || i == 1));
        free(text);
        json = read_json_file(in_folder("run/tables/toy.a.json"));
        const cJSON *cell = cell_at(json, "p", "fast.cost");
        assert_int_equal(cJSON_IsString(at(cell, (const char *const[]){"tuned_to_paper", NULL})), cases[i].fast);
        cJSON_Delete(json);
    }
    write_text("papers/toy.json", toy_text);
}

static void the_paper_of_2011_is_whole(void **state)
{
    (void)state;
    const struct paper *paper = NULL;
    struct error error = {0};
    assert_int_equal(unsetenv("HULLBENCH_SHARE"), 0);
    paper = paper_find_or_null(trial_pool(), "lopez2011.table1", &error);
    assert_int_equal(setenv("HULLBENCH_SHARE", scratch_folder, 1), 0);
    if (!paper)
        fail_msg("%s", error.message);
    assert_int_equal(paper->n_tables, 3);
    for (size_t t = 0; t < 3; t++) {
        const struct paper_table *table = &paper->tables[t];
        assert_int_equal(table->n_rows, 13);
        for (size_t i = 0; i < table->n_rows; i++)
            for (size_t j = 0; j < table->n_columns; j++) {
                const char *set = table->rows[i].dataset;
                int few = strcmp(set, "image") == 0 || strcmp(set, "splice") == 0;
                assert_int_equal(table->rows[i].cells[j].n, few ? 20 : 100);
            }
    }
    /* mu-GSK's operations per iteration are at least one row of the kernel, N; clip-MDM's are 2N. Both numbers are
     * rounded means. The coarsest is printed with one digit, 0.3 +- 0.05: 17 %, and 10 % for the other. */
    const struct paper_table *sizes = &paper->tables[0], *costs = &paper->tables[2];
    for (size_t i = 0; i < 13; i++) {
        double n = sizes->rows[i].cells[1].mean;
        const struct printed *cells = costs->rows[i].cells;
        assert_true(1000 * cells[2].mean / cells[0].mean > n * 0.95);
        assert_near(1000 * cells[3].mean / cells[1].mean / (2 * n), 1, 0.27);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_hold_means_in_the_printed_unit),
        cmocka_unit_test(numbers_that_are_printed_twice_count_once),
        cmocka_unit_test(numbers_of_another_paper_count_once),
        cmocka_unit_test(folds_of_a_repetition_are_one_value),
        cmocka_unit_test(what_a_deviation_explains_is_no_finding),
        cmocka_unit_test(a_value_of_one_split_is_judged_as_such_on_an_official_split_only),
        cmocka_unit_test(damaged_deviations_are_refused_by_place_and_value),
        cmocka_unit_test(a_run_that_names_no_table_feeds_none),
        cmocka_unit_test(two_runs_of_the_same_records_count_once),
        cmocka_unit_test(a_cell_rests_on_all_draws_and_shows_the_first),
        cmocka_unit_test(a_minimum_of_more_splits_is_that_of_as_many_as_printed),
        cmocka_unit_test(tests_and_claims_rest_on_the_first_draw),
        cmocka_unit_test(several_draws_alone_give_cells_but_no_test_and_no_claim),
        cmocka_unit_test(draws_that_contradict_the_first_are_refused),
        cmocka_unit_test(settings_are_never_pooled),
        cmocka_unit_test(an_unknown_table_or_paper_is_an_error),
        cmocka_unit_test(the_files_carry_ours_the_papers_and_the_verdict),
        cmocka_unit_test(differing_standard_deviations_are_counted_among_all),
        cmocka_unit_test(limits_of_differences_are_written_with_twelve_digits),
        cmocka_unit_test(a_printed_standard_error_is_read_as_a_deviation),
        cmocka_unit_test(a_damaged_paper_is_refused_by_name),
        cmocka_unit_test(cells_that_chose_a_convention_are_marked_at_their_verdict),
        cmocka_unit_test(the_paper_of_2011_is_whole),
    };
    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
