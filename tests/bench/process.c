/*
 * The problems of N = 50 000 with packed-smo on one and two threads: training, from patterns in memory to multipliers,
 * and the whole process, `hullbench solve` on a file, which reads the file, trains, judges and writes the model.
 * Features have six digits, as svm-scale writes them. Times are wall-clock times.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/bench.h"

enum { N = 50000, MEGABYTES = 1000, FORMS = 2, PATH_SIZE = 512, COMMAND_SIZE = 2048, MAX_ROUNDS = 3 };

static void stop(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(4);
}

/* Writes the patterns in LIBSVM format and replaces them by those of the file. */
static void write_rounded(const char *path, struct bench_problem *problem)
{
    char text[32];
    FILE *stream = fopen(path, "w");
    if (!stream)
        stop("the data cannot be written");
    for (size_t i = 0; i < problem->n; i++) {
        fprintf(stream, "%d", problem->y[i]);
        for (size_t d = 0; d < problem->dims; d++) {
            double *value = &problem->x[i * problem->dims + d];
            snprintf(text, sizeof text, "%.6g", *value);
            *value = strtod(text, NULL);
            if (*value != 0)
                fprintf(stream, " %zu:%s", d + 1, text);
        }
        fputc('\n', stream);
    }
    if (fclose(stream) != 0)
        stop("the data cannot be written");
}

static int same_files(const char *one, const char *other)
{
    FILE *a = fopen(one, "r"), *b = fopen(other, "r");
    int same = a && b, x = 0;
    while (same && x != EOF)
        same = (x = getc(a)) == getc(b);
    if (a)
        fclose(a);
    if (b)
        fclose(b);
    return same;
}

/* Seconds of training with this many threads. */
static double train(struct run *run, int threads)
{
    double before = bench_wall();
#pragma omp parallel num_threads(threads)
#pragma omp single
    contest_run(run);
    return bench_wall() - before;
}

static double solve_file(const struct bench *bench, const struct bench_problem *problem, const char *folder,
                         int threads)
{
    char line[COMMAND_SIZE];
    int length = snprintf(line, sizeof line,
                          "'%s/../../hullbench' solve -q --solver packed-smo --stop kkt -c %.17g -g %.17g -m %d "
                          "--jobs %d --data '%s/data.libsvm' '%s/model-%d' >'%s/out'",
                          bench->folder, problem->c, 1 / problem->width, MEGABYTES, threads, folder, folder, threads,
                          folder);
    double before = bench_wall();
    if (length < 0 || (size_t)length >= sizeof line || system(line) != 0)
        stop("hullbench solve failed");
    return bench_wall() - before;
}

static void add_ratio(cJSON *item, const char *name, const double *ours, const double *other, size_t rounds)
{
    struct ratio ratio = bench_ratio(ours, other, rounds);
    cJSON *entry = cJSON_AddObjectToObject(item, name);
    cJSON_AddNumberToObject(entry, "median", ratio.median);
    cJSON_AddNumberToObject(entry, "least", ratio.min);
    cJSON_AddNumberToObject(entry, "most", ratio.max);
    printf(", %s %.2f (%.2f to %.2f)", name, ratio.median, ratio.min, ratio.max);
}

/* training[f] and whole[f]: the seconds of each round with f + 1 threads. */
static void report(const struct bench_problem *problem, double (*training)[BENCH_MAX_ROUNDS],
                   double (*whole)[BENCH_MAX_ROUNDS], size_t rounds, int same, cJSON *list)
{
    static const char *const shares[FORMS] = {"process_to_training_one_thread", "process_to_training_two_threads"};
    cJSON *item = cJSON_CreateObject(), *trained, *processed;
    cJSON_AddItemToArray(list, item);
    cJSON_AddStringToObject(item, "problem", problem->name);
    cJSON_AddNumberToObject(item, "rounds", (double)rounds);
    cJSON_AddBoolToObject(item, "same_bytes", same);
    trained = cJSON_AddArrayToObject(item, "training_seconds");
    processed = cJSON_AddArrayToObject(item, "process_seconds");
    printf("  %s:", problem->name);
    for (int f = 0; f < FORMS; f++) {
        double own = bench_median(training[f], rounds), all = bench_median(whole[f], rounds);
        cJSON_AddItemToArray(trained, cJSON_CreateNumber(own));
        cJSON_AddItemToArray(processed, cJSON_CreateNumber(all));
        printf(" %d thread%s %.3g s of %.3g s;", f + 1, f ? "s" : "", own, all);
    }
    printf(" %s", same ? "same bytes" : "BYTES DIFFER");
    add_ratio(item, "training_two_threads", training[1], training[0], rounds);
    add_ratio(item, "process_two_threads", whole[1], whole[0], rounds);
    for (int f = 0; f < FORMS; f++)
        add_ratio(item, shares[f], training[f], whole[f], rounds);
    puts("");
}

static void remove_files(const char *folder)
{
    static const char *const names[] = {"data.libsvm", "model-1", "model-2", "out"};
    char path[PATH_SIZE + 32];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        (void)remove(path);
    }
    (void)rmdir(folder);
}

static void measure(const struct bench *bench, const char *name, double c, cJSON *list)
{
    struct bench_problem problem;
    const struct contestant packed = {.name = "packed-smo", .solver = solver_find("packed-smo")};
    char folder[PATH_SIZE], data[PATH_SIZE + 32], one[PATH_SIZE + 32], two[PATH_SIZE + 32];
    double training[FORMS][BENCH_MAX_ROUNDS], whole[FORMS][BENCH_MAX_ROUNDS];
    bench_problem_made(&problem, name, N);
    problem.c = c > 0 ? c : problem.c;
    bench_make_folder(folder, sizeof folder);
    snprintf(data, sizeof data, "%s/data.libsvm", folder);
    snprintf(one, sizeof one, "%s/model-1", folder);
    snprintf(two, sizeof two, "%s/model-2", folder);
    write_rounded(data, &problem);
    struct run runs[FORMS];
    for (int f = 0; f < FORMS; f++) {
        runs[f] = (struct run){.contestant = &packed, .problem = &problem, .simd = bench->best, .tolerance = 1e-3,
                               .megabytes = MEGABYTES};
        contest_open(&runs[f]);
    }
    for (size_t r = 0; r < MAX_ROUNDS; r++)
        for (int f = 0; f < FORMS; f++) {
            training[f][r] = train(&runs[f], f + 1);
            whole[f][r] = solve_file(bench, &problem, folder, f + 1);
        }
    int same = same_files(one, two) && memcmp(runs[0].alpha, runs[1].alpha, N * sizeof(double)) == 0;
    report(&problem, training, whole, MAX_ROUNDS, same, list);
    for (int f = 0; f < FORMS; f++)
        contest_close(&runs[f]);
    remove_files(folder);
    bench_problem_free(&problem);
}

void bench_process(struct bench *bench)
{
    cJSON *list = cJSON_AddArrayToObject(bench->report, "process");
    printf("\npacked-smo, N = %d, on one thread and two: training, and `hullbench solve` on a file as a whole\n", N);
    for (size_t k = 0; k < bench_huge_problems; k++)
        measure(bench, bench_huge_names[k], bench_huge_c[k], list);
}
