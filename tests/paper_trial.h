/* Reads papers and compares runs with them; errors are returned. Results stay until the end of the program. */
#ifndef HULLBENCH_PAPER_TRIAL_H
#define HULLBENCH_PAPER_TRIAL_H

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/papers/conform.h"

static inline struct pool *trial_pool(void)
{
    static struct pool *pool;
    return pool ? pool : (pool = pool_new());
}

struct paper_trial {
    const char *path;
    const struct paper *paper;
    const struct run_folders *runs;
    const struct records *records; /* NULL: compare the runs with all papers that they name */
    struct claims claims;
    struct conformance conformance;
};

static inline void paper_trial_read(void *data)
{
    struct paper_trial *trial = data;
    trial->paper = paper_read(trial_pool(), trial->path);
    if (trial->records)
        trial->claims = claims_judge(trial_pool(), trial->paper, trial->records, trial->runs);
}

static inline void paper_trial_conform(void *data)
{
    struct paper_trial *trial = data;
    trial->conformance = conform_runs(trial_pool(), trial->runs);
}

static inline enum status try_paper(const char *path, const struct paper **paper, struct error *error)
{
    struct paper_trial trial = {.path = path};
    const enum status status = attempt(paper_trial_read, &trial, error);
    *paper = trial.paper;
    return status;
}

static inline enum status try_claims(const char *path, const struct records *records, const struct run_folders *runs,
                                     struct claims *claims, struct error *error)
{
    struct paper_trial trial = {.path = path, .records = records, .runs = runs};
    const enum status status = attempt(paper_trial_read, &trial, error);
    *claims = trial.claims;
    return status;
}

static inline enum status try_conform(const struct run_folders *runs, struct conformance *conformance,
                                      struct error *error)
{
    struct paper_trial trial = {.runs = runs};
    const enum status status = attempt(paper_trial_conform, &trial, error);
    *conformance = trial.conformance;
    return status;
}

#endif
