/* Claims of a made-up paper, judged by made-up records whose answers are plain. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/papers/claims.h"
#include "harness/support/file.h"

static char folder[] = "/tmp/hullbench-claims-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static void write_text(const char *name, const char *text, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", folder, name);
    assert_int_equal(file_write(path, text, strlen(text), NULL), STATUS_OK);
}

/* Six splits of `dataset` by `solver` from `first` on, iterations centre - 3 ... centre + 2; objectives 1/2 (fast) and
 * 2 + split/1000. */
static void add_from(FILE *stream, int first, const char *dataset, const char *solver, int centre, const char *outcome)
{
    for (int split = first; split < first + 6; split++)
        fprintf(stream,
                "{\"schema\":1,\"config\":\"c\",\"dataset\":\"%s\",\"split\":%d,\"split_source\":\"official\","
                "\"solver\":\"%s\",\"params\":{},\"kernel\":{},\"stop\":{},\"outcome\":\"%s\",\"iterations\":%d,"
                "\"objective\":%.6g}\n",
                dataset, split, solver, split == 1 ? outcome : "converged", centre + split - first - 3,
                strcmp(solver, "fast") == 0 ? 0.5 : 2 + split / 1000.0);
}

static void add(FILE *stream, const char *dataset, const char *solver, int centre, const char *outcome)
{
    add_from(stream, 1, dataset, solver, centre, outcome);
}

/* Set p: fast 10, slow 100, long 5 and on six splits of its own 5000; q: fast 10, slow 200; r: fast 300, slow 100. */
static void make_records(struct record_file *records)
{
    char path[64];
    write_text("records.jsonl", "", path, sizeof path);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    add(stream, "p", "fast", 10, "converged");
    add(stream, "p", "slow", 100, "stalled");
    add(stream, "p", "long", 5, "converged");
    add_from(stream, 7, "p", "long", 5000, "converged");
    add(stream, "q", "fast", 10, "converged");
    add(stream, "q", "slow", 200, "iteration-limit");
    add(stream, "r", "fast", 300, "converged");
    add(stream, "r", "slow", 100, "converged");
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(record_file_read(path, records, NULL), STATUS_OK);
}

/* Printed: on p fast needs 1 thousand iterations and slow 500, marked; nothing on q and r. */
#define PAPER_START                                                                                                    \
    "{\"paper\":\"toy\",\"datasets\":[\"p\",\"q\",\"r\"],\"splits\":{\"default\":6},\"tables\":[{\"name\":\"toy.t\","  \
    "\"caption\":\"c\",\"source\":\"s\",\"columns\":[{\"key\":\"fast\",\"title\":\"fast\",\"solver\":\"fast\","        \
    "\"field\":\"iterations\",\"unit\":1000,\"statistic\":\"mean_sd\"},{\"key\":\"slow\",\"title\":\"slow\","          \
    "\"solver\":\"slow\",\"field\":\"iterations\",\"statistic\":\"mean_sd\"}],\"tests\":[{\"key\":\"m\","              \
    "\"kind\":\"signed-rank\",\"mark\":\"1\",\"level\":0.1,\"between\":[\"fast\",\"slow\"]}],\"rows\":{\"p\":{"        \
    "\"fast\":{\"mean\":1,\"sd\":1,\"decimals\":1},\"slow\":{\"mean\":500,\"sd\":1,\"decimals\":1,"                    \
    "\"marks\":[\"1\"]}}}}],\"claims\":["

static enum status judge(const char *claims_text, struct paper **paper, struct records *records, struct claims *claims,
                         struct error *error)
{
    char path[64], text[4096];
    snprintf(text, sizeof text, PAPER_START "%s]}", claims_text);
    write_text("toy.json", text, path, sizeof path);
    assert_int_equal(paper_read(path, paper, error), STATUS_OK);
    return claims_judge(*paper, records, claims, error);
}

/* Judges one claim by the records and gives its verdict, and the paper's in *printed unless that is NULL. */
static enum claim_verdict verdict_of(const char *members, enum claim_verdict *printed)
{
    struct record_file file = {0};
    struct paper *paper = NULL;
    struct claims claims = {0};
    struct error error = {0};
    char text[1024];
    snprintf(text, sizeof text, "{\"id\":\"toy.claims/x\",\"text\":\"t\",%s}", members);
    make_records(&file);
    if (judge(text, &paper, &file.records, &claims, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    enum claim_verdict verdict = claims.items[0].measured.verdict;
    if (printed)
        *printed = claims.items[0].printed.verdict;
    claims_free(&claims);
    paper_free(paper);
    record_file_free(&file);
    return verdict;
}

#define LOWER "\"kind\":\"lower_mean\",\"field\":\"iterations\",\"lower\":\"fast\",\"than\":\"slow\""

/* The older name of each member is read as well: the other tests use them. */
static void members_have_their_newer_names(void **state)
{
    (void)state;
    enum claim_verdict printed;
#define LEFT "\"kind\":\"lower_mean\",\"field\":\"iterations\",\"left\":\"fast\",\"right\":\"slow\""
    assert_int_equal(verdict_of(LEFT, &printed), CLAIM_IN_PART);
    assert_int_equal(printed, CLAIM_FAILS);
    assert_int_equal(verdict_of(LEFT ",\"quantifier\":\"majority\"", NULL), CLAIM_HOLDS);
    assert_int_equal(verdict_of("\"kind\":\"significantly_worse\",\"field\":\"iterations\",\"left\":\"slow\","
                                "\"right\":\"fast\",\"level\":0.1,\"datasets\":[\"z\"]",
                                NULL),
                     CLAIM_MISSING);
    assert_int_equal(verdict_of("\"kind\":\"between\",\"field\":\"iterations\",\"low\":\"fast\","
                                "\"value\":\"fast\",\"high\":\"slow\",\"datasets\":[\"p\"]",
                                NULL),
                     CLAIM_HOLDS);
}

static void lower_means_count_data_sets(void **state)
{
    (void)state;
    enum claim_verdict printed;
    assert_int_equal(verdict_of(LOWER, &printed), CLAIM_IN_PART);
    assert_int_equal(printed, CLAIM_FAILS); /* 1 thousand against 500 on p; nothing printed for q and r */
    assert_int_equal(verdict_of(LOWER ",\"except\":[\"r\"]", NULL), CLAIM_HOLDS);
    assert_int_equal(verdict_of(LOWER ",\"share\":\"majority\"", NULL), CLAIM_HOLDS);
    assert_int_equal(verdict_of(LOWER ",\"datasets\":[\"r\"]", NULL), CLAIM_FAILS);
    assert_int_equal(verdict_of(LOWER ",\"datasets\":[\"p\",\"z\"]", NULL), CLAIM_IN_PART);
    assert_int_equal(verdict_of(LOWER ",\"datasets\":[\"z\"]", &printed), CLAIM_MISSING);
    assert_int_equal(printed, CLAIM_MISSING);
    /* means 9.5 and 99.5: lower by 90.45 % */
    assert_int_equal(verdict_of(LOWER ",\"datasets\":[\"p\"],\"margin\":0.9", NULL), CLAIM_HOLDS);
    assert_int_equal(verdict_of(LOWER ",\"datasets\":[\"p\"],\"margin\":0.91", NULL), CLAIM_FAILS);
}

static void ratios_and_order_are_of_means(void **state)
{
    (void)state;
    enum claim_verdict printed;
    /* 99.5 / 9.5 = 10.47, 199.5 / 9.5 = 21 exactly; printed 500 / 1000 */
    const char *const ratio =
        "\"kind\":\"ratio_between\",\"field\":\"iterations\",\"over\":\"slow\",\"under\":\"fast\","
        "\"datasets\":[\"p\",\"q\"],\"low\":10.4,\"high\":";
    char text[512];
    snprintf(text, sizeof text, "%s21", ratio);
    assert_int_equal(verdict_of(text, &printed), CLAIM_HOLDS);
    assert_int_equal(printed, CLAIM_FAILS);
    snprintf(text, sizeof text, "%s20.9", ratio);
    assert_int_equal(verdict_of(text, NULL), CLAIM_FAILS);
    assert_int_equal(verdict_of("\"kind\":\"between\",\"field\":\"iterations\",\"low\":\"fast\",\"middle\":\"slow\","
                                "\"high\":\"slow\"",
                                NULL),
                     CLAIM_IN_PART);
}

static void rank_tests_need_samples(void **state)
{
    (void)state;
    enum claim_verdict printed;
    assert_int_equal(verdict_of("\"kind\":\"no_significant_difference\",\"field\":\"iterations\",\"first\":\"fast\","
                                "\"second\":\"slow\",\"level\":0.1",
                                &printed),
                     CLAIM_FAILS);
    assert_int_equal(printed, CLAIM_MISSING);
    /* apart without overlap, the exact p is 2 / C(12, 6) = 0.00216 */
    assert_int_equal(verdict_of("\"kind\":\"no_significant_difference\",\"field\":\"iterations\",\"first\":\"fast\","
                                "\"second\":\"slow\",\"level\":0.002",
                                NULL),
                     CLAIM_HOLDS);
    const char *const worse = "\"kind\":\"significantly_worse\",\"field\":\"iterations\",\"worse\":\"slow\","
                              "\"than\":\"fast\",\"level\":0.1";
    assert_int_equal(verdict_of(worse, NULL), CLAIM_IN_PART); /* on r slow is the better one */
}

static void signed_rank_tests_pair_the_splits_and_printed_marks_decide_them(void **state)
{
    (void)state;
    enum claim_verdict printed;
    /* On each set all six differences are equal: V = 0, p = 2 / 2^6 = 0.03125, as without ties. */
#define PAIRED "\"field\":\"iterations\",\"test\":\"signed-rank\",\"datasets\":[\"p\"],\"level\":"
    const char *const worse = "\"kind\":\"significantly_worse\",\"worse\":\"slow\",\"than\":\"fast\"," PAIRED;
    char text[512];
    snprintf(text, sizeof text, "%s0.032", worse);
    assert_int_equal(verdict_of(text, &printed), CLAIM_HOLDS);
    assert_int_equal(printed, CLAIM_FAILS); /* the mark stands on slow */
    snprintf(text, sizeof text, "%s0.031", worse);
    assert_int_equal(verdict_of(text, NULL), CLAIM_FAILS);
    assert_int_equal(verdict_of("\"kind\":\"significantly_worse\",\"worse\":\"fast\",\"than\":\"slow\"," PAIRED "0.1",
                                &printed),
                     CLAIM_FAILS);
    assert_int_equal(printed, CLAIM_HOLDS);
    assert_int_equal(verdict_of("\"kind\":\"no_significant_difference\",\"first\":\"fast\",\"second\":\"slow\"," PAIRED
                                "0.1",
                                &printed),
                     CLAIM_FAILS);
    assert_int_equal(printed, CLAIM_FAILS);
    assert_int_equal(verdict_of("\"kind\":\"no_significant_difference\",\"first\":\"fast\",\"second\":\"fast\"," PAIRED
                                "0.1",
                                &printed),
                     CLAIM_HOLDS); /* all differences zero */
    assert_int_equal(printed, CLAIM_MISSING);
}

static void paired_tests_go_by_the_means_of_the_pairs(void **state)
{
    (void)state;
#define WORSE(worse, than)                                                                                             \
    "\"kind\":\"significantly_worse\",\"worse\":\"" worse "\",\"than\":\"" than "\"," PAIRED "0.1"
    assert_int_equal(verdict_of(WORSE("fast", "long"), NULL), CLAIM_HOLDS);
    assert_int_equal(verdict_of(WORSE("long", "fast"), NULL), CLAIM_FAILS);
}

static void means_are_compared_as_a_table_would_print_them(void **state)
{
    (void)state;
    enum claim_verdict printed;
#define WITHIN                                                                                                         \
    "\"kind\":\"means_within\",\"field\":\"iterations\",\"first\":\"fast\",\"second\":\"slow\",\"datasets\":[\"p\"],"
    assert_int_equal(verdict_of(WITHIN "\"limit\":90", &printed), CLAIM_HOLDS); /* 9.5 and 99.5 */
    assert_int_equal(printed, CLAIM_FAILS);                                    /* 1000 and 500 */
    assert_int_equal(verdict_of(WITHIN "\"limit\":89.9", NULL), CLAIM_FAILS);
    assert_int_equal(verdict_of(WITHIN "\"limit\":500", &printed), CLAIM_HOLDS);
    assert_int_equal(printed, CLAIM_HOLDS);
#define AT_MOST "\"kind\":\"at_most\",\"lower\":\"slow\",\"than\":\"fast\",\"field\":"
    assert_int_equal(verdict_of(AT_MOST "\"iterations\"", NULL), CLAIM_FAILS); /* only on r is slow lower */
    assert_int_equal(verdict_of(AT_MOST "\"objective\"", NULL), CLAIM_FAILS);  /* 2.0035 and 0.5 */
    assert_int_equal(
        verdict_of("\"kind\":\"at_most\",\"lower\":\"fast\",\"than\":\"fast\",\"field\":\"objective\"", NULL),
        CLAIM_HOLDS);
    assert_int_equal(
        verdict_of("\"kind\":\"means_within\",\"field\":\"objective\",\"first\":\"slow\",\"second\":\"fast\","
                   "\"decimals\":2,\"limit\":1.5",
                   NULL),
        CLAIM_HOLDS); /* 2.0035 is 2.00 */
    assert_int_equal(
        verdict_of("\"kind\":\"means_within\",\"field\":\"objective\",\"first\":\"slow\",\"second\":\"fast\","
                   "\"limit\":1.5",
                   NULL),
        CLAIM_FAILS);
}

static void four_means_are_compared_by_distance_and_by_order(void **state)
{
    (void)state;
#define FOUR(kind, a, b, c, d, x, y)                                                                                   \
    "\"kind\":\"" kind "\",\"field\":\"iterations\",\"first\":\"" a "\",\"second\":\"" b "\",\"" x "\":\"" c           \
    "\",\"" y "\":\"" d "\""
    assert_int_equal(
        verdict_of(FOUR("closer_means", "fast", "fast", "fast", "slow", "than_first", "than_second"), NULL),
        CLAIM_HOLDS);
    assert_int_equal(
        verdict_of(FOUR("closer_means", "fast", "slow", "slow", "fast", "than_first", "than_second"), NULL),
        CLAIM_FAILS); /* as far apart */
    assert_int_equal(verdict_of(FOUR("same_order", "fast", "slow", "fast", "slow", "as_first", "as_second"), NULL),
                     CLAIM_HOLDS);
    assert_int_equal(verdict_of(FOUR("same_order", "fast", "slow", "slow", "fast", "as_first", "as_second"), NULL),
                     CLAIM_FAILS);
    assert_int_equal(verdict_of(FOUR("same_order", "fast", "slow", "slow", "none", "as_first", "as_second"), NULL),
                     CLAIM_MISSING);
}

static void models_are_compared_by_objectives_split_by_split(void **state)
{
    (void)state;
    enum claim_verdict printed;
#define MODEL "\"kind\":\"same_model\",\"field\":\"objective\",\"first\":\"fast\",\"second\":"
    assert_int_equal(verdict_of(MODEL "\"fast\",\"limit\":0", &printed), CLAIM_HOLDS);
    assert_int_equal(printed, CLAIM_MISSING);
    assert_int_equal(verdict_of(MODEL "\"slow\",\"limit\":0.7", NULL), CLAIM_FAILS); /* 0.5 / 2.001 */
    /* 0.5 (2 + split / 1000): the sixth is 1.003 */
    assert_int_equal(verdict_of(MODEL "\"slow\",\"reciprocal\":true,\"limit\":0.0031", NULL), CLAIM_HOLDS);
    assert_int_equal(verdict_of(MODEL "\"slow\",\"reciprocal\":true,\"limit\":0.0029", NULL), CLAIM_FAILS);
    assert_int_equal(verdict_of(MODEL "\"none\",\"limit\":1", NULL), CLAIM_MISSING);
}

static void outcomes_tell_what_converges_and_stalls(void **state)
{
    (void)state;
    assert_int_equal(verdict_of("\"kind\":\"converges\",\"solver\":\"fast\"", NULL), CLAIM_HOLDS);
    assert_int_equal(verdict_of("\"kind\":\"converges\",\"solver\":\"slow\"", NULL), CLAIM_FAILS);
    assert_int_equal(verdict_of("\"kind\":\"never_stalls\",\"solver\":\"slow\"", NULL), CLAIM_IN_PART);
    assert_int_equal(verdict_of("\"kind\":\"never_stalls\",\"solver\":\"absent\"", NULL), CLAIM_MISSING);
}

static void shares_follow_the_table_of_the_documentation(void **state)
{
    (void)state;
    static const struct {
        const char *share;
        size_t yes, no, missing;
        enum claim_verdict verdict;
    } rule[] = {
        {"all", 0, 0, 3, CLAIM_MISSING},    {"all", 3, 0, 0, CLAIM_HOLDS},        {"all", 3, 0, 1, CLAIM_IN_PART},
        {"all", 2, 1, 0, CLAIM_IN_PART},    {"all", 1, 1, 0, CLAIM_FAILS},        {"majority", 2, 1, 0, CLAIM_HOLDS},
        {"majority", 1, 1, 0, CLAIM_FAILS}, {"majority", 3, 1, 2, CLAIM_IN_PART}, {"some", 1, 5, 0, CLAIM_HOLDS},
        {"some", 0, 5, 0, CLAIM_FAILS},     {"some", 0, 5, 1, CLAIM_MISSING},
    };
    for (size_t i = 0; i < sizeof rule / sizeof *rule; i++)
        assert_int_equal(claim_verdict_of(rule[i].share, rule[i].yes, rule[i].no, rule[i].missing), rule[i].verdict);
}

static void bad_claims_are_refused_by_name(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"{\"id\":\"i\",\"text\":\"t\",\"kind\":\"guess\"}", "claim i.kind: unknown kind \"guess\""},
        {"{\"text\":\"t\"}", "claims[0]: key \"id\""},
        {"{\"id\":\"i\",\"text\":\"t\"," LOWER ",\"share\":\"few\"}", "claim i.quantifier: unknown quantifier \"few\""},
        {"{\"id\":\"i\",\"text\":\"t\",\"kind\":\"lower_mean\",\"field\":\"iterations\",\"lower\":\"fast\"}",
         "\"right\""},
        {"{\"id\":\"i\",\"text\":\"t\",\"kind\":\"no_significant_difference\",\"field\":\"f\",\"first\":\"a\","
         "\"second\":\"b\"}",
         "claim i: key \"level\""},
        {"{\"id\":\"i\",\"text\":\"t\",\"kind\":\"significantly_worse\",\"field\":\"f\",\"worse\":\"a\",\"than\":\"b\","
         "\"level\":0.1,\"test\":\"sign\"}",
         "claim i.test: unknown test \"sign\""},
        {"{\"id\":\"i\",\"text\":\"t\",\"kind\":\"same_model\",\"field\":\"f\",\"first\":\"a\",\"second\":\"b\"}",
         "claim i: key \"limit\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct record_file file = {0};
        struct paper *paper = NULL;
        struct claims claims = {0};
        struct error error = {0};
        make_records(&file);
        assert_int_equal(judge(bad[i][0], &paper, &file.records, &claims, &error), STATUS_BAD_INPUT);
        if (!strstr(error.message, bad[i][1]) || !strstr(error.message, "toy.json"))
            fail_msg("\"%s\" does not say %s", error.message, bad[i][1]);
        claims_free(&claims);
        paper_free(paper);
        record_file_free(&file);
    }
}

static void the_papers_tables_contradict_one_of_its_claims(void **state)
{
    (void)state;
    struct paper *paper = NULL;
    struct claims claims = {0};
    struct records none = {0};
    assert_int_equal(paper_find("lopez2011.table3", &paper, NULL), STATUS_OK);
    assert_int_equal(claims_judge(paper, &none, &claims, NULL), STATUS_OK);
    int seen = 0;
    for (size_t i = 0; i < claims.count; i++) {
        const struct claim *claim = &claims.items[i];
        assert_int_equal(claim->measured.verdict, CLAIM_MISSING);
        if (strcmp(claim->id, "lopez2011.claims/kernel-operation-ratio") != 0)
            continue;
        seen = 1; /* flare-solar: 578.3 / 0.85 = 680 is outside 20 ... 390 */
        assert_int_equal(claim->printed.verdict, CLAIM_IN_PART);
        assert_int_equal(claim->printed.no, 1);
        assert_true(claim->printed.cases[1].decided && !claim->printed.cases[1].holds);
        assert_string_equal(claim->printed.cases[1].dataset, "flare-solar");
    }
    assert_true(seen);
    claims_free(&claims);
    paper_free(paper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_have_their_newer_names),
        cmocka_unit_test(lower_means_count_data_sets),
        cmocka_unit_test(ratios_and_order_are_of_means),
        cmocka_unit_test(rank_tests_need_samples),
        cmocka_unit_test(signed_rank_tests_pair_the_splits_and_printed_marks_decide_them),
        cmocka_unit_test(paired_tests_go_by_the_means_of_the_pairs),
        cmocka_unit_test(means_are_compared_as_a_table_would_print_them),
        cmocka_unit_test(four_means_are_compared_by_distance_and_by_order),
        cmocka_unit_test(models_are_compared_by_objectives_split_by_split),
        cmocka_unit_test(outcomes_tell_what_converges_and_stalls),
        cmocka_unit_test(shares_follow_the_table_of_the_documentation),
        cmocka_unit_test(bad_claims_are_refused_by_name),
        cmocka_unit_test(the_papers_tables_contradict_one_of_its_claims),
    };
    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
