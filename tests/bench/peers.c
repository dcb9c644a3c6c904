/*
 * Peers, see bench.h: shared objects next to the bench program, which the Makefile builds if it can (peers/peer.h), and
 * programs in tests/bench/peers, run from the root of the source tree.
 *
 * A program is called as PROGRAM DATA.csv GAMMA C TOLERANCE MEGABYTES OUT, with one thread requested. It writes its own
 * training seconds and its multipliers to OUT. PROGRAM --version fails if its library is not installed.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/bench.h"
#include "tests/bench/peers/peer.h"

enum { PATH_SIZE = 512, COMMAND_SIZE = 2048, MAX_PROGRAMS = 2 };

struct peer {
    const char *name, *object, *program[MAX_PROGRAMS]; /* an object, or the first program that runs */
    const char *needs;
    int looked, here;
    const char *command; /* of the programs */
    char version[32];
    void *(*open)(const struct peer_problem *problem);
    void (*train)(void *state, double tolerance, double *alpha);
    void (*close)(void *state);
};

#define FOLDER "tests/bench/peers/"
#define PYTHON(module) {"python3 " FOLDER "scikit.py " module, "/usr/bin/python3 " FOLDER "scikit.py " module}
#define R(package) {"Rscript " FOLDER "r_svm.R " package, NULL}
#define LIBSVM_NEEDS "LIBSVM's source (LIBSVM_SOURCE=DIR) and g++"

static struct peer peers[] = {
    {.name = "LIBSVM", .object = "libsvm", .needs = "libsvm-dev"},
    {.name = "LIBSVM, -O3 -march=native", .object = "libsvm_source", .needs = LIBSVM_NEEDS},
    {.name = "LIBSVM, vectorised rows", .object = "libsvm_rows", .needs = LIBSVM_NEEDS},
    {.name = "dlib", .object = "dlib", .needs = "libdlib-dev and g++"},
    {.name = "Shark", .object = "shark", .needs = "Shark and g++"},
    {.name = "ThunderSVM", .program = PYTHON("thundersvm"), .needs = "the Python module thundersvm"},
    {.name = "SVM-light", .program = {FOLDER "svm_light.sh", NULL}, .needs = "svm_learn in PATH"},
    {.name = "scikit-learn", .program = PYTHON("sklearn.svm"), .needs = "python3-sklearn"},
    {.name = "kernlab", .program = R("kernlab"), .needs = "r-cran-kernlab"},
    {.name = "e1071", .program = R("e1071"), .needs = "r-cran-e1071"},
};

/* What a peer keeps for a problem between runs. */
struct peer_state {
    struct peer *peer;
    struct peer_problem problem;
    void *own;               /* an object's */
    char folder[PATH_SIZE]; /* a program's */
};

static void stop(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(4);
}

static void *got(void *memory)
{
    if (!memory)
        stop("out of memory");
    return memory;
}

/* ---- installed peers ---- */

/* Converts dlsym's pointer to a function pointer, as POSIX requires. */
static void take_function(void *object, const char *name, void *function)
{
    void *found = dlsym(object, name);
    memcpy(function, &found, sizeof found);
}

static int find_object(struct peer *peer, const char *folder)
{
    char path[PATH_SIZE];
    const char *(*version)(void) = NULL;
    snprintf(path, sizeof path, "%s/peers/%s.so", folder, peer->object);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object)
        return 0;
    take_function(object, "peer_version", &version);
    take_function(object, "peer_open", &peer->open);
    take_function(object, "peer_train", &peer->train);
    take_function(object, "peer_close", &peer->close);
    if (!version || !peer->open || !peer->train || !peer->close)
        stop("a peer's object lacks a function of tests/bench/peers/peer.h");
    snprintf(peer->version, sizeof peer->version, "%s", version());
    return 1;
}

static int find_program(struct peer *peer)
{
    char line[COMMAND_SIZE];
    for (size_t k = 0; k < MAX_PROGRAMS && peer->program[k]; k++) {
        snprintf(line, sizeof line, "%s --version 2>/dev/null", peer->program[k]);
        FILE *pipe = popen(line, "r");
        if (!pipe)
            stop("no process for a peer");
        peer->version[0] = '\0';
        int spoke = fgets(peer->version, sizeof peer->version, pipe) != NULL;
        peer->version[strcspn(peer->version, "\n")] = '\0';
        if (pclose(pipe) == 0 && spoke) {
            peer->command = peer->program[k];
            return 1;
        }
    }
    return 0;
}

size_t peer_count(void)
{
    return sizeof peers / sizeof *peers;
}

struct peer *peer_find(const struct bench *bench, size_t number)
{
    struct peer *peer = &peers[number];
    if (!peer->looked)
        peer->here = peer->object ? find_object(peer, bench->folder) : find_program(peer);
    peer->looked = 1;
    return peer->here ? peer : NULL;
}

const char *peer_name(size_t number)
{
    return peers[number].name;
}

const char *peer_needs(size_t number)
{
    return peers[number].needs;
}

const char *peer_version_of(const struct peer *peer)
{
    return peer->version;
}

int peer_is_program(const struct peer *peer)
{
    return !peer->object;
}

/* ---- running ---- */

static FILE *opened(const char *folder, const char *name, const char *mode)
{
    char path[PATH_SIZE + 16];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, mode);
    if (!stream)
        stop("a peer's file cannot be opened");
    return stream;
}

static void remove_files(const struct peer_state *state)
{
    static const char *const names[] = {"data.csv", "out"};
    char path[PATH_SIZE + 16];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "%s/%s", state->folder, names[k]);
        (void)remove(path);
    }
    (void)rmdir(state->folder);
}

void bench_write_csv(FILE *stream, const struct bench_problem *problem)
{
    for (size_t i = 0; i < problem->n; i++) {
        fprintf(stream, "%d", problem->y[i]);
        for (size_t d = 0; d < problem->dims; d++)
            fprintf(stream, ",%.17g", problem->x[i * problem->dims + d]);
        fputc('\n', stream);
    }
}

void bench_make_folder(char *path, size_t size)
{
    const char *base = getenv("TMPDIR");
    snprintf(path, size, "%s/hullbench-bench.XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(path))
        stop("no temporary folder");
}

struct peer_state *peer_state_open(struct peer *peer, const struct bench_problem *problem, size_t megabytes)
{
    struct peer_state *state = got(calloc(1, sizeof *state));
    state->peer = peer;
    const struct patterns *sparse = &problem->sparse;
    state->problem = (struct peer_problem){.n = problem->n, .dims = problem->dims, .x = problem->x,
                                           .begin = sparse->begin, .feature = sparse->feature,
                                           .values = sparse->values, .y = problem->y, .is_linear = problem->is_linear,
                                           .gamma = 1 / problem->width, .c = problem->c, .megabytes = megabytes};
    if (!peer_is_program(peer)) {
        state->own = peer->open(&state->problem);
        return state;
    }
    bench_make_folder(state->folder, sizeof state->folder);
    FILE *stream = opened(state->folder, "data.csv", "w");
    bench_write_csv(stream, problem);
    if (fclose(stream) != 0)
        stop("a peer's data cannot be written");
    return state;
}

void peer_state_close(struct peer_state *state)
{
    if (peer_is_program(state->peer))
        remove_files(state);
    else
        state->peer->close(state->own);
    free(state);
}

double peer_read_multipliers(FILE *stream, size_t n, double *alpha)
{
    double seconds = -1;
    int good = fscanf(stream, "%lf", &seconds) == 1 && seconds >= 0;
    for (size_t i = 0; good && i < n; i++)
        good = fscanf(stream, "%lf", &alpha[i]) == 1;
    double more;
    return good && fscanf(stream, "%lf", &more) == EOF ? seconds : -1;
}

static double run_program(const struct peer_state *state, double tolerance, double *alpha)
{
    char line[COMMAND_SIZE];
    const struct peer_problem *problem = &state->problem;
    int length = snprintf(line, sizeof line,
                          "OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 %s '%s/data.csv' %.17g %.17g %.17g %zu '%s/out' "
                          ">/dev/null 2>&1", state->peer->command, state->folder, problem->gamma, problem->c,
                          tolerance, problem->megabytes, state->folder);
    if (length < 0 || (size_t)length >= sizeof line)
        stop("the name of the temporary folder is too long");
    if (system(line) != 0)
        return -1;
    FILE *stream = opened(state->folder, "out", "r");
    double seconds = peer_read_multipliers(stream, problem->n, alpha);
    fclose(stream);
    return seconds;
}

double peer_run(struct peer_state *state, double tolerance, double *alpha)
{
    if (peer_is_program(state->peer))
        return run_program(state, tolerance, alpha);
    state->peer->train(state->own, tolerance, alpha);
    return 0;
}
