/*
 * bench REPORT.json [SECTION ...]: runs the given sections, or all but `huge`, `process`, `peers`, `peers-huge`,
 * `sparse-large`, `rates` and `check`, prints their tables and writes the report after each.
 */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "tests/bench/bench.h"
#include "harness/support/file.h"
#include "harness/support/json_reader.h"
#include "harness/base/platform.h"

static const struct section {
    const char *name;
    void (*run)(struct bench *bench);
    int unasked; /* runs if no section is given */
} sections[] = {
    {"loops", bench_loops, 1}, {"sets", bench_sets_race, 1}, {"large", bench_large, 1},
    {"exact", bench_exact, 1}, {"iteration", bench_iteration, 1}, {"huge", bench_huge, 0},
    {"process", bench_process, 0}, {"peers", bench_peers, 0}, {"peers-huge", bench_peers_huge, 0},
    {"sparse", bench_sparse, 1}, {"sparse-large", bench_sparse_large, 0},
    {"rates", bench_rates, 0}, {"check", bench_check, 0},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

static int is_section(const char *word)
{
    for (size_t s = 0; s < SECTIONS; s++)
        if (strcmp(word, sections[s].name) == 0)
            return 1;
    return 0;
}

static int wanted(const struct section *section, int argc, char **argv)
{
    int named = 0;
    for (int k = 2; k < argc; k++)
        named |= strcmp(argv[k], section->name) == 0;
    return argc > 2 ? named : section->unasked;
}

/* Reports vector width, build, peer versions and load, which are needed to judge the times. */
static void describe(struct bench *bench)
{
    double load = -1;
    FILE *average = fopen("/proc/loadavg", "r");
    if (average && fscanf(average, "%lf", &load) != 1)
        load = -1;
    if (average)
        fclose(average);
    cJSON_AddStringToObject(bench->report, "vector_width", bench->best->name);
    cJSON_AddStringToObject(bench->report, "build", HULLBENCH_BUILD);
    const char *commit = getenv("HULLBENCH_COMMIT"); /* make sets it */
    cJSON_AddStringToObject(bench->report, "commit", commit && *commit ? commit : "an unknown commit");
    cJSON *versions = cJSON_AddObjectToObject(bench->report, "peer_versions");
    for (size_t k = 0; k < PEER_LIBSVM_FORMS; k++) {
        const struct peer *peer = peer_find(bench, k);
        if (peer)
            cJSON_AddStringToObject(versions, peer_name(k), peer_version_of(peer));
        printf("%s: %s%s\n", peer_name(k), peer ? peer_version_of(peer) : "skipped, since it needs ",
               peer ? "" : peer_needs(k));
    }
    if (load >= 0) {
        cJSON_AddNumberToObject(bench->report, "load_average_at_start", load);
        printf("load average at the start: %.1f\n", load);
    }
}

static int usage(void)
{
    fputs("usage: bench REPORT.json [SECTION ...]; sections:", stderr);
    for (size_t s = 0; s < SECTIONS; s++)
        fprintf(stderr, " %s", sections[s].name);
    fputs("\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return usage();
    for (int k = 2; k < argc; k++)
        if (!is_section(argv[k]))
            return usage();
    gsl_set_error_handler_off();
    char *own_path = platform_real_path(argv[0]);
    if (!own_path) {
        fprintf(stderr, "bench: %s: not called by its path\n", argv[0]);
        return 2;
    }
    struct bench bench = {.report = cJSON_CreateObject(),
                          .best = simd_select(getenv("HULLBENCH_LANES")),
                          .generic = simd_select("generic"),
                          .search_path = getenv("HULLBENCH_DATA"),
                          .folder = dirname(own_path)};
    if (!bench.report || !bench.best) {
        fputs(bench.best ? "bench: out of memory\n" : "bench: HULLBENCH_LANES: this processor has no such vectors\n",
              stderr);
        return bench.best ? 4 : 2;
    }
    describe(&bench);
    for (size_t s = 0; s < SECTIONS; s++)
        if (wanted(&sections[s], argc, argv)) {
            sections[s].run(&bench);
            fflush(stdout);
            json_write(argv[1], bench.report); /* the next section may be interrupted */
        }
    cJSON_Delete(bench.report);
    return 0;
}
