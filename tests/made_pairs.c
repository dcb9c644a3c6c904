/* A world's folder holds what compare reads: records, times, run.json and a configuration. */
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

static const char *const solvers[ARMS] = {"clip-mdm", "cycle-clip-mdm"};
static char folder[] = "/tmp/hullbench-compare-XXXXXX";

/* Whole numbers from 0 to most - 1, the same in every run of the test. */
static unsigned drawn(unsigned *state, unsigned max)
{
    *state = *state * 1103515245u + 12345u;
    return (*state >> 16) % max;
}

struct world world_of(size_t sets, size_t splits, double factor, unsigned noise)
{
    struct world world = {.sets = sets, .splits = splits, .train = 100, .test = 50};
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
    assert_int_equal(file_write(path, text, strlen(text), NULL), STATUS_OK);
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
            d, k + 1, solvers[s], s ? ",\"history\":45" : "", at->at_limit ? "iteration-limit" : "converged",
            at->iterations);
    if (at->uncounted)
        fputs("\"kernel_operations\":null,", out);
    else
        fprintf(out, "\"kernel_operations\":{\"setup\":%.17g,\"iterations\":%.17g,\"predict\":1},", at->start_up,
                at->operations);
    fprintf(out, "\"support_vectors\":%.17g,\"error_percent\":%.17g,\"objective\":1,\"duality_gap\":%.17g}\n",
            at->vectors, at->error, at->gap);
}

/* Writes the world's run folder; without times where there is no machine to have taken them. */
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

enum status world_compare(const struct world *world, int times, int same_accuracy, struct comparison *comparison,
                          struct error *error)
{
    const struct compare_options options = {{folder, folder}, {solvers[0], solvers[1]}, 3, same_accuracy};
    write_world(world, times);
    return compare_folders(&options, comparison, error);
}

int world_set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
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
