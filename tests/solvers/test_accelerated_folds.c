/* accelerated-mdm and unary-mdm through the full harness on folds of real sets: the same model with less work (Barbero,
 * Lopez and Dorronsoro 2008, Section 4). Skipped if the data are missing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/base/pool.h"
#include "harness/data/dataset.h"
#include "harness/run/unit.h"
#include "tests/all_tests.h"
#include "tests/load_dataset.h"

enum { FOLDS = 10 };

struct figures {
    double error[2], operations[2], objective[2]; /* unary-mdm, accelerated-mdm; sums over the folds */
    double worst;                                 /* largest relative difference of the objectives of a fold */
};

static const char config_text[] =
    "{\"name\":\"folds\",\"datasets\":[\"%s\"],\"splits\":{\"folds\":10},\"standardise\":\"none\",\"seed\":1,"
    "\"kernel\":{\"type\":\"rbf\",\"width\":%.17g},\"parameters\":{\"C\":%.17g},\"solvers\":[\"unary-mdm\","
    "\"accelerated-mdm\"],\"stop\":{\"rule\":\"delta-w2\",\"tolerance\":0.001}}";

static void run_jobs(const struct config *config, const struct dataset *dataset, const struct plan *plan,
                     struct figures *figures)
{
    double objective[2] = {0, 0};
    for (size_t j = 0; j < plan->n_jobs; j++) {
        const struct job *job = &plan->jobs[j];
        struct split_session *unit;
        struct job_result result;
        size_t s = job->solver;
        struct pool *pool = pool_new();
        unit = unit_open(pool, simd_select(NULL), dataset, job->split, config->kernel->type, config->gram_bytes, 0);
        unit_run_job(unit, config, job, NULL, NULL, &result);
        assert_int_equal(result.solution.outcome, OUTCOME_CONVERGED);
        objective[s] = result.judgement.objective;
        figures->error[s] += result.error_percent;
        figures->operations[s] += (double)result.operations[PHASE_ITERATIONS];
        if (s == 1)
            figures->worst = fmax(figures->worst, fabs(objective[1] / objective[0] - 1));
        pool_free(pool);
    }
}

/* Runs ten folds; returns 0 if the set is missing. */
static int run_folds(const char *name, double width, double c, struct figures *figures)
{
    char text[1024];
    struct pool *pool = pool_new();
    struct dataset *dataset = NULL;
    struct plan plan = {0};
    struct error error = {0};
    snprintf(text, sizeof text, config_text, name, width, c);
    memset(figures, 0, sizeof *figures);
    struct config *config = config_parse(pool, "test", text);
    struct dataset_request request = {
        .set.name = name, .search_path = getenv("HULLBENCH_DATA"), .folds = config->folds, .seed = 1};
    enum status status = load_dataset(&request, &dataset, &error);
    if (status == STATUS_OK) {
        plan_build(config, &dataset, 1, 1, &plan);
        assert_int_equal(plan.n_jobs, 2 * FOLDS);
        run_jobs(config, dataset, &plan, figures);
    }
    release_dataset(dataset);
    pool_free(pool);
    return status == STATUS_OK;
}

static void the_errors_are_the_same_and_the_work_is_less(void **state)
{
    (void)state;
    const struct {
        const char *name;
        double width, c;
    } sets[] = {{"heart", 3162.2776601683795, 10}, {"thyroid", 10, 31.622776601683793}, {"breast-cancer", 10000, 10}};
    int found = 0;
    for (size_t i = 0; i < 3; i++) {
        struct figures figures;
        if (!run_folds(sets[i].name, sets[i].width, sets[i].c, &figures))
            continue;
        found++;
        /* Both are within 1e-3 of the minimum |W|², so their planes differ little: two patterns of the whole set may
         * change sides. */
        double fold = 100.0 / (strcmp(sets[i].name, "thyroid") == 0 ? 21 : 27);
        assert_true(fabs(figures.error[0] - figures.error[1]) <= 2 * fold + 1e-9);
        assert_true(figures.worst <= 1e-3);
        /* the paper prints savings of 36 to 66 % on these three; a fifth is far below the variation over ten folds */
        assert_true(figures.operations[1] < 0.8 * figures.operations[0]);
    }
    if (found == 0)
        skip_for(no_data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_errors_are_the_same_and_the_work_is_less)};
    return cmocka_run_group_tests_name("accelerated MDM on folds", tests, NULL, NULL);
}
