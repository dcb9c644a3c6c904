/* Pairs, cases and marks of toy records, checked by comparing every two records. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/compare/arms.h"
#include "harness/support/file.h"
#include "tests/read_run.h"
#include "tests/scratch_folder.h"

/* A record of the file; all other members are the same in every record. */
struct made {
    const char *dataset;
    size_t split;
    const char *solver, *params, *stop, *outcome;
    double objective, gap;
};

static const char rule_3[] = "{\"rule\":\"rch-gap\",\"tolerance\":0.001}";
static const char rule_5[] = "{\"rule\":\"rch-gap\",\"tolerance\":1e-05}";

static void read_made(const struct made *made, size_t n, struct record_file *records)
{
    char path[SCRATCH_PATH_SIZE], gap[40];
    struct error error = {0};
    assert_int_equal(scratch_file_new(path, "hullbench-pairing"), 0);
    FILE *stream = fopen(path, "w");
    for (size_t i = 0; i < n; i++) {
        snprintf(gap, sizeof gap, made[i].gap < 0 ? "null" : "%.17g", made[i].gap);
        fprintf(stream,
                "{\"schema\":1,\"config\":\"made\",\"dataset\":\"%s\",\"split\":%zu,\"split_source\":\"official\","
                "\"solver\":\"%s\",\"params\":%s,\"kernel\":{\"type\":\"linear\"},\"stop\":%s,\"outcome\":\"%s\","
                "\"objective\":%.17g,\"duality_gap\":%s}\n",
                made[i].dataset, made[i].split, made[i].solver, made[i].params, made[i].stop,
                made[i].outcome ? made[i].outcome : "converged", made[i].objective, gap);
    }
    fclose(stream);
    assert_int_equal(try_records(path, records, &error), STATUS_OK);
    remove(path);
}

static struct pool *pool; /* of all pairings */

static struct pairing make(const struct records *records, const char *baseline, const char *candidate)
{
    const struct pairing_arm arms[ARMS] = {{records, baseline}, {records, candidate}};
    return pairing_make(pool, arms);
}

static void pairs_are_those_of_equal_unit_and_problem(void **state)
{
    (void)state;
    enum { SETS = 2, SPLITS = 5, LEVELS = 2, MAX = 2 * SETS * SPLITS * LEVELS };
    static const char *const sets[SETS] = {"heart", "banana"};
    static const char *const params[2][LEVELS] = {{"{\"mu\":0.1}", "{\"mu\":0.25}"},
                                                  {"{\"mu\":0.1,\"history\":9}", "{\"mu\":0.25,\"history\":9}"}};
    static const char *const solvers[2] = {"clip-mdm", "cycle-clip-mdm"};
    struct made made[MAX];
    size_t n = 0;
    for (size_t k = 0; k < MAX; k++) { /* in an order other than that of files or splits; some are left out */
        size_t at = 7 * k % MAX, solver = at % 2, level = at / 2 % 2, set = at / 4 % 2, split = at / 8;
        if (at % 11 != 3)
            made[n++] = (struct made){sets[set], split + 1, solvers[solver], params[solver][level], rule_5, NULL, 1, 0};
    }
    struct record_file file;
    struct pairing pairing;
    read_made(made, n, &file);
    pairing = make(&file.records, solvers[0], solvers[1]);
    size_t expected = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const char *mu = strstr(made[i].params, "0.1") ? "0.1" : "0.25";
            expected += made[i].solver == solvers[0] && made[j].solver == solvers[1] &&
                        made[i].dataset == made[j].dataset && made[i].split == made[j].split &&
                        strstr(made[j].params, mu);
        }
    assert_int_equal(pairing.n_pairs, expected);
    size_t of_first = 0, of_second = 0, in_cases = 0;
    for (size_t i = 0; i < n; i++) {
        of_first += made[i].solver == solvers[0];
        of_second += made[i].solver == solvers[1];
    }
    assert_int_equal(pairing.alone[BASELINE], of_first - expected);
    assert_int_equal(pairing.alone[CANDIDATE], of_second - expected);
    assert_int_equal(pairing.n_cases, SETS * LEVELS);
    assert_int_equal(pairing.n_datasets, SETS);
    for (size_t c = 0; c < pairing.n_cases; c++) {
        const struct pair_case *at = &pairing.cases[c];
        assert_int_equal(at->first, in_cases);
        in_cases += at->count;
        assert_true(strcmp(at->settings, "mu = 0.1") == 0 || strcmp(at->settings, "mu = 0.25") == 0);
        assert_string_equal(at->dataset, pairing.cases[c / LEVELS * LEVELS].dataset);
        for (size_t p = at->first; p < at->first + at->count; p++) {
            const struct record *a = pairing.pairs[p].records[BASELINE], *b = pairing.pairs[p].records[CANDIDATE];
            assert_string_equal(a->solver, solvers[0]);
            assert_string_equal(b->solver, solvers[1]);
            assert_string_equal(a->dataset, at->dataset);
            assert_string_equal(b->dataset, at->dataset);
            assert_int_equal(a->split, b->split);
            assert_true(!strstr(a->params_text, "0.25") == !strstr(b->params_text, "0.25"));
        }
    }
    assert_int_equal(in_cases, expected);
    pool_free(file.pool);
}

static void like_tolerances_are_paired_where_there_are_several(void **state)
{
    (void)state;
    const struct made made[] = {
        {"heart", 1, "mdm", "{}", rule_3, NULL, 1, 0}, {"heart", 1, "mdm", "{}", rule_5, NULL, 1, 0},
        {"heart", 1, "gsk", "{}", rule_5, NULL, 1, 0}, {"heart", 2, "mdm", "{}", rule_3, NULL, 1, 0},
        {"heart", 2, "gsk", "{}", rule_5, NULL, 1, 0},
    };
    struct record_file file;
    struct pairing pairing;
    read_made(made, 5, &file);
    pairing = make(&file.records, "mdm", "gsk");
    assert_int_equal(pairing.n_pairs, 2);
    assert_int_equal(pairing.alone[BASELINE], 1);
    assert_int_equal(pairing.alone[CANDIDATE], 0);
    for (size_t p = 0; p < 2; p++) /* split 2 has one record of each solver, with different rules */
        assert_string_equal(pairing.pairs[p].records[BASELINE]->stop_text,
                            pairing.pairs[p].records[BASELINE]->split == 1 ? rule_5 : rule_3);
    pool_free(file.pool);
}

static void several_partners_are_an_error_that_names_them(void **state)
{
    (void)state;
    const struct made made[] = {
        {"heart", 3, "mdm", "{}", rule_3, NULL, 1, 0},
        {"heart", 3, "cycle-clip-mdm", "{\"mu\":1,\"history\":5}", rule_3, NULL, 1, 0},
        {"heart", 3, "cycle-clip-mdm", "{\"mu\":1,\"history\":9}", rule_3, NULL, 1, 0},
    };
    struct record_file file;
    struct pairing pairing;
    read_made(made, 3, &file);
    for (int turned = 0; turned < 2; turned++) {
        const char *names[2] = {"mdm", "cycle-clip-mdm"};
        pairing = make(&file.records, names[turned], names[!turned]);
        assert_int_equal(pairing.n_pairs, 0);
        assert_non_null(
            strstr(pairing.ambiguity, "heart, split 3: 2 records of cycle-clip-mdm match the record of mdm"));
        assert_non_null(strstr(pairing.ambiguity, "{\"mu\":1,\"history\":5}"));
        assert_non_null(strstr(pairing.ambiguity, "{\"mu\":1,\"history\":9}"));
    }
    pool_free(file.pool);
}

static void common_parameters_decide_between_several(void **state)
{
    (void)state;
    struct made made[6];
    static const char *const params[3] = {"{\"C\":1,\"start\":\"zero\"}", "{\"C\":1,\"start\":\"first-pair\"}",
                                          "{\"C\":2,\"start\":\"zero\"}"};
    for (size_t i = 0; i < 6; i++)
        made[i] = (struct made){"heart", 1, i < 3 ? "1-smo" : "cycle-1-smo", params[i % 3], rule_3, NULL, 1, 0};
    struct record_file file;
    struct pairing pairing;
    read_made(made, 6, &file);
    pairing = make(&file.records, "1-smo", "cycle-1-smo");
    assert_int_equal(pairing.n_pairs, 3);
    assert_int_equal(pairing.n_cases, 3);
    for (size_t p = 0; p < 3; p++)
        assert_string_equal(pairing.pairs[p].records[0]->params_text, pairing.pairs[p].records[1]->params_text);
    assert_string_equal(pairing.cases[1].settings, "C = 1, start = first-pair");
    pool_free(file.pool);
}

static void nothing_in_common_is_no_pair(void **state)
{
    (void)state;
    const struct made made[] = {{"heart", 1, "mu-gsk", "{\"mu\":0.1}", rule_3, NULL, 1, 0},
                                {"heart", 1, "clip-mdm", "{\"mu\":0.2}", rule_3, NULL, 1, 0},
                                {"heart", 2, "clip-mdm", "{\"mu\":0.1}", rule_3, NULL, 1, 0}};
    struct record_file file;
    struct pairing pairing;
    read_made(made, 3, &file);
    pairing = make(&file.records, "mu-gsk", "clip-mdm");
    assert_true(pairing.n_pairs == 0 && !pairing.ambiguity);
    pairing = make(&file.records, "mu-gsk", "gsk");
    assert_true(pairing.n_pairs == 0 && !pairing.ambiguity);
    pool_free(file.pool);
}

/* The mark of a pair of records; *ratio is the gap of the second over that of the first. */
static enum pair_mark mark_of(const char *one, const char *other, struct made first, struct made second, double *ratio)
{
    struct record_file file;
    struct pairing pairing;
    struct made made[2] = {first, second};
    made[0].dataset = made[1].dataset = "heart";
    made[0].split = made[1].split = 1;
    made[0].solver = one;
    made[1].solver = other;
    made[0].params = made[1].params = "{}";
    made[0].stop = made[1].stop = rule_3;
    read_made(made, 2, &file);
    pairing = make(&file.records, one, other);
    accuracy_mark(&pairing, problems_of(one, other));
    *ratio = accuracy_gap_of(&pairing.pairs[0], CANDIDATE, problems_of(one, other)) /
             accuracy_gap_of(&pairing.pairs[0], BASELINE, problems_of(one, other));
    enum pair_mark mark = pairing.pairs[0].mark;
    pool_free(file.pool);
    return mark;
}

static struct made ended(const char *outcome, double objective, double gap)
{
    return (struct made){.outcome = outcome, .objective = objective, .gap = gap};
}

static void check_gaps(const char *other, struct made first, struct made second, enum pair_mark mark, double should)
{
    double ratio;
    assert_int_equal(mark_of("mdm", other, first, second, &ratio), mark);
    if (!(isnan(ratio) && isnan(should)) && !(fabs(ratio - should) <= 1e-9 * should))
        fail_msg("the ratio of gaps is %.17g and not %.17g", ratio, should);
}

static void marks_and_ratios_of_gaps_are_those_of_the_records(void **state)
{
    (void)state;
    const struct made fine = ended("converged", 2, 1e-4), loose = ended("converged", 2, 4e-4),
                      stopped = ended("iteration-limit", 2, 1), unknown = ended("converged", 2, -1),
                      exact = ended("converged", 2, 1e-15), better = ended("converged", 2, 1e-13),
                      other = ended("converged", 2.001, 1e-4), zero = ended("converged", 0, 0);
    const double none = (double)NAN;
    check_gaps("gsk", fine, fine, PAIR_FINE, 1);
    check_gaps("gsk", fine, loose, PAIR_FINE, 4);
    check_gaps("gsk", loose, fine, PAIR_FINE, 0.25);
    check_gaps("gsk", loose, stopped, PAIR_NOT_CONVERGED, none);
    check_gaps("gsk", ended("stalled", 2, 0), fine, PAIR_NOT_CONVERGED, none);
    check_gaps("gsk", ended("failed", 2, 0), ended("failed", 2, 0), PAIR_NOT_CONVERGED, none);
    check_gaps("gsk", unknown, fine, PAIR_GAP_UNKNOWN, none);
    check_gaps("gsk", exact, better, PAIR_FINE, 1); /* both below rounding */
    check_gaps("gsk", fine, other, PAIR_APART, 1);
    check_gaps("gsk", zero, zero, PAIR_FINE, none);
}

static void gaps_of_different_problems_are_compared_as_shares_of_the_objective(void **state)
{
    (void)state;
    const struct made hull = ended("converged", 0.01, 1e-6), dual = ended("converged", 500, 0.05),
                      loose = ended("converged", 500, 0.5);
    assert_int_equal(problems_of("mdm", "1-smo"), PROBLEMS_DIFFERENT);
    assert_int_equal(problems_of("1-smo", "2-smo"), PROBLEMS_DIFFERENT);
    assert_int_equal(problems_of("1-smo", "svm-light"), PROBLEMS_SAME);
    assert_int_equal(problems_of("ch-mdm", "mdm"), PROBLEMS_DIFFERENT); /* the square penalty's kernel is K + I/C */
    assert_int_equal(problems_of("mine", "mine"), PROBLEMS_SAME);
    assert_int_equal(problems_of("mine", "mdm"), PROBLEMS_UNKNOWN);
    check_gaps("1-smo", hull, dual, PAIR_FINE, 1);
    check_gaps("1-smo", hull, loose, PAIR_FINE, 10);
}

/* Pairs two records: returns their problems, and whether the rule makes their accuracy equal. */
static enum problems problems_of_two(struct made one, struct made other, int *equal_by_rule)
{
    struct record_file file;
    struct pairing pairing;
    struct made made[2] = {one, other};
    made[0].dataset = made[1].dataset = "heart";
    made[0].split = made[1].split = 1;
    read_made(made, 2, &file);
    pairing = make(&file.records, one.solver, other.solver);
    enum problems problems = problems_of_pairs(&pairing, one.solver, other.solver);
    *equal_by_rule = accuracy_is_equal_by_rule(&pairing);
    pool_free(file.pool);
    return problems;
}

static void a_hull_and_a_dual_of_one_c_are_forms_of_one_svm(void **state)
{
    (void)state;
    static const char c[] = "{\"C\":4}", mu[] = "{\"mu\":0.1}", none[] = "{}";
    static const struct {
        struct made one, other;
        enum problems problems;
    } cases[] = {
        {{.solver = "1-smo", .params = c}, {.solver = "clip-mdm", .params = c}, PROBLEMS_ONE_SVM},
        {{.solver = "1-smo", .params = c}, {.solver = "clip-mdm", .params = mu}, PROBLEMS_DIFFERENT},
        {{.solver = "1-smo", .params = c}, {.solver = "mdm", .params = none}, PROBLEMS_DIFFERENT},
        {{.solver = "2-smo", .params = c}, {.solver = "ch-mdm", .params = c}, PROBLEMS_ONE_SVM},
        {{.solver = "1-smo", .params = c}, {.solver = "ch-mdm", .params = c}, PROBLEMS_DIFFERENT},
        {{.solver = "2-smo", .params = c}, {.solver = "clip-mdm", .params = c}, PROBLEMS_DIFFERENT},
        {{.solver = "1-smo", .params = c}, {.solver = "2-smo", .params = c}, PROBLEMS_DIFFERENT},
        {{.solver = "2-smo", .params = c}, {.solver = "unary-mdm", .params = c}, PROBLEMS_DIFFERENT},
        {{.solver = "1-smo", .params = c}, {.solver = "m3-soft", .params = c}, PROBLEMS_DIFFERENT},
        {{.solver = "1-smo", .params = c}, {.solver = "svm-light", .params = c}, PROBLEMS_SAME},
        {{.solver = "1-smo", .params = c}, {.solver = "of-a-plugin", .params = c}, PROBLEMS_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made one = cases[i].one, other = cases[i].other;
        int equal;
        one.stop = other.stop = rule_3;
        assert_int_equal(problems_of_two(one, other, &equal), cases[i].problems);
        assert_int_equal(problems_of_two(other, one, &equal), cases[i].problems);
        assert_int_equal(equal, 0);
    }
}

static void one_tolerance_of_svm_gap_is_one_accuracy(void **state)
{
    (void)state;
    static const char gap_3[] = "{\"rule\":\"svm-gap\",\"tolerance\":0.001}",
                      gap_5[] = "{\"rule\":\"svm-gap\",\"tolerance\":1e-05}";
    static const struct {
        const char *one, *other;
        int equal;
    } cases[] = {{gap_3, gap_3, 1}, {gap_3, gap_5, 0}, {gap_3, rule_3, 0}, {rule_3, gap_3, 0}, {rule_3, rule_3, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int equal;
        problems_of_two((struct made){.solver = "1-smo", .params = "{\"C\":4}", .stop = cases[i].one},
                        (struct made){.solver = "clip-mdm", .params = "{\"C\":4}", .stop = cases[i].other}, &equal);
        assert_int_equal(equal, cases[i].equal);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_those_of_equal_unit_and_problem),
        cmocka_unit_test(like_tolerances_are_paired_where_there_are_several),
        cmocka_unit_test(several_partners_are_an_error_that_names_them),
        cmocka_unit_test(common_parameters_decide_between_several),
        cmocka_unit_test(nothing_in_common_is_no_pair),
        cmocka_unit_test(marks_and_ratios_of_gaps_are_those_of_the_records),
        cmocka_unit_test(gaps_of_different_problems_are_compared_as_shares_of_the_objective),
        cmocka_unit_test(a_hull_and_a_dual_of_one_c_are_forms_of_one_svm),
        cmocka_unit_test(one_tolerance_of_svm_gap_is_one_accuracy),
    };
    pool = pool_new();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pool_free(pool);
    return failed;
}
