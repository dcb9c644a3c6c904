/* Several comparisons of one toy folder: p adjusted by hand, claims that adjustment withdraws, mirrored comparisons. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort.h>

#include "harness/compare/compare.h"
#include "harness/support/file.h"
#include "tests/scratch_folder.h"

enum { SETS = 8, SPLITS = 6, ARMS_MADE = 6 };

/* The cost of a solver over clip-mdm's on each set, in sixths of log 1.05, the margin. Signed ranks of the sets: gsk
 * has 3 above 0, so p is 2 * 5/256; the next two are about even. mdm has two beyond the margin: the second largest mean
 * of two sets is beyond it, the fourth is not. */
static const struct {
    const char *solver, *params;
    double sixths[SETS];
} made[ARMS_MADE] = {{"clip-mdm", "{\"mu\":0.1}", {0}},
                     {"gsk", "{\"mu\":0.1}", {-10, -20, 30, -40, -50, -60, -70, -80}},
                     {"cycle-clip-mdm", "{\"mu\":0.1,\"history\":9}", {10, -20, 30, -40, 50, -60, 71, -72}},
                     {"cycle-clip-mdm", "{\"mu\":0.1,\"history\":45}", {-10, 20, -30, 40, 50, -60, -70, 80}},
                     {"mdm", "{\"mu\":0.1}", {-0.1, 0.2, -0.3, 0.4, 7, -0.6, 7.1, 0.8}},
                     {"minkowski-mu-gsk", "{\"mu\":0.5}", {0}}}; /* another problem */

static char folder[SCRATCH_PATH_SIZE];

static void write_text(const char *name, const char *text)
{
    char path[96];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file_write(path, text, strlen(text));
}

static int set_up(void **state)
{
    char *records, *about;
    size_t size[2];
    (void)state;
    assert_non_null(scratch_folder_new(folder, "hullbench-comparisons"));
    FILE *out = open_memstream(&records, &size[0]), *data = open_memstream(&about, &size[1]);
    for (int d = 0; d < SETS; d++) {
        fprintf(data, "%s{\"dataset\":\"set%d\",\"train\":100,\"test\":100}", d ? "," : "{\"data\":[", d);
        for (int k = 0; k < SPLITS; k++)
            for (int s = 0; s < ARMS_MADE; s++) {
                double cost = 1e6 * exp(made[s].sixths[d] / 6 * log(1.05)) * (1 + 0.01 * ((k + s * d) % 3));
                fprintf(out,
                        "{\"schema\":1,\"config\":\"made\",\"dataset\":\"set%d\",\"split\":%d,\"split_source\":"
                        "\"official\",\"solver\":\"%s\",\"params\":%s,\"kernel\":{\"type\":\"linear\"},\"stop\":"
                        "{\"rule\":\"rch-gap\",\"tolerance\":0.001},\"outcome\":\"converged\",\"iterations\":%.0f,"
                        "\"kernel_operations\":{\"setup\":%d,\"iterations\":%.0f,\"predict\":1},\"support_vectors\":9,"
                        "\"error_percent\":%.17g,\"objective\":1,\"duality_gap\":0.001}\n",
                        d, k + 1, made[s].solver, made[s].params, cost / 10, s == 2 ? 0 : s,
                        cost, 20 + made[s].sixths[d] / 100);
            }
    }
    fputs("]}\n", data);
    fclose(out);
    fclose(data);
    write_text("records.jsonl", records);
    write_text("run.json", about);
    write_text("config.json", "{\"name\":\"made\"}\n");
    free(records);
    free(about);
    return 0;
}

static int tear_down(void **state)
{
    static const char *const names[] = {"records.jsonl", "run.json", "config.json"};
    char path[96];
    (void)state;
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return rmdir(folder);
}

static struct pool *pool; /* of all comparisons */

static const struct comparisons *make(const char *baseline, const char *candidate)
{
    struct compare_options options = COMPARE_DEFAULTS;
    options.folders[BASELINE] = options.folders[CANDIDATE] = folder;
    options.solvers[BASELINE] = baseline;
    options.solvers[CANDIDATE] = candidate;
    return comparisons_make(pool, &options);
}

static void make_given(void *solvers)
{
    const char *const *given = solvers;
    make(given[BASELINE], given[CANDIDATE]);
}

/* Asserts that the comparison ends with this status and a message that has this part. */
static void assert_refused(const char *baseline, const char *candidate, enum status status, const char *part)
{
    const char *solvers[ARMS] = {baseline, candidate};
    struct error error = {0};
    assert_int_equal(attempt(make_given, solvers, &error), status);
    assert_non_null(strstr(error.message, part));
}

static const char three[] = "gsk,cycle-clip-mdm[history=9],cycle-clip-mdm[history=45]";

/* clip-mdm against `three`, and against the values of history: several tests read these. */
static const struct comparisons *with_three, *with_sweep;

static int make_shared(void **state)
{
    if (set_up(state) != 0)
        return -1;
    pool = pool_new();
    with_three = make("clip-mdm", three);
    with_sweep = make("clip-mdm", "cycle-clip-mdm[history=*]");
    return 0;
}

static int free_shared(void **state)
{
    pool_free(pool);
    return tear_down(state);
}

/* Of the 256 choices of signs 5, 108 and 121 have a rank sum up to 3, 16 and 17 (R: psignrank(c(3, 16, 17), 8) * 256).
 * gsk's is 3; those of the others are 16 and, from the other tail, 36 - 19. */
static void p_is_adjusted_by_holm_over_the_comparisons(void **state)
{
    static const double p[3] = {2 * 5 / 256.0, 2 * 108 / 256.0, 2 * 121 / 256.0};
    (void)state;
    assert_int_equal(with_three->n, 3);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(with_three->items[i].finding.cost.p - p[i]) < 1e-12);
    assert_true(fabs(with_three->items[0].finding.cost.adjusted - 3 * p[0]) < 1e-12);
    for (int i = 1; i < 3; i++)
        assert_true(with_three->items[i].finding.cost.adjusted == 1);
    assert_non_null(strstr(with_three->items[0].sentence, "p = 0.12"));
    assert_non_null(strstr(with_three->items[0].sentence, "adjusted by Holm over 3 comparisons"));
}

/* The set-ups are too small to matter, so no sentence has them, and their tests are a family of their own. */
static void a_set_up_that_does_not_matter_is_not_told(void **state)
{
    const struct comparisons *comparisons;
    (void)state;
    comparisons = make("clip-mdm", "gsk");
    assert_int_equal(comparisons->items[0].finding.start_up.claim, CLAIM_LOWER);
    assert_null(strstr(comparisons->items[0].sentence, "set-up"));
    assert_true(fabs(with_three->items[0].finding.start_up.adjusted - 3 * 2 * 5 / 256.0) < 1e-12);
    assert_int_equal(with_three->items[0].finding.start_up.claim, CLAIM_UNDECIDED);
    assert_null(strstr(with_three->items[0].sentence, " needs "));
}

static void a_claim_rests_on_the_adjusted_p(void **state)
{
    const struct comparisons *comparisons;
    (void)state;
    comparisons = make("clip-mdm", "gsk");
    assert_int_equal(comparisons->items[0].finding.claim, CLAIM_LOWER);
    assert_null(strstr(comparisons->items[0].sentence, "Holm over"));
    assert_int_equal(with_three->items[0].finding.claim, CLAIM_UNDECIDED);
}

static void a_negligible_difference_is_so_at_the_level_of_all(void **state)
{
    const struct comparisons *comparisons;
    double alone;
    (void)state;
    comparisons = make("clip-mdm", "mdm");
    assert_int_equal(comparisons->items[0].finding.claim, CLAIM_NEGLIGIBLE);
    alone = comparisons->items[0].finding.cost.detectable;
    comparisons = make("clip-mdm", "gsk,mdm,cycle-clip-mdm[history=9]");
    assert_int_equal(comparisons->items[1].finding.claim, CLAIM_UNDECIDED);
    assert_true(comparisons->items[1].finding.cost.detectable > 1.1 * alone);
}

enum { MEANS = SETS * (SETS + 1) / 2 };

/* The log ratios of a solver's cost to clip-mdm's from the input: all means of two sets' means, of every `step`-th set,
 * in ascending order. Returns their number. */
static size_t means_of_two(int solver, int step, double means[MEANS])
{
    double sets[SETS] = {0};
    size_t n = 0;
    for (int d = step - 1; d < SETS; d += step) {
        for (int k = 0; k < SPLITS; k++) { /* split k + 1 */
            double noise = (1 + 0.01 * ((k + solver * d) % 3)) / (1 + 0.01 * (k % 3));
            sets[d] += (made[solver].sixths[d] / 6 * log(1.05) + log(noise)) / SPLITS;
        }
        for (int e = step - 1; e <= d; e += step)
            means[n++] = (sets[d] + sets[e]) / 2;
    }
    gsl_sort(means, 1, n);
    return n;
}

/* Over every second set: the median of all means. */
static double log_ratio_where_chosen(int solver)
{
    double means[MEANS];
    const size_t n = means_of_two(solver, 2, means);
    return (means[(n - 1) / 2] + means[n / 2]) / 2;
}

/* The interval between the k-th means from either end has level 1 - 2 P(rank sum < k). Of the 256 choices of signs 2,
 * 3, 5 and 7 have a rank sum below 2, 3, 4 and 5, so k is 4 for 0.95, and 2 for 1 - 0.05/3. */
static void intervals_are_wider_for_several_comparisons(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const struct estimate *cost = &with_three->items[i].finding.cost;
        double means[MEANS];
        means_of_two(i + 1, 1, means);
        assert_true(fabs(cost->difference.low - means[3]) < 1e-6); /* costs are integers around 1e6 */
        assert_true(fabs(cost->difference.high - means[MEANS - 4]) < 1e-6);
        assert_true(fabs(cost->joint.low - means[1]) < 1e-6);
        assert_true(fabs(cost->joint.high - means[MEANS - 2]) < 1e-6);
        assert_true(fabs(cost->difference.level - (1 - 2 * 5 / 256.0)) < 1e-12);
        assert_true(fabs(cost->joint.level - (1 - 2 * 2 / 256.0)) < 1e-12);
    }
}

/* Exchanging baseline and candidate changes the signs. */
static void one_against_many_mirrors_many_against_one(void **state)
{
    const struct comparisons *many = with_three;
    const struct comparisons *one;
    (void)state;
    one = make(three, "clip-mdm");
    assert_int_equal(many->n, one->n);
    for (size_t i = 0; i < many->n; i++) {
        const struct estimate *a = &many->items[i].finding.cost, *b = &one->items[i].finding.cost;
        assert_true(a->adjusted == b->adjusted && a->p == b->p);
        assert_true(a->tested == b->tested);
        assert_true(fabs(a->difference.estimate + b->difference.estimate) < 1e-12);
        assert_true(fabs(a->difference.low + b->difference.high) < 1e-12);
        assert_true(a->lower == b->higher && a->higher == b->lower && a->small == b->small);
        assert_int_equal(claim_sign(a->claim), -claim_sign(b->claim));
        assert_string_equal(many->items[i].arms.labels[CANDIDATE], one->items[i].arms.labels[BASELINE]);
    }
}

/* A case's p is multiplied by the number of cases of all comparisons that remain at its rank. */
static void cases_are_adjusted_over_all_comparisons(void **state)
{
    double least = 2;
    size_t tested = 0;
    (void)state;
    for (size_t i = 0; i < with_three->n; i++)
        for (size_t c = 0; c < with_three->items[i].pairing.n_cases; c++) {
            const struct estimate *row = &with_three->items[i].results[FIELD_KERNEL_OPERATIONS].rows[c];
            least = fmin(least, row->p);
            tested++;
            assert_true(row->adjusted >= row->p);
        }
    assert_int_equal(tested, 3 * SETS);
    int found = 0;
    for (size_t i = 0; i < with_three->n; i++)
        for (size_t c = 0; c < with_three->items[i].pairing.n_cases; c++) {
            const struct estimate *row = &with_three->items[i].results[FIELD_KERNEL_OPERATIONS].rows[c];
            found |= row->p == least && fabs(row->adjusted - fmin(1, 24 * least)) <= 1e-12 * least;
        }
    assert_true(found);
}

static void what_cannot_be_compared_is_kept_apart_and_is_no_part_of_the_family(void **state)
{
    const struct comparisons *all, *comparable;
    (void)state;
    all = make("clip-mdm", "minkowski-mu-gsk,gsk,mdm");
    comparable = make("clip-mdm", "gsk,mdm");
    assert_int_equal(all->n, 2);
    assert_int_equal(all->omitted.count, 1);
    assert_string_equal(all->omitted.item[0].labels[CANDIDATE], "minkowski-mu-gsk");
    assert_string_equal(all->omitted.item[0].labels[BASELINE], "clip-mdm");
    assert_non_null(strstr(all->omitted.item[0].reason, "nothing to compare"));
    for (int i = 0; i < 2; i++) { /* equal up to the number of solvers that were left out */
        const char *end = strstr(all->items[i].sentence, ". Not compared, ");
        assert_non_null(end);
        assert_memory_equal(all->items[i].sentence, comparable->items[i].sentence,
                            (size_t)(end - all->items[i].sentence));
    }
    assert_refused("clip-mdm,gsk", "minkowski-mu-gsk", STATUS_NOT_FOUND, "nothing to compare");
}

static void several_are_compared_with_each_of_several_as_one_family(void **state)
{
    const struct comparisons *comparisons;
    (void)state;
    comparisons = make("clip-mdm,mdm", "gsk,cycle-clip-mdm[history=9]");
    assert_int_equal(comparisons->n, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(comparisons->items[i].arms.labels[BASELINE], i < 2 ? "clip-mdm" : "mdm");
        assert_string_equal(comparisons->items[i].arms.labels[CANDIDATE], i % 2 ? "cycle-clip-mdm[history=9]" : "gsk");
        assert_int_equal(comparisons->items[i].finding.family, 4);
    }
    for (size_t i = 0; i < 4; i++) { /* Holm's p: the largest p up to this one, each times the number that remain */
        const struct estimate *cost = &comparisons->items[i].finding.cost;
        double adjusted = 0;
        for (size_t j = 0; j < 4; j++) {
            double p = comparisons->items[j].finding.cost.p;
            int before = 0;
            for (size_t k = 0; k < 4; k++)
                before += comparisons->items[k].finding.cost.p < p;
            if (p <= cost->p)
                adjusted = fmax(adjusted, fmin(1, (4 - before) * p));
        }
        assert_true(fabs(cost->adjusted - adjusted) < 1e-12);
    }
}

static void a_sweep_is_a_comparison_for_each_value(void **state)
{
    const struct comparisons *by_name, *listed;
    (void)state;
    by_name = make("clip-mdm", "cycle-clip-mdm[history=9],cycle-clip-mdm[history=45]");
    assert_int_equal(by_name->picks.count, 0);
    listed = make("clip-mdm", "cycle-clip-mdm[history=9|45]");
    const struct comparisons *const sweeps[] = {with_sweep, listed};
    for (int s = 0; s < 2; s++) {
        assert_int_equal(sweeps[s]->n, 2);
        for (int i = 0; i < 2; i++)
            assert_string_equal(sweeps[s]->items[i].sentence, by_name->items[i].sentence);
    }
}

static void the_best_value_is_chosen_on_half_of_the_sets_and_confirmed_on_the_others(void **state)
{
    const double nine = log_ratio_where_chosen(2), forty_five = log_ratio_where_chosen(3);
    (void)state;
    assert_int_equal(with_sweep->picks.count, 1);
    const struct sweep_pick *pick = &with_sweep->picks.item[0];
    assert_true(fabs(nine - forty_five) > 1e-3);
    assert_string_equal(pick->chosen->text,
                        nine < forty_five ? "cycle-clip-mdm[history=9]" : "cycle-clip-mdm[history=45]");
    assert_true(fabs(pick->log_ratio - fmin(nine, forty_five)) < 1e-6); /* costs are integers around 1e6 */
    assert_non_null(pick->confirmed);
    const struct comparison *confirmed = pick->confirmed;
    assert_int_equal(confirmed->pairing.n_pairs, SETS * SPLITS / 2);
    for (size_t p = 0; p < confirmed->pairing.n_pairs; p++)
        assert_non_null(strchr("0246", confirmed->pairing.pairs[p].records[CANDIDATE]->dataset[3])); /* "set0" */
    const struct estimate *cost = &pick->confirmed->finding.cost;
    assert_true(cost->adjusted == cost->p); /* a single test */
    assert_non_null(strstr(pick->sentence, pick->confirmed->sentence));
}

static void each_baseline_has_a_pick_and_these_are_a_family(void **state)
{
    const struct comparisons *swept;
    (void)state;
    swept = make("clip-mdm,mdm", "cycle-clip-mdm[history=*]");
    assert_int_equal(swept->n, 4);
    assert_int_equal(swept->picks.count, 2);
    assert_int_equal(swept->confirmed->n, 2);
    assert_int_equal(swept->confirmed->items[0].finding.family, 2);
}

static void what_is_no_sweep_is_refused(void **state)
{
    static const char *const cases[][2] = {{"cycle-clip-mdm[history=9|]", "empty value of history"},
                                           {"cycle-clip-mdm[history=9|9]", "occurs twice"},
                                           {"cycle-clip-mdm[history=*,mu=*]", "sweeps history and mu"},
                                           {"cycle-clip-mdm[histroy=*]", "has a setting \"histroy\""}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused("clip-mdm", cases[i][0], STATUS_BAD_INPUT, cases[i][1]);
}

static void sweep_over_none(void *given)
{
    const struct records none = {0};
    const struct solver_choices choices = solver_choices_read(pool, "--solver", "mdm[mu=*]");
    (void)given;
    sweep_expand(pool, "--solver", &none, &choices);
}

static void a_sweep_over_no_records_has_no_values(void **state)
{
    struct error error = {0};
    (void)state;
    assert_int_equal(attempt(sweep_over_none, NULL, &error), STATUS_BAD_INPUT);
    assert_string_equal(error.message, "--solver: no record of mdm[mu=*] has a setting \"mu\"");
}

/* The first call must leave the folder unlocked. */
static void a_folder_is_written_again(void **state)
{
    char *out = xasprintf("%s/%s", folder, "out"), *lock = xasprintf("%s/%s", out, ".lock");
    (void)state;
    for (int i = 0; i < 2; i++)
        comparisons_write(with_three, "", out, 1);
    assert_int_equal(access(lock, F_OK), -1);
    folder_remove(out);
    free(lock);
    free(out);
}

static void a_sweep_is_added_to_each_choice_of_a_list(void **state)
{
    static const char *const cases[][3] = {{"a", "x=1,2", "a[x=1|2]"},
                                           {"a,b", "x=*", "a[x=*],b[x=*]"},
                                           {"a[y=2,z=3],b", "x=0.5", "a[y=2,z=3,x=0.5],b[x=0.5]"}};
    static const char *const bad[] = {"", "x", "=1", "x=", "x=1]", "x=1|2"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(sweep_add(pool, "--solver", cases[i][0], cases[i][1]), cases[i][2]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_null(sweep_add(pool, "--solver", "a", bad[i]));
}

static void one_comparison_under_two_spellings_is_refused(void **state)
{
    static const char *const cases[][2] = {
        {"clip-mdm", "gsk[mu=0.1],gsk[mu=0.10]"},
        {"clip-mdm", "gsk[mu=0.1],gsk[mu=1e-1]"},
        {"clip-mdm", "gsk[mu=0.1],gsk[params.mu=0.1]"},
        {"clip-mdm", "gsk,gsk[mu=0.1]"},
        {"clip-mdm", "cycle-clip-mdm[mu=0.1,history=9],cycle-clip-mdm[history=9,mu=0.1]"},
        {"clip-mdm", "cycle-clip-mdm[history=9|45],cycle-clip-mdm[history=9.0]"},
        {"clip-mdm,clip-mdm[stop=rch-gap]", "gsk"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(cases[i][0], cases[i][1], STATUS_BAD_INPUT, "are the same 48 pairs");
}

/* The folder has clip-mdm, gsk, mdm and minkowski-mu-gsk, and cycle-clip-mdm with two values of history. */
static void what_was_left_out_is_counted(void **state)
{
    static const struct {
        const char *baseline, *candidate;
        size_t solvers, settings;
    } cases[] = {{"clip-mdm", "gsk", 3, 0},
                 {"clip-mdm", "cycle-clip-mdm[history=9]", 3, 1},
                 {"clip-mdm", "cycle-clip-mdm[history=*]", 3, 0},
                 {"cycle-clip-mdm[history=9]", "gsk", 3, 1},
                 {"cycle-clip-mdm[history=9]", "cycle-clip-mdm[history=45]", 4, 0},
                 {"clip-mdm", "gsk,mdm,minkowski-mu-gsk,cycle-clip-mdm[history=9|45]", 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct comparisons *comparisons;
        char said[160];
        comparisons = make(cases[i].baseline, cases[i].candidate);
        assert_int_equal(comparisons->left_out.solvers, cases[i].solvers);
        assert_int_equal(comparisons->left_out.settings, cases[i].settings);
        assert_int_equal(
            comparisons->left_out.datasets + comparisons->left_out.splits + comparisons->left_out.shards, 0);
        snprintf(said, sizeof said, "%zu solver%s%s", cases[i].solvers, cases[i].solvers > 1 ? "s" : "",
                 cases[i].settings ? ", 1 setting of the compared solvers" : ". If they were left out");
        for (size_t k = 0; k < comparisons->n; k++)
            assert_int_equal(!strstr(comparisons->items[k].sentence, said), cases[i].solvers + cases[i].settings == 0);
        *strpbrk(said, ".,") = 0; /* four confirming sets are too few for a p that could be too small */
        for (size_t k = 0; k < comparisons->picks.count; k++)
            assert_int_equal(!strstr(comparisons->picks.item[k].sentence, said),
                             cases[i].solvers + cases[i].settings == 0);
    }
}

static void settings_choose_the_records(void **state)
{
    const struct comparisons *comparisons;
    (void)state;
    comparisons = make("cycle-clip-mdm[history=9]", "cycle-clip-mdm[history=45]");
    assert_string_equal(comparisons->items[0].arms.labels[BASELINE], "cycle-clip-mdm[history=9]");
    assert_string_equal(comparisons->items[0].arms.labels[CANDIDATE], "cycle-clip-mdm[history=45]");
    assert_int_equal(comparisons->items[0].pairing.n_pairs, SETS * SPLITS);
    for (size_t p = 0; p < SETS * SPLITS; p++)
        for (int s = 0; s < ARMS; s++) {
            const struct record *record = comparisons->items[0].pairing.pairs[p].records[s];
            assert_non_null(strstr(record->params_text, s == BASELINE ? "\"history\":9" : "\"history\":45"));
        }
}

static void what_cannot_be_chosen_is_refused(void **state)
{
    static const char *const cases[][3] = {
        {"clip-mdm", "gsk,nobody", "unknown solver \"nobody\"; allowed: clip-mdm, gsk, "},
        {"clip-mdm", "cycle-clip-mdm[history=10]", "history: 10 matches none of the remaining"},
        {"clip-mdm", "gsk[histroy=9]", "unknown setting \"histroy\"; did you mean \"history\""},
        {"clip-mdm", "gsk[mu=0.1", "unmatched brackets"},
        {"cycle-clip-mdm", "cycle-clip-mdm[history=9]", "have records in common"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(cases[i][0], cases[i][1], STATUS_BAD_INPUT, cases[i][2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_is_adjusted_by_holm_over_the_comparisons),
        cmocka_unit_test(a_claim_rests_on_the_adjusted_p),
        cmocka_unit_test(a_set_up_that_does_not_matter_is_not_told),
        cmocka_unit_test(intervals_are_wider_for_several_comparisons),
        cmocka_unit_test(a_negligible_difference_is_so_at_the_level_of_all),
        cmocka_unit_test(one_against_many_mirrors_many_against_one),
        cmocka_unit_test(cases_are_adjusted_over_all_comparisons),
        cmocka_unit_test(what_cannot_be_compared_is_kept_apart_and_is_no_part_of_the_family),
        cmocka_unit_test(several_are_compared_with_each_of_several_as_one_family),
        cmocka_unit_test(a_sweep_is_a_comparison_for_each_value),
        cmocka_unit_test(the_best_value_is_chosen_on_half_of_the_sets_and_confirmed_on_the_others),
        cmocka_unit_test(each_baseline_has_a_pick_and_these_are_a_family),
        cmocka_unit_test(what_is_no_sweep_is_refused),
        cmocka_unit_test(a_sweep_over_no_records_has_no_values),
        cmocka_unit_test(a_sweep_is_added_to_each_choice_of_a_list),
        cmocka_unit_test(a_folder_is_written_again),
        cmocka_unit_test(one_comparison_under_two_spellings_is_refused),
        cmocka_unit_test(what_was_left_out_is_counted),
        cmocka_unit_test(settings_choose_the_records),
        cmocka_unit_test(what_cannot_be_chosen_is_refused),
    };
    gsl_set_error_handler_off();
    return cmocka_run_group_tests(tests, make_shared, free_shared);
}
