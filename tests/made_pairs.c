/* A world's folder holds the files that compare reads: records, times, run.json and a configuration. */
#include "tests/made_pairs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/support/file.h"
#include "tests/scratch_folder.h"

static char folder[SCRATCH_PATH_SIZE];

/* Whole numbers from 0 to max - 1, the same in every run of the test. */
static unsigned drawn(unsigned *state, unsigned max)
{
    *state = *state * 1103515245u + 12345u;
    return (*state >> 16) % max;
}

struct world world_of(size_t sets, size_t splits, double factor, unsigned noise)
{
    struct world world = {
        .solvers = {"clip-mdm", "cycle-clip-mdm"}, .sets = sets, .splits = splits, .train = 100, .test = 50};
    unsigned state = 7;
    for (size_t d = 0; d < sets; d++)
        for (size_t k = 0; k < splits; k++)
            for (int s = 0; s < ARMS; s++) {
                double base = (double)(1000 * (d + 1) + 10 * drawn(&state, noise + 1));
                double iterations = s ? floor(factor * base) : base;
                world.arm[s][d][k] = (struct run_counts){.error = 100.0 * drawn(&state, 20) / 77,
                                                         .vectors = 30 + drawn(&state, 9),
                                                         .iterations = iterations,
                                                         .operations = 7 * iterations,
                                                         .start_up = 100,
                                                         .seconds = iterations / 1e6,
                                                         .gap = 1e-5};
            }
    return world;
}

static void write_text(const char *name, const char *text)
{
    char path[96];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file_write(path, text, strlen(text));
}

static void put_record(FILE *out, const struct world *world, int s, size_t d, size_t k)
{
    const struct run_counts *at = &world->arm[s][d][k];
    fprintf(out,
            "{\"schema\":1,\"config\":\"made\",\"dataset\":\"set%zu\",\"split\":%zu,\"split_source\":\"official\","
            "\"solver\":\"%s\","
            "\"params\":{\"mu\":0.1%s},\"kernel\":{\"type\":\"linear\"},\"stop\":{\"rule\":\"rch-gap\","
            "\"tolerance\":1e-05},"
            "\"outcome\":\"%s\",\"iterations\":%.17g,",
            d, k + 1, world->solvers[s], strcmp(world->solvers[s], "clip-mdm") ? ",\"history\":45" : "",
            at->at_limit ? "iteration-limit" : "converged", at->iterations);
    if (at->uncounted)
        fputs("\"kernel_operations\":null,", out);
    else
        fprintf(out, "\"kernel_operations\":{\"setup\":%.17g,\"iterations\":%.17g,\"predict\":1},", at->start_up,
                at->operations);
    fprintf(out, "\"support_vectors\":%.17g,\"error_percent\":", at->vectors);
    if (isnan(at->error))
        fputs("null", out);
    else
        fprintf(out, "%.17g", at->error);
    fprintf(out, ",\"objective\":%.17g,\"duality_gap\":", 1 + at->excess);
    if (isnan(at->gap))
        fputs("null}\n", out);
    else
        fprintf(out, "%.17g}\n", at->gap);
}

struct world world_exchanged(const struct world *world)
{
    struct world exchanged = *world;
    for (int s = 0; s < ARMS; s++) {
        exchanged.solvers[s] = world->solvers[!s];
        memcpy(exchanged.arm[s], world->arm[!s], sizeof exchanged.arm[s]);
    }
    return exchanged;
}

static void trace_path(const struct world *world, int s, size_t d, size_t k, char *path, size_t size)
{
    snprintf(path, size, "%s/traces/set%zu-%zu-%s.tsv", folder, d, k + 1, world->solvers[s]);
}

static void write_trace(const struct world *world, int s, size_t d, size_t k)
{
    const struct run_counts *at = &world->arm[s][d][k];
    char path[128];
    trace_path(world, s, d, k, path, sizeof path);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out,
            "# dataset set%zu\n# split %zu\n# solver %s\n# params {\"mu\":0.1%s}\n# kernel {\"type\":\"linear\"}\n"
            "# stop {\"rule\":\"rch-gap\",\"tolerance\":1e-05}\niteration\tkernel_operations\tobjective\tgap\n",
            d, k + 1, world->solvers[s], strcmp(world->solvers[s], "clip-mdm") ? ",\"history\":45" : "");
    for (int i = 0; i <= 100; i++) {
        double iteration = rint(at->iterations * i / 100);
        fprintf(out, "%.17g\t%.17g\t1\t%.17g\n", iteration, rint(at->operations * i / 100),
                at->gap * pow(10, world->decades * (1 - i / 100.0)));
    }
    fclose(out);
}

static void write_traces(const struct world *world)
{
    char path[96];
    snprintf(path, sizeof path, "%s/traces", folder);
    folder_make(path);
    for (size_t d = 0; d < world->sets; d++)
        for (size_t k = 0; k < world->splits; k++)
            for (int s = 0; s < ARMS; s++)
                write_trace(world, s, d, k);
}

static void remove_traces(const struct world *world)
{
    char path[128];
    for (size_t d = 0; d < world->sets; d++)
        for (size_t k = 0; k < world->splits; k++)
            for (int s = 0; s < ARMS; s++) {
                trace_path(world, s, d, k, path, sizeof path);
                remove(path);
            }
    snprintf(path, sizeof path, "%s/traces", folder);
    remove(path);
}

/* Writes the world's run folder; without times if there is no machine for them. */
static void write_world(const struct world *world, int times)
{
    char *records, *timings, *about;
    size_t size[3], n = 0;
    FILE *out[3] = {open_memstream(&records, &size[0]), open_memstream(&timings, &size[1]),
                    open_memstream(&about, &size[2])};
    fputs(times ? "{\"machine\":{\"processor\":\"made\",\"threads\":1},\"data\":[" : "{\"data\":[", out[2]);
    for (size_t d = 0; d < world->sets; d++) {
        fprintf(out[2], "%s{\"dataset\":\"set%zu\",\"train\":%zu,\"test\":%zu}", d ? "," : "", d, world->train,
                world->test);
        for (size_t k = 0; k < world->splits; k++)
            for (int s = 0; s < ARMS; s++) {
                if (world->arm[s][d][k].absent)
                    continue;
                put_record(out[0], world, s, d, k);
                fprintf(out[1], "{\"index\":%zu,\"seconds\":%.9f}\n", n++, world->arm[s][d][k].seconds);
            }
    }
    fputs("]}\n", out[2]);
    for (int i = 0; i < 3; i++)
        fclose(out[i]);
    write_text("records.jsonl", records);
    write_text("timings.jsonl", timings);
    write_text("run.json", about);
    write_text("config.json", "{\"name\":\"made\"}\n");
    free(records);
    free(timings);
    free(about);
}

struct comparison world_compare(struct pool *pool, const struct world *world, int times)
{
    const char *const folders[ARMS] = {folder, folder};
    const struct compare_options options = COMPARE_DEFAULTS;
    write_world(world, times);
    if (world->decades > 0)
        write_traces(world);
    const struct solver_choices choices[ARMS] = {
        solver_choices_read(pool, arm_options[BASELINE], world->solvers[BASELINE]),
        solver_choices_read(pool, arm_options[CANDIDATE], world->solvers[CANDIDATE])};
    const struct comparison comparison =
        compare_runs(pool, &options, arms_read_folders(pool, folders),
                     (const struct solver_choice *const[ARMS]){choices[BASELINE].items, choices[CANDIDATE].items});
    if (world->decades > 0)
        remove_traces(world);
    return comparison;
}

int world_set_up(void **state)
{
    (void)state;
    return scratch_folder_new(folder, "hullbench-compare") ? 0 : -1;
}

int world_tear_down(void **state)
{
    static const char *const names[] = {"records.jsonl", "timings.jsonl", "run.json", "config.json"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[96];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return rmdir(folder);
}
