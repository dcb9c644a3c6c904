/*
 * Readings of the rule that stops 2-SMO in Tables 5.2.1 and 5.2.2 of Lopez (2008), for docs/deviations.md:
 *     make studies && build/dual-change SPLITS [DATASET...] >iterations.csv
 * It runs 2-SMO with C = 10 and width 50 on the splits 1 to SPLITS (20 at most of image and splice). For each split and
 * reading it prints the iteration at which the reading stops the run, at 1e-3 and at 1e-5. scripts/dual_change.py
 * compares the means with the printed ones.
 *
 * The thesis stops if the relative change of the dual W = 1/2 |w|^2 - sum alpha, with K + I/C, is at most eps (Section
 * 5.2). Algorithm 2 updates A = |w+|^2 and B = |w-|^2. Where the pair is of two classes (cases 3 and 4), lines 22 and
 * 27 add lambda^2 x_L . x_L and lambda^2 x_U . x_U, which include the ridge 1/C. A program that forgets the ridge in
 * these squares alone changes its W by lambda^2 / C more than it should. `squares` and `own` leave out a share of it;
 * `own` divides by the W that has these errors, `squares` by the true one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/dataset.h"
#include "solvers/decomposition/pair_smo.h"
#include "solvers/registry.h"
#include "tests/load_dataset.h"

enum quantity { DUAL, NORM2, SUM, WITHOUT_RIDGE, QUANTITIES };

struct reading {
    const char *name;
    double missing;       /* share of the ridge that is missing in the squares of cases 3 and 4 */
    int has_own;          /* the change is relative to the dual with these errors */
    enum quantity of, to; /* the change of which quantity, relative to which */
    int factor;           /* eps times factor / 4; 0: eps */
    int every;            /* evaluated at iterations that this divides; 0: all */
    int in_a_row;         /* small changes needed in succession; 0: one */
    int skips_two, skips_one, skips_clipped; /* pairs of two classes, of one; clipped steps */
    int skips_known;      /* pairs of two classes whose multipliers were both positive */
};

static const struct reading readings[] = {
    {.name = "as implemented"},
    {.name = "at three quarters of eps", .factor = 3},
    {.name = "relative to half |w|^2", .to = NORM2},
    {.name = "relative to half sum alpha", .to = SUM},
    {.name = "the change of |w|^2", .of = NORM2, .to = NORM2},
    {.name = "the change of sum alpha", .of = SUM, .to = SUM},
    {.name = "the dual without the ridge", .of = WITHOUT_RIDGE, .to = WITHOUT_RIDGE},
    {.name = "squares 0.5", .missing = 0.5},
    {.name = "squares 1", .missing = 1},
    {.name = "squares 1.5", .missing = 1.5},
    {.name = "squares 2", .missing = 2},
    {.name = "own 0.5", .missing = 0.5, .has_own = 1},
    {.name = "own 1", .missing = 1, .has_own = 1},
    {.name = "every second iteration", .every = 2},
    {.name = "every third iteration", .every = 3},
    {.name = "two small changes in a row", .in_a_row = 2},
    {.name = "only pairs of one class", .skips_two = 1},
    {.name = "only pairs of two classes", .skips_one = 1},
    {.name = "only steps that are not clipped", .skips_clipped = 1},
    {.name = "only pairs of one class or with a new pattern", .skips_known = 1},
};
enum { READINGS = sizeof readings / sizeof *readings, TOLERANCES = 2 };
static const double tolerances[TOLERANCES] = {1e-3, 1e-5};

/* The step from the pair that was chosen, and what it changed. */
struct step {
    size_t iteration;
    int crosses, is_clipped, is_known;
    double length, ridge, now[QUANTITIES], was[QUANTITIES];
};

struct progress_of {
    double drift;
    size_t row[TOLERANCES], stopped[TOLERANCES]; /* 0: not yet */
};

/* Notes the iteration at which a reading stops the run. */
static void look(const struct reading *reading, const struct step *step, struct progress_of *of)
{
    const double error = step->crosses ? reading->missing * step->ridge * step->length * step->length : 0;
    const double base = step->was[reading->to] - (reading->has_own ? of->drift : 0);
    const double scale = reading->to != reading->of ? 0.5 : 1; /* 1/2 |w|^2 and 1/2 sum alpha */
    const double change = step->now[reading->of] - step->was[reading->of] - error;
    of->drift += error;
    if ((reading->every && step->iteration % (size_t)reading->every) || (reading->skips_two && step->crosses) ||
        (reading->skips_one && !step->crosses) || (reading->skips_clipped && step->is_clipped) ||
        (reading->skips_known && step->is_known))
        return;
    for (int t = 0; t < TOLERANCES; t++) {
        const double eps = tolerances[t] * (reading->factor ? reading->factor / 4.0 : 1);
        of->row[t] = fabs(change) <= eps * scale * fabs(base) ? of->row[t] + 1 : 0;
        if (!of->stopped[t] && of->row[t] >= (size_t)(reading->in_a_row ? reading->in_a_row : 1))
            of->stopped[t] = step->iteration;
    }
}

static void measure(const struct pair_smo *smo, const struct progress *progress, double *values)
{
    double squares = 0;
    for (size_t i = 0; i < smo->box.n; i++)
        squares += smo->box.alpha[i] * smo->box.alpha[i];
    values[DUAL] = progress->objective;
    values[NORM2] = progress->norm2;
    values[SUM] = progress->norm2 / 2 - progress->objective;
    values[WITHOUT_RIDGE] = progress->objective - smo->ridge * squares / 2;
}

static int all_stopped(const struct progress_of *of)
{
    for (size_t r = 0; r < READINGS; r++)
        for (int t = 0; t < TOLERANCES; t++)
            if (!of[r].stopped[t])
                return 0;
    return 1;
}

static void need(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "dual-change: %s\n", what);
        exit(2);
    }
}

/* Runs until every reading has stopped, or for 100000 iterations. */
static void run(const struct problem *problem, struct oracle *oracle, struct progress_of *of)
{
    const struct solver *solver = problem->solver;
    const size_t size = (solver->state_size(problem) + SIMD_ALIGNMENT - 1) / SIMD_ALIGNMENT * SIMD_ALIGNMENT;
    struct pair_smo *smo = aligned_alloc(SIMD_ALIGNMENT, size);
    struct progress progress = {.need_objective = 1};
    struct step step = {0};
    need(smo != NULL, "out of memory");
    memset(smo, 0, size);
    oracle_set_ridge(oracle, solver_ridge(solver, problem));
    need(solver->init(smo, problem, oracle) == STATUS_OK && solver->select(smo, &progress) == STATUS_OK, "no start");
    step.ridge = smo->ridge;
    measure(smo, &progress, step.now);
    for (step.iteration = 1; step.iteration < 100000 && !all_stopped(of); step.iteration++) {
        const struct box *box = &smo->box;
        const size_t up = smo->pair.up, low = smo->pair.low;
        const double before[2] = {box->alpha[up], box->alpha[low]};
        if (solver->update(smo, oracle) != STATUS_OK || solver->select(smo, &progress) != STATUS_OK)
            break;
        memcpy(step.was, step.now, sizeof step.was);
        measure(smo, &progress, step.now);
        step.length = box->alpha[up] - before[0];
        step.crosses = box->y[up] != box->y[low];
        step.is_clipped = box->alpha[up] == 0 || box->alpha[low] == 0;
        step.is_known = step.crosses && before[0] > 0 && before[1] > 0;
        for (size_t r = 0; r < READINGS; r++)
            look(&readings[r], &step, &of[r]);
    }
    free(smo);
}

static void try_split(const struct dataset *dataset, const struct split *split)
{
    const size_t n = split->n_train;
    const struct kernel kernel = {.type = KERNEL_RBF, .width = 50};
    struct progress_of of[READINGS] = {{0}};
    struct points points;
    struct gram *gram = NULL;
    struct oracle *oracle = NULL;
    signed char *y = malloc(n);
    need(y && points_create(&points, kernel.type, dataset->patterns, split->train, n, NULL) == STATUS_OK &&
             gram_create(&gram, simd_select(NULL), &points, (size_t)1 << 28, 0, NULL) == STATUS_OK &&
             oracle_create(&oracle, gram, NULL) == STATUS_OK,
         "out of memory");
    for (size_t i = 0; i < n; i++)
        y[i] = dataset->y[split->train[i]];
    gram_set_kernel(gram, &kernel);
    struct problem problem = {.solver = solver_find("2-smo"), .n = n, .y = y, .tolerance = (double)NAN};
    parameter_set(&problem.parameters, &parameter_c, 10);
    parameter_set(&problem.parameters, &parameter_start, START_FIRST_PAIR);
    run(&problem, oracle, of);
    for (size_t r = 0; r < READINGS; r++)
        printf("%s,%zu,%s,%zu,%zu\n", dataset->name, split->number, readings[r].name, of[r].stopped[0],
               of[r].stopped[1]);
    oracle_free(oracle);
    gram_free(gram);
    points_free(&points);
    free(y);
}

int main(int argc, char **argv)
{
    static const char *const all[] = {"titanic", "heart",  "diabetis", "breast-cancer", "thyroid", "flare-solar",
                                      "splice",  "image",  "german",   "banana",        NULL};
    const char *const *sets = argc > 2 ? (const char *const *)argv + 2 : all;
    const size_t splits = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    need(splits > 0, "usage: dual-change SPLITS [DATASET...]");
    puts("dataset,split,reading,1e-3,1e-5");
    for (size_t d = 0; sets[d]; d++) {
        const int is_large = strcmp(sets[d], "image") == 0 || strcmp(sets[d], "splice") == 0;
        struct dataset *dataset = NULL;
        struct error error;
        const struct dataset_request request = {.set.name = sets[d],
                                                .search_path = getenv("HULLBENCH_DATA"),
                                                .want_splits = is_large && splits > 20 ? 20 : splits,
                                                .allow_generated = 1};
        need(load_dataset(&request, &dataset, &error) == STATUS_OK, error.message);
        dataset_standardise(dataset, STANDARDISE_FULL_SET);
        for (size_t s = 0; s < request.want_splits; s++)
            try_split(dataset, &dataset->splits[s]);
        release_dataset(dataset);
    }
    return 0;
}
