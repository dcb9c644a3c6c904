/* C-SVMs: hullbench's solvers against peers at the same certified KKT violation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tests/bench/speedup.h"

enum { LONG_ENOUGH = 5000 }; /* patterns: from this size on, a round needs only one run */

struct race {
    const struct bench *bench;
    const struct bench_problem *problem;
    const struct contestant *contestants;
    size_t count, peers; /* the first `peers` of them are peers */
    double target, budget; /* in seconds; 0: the runs that find the tolerances are the only round */
    size_t megabytes;
    struct run runs[BENCH_MAX_RUNNERS];
    struct runner runners[BENCH_MAX_RUNNERS];
    double violation[BENCH_MAX_RUNNERS];
    size_t rounds;
};

static void run_race(struct race *race)
{
    for (size_t k = 0; k < race->count; k++) {
        const struct contestant *contestant = &race->contestants[k];
        race->runs[k] = (struct run){.contestant = contestant,
                                     .problem = race->problem,
                                     .simd = race->bench->best,
                                     .megabytes = contestant->megabytes ? contestant->megabytes : race->megabytes};
        contest_open(&race->runs[k]);
        race->violation[k] = contest_calibrate(&race->runs[k], race->target);
        int reports = contestant->peer && peer_is_program(contestant->peer);
        race->runners[k] = (struct runner){
            .work = contest_run, .context = &race->runs[k], .reported = reports ? &race->runs[k].seconds : NULL,
            .repeats = race->problem->n >= LONG_ENOUGH};
    }
    race->rounds = race->budget > 0 ? bench_rounds(race->runners, race->count, race->budget) : 1;
    for (size_t k = 0; k < race->count && race->budget <= 0; k++)
        race->runners[k].seconds[0] = race->runs[k].calibrated;
}

static void close_race(struct race *race)
{
    for (size_t k = 0; k < race->count; k++)
        contest_close(&race->runs[k]);
}

static double seconds_of(const struct race *race, size_t k)
{
    return bench_median(race->runners[k].seconds, race->rounds);
}

static int reached(const struct race *race, size_t k)
{
    return race->violation[k] <= race->target;
}

/* The fastest of hullbench's solvers that reached the target; `count` if none did. */
static size_t fastest(const struct race *race)
{
    size_t best = race->count;
    for (size_t k = race->peers; k < race->count; k++)
        if (reached(race, k) && (best == race->count || seconds_of(race, k) < seconds_of(race, best)))
            best = k;
    return best;
}

static struct ratio against(const struct race *race, size_t k, size_t peer)
{
    return bench_ratio(race->runners[k].seconds, race->runners[peer].seconds, race->rounds);
}

static void report_run(const struct race *race, size_t k, cJSON *list)
{
    const struct run *run = &race->runs[k];
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    cJSON_AddStringToObject(item, "solver", run->contestant->name);
    cJSON_AddNumberToObject(item, "megabytes", (double)run->megabytes);
    cJSON_AddNumberToObject(item, "seconds", seconds_of(race, k));
    cJSON_AddNumberToObject(item, "tolerance", run->tolerance);
    cJSON_AddNumberToObject(item, "kkt_violation", race->violation[k]);
    cJSON_AddBoolToObject(item, "reached", reached(race, k));
    if (run->contestant->solver) {
        cJSON_AddNumberToObject(item, "iterations", (double)run->iterations);
        cJSON_AddNumberToObject(item, "kernel_operations", (double)run->operations);
        cJSON_AddNumberToObject(item, "support_vectors", (double)contest_support_vectors(run));
    }
    printf("  %-26s %10.3g s  %9.2e%s", run->contestant->name, seconds_of(race, k), race->violation[k],
           reached(race, k) ? " " : "!");
    cJSON *ratios = k < race->peers ? NULL : cJSON_AddArrayToObject(item, "times_faster");
    for (size_t p = 0; ratios && p < race->peers; p++) {
        struct ratio ratio = against(race, k, p);
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddItemToArray(ratios, entry);
        cJSON_AddStringToObject(entry, "against", race->contestants[p].name);
        cJSON_AddNumberToObject(entry, "median", ratio.median);
        cJSON_AddNumberToObject(entry, "least", ratio.min);
        cJSON_AddNumberToObject(entry, "most", ratio.max);
        printf("  %7.2f (%.2f to %.2f)", ratio.median, ratio.min, ratio.max);
    }
    puts("");
}

static void report_race(const struct race *race, cJSON *list)
{
    const struct bench_problem *problem = race->problem;
    size_t best = fastest(race);
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    cJSON_AddStringToObject(item, "problem", problem->name);
    cJSON_AddNumberToObject(item, "n", (double)problem->n);
    cJSON_AddNumberToObject(item, "dims", (double)problem->dims);
    if (!problem->x)
        cJSON_AddNumberToObject(item, "nonzeros", (double)patterns_nonzeros(&problem->sparse));
    cJSON_AddStringToObject(item, "kernel", problem->is_linear ? "linear" : "rbf");
    cJSON_AddNumberToObject(item, "C", problem->c);
    cJSON_AddNumberToObject(item, "width", problem->width);
    cJSON_AddNumberToObject(item, "megabytes", (double)race->megabytes);
    cJSON_AddNumberToObject(item, "rounds", (double)race->rounds);
    if (best < race->count)
        cJSON_AddStringToObject(item, "fastest", race->contestants[best].name);
    printf("%s (n %zu, C %g, ", problem->name, problem->n, problem->c);
    if (problem->is_linear)
        printf("linear; %zu rounds)\n", race->rounds);
    else
        printf("width %g; %zu rounds)\n", problem->width, race->rounds);
    cJSON *runs = cJSON_AddArrayToObject(item, "runs");
    for (size_t k = 0; k < race->count; k++)
        report_run(race, k, runs);
    fflush(stdout);
}

void bench_race_head(const char *title)
{
    printf("\n%s\n  %-26s %12s  %10s  %s\n", title, "solver", "seconds", "violation",
           "times faster than the peers, in the order of their lines");
}

/* The installed peers with numbers first to last - 1. */
size_t bench_take_peers(const struct bench *bench, size_t first, size_t last, struct contestant *list)
{
    size_t count = 0;
    for (size_t k = first; k < last; k++) {
        struct peer *peer = peer_find(bench, k);
        if (peer)
            list[count++] = (struct contestant){.name = peer_name(k), .shrinking = 1, .peer = peer};
    }
    return count;
}

struct contestant bench_ours(const char *name, const char *solver, int shrinking, size_t megabytes)
{
    return (struct contestant){name, solver_find(solver), shrinking, megabytes, NULL};
}

void bench_race(struct bench *bench, const struct bench_problem *problem, const struct contestant *contestants,
                size_t count, size_t peers, size_t megabytes, double budget, cJSON *list, double *tolerance)
{
    struct race race = {.bench = bench, .problem = problem, .contestants = contestants, .count = count, .peers = peers,
                        .target = 1e-3, .budget = budget, .megabytes = megabytes};
    run_race(&race);
    report_race(&race, list);
    for (size_t k = 0; tolerance && k < count; k++)
        tolerance[k] = race.runs[k].tolerance;
    close_race(&race);
}

static void race_made(struct bench *bench, const char *name, size_t n, double c, size_t megabytes,
                      const struct contestant *contestants, size_t count, size_t peers, double budget, cJSON *list)
{
    struct bench_problem problem;
    bench_problem_made(&problem, name, n);
    problem.c = c > 0 ? c : problem.c;
    bench_race(bench, &problem, contestants, count, peers, megabytes, budget, list, NULL);
    bench_problem_free(&problem);
}

/* ---- the sets of the paper ---- */

enum { MAX_SETS = 13, MAX_RATIOS = MAX_SETS * BENCH_MAX_RUNNERS };

/* Each solver's ratios to each peer, set after set, and the names of the sets. */
struct scores {
    const struct contestant *peers, *solvers;
    size_t n_peers, n_solvers, n_sets;
    char set[MAX_SETS][BENCH_NAME_SIZE];
    double ratio[PEER_LIBSVM_FORMS][MAX_RATIOS]; /* set * n_solvers + solver; NaN if one of both missed the target */
};

static void take_scores(struct scores *scores, const struct race *race)
{
    size_t set = scores->n_sets++;
    memcpy(scores->set[set], race->problem->name, sizeof scores->set[set]);
    for (size_t p = 0; p < scores->n_peers; p++)
        for (size_t k = 0; k < scores->n_solvers; k++) {
            size_t runner = race->peers + k;
            int comparable = reached(race, runner) && reached(race, p);
            scores->ratio[p][set * scores->n_solvers + k] =
                comparable ? against(race, runner, p).median : (double)NAN;
        }
}

static void report_speedup(const struct scores *scores, const char *who, size_t peer, const struct speedup *speedup,
                           cJSON *list)
{
    const char *against_whom = scores->peers[peer].name;
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    cJSON_AddStringToObject(item, "solver", who);
    cJSON_AddStringToObject(item, "against", against_whom);
    cJSON_AddNumberToObject(item, "sets", (double)speedup->problems);
    cJSON_AddNumberToObject(item, "sets_without_ratio", (double)speedup->missing);
    if (speedup->problems > 0) {
        cJSON_AddNumberToObject(item, "geometric_mean", speedup->geometric_mean);
        cJSON_AddNumberToObject(item, "least", speedup->min);
        cJSON_AddStringToObject(item, "least_on", scores->set[speedup->min_at]);
        printf("  %-26s %-26s %6.2f  %6.2f on %-14s %zu sets", who, against_whom, speedup->geometric_mean,
               speedup->min, scores->set[speedup->min_at], speedup->problems);
    } else
        printf("  %-26s %-26s %6s  %6s    %-14s 0 sets", who, against_whom, "-", "-", "");
    if (speedup->missing > 0)
        printf(", no ratio on %zu", speedup->missing);
    puts("");
}

/* First each solver alone: the speed for a user who chooses it beforehand. */
static void report_scores(const struct scores *scores, cJSON *report)
{
    cJSON *fixed = cJSON_AddArrayToObject(report, "sets_fixed_solver");
    cJSON *afterwards = cJSON_AddArrayToObject(report, "sets_best_chosen_afterwards");
    double best[MAX_SETS];
    if (scores->n_peers == 0)
        return;
    printf("\ntimes faster over the sets, the same solver on all:\n  %-26s %-26s %6s  %6s\n", "solver", "than", "mean",
           "least");
    for (size_t p = 0; p < scores->n_peers; p++)
        for (size_t k = 0; k < scores->n_solvers; k++) {
            struct speedup speedup = speedup_of(scores->ratio[p] + k, scores->n_sets, scores->n_solvers);
            report_speedup(scores, scores->solvers[k].name, p, &speedup, fixed);
        }
    printf("the best of these %zu solvers on each set, chosen afterwards by these same times:\n", scores->n_solvers);
    for (size_t p = 0; p < scores->n_peers; p++) {
        speedup_best(scores->ratio[p], scores->n_sets, scores->n_solvers, best);
        struct speedup speedup = speedup_of(best, scores->n_sets, 1);
        report_speedup(scores, "best of each set", p, &speedup, afterwards);
    }
    puts("means are geometric");
}

void bench_sets_race(struct bench *bench)
{
    struct contestant contestants[BENCH_MAX_RUNNERS];
    size_t peers = bench_take_peers(bench, 0, PEER_LIBSVM_FORMS, contestants), count = peers;
    contestants[count++] = bench_ours("packed-smo", "packed-smo", 0, 0);
    contestants[count++] = bench_ours("1-smo", "1-smo", 0, 0);
    contestants[count++] = bench_ours("second-order-smo", "second-order-smo", 0, 0);
    contestants[count++] = bench_ours("conjugate-smo", "conjugate-smo", 0, 0);
    contestants[count++] = bench_ours("svm-light, q 2, shrinking", "svm-light", 1, 0);
    cJSON *list = cJSON_AddArrayToObject(bench->report, "sets");
    struct scores scores = {.peers = contestants, .solvers = contestants + peers, .n_peers = peers,
                            .n_solvers = count - peers};
    bench_race_head("C-SVM at the C and sigma^2 of Lopez, Barbero and Dorronsoro (2011), Table 1, to a KKT violation "
                    "of 1e-3");
    for (size_t s = 0; s < bench_sets && s < MAX_SETS; s++) {
        struct bench_problem problem;
        if (!bench_problem_of_set(&problem, bench, s))
            continue;
        struct race race = {.bench = bench, .problem = &problem, .contestants = contestants, .count = count,
                            .peers = peers, .target = 1e-3, .budget = 8, .megabytes = 100};
        run_race(&race);
        report_race(&race, list);
        take_scores(&scores, &race);
        close_race(&race);
        bench_problem_free(&problem);
    }
    report_scores(&scores, bench->report);
}

/* ---- large sets ---- */

void bench_large(struct bench *bench)
{
    struct contestant contestants[BENCH_MAX_RUNNERS];
    size_t peers = bench_take_peers(bench, 0, PEER_LIBSVM_FORMS, contestants), count = peers;
    contestants[count++] = bench_ours("packed-smo", "packed-smo", 0, 0);
    contestants[count++] = bench_ours("second-order-smo", "second-order-smo", 0, 0);
    static const char *const names[] = {"twonorm", "ringnorm", "waveform", "moons", "ijcnn1-like"};
    cJSON *list = cJSON_AddArrayToObject(bench->report, "large");
    bench_race_head("C-SVM, N = 5000, and a chessboard of N = 10000, to a KKT violation of 1e-3");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        race_made(bench, names[k], 5000, 0, 512, contestants, count, peers, 12, list);
    race_made(bench, "chessboard", 10000, 0, 1000, contestants, count, peers, 12, list);
}

void bench_check(struct bench *bench)
{
    struct contestant contestants[BENCH_MAX_RUNNERS];
    size_t peers = bench_take_peers(bench, 0, PEER_LIBSVM_FORMS, contestants), count = peers;
    static const char *const sets[] = {"german", "image"}, *const made[] = {"twonorm", "ringnorm", "moons"};
    contestants[count++] = bench_ours("packed-smo", "packed-smo", 0, 0);
    contestants[count++] = bench_ours("second-order-smo", "second-order-smo", 0, 0);
    cJSON *list = cJSON_AddArrayToObject(bench->report, "check");
    bench_race_head("C-SVM, a few sets and N = 5000, to a KKT violation of 1e-3");
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        struct bench_problem problem;
        if (!bench_problem_named(&problem, bench, sets[s]))
            continue;
        bench_race(bench, &problem, contestants, count, peers, 100, 4, list, NULL);
        bench_problem_free(&problem);
    }
    for (size_t k = 0; k < sizeof made / sizeof *made; k++)
        race_made(bench, made[k], 5000, 0, 512, contestants, count, peers, 6, list);
}

void bench_huge(struct bench *bench)
{
    struct contestant contestants[BENCH_MAX_RUNNERS];
    size_t peers = bench_take_peers(bench, 0, PEER_LIBSVM_FORMS, contestants), count = peers;
    contestants[count++] = bench_ours("packed-smo, 100 MB", "packed-smo", 0, 100);
    contestants[count++] = bench_ours("packed-smo, 1000 MB", "packed-smo", 0, 1000);
    cJSON *list = cJSON_AddArrayToObject(bench->report, "huge");
    bench_race_head("C-SVM, N = 50000, peers with a cache of 1000 MB, to a KKT violation of 1e-3");
    for (size_t k = 0; k < bench_huge_problems; k++)
        race_made(bench, bench_huge_names[k], 50000, bench_huge_c[k], 1000, contestants, count, peers, 20, list);
}

/* ---- all peers ---- */

static void report_missing(const struct bench *bench, cJSON *report)
{
    cJSON *missing = cJSON_AddObjectToObject(report, "peers_not_installed");
    cJSON *versions = cJSON_GetObjectItem(report, "peer_versions");
    for (size_t k = 0; k < peer_count(); k++) {
        const struct peer *peer = peer_find(bench, k);
        if (peer) {
            cJSON_DeleteItemFromObject(versions, peer_name(k));
            cJSON_AddStringToObject(versions, peer_name(k), peer_version_of(peer));
            printf("%s %s\n", peer_name(k), peer_version_of(peer));
        } else {
            cJSON_AddStringToObject(missing, peer_name(k), peer_needs(k));
            printf("%s: not installed; needs %s\n", peer_name(k), peer_needs(k));
        }
    }
}

/* One problem with the installed peers with numbers first to last - 1, if there are any. */
static void race_peers(struct bench *bench, const struct bench_problem *problem, size_t first, size_t last,
                       size_t megabytes, double budget, cJSON *list)
{
    struct contestant contestants[BENCH_MAX_RUNNERS];
    size_t peers = bench_take_peers(bench, first, last, contestants);
    contestants[peers] = bench_ours("packed-smo", "packed-smo", 0, 0);
    if (peers > 0)
        bench_race(bench, problem, contestants, peers + 1, peers, megabytes, budget, list, NULL);
}

/* Programs race separately, because packed-smo takes longer after another process has run; the reason is unknown. */
static void race_all_peers(struct bench *bench, struct bench_problem *problem, size_t megabytes, double budget,
                           cJSON *list)
{
    race_peers(bench, problem, 0, PEER_OBJECTS, megabytes, budget, list);
    race_peers(bench, problem, PEER_OBJECTS, peer_count(), megabytes, budget, list);
    bench_problem_free(problem);
}

void bench_peers(struct bench *bench)
{
    static const char *const sets[] = {"image", "german"}, *const made[] = {"twonorm", "moons", "ijcnn1-like"};
    struct bench_problem problem;
    report_missing(bench, bench->report);
    cJSON *list = cJSON_AddArrayToObject(bench->report, "peers");
    bench_race_head("C-SVM, all peers, to a KKT violation of 1e-3");
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++)
        if (bench_problem_named(&problem, bench, sets[s]))
            race_all_peers(bench, &problem, 100, 20, list);
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        bench_problem_made(&problem, made[k], 5000);
        race_all_peers(bench, &problem, 512, 20, list);
    }
}

void bench_peers_huge(struct bench *bench)
{
    struct bench_problem problem;
    const size_t few = 2;
    cJSON *list = cJSON_AddArrayToObject(bench->report, "peers_huge");
    bench_race_head("C-SVM, all peers, N = 50000, to a KKT violation of 1e-3");
    for (size_t k = 0; k < few; k++) {
        bench_problem_made(&problem, bench_huge_names[k], 50000);
        race_all_peers(bench, &problem, 1000, 0, list);
    }
}

/* ---- exactness ---- */

/* hullbench's solvers for this problem except platt-smo, which takes most of a minute or more for one run on image. */
void bench_exact(struct bench *bench)
{
    struct contestant contestants[BENCH_MAX_RUNNERS];
    size_t peers = bench_take_peers(bench, 0, PEER_LIBSVM + 1, contestants), count = peers;
    static const char *const names[] = {"1-smo",         "cycle-1-smo", "second-order-smo",
                                        "conjugate-smo", "packed-smo",  "keerthi-1"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        contestants[count++] = bench_ours(names[k], names[k], 0, 0);
    contestants[count++] = bench_ours("svm-light, q 2, shrinking", "svm-light", 1, 0);
    cJSON *list = cJSON_AddArrayToObject(bench->report, "exact");
    bench_race_head("KKT violation truly reached at a target of 1e-6 (! where it is not reached at any tolerance down "
                    "to 1e-8)");
    for (size_t s = 0; s < bench_sets; s++) {
        struct bench_problem problem;
        if (!bench_problem_of_set(&problem, bench, s))
            continue;
        struct race race = {.bench = bench, .problem = &problem, .contestants = contestants,
                            .count = count, .peers = peers, .target = 1e-6, .budget = 0, .megabytes = 100};
        run_race(&race);
        report_race(&race, list);
        close_race(&race);
        bench_problem_free(&problem);
    }
}
