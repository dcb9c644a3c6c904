/*
 * Sparse problems: training, from patterns in memory to multipliers, against LIBSVM; and the whole processes,
 * `hullbench solve --solver packed-smo --stop kkt` and the `svm-train` in PATH, on the same file. A process reads the
 * file, trains and writes a model. Each is given the tolerance at which its solver reached a KKT violation of 1e-3 in
 * memory, and the same megabytes of kernel values.
 *
 * A public set is read from a folder of HULLBENCH_DATA; if it is missing, a synthetic problem of its shape is used.
 */
#define _DEFAULT_SOURCE /* wait4 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"

enum { MEGABYTES = 512, PROGRAMS = 2, MAX_ARGUMENTS = 24, PATH_SIZE = 512 };
enum { HULLBENCH, SVM_TRAIN };

static const struct case_of_bench {
    const char *shape, *set; /* shape: used if the set is missing; set NULL: none */
    double width;            /* 0: linear kernel */
    int is_large;
    double budget;     /* seconds of rounds; 0: one round, and one of the processes */
    int left_out;      /* number of programs, from the end, that are skipped because they would take minutes */
} cases[] = {
    {"text 2000 x 50000", NULL, 1, 0, 12, 0},
    {"text 2000 x 50000", NULL, 0, 0, 12, 0},
    {"w8a-like", "w8a", 20, 1, 0, 0},
    {"w8a-like", "w8a", 0, 1, 0, 0},
    {"text 2000 x 1360000", NULL, 1, 1, 0, 0},
    {"text 2000 x 1360000", NULL, 0, 1, 0, 0},
    {"text 20000 x 50000", "rcv1_train.binary", 1, 1, 0, PROGRAMS},
    {"text 20000 x 50000", "rcv1_train.binary", 0, 1, 0, 1},
    {NULL, "news20.binary", 0, 1, 0, 0},
    {NULL, "real-sim", 0, 1, 0, 0},
};

static void stop(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(4);
}

#define OUR_SOLVER "packed-smo"

/* ---- processes ---- */

/* A command and the times of its runs. */
struct process {
    const char *name;
    size_t arguments;
    char text[MAX_ARGUMENTS][PATH_SIZE + 32], *argument[MAX_ARGUMENTS]; /* NULL-terminated */
    double seconds[BENCH_MAX_ROUNDS], wall[BENCH_MAX_ROUNDS]; /* processor time; wall-clock time */
    double peak_megabytes;
    int is_here;
};

static void run_child(const struct process *process)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
    }
    execvp(process->argument[0], process->argument);
    _exit(127);
}

/* Returns 0 if it failed. */
static int run_process(struct process *process, size_t round)
{
    struct rusage used;
    int status;
    double before = bench_wall();
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        stop("no process for a program");
    if (child == 0)
        run_child(process);
    if (wait4(child, &status, 0, &used) != child)
        stop("a program's process is lost");
    process->wall[round] = bench_wall() - before;
    process->seconds[round] = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                              1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    const double megabytes = (double)used.ru_maxrss / 1024;
    if (megabytes > process->peak_megabytes)
        process->peak_megabytes = megabytes;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void add_text(struct process *process, const char *text)
{
    char *place = process->text[process->arguments];
    snprintf(place, sizeof process->text[0], "%s", text);
    process->argument[process->arguments++] = place;
}

static void add_number(struct process *process, const char *letter, double number)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", number);
    add_text(process, letter);
    add_text(process, text);
}

/* The letters are those of svm-train, which hullbench solve accepts, too. */
static void add_problem(struct process *process, const struct bench_problem *problem, double tolerance,
                        const char *folder)
{
    char path[PATH_SIZE + 16];
    add_number(process, "-t", problem->is_linear ? 0 : 2);
    add_number(process, "-c", problem->c);
    if (!problem->is_linear)
        add_number(process, "-g", 1 / problem->width);
    add_number(process, "-e", tolerance);
    add_number(process, "-m", MEGABYTES);
    snprintf(path, sizeof path, "%s/data", folder);
    add_text(process, path);
    snprintf(path, sizeof path, "%s/model", folder);
    add_text(process, path);
}

static void open_hullbench(struct process *process, const struct bench *bench)
{
    char path[PATH_SIZE];
    *process = (struct process){.name = "hullbench solve", .is_here = 1};
    snprintf(path, sizeof path, "%s/../../hullbench", bench->folder);
    add_text(process, path);
    add_text(process, "solve");
    add_text(process, "-q");
    add_number(process, "-j", 1);
    add_text(process, "--solver");
    add_text(process, OUR_SOLVER);
    add_text(process, "--stop"); /* svm-train's rule */
    add_text(process, "kkt");
}

static void open_svm_train(struct process *process)
{
    *process = (struct process){.name = "svm-train", .is_here = 1};
    add_text(process, "svm-train");
    add_text(process, "-q");
}

static void report_process(const struct process *process, size_t rounds, cJSON *list)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    cJSON_AddStringToObject(item, "program", process->name);
    cJSON_AddNumberToObject(item, "seconds", bench_median(process->seconds, rounds));
    cJSON_AddNumberToObject(item, "wall_seconds", bench_median(process->wall, rounds));
    cJSON_AddNumberToObject(item, "peak_megabytes", process->peak_megabytes);
    printf("  process %-18s %10.3g s  peak %.0f MiB\n", process->name, bench_median(process->seconds, rounds),
           process->peak_megabytes);
}

static void report_processes(const struct process *processes, size_t rounds, cJSON *race)
{
    cJSON *list = cJSON_AddArrayToObject(race, "processes");
    if (rounds == 0)
        return;
    for (size_t p = 0; p < PROGRAMS; p++)
        if (processes[p].is_here)
            report_process(&processes[p], rounds, list);
    if (!processes[HULLBENCH].is_here || !processes[SVM_TRAIN].is_here)
        return;
    struct ratio ratio = bench_ratio(processes[HULLBENCH].seconds, processes[SVM_TRAIN].seconds, rounds);
    cJSON *entry = cJSON_AddObjectToObject(race, "process_times_faster");
    cJSON_AddNumberToObject(entry, "median", ratio.median);
    cJSON_AddNumberToObject(entry, "least", ratio.min);
    cJSON_AddNumberToObject(entry, "most", ratio.max);
    printf("  %-26s %.2f times faster (%.2f to %.2f)\n", "process", ratio.median, ratio.min, ratio.max);
}

/* Runs the programs in turn, for as many rounds as fit in the budget; a program that fails is left out. */
static void race_processes(const struct bench *bench, const struct bench_problem *problem, const double *tolerance,
                           const struct case_of_bench *one, cJSON *race)
{
    char folder[PATH_SIZE], path[PATH_SIZE + 16];
    struct process processes[PROGRAMS];
    size_t rounds = 0;
    bench_make_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/data", folder);
    bench_sparse_write(problem, path);
    open_hullbench(&processes[HULLBENCH], bench);
    open_svm_train(&processes[SVM_TRAIN]);
    for (int p = 0; p < one->left_out; p++)
        processes[PROGRAMS - 1 - p].is_here = 0;
    for (size_t p = 0; p < PROGRAMS; p++)
        add_problem(&processes[p], problem, tolerance[p], folder);
    double before = bench_wall();
    while (rounds == 0 || (rounds < BENCH_MAX_ROUNDS && bench_wall() - before < one->budget)) {
        for (size_t p = 0; p < PROGRAMS; p++)
            if (processes[p].is_here)
                processes[p].is_here = run_process(&processes[p], rounds);
        rounds++;
    }
    report_processes(processes, rounds, race);
    (void)remove(path);
    snprintf(path, sizeof path, "%s/model", folder);
    (void)remove(path);
    (void)rmdir(folder);
}

/* ---- races ---- */

/* Returns 0 if there is none. */
static int open_problem(struct bench_problem *problem, const struct bench *bench, const struct case_of_bench *one)
{
    int is_there = one->set && bench_sparse_file(problem, bench, one->set);
    if (!is_there && one->shape)
        bench_sparse_made(problem, one->shape);
    if (!is_there && !one->shape)
        return 0;
    problem->is_linear = one->width == 0;
    problem->width = one->width > 0 ? one->width : 1;
    return 1;
}

static void race_case(struct bench *bench, const struct case_of_bench *one, cJSON *list)
{
    struct contestant contestants[BENCH_MAX_RUNNERS];
    struct bench_problem problem;
    double tolerance[BENCH_MAX_RUNNERS], of_program[PROGRAMS];
    size_t first = one->is_large && peer_find(bench, PEER_LIBSVM_SOURCE) ? PEER_LIBSVM_SOURCE : PEER_LIBSVM;
    size_t peers = bench_take_peers(bench, first, PEER_LIBSVM_ROWS, contestants), count = peers;
    contestants[count++] = bench_ours(OUR_SOLVER, OUR_SOLVER, 0, 0);
    if (one->left_out == 0)
        contestants[count++] = bench_ours("packed-second-order-smo", "packed-second-order-smo", 0, 0);
    if (!open_problem(&problem, bench, one))
        return;
    bench_race(bench, &problem, contestants, count, peers, MEGABYTES, one->budget, list, tolerance);
    of_program[HULLBENCH] = tolerance[peers];
    of_program[SVM_TRAIN] = peers > 0 ? tolerance[0] : 1e-3;
    race_processes(bench, &problem, of_program, one, cJSON_GetArrayItem(list, cJSON_GetArraySize(list) - 1));
    bench_problem_free(&problem);
}

static void race_cases(struct bench *bench, const char *key, int is_large)
{
    cJSON *list = cJSON_AddArrayToObject(bench->report, key);
    bench_race_head("C-SVM, sparse patterns, to a KKT violation of 1e-3; then whole processes");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (cases[k].is_large == is_large)
            race_case(bench, &cases[k], list);
}

void bench_sparse(struct bench *bench)
{
    race_cases(bench, "sparse", 0);
}

void bench_sparse_large(struct bench *bench)
{
    race_cases(bench, "sparse_large", 1);
}
