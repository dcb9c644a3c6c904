/*
 * The readers as fuzz targets, see targets.h. `require` detects errors that sanitizers do not: an error without a line
 * of text, values that are not finite, a file that differs after being written and read again.
 */
#include "tests/fuzz/targets.h"
#include "tests/load_dataset.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/die.h"
#include "harness/base/pool.h"
#include "harness/evaluate/solve.h"
#include "harness/folders/bundle.h"
#include "harness/folders/history.h"
#include "harness/folders/regression.h"
#include "harness/papers/claims.h"
#include "harness/config/config.h"
#include "harness/data/dataset_parts.h"
#include "harness/data/text_reader.h"
#include "harness/support/json_reader.h"
#include "harness/support/file.h"
#include "harness/run/journal.h"
#include "harness/data/manifest.h"
#include "harness/model/model.h"
#include "harness/plot/plot.h"
#include "harness/programs/program.h"
#include "harness/run/file_hashes.h"
#include "harness/run/plan.h"
#include "harness/run/run_info.h"
#include "harness/records/run_folder.h"
#include "harness/records/run_traces.h"
#include "harness/tables/table_spec.h"
#include "harness/tune/tune_config.h"
#include "solvers/registry.h"
#include "tests/geometry.h"

#define require(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition), abort()))

static int is_text_line(const char *message)
{
    for (const char *at = message; *at; at++)
        if ((unsigned char)*at < ' ')
            return 0;
    return *message != '\0';
}

/* Nonzero if reading succeeded. An error must describe the problem in one line and be an error of the file. */
static int went_well(enum status status, const struct error *error)
{
    if (status == STATUS_OK)
        return 1;
    require(error->status == status);
    require(is_text_line(error->message));
    require(status == STATUS_BAD_INPUT || status == STATUS_NOT_FOUND);
    return 0;
}

/* Runs a reader that ends the attempt after an error. */
static void try_to_read(void (*read)(void *path), const char *path)
{
    struct error error = {0};
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s", path);
    (void)went_well(attempt(read, name, &error), &error);
}

void fuzz_write(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    require(stream && fwrite(bytes, 1, size, stream) == size && fclose(stream) == 0);
}

/* ---- data sets ---- */

static void check_dataset(const struct dataset *dataset)
{
    size_t sum = 0, positive = 0;
    const struct patterns *patterns = &dataset->patterns;
    size_t values = patterns_are_compressed(patterns) ? patterns_nonzeros(patterns) : patterns->rows * patterns->dims;
    for (size_t i = 0; i < values; i++)
        require(fabs(dataset->patterns.values[i]) <= DATASET_LARGEST);
    for (size_t i = 0; i < dataset->patterns.rows; i++) {
        require(dataset->y[i] == 1 || dataset->y[i] == -1);
        sum += dataset->multiplicity[i];
        positive += dataset->y[i] == 1;
    }
    require(sum == dataset->full_size && positive > 0 && positive < dataset->patterns.rows);
    for (size_t s = 0; s < dataset->n_splits; s++) {
        const struct split *split = &dataset->splits[s];
        require(split->n_train > 0);
        for (size_t i = 0; i < split->n_train; i++)
            require(split->train[i] < dataset->patterns.rows);
        for (size_t i = 0; i < split->n_test; i++)
            require(split->test[i] < dataset->patterns.rows);
    }
}

static void read_plain(const char *path, const char *format, const char *label_column)
{
    struct dataset *dataset = NULL;
    struct error error = {0};
    const struct dataset_request request = {
        .set.name = "fuzzed", .set.file = path, .set.format = format, .set.label_column = label_column,
        .want_splits = 2};
    enum status status = load_dataset(&request, &dataset, &error);
    if (!went_well(status, &error))
        return;
    check_dataset(dataset);
    dataset_standardise(dataset, STANDARDISE_FULL_SET);
    for (size_t i = 0; i < dataset->patterns.rows * dataset->patterns.dims; i++)
        require(isfinite(dataset->patterns.values[i]));
    release_dataset(dataset);
}

/* Rows are stored with their zeros: a large index is refused or takes memory (tests/faults/test_hostile.sh). */
static int has_large_index(const unsigned char *bytes, size_t size)
{
    size_t digits = 0;
    for (size_t i = 0; i < size; i++) {
        digits = isdigit(bytes[i]) ? digits + 1 : 0;
        if (digits > 4 && i + 1 < size && bytes[i + 1] == ':')
            return 1;
    }
    return 0;
}

static void run_libsvm(const char *path, const unsigned char *bytes, size_t size)
{
    if (!has_large_index(bytes, size))
        read_plain(path, "libsvm", NULL);
}

static void run_csv(const char *path, const unsigned char *bytes, size_t size)
{
    (void)bytes;
    read_plain(path, "csv", size % 3 == 0 ? NULL : size % 3 == 1 ? "1" : "label");
}

static void read_matlab(void *path)
{
    struct pool *pool = pool_new();
    struct dataset *dataset = dataset_new(pool, "fuzzed");
    struct listed_splits listed = {0};
    if (dataset_read_matlab(pool, matlab_file_open(pool, path, ""), "banana", dataset, &listed)) {
        dataset_close(dataset);
        check_dataset(dataset);
    }
    pool_free(pool);
}

static void read_uci(void *data)
{
    const struct dataset_request *request = data;
    struct pool *pool = pool_new();
    struct dataset *dataset = dataset_new(pool, "fuzzed");
    dataset->source = pool_strdup(pool, request->set.file);
    dataset_read_text_files(request, dataset);
    check_dataset(dataset);
    pool_free(pool);
}

static void run_uci(const char *path, const unsigned char *bytes, size_t size)
{
    struct error error = {0};
    struct dataset_request wisconsin = {.set.file = path, .set.format = "wisconsin"},
                           sonar = {.set.file = path, .set.format = "sonar"};
    (void)bytes;
    (void)size;
    went_well(attempt(read_uci, &wisconsin, &error), &error);
    went_well(attempt(read_uci, &sonar, &error), &error);
}

/* The splits of eight rows. */
static void read_splits(void *path)
{
    struct pool *pool = pool_new();
    struct dataset *dataset = dataset_new(pool, "fuzzed");
    struct input_stream *stream = input_open(path, &(struct input_options){0});
    dataset_allocate(dataset, 8, 1);
    for (size_t i = 0; i < 8; i++)
        dataset->y[i] = i % 2 ? 1 : -1;
    dataset->full_size = 8;
    split_file_read(stream, dataset);
    check_dataset(dataset);
    input_close(stream);
    pool_free(pool);
}

static void read_manifest(void *path)
{
    struct pool *pool = pool_new();
    manifest_read(pool, path);
    pool_free(pool);
}

static void read_own_manifest(void *path)
{
    struct manifest own = {.pool = pool_new()};
    manifest_add_own(&own, path);
    for (size_t s = 0; s < own.sets.count; s++)
        dataset_spec_check(&own.sets.item[s].spec, &(struct json_path){.file = "own"});
    pool_free(own.pool);
}

static void run_manifest(const char *path, const unsigned char *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    try_to_read(read_manifest, path);
    try_to_read(read_own_manifest, path);
}

/* ---- configurations ---- */

static void read_config(void *path)
{
    struct pool *pool = pool_new();
    struct plan plan;
    const struct config *config = config_read(pool, path);
    require(config->n_datasets > 0 && config->n_splits > 0 && config->n_solvers > 0);
    for (size_t d = 0; d < config->n_datasets; d++)
        dataset_spec_check(&config->datasets[d], &(struct json_path){.file = "own"});
    struct dataset **none = pool_array(pool, config->n_datasets, sizeof *none);
    plan_build(config, none, 1, 1, &plan);
    pool_free(pool);
}

static void read_tune(void *path)
{
    struct pool *pool = pool_new();
    tune_config_read(pool, path);
    pool_free(pool);
}

static void read_tables(void *path)
{
    struct pool *pool = pool_new();
    const struct json_path place = {.file = path};
    const cJSON *json = json_read(pool, path);
    struct known_names names = {{.pool = pool}, {.pool = pool}, {.pool = pool}};
    name_order_add(&names.datasets, "twonorm");
    name_order_add(&names.datasets, "titanic");
    name_order_add(&names.solvers, "clip-mdm");
    name_order_add(&names.solvers, "mu-gsk");
    name_order_add(&names.settings, "mu");
    if (cJSON_IsObject(json))
        table_spec_read(pool, json, &place, &names);
    pool_free(pool);
}

static void read_plots(void *path)
{
    struct pool *pool = pool_new();
    struct figure_style style = {0};
    const char *only = NULL;
    plot_choice_read(pool, &(struct plot_choice_options){.spec = path}, &style, &only);
    pool_free(pool);
}

/* ---- models ---- */

static void same_model(const struct model *a, const struct model *b)
{
    size_t vectors = a->count[0] + a->count[1], features = a->vectors.begin[vectors];
    require(a->kernel.type == b->kernel.type && a->rho == b->rho && a->vectors.dims == b->vectors.dims);
    require(vectors == b->count[0] + b->count[1] && features == b->vectors.begin[vectors]);
    for (size_t v = 0; v < vectors; v++)
        require(a->coefficient[v] == b->coefficient[v] && a->vectors.begin[v] == b->vectors.begin[v]);
    for (size_t k = 0; k < features; k++)
        require(a->vectors.feature[k] == b->vectors.feature[k] && a->vectors.values[k] == b->vectors.values[k]);
}

struct model_reading {
    struct pool *pool;
    const char *path;
    struct model *model;
};

static void read_model(void *data)
{
    struct model_reading *reading = data;
    reading->model = model_read(reading->pool, reading->path);
}

static void run_model(const char *path, const unsigned char *bytes, size_t size)
{
    struct model_reading reading = {pool_new(), path, NULL};
    struct error error = {0};
    (void)bytes;
    (void)size;
    if (went_well(attempt(read_model, &reading, &error), &error)) {
        const char *copy = pool_printf(reading.pool, "%s.again", path);
        FILE *stream = fopen(copy, "w");
        require(stream != NULL);
        model_print(reading.model, stream);
        require(fclose(stream) == 0);
        same_model(reading.model, model_read(reading.pool, copy));
        remove(copy);
    }
    pool_free(reading.pool);
}

/* ---- output of runs ---- */

static void read_file(void *path)
{
    struct record_file file;
    struct pool *pool = pool_new();
    record_file_read_lines(pool, path, &file);
    record_file_parse(&file);
    for (size_t i = 0; i < file.records.count; i++) {
        const struct record *record = file.records.items[i];
        require(record->split >= 1 && record->params_text);
    }
    pool_free(pool);
}

static void read_info(void *path)
{
    struct run_info info;
    struct pool *pool = pool_new();
    const cJSON *json = json_read(pool, path);
    run_info_read(pool, json, path, &info);
    file_hashes_check_all(json, path);
    pool_free(pool);
}

/* The plan and the number of jobs in the first line, if it has them. */
static int journal_header(const unsigned char *bytes, size_t size, struct fingerprint *identity, size_t *jobs)
{
    char line[96];
    size_t length = size < sizeof line - 1 ? size : sizeof line - 1;
    memcpy(line, bytes, length);
    line[length] = '\0';
    return sscanf(line, "{\"journal\":2,\"plan\":\"%16" SCNx64 "\",\"jobs\":%zu}", &identity->plan, jobs) == 2 &&
           *jobs <= 1000;
}

struct opening_journal {
    const char *path;
    struct fingerprint identity;
    size_t jobs, done;
};

static void open_journal(void *data)
{
    struct opening_journal *opening = data;
    struct journal *journal = journal_open(opening->path, &opening->identity, NULL, opening->jobs, 0);
    size_t counted = 0;
    opening->done = journal_done(journal);
    for (size_t i = 0; i < opening->jobs; i++)
        counted += journal_entries(journal)[i].record != NULL;
    require(counted == opening->done);
    journal_close(journal);
}

/* Opening may truncate the file; opening it again must find the same records. */
static void run_journal(const char *path, const unsigned char *bytes, size_t size)
{
    struct error error = {0};
    struct opening_journal opening = {.path = path, .jobs = 4};
    if (!journal_header(bytes, size, &opening.identity, &opening.jobs))
        opening = (struct opening_journal){.path = path, .identity.plan = 0x1234, .jobs = 4};
    if (!went_well(attempt(open_journal, &opening, &error), &error))
        return;
    const size_t done = opening.done;
    require(attempt(open_journal, &opening, &error) == STATUS_OK);
    require(opening.done == done);
}

static void read_baseline(void *path)
{
    struct pool *pool = pool_new();
    const struct baseline *baseline = baseline_read(pool, path);
    for (size_t i = 1; baseline && i < baseline->entries.count; i++)
        require(entries_compare(baseline->entries.items[i - 1], baseline->entries.items[i]) < 0);
    pool_free(pool);
}

static void judge_paper(void *path)
{
    const struct records none = {0};
    struct pool *pool = pool_new();
    claims_judge(pool, paper_read(pool, path), &none, NULL);
    pool_free(pool);
}

static void read_traces(void *run)
{
    struct pool *pool = pool_new();
    const struct run_folder folder = {.path = run};
    run_traces_read(pool, &folder);
    pool_free(pool);
}

/* A trace is a file in the folder "traces" of a run. */
static void run_trace(const char *path, const unsigned char *bytes, size_t size)
{
    char *run = malloc(strlen(path) + 16), *folder = malloc(strlen(path) + 16), *file = malloc(strlen(path) + 32);
    require(run && folder && file);
    sprintf(run, "%s.run", path);
    sprintf(folder, "%s/traces", run);
    sprintf(file, "%s/trace.tsv", folder);
    folder_make(folder);
    fuzz_write(file, bytes, size);
    try_to_read(read_traces, run);
    remove(file);
    rmdir(folder);
    rmdir(run);
    free(run);
    free(folder);
    free(file);
}

struct unpacking {
    const char *path, *folder;
};

static void unpack(void *data)
{
    const struct unpacking *unpacking = data;
    struct pool *pool = pool_new();
    (void)bundle_unpack(pool, unpacking->path, unpacking->folder);
    pool_free(pool);
}

/* Each archive is unpacked into its own folder. */
static void run_bundle(const char *path, const unsigned char *bytes, size_t size)
{
    struct error error = {0};
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s.unpacked", path);
    fuzz_write(path, bytes, size);
    folder_make(folder);
    (void)went_well(attempt(unpack, &(struct unpacking){path, folder}, &error), &error);
    folder_remove(folder);
}

/* ---- gates ---- */

static void read_history(void *path)
{
    struct pool *pool = pool_new();
    const struct history history = history_read(pool, path);
    require(history.count > 0);
    trend_of(&history, NULL, NULL);
    pool_free(pool);
}

/* ---- solvers that are programs ---- */

static void read_declaration(void *path)
{
    struct pool *pool = pool_new();
    struct solver_origin origin = {.file = path};
    memset(origin.sha256, '0', sizeof origin.sha256 - 1);
    program_read(pool, &origin);
    pool_free(pool);
}

/* Plays a file to standard output, and heeds its input as long as something comes: a program that says what the file
 * says, whatever it is asked. */
static const char player[] = "open F, shift; undef $/; binmode F; print <F>; close STDOUT;"
                             "while (1) { vec($r = '', 0, 1) = 1; last unless select($r, undef, undef, 0.005);"
                             "last unless sysread STDIN, $b, 65536 }";

static struct program *speaker(void)
{
    static const struct parameter *const parameters[] = {&parameter_mu, NULL};
    static const char *command[] = {"perl", "-e", player, NULL, NULL};
    static char folder[] = "/", name[] = "speaker";
    static struct program program = {.folder = folder, .command = command, .step_seconds = 5, .job_seconds = 5};
    static struct solver_origin origin = {.file = name};
    struct error error;
    if (program.solver.name)
        return &program;
    program.solver = program_functions;
    program.solver.name = name;
    program.solver.title = program.solver.reference = "says what a file says";
    program.solver.formulation = FORMULATION_NEAREST_POINTS;
    program.solver.parameters = parameters;
    program.solver.stops = 1u << STOP_RCH_GAP | 1u << STOP_ITERATIONS;
    require(solvers_add((const struct solver *const[]){&program.solver, NULL}, &origin, &error) == STATUS_OK);
    return &program;
}

/* The case is what a program sends while it solves a problem of four patterns, again and again: the job fails for which
 * it has nothing left to say, and with it the process ends. */
static void run_protocol(const char *path, const unsigned char *bytes, size_t size)
{
    static const double square[] = {1, 0, 2, 1, -1, 0, -2, 1};
    static const signed char labels[] = {1, 1, -1, -1};
    static const struct kernel kernel = {.type = KERNEL_RBF, .width = 2};
    struct program *program = speaker();
    struct geometry g;
    struct solution solution = {.outcome = OUTCOME_CONVERGED};
    geometry_open(&g, 4, 2, square, labels, &kernel);
    program->command[3] = path;
    while (solution.outcome != OUTCOME_FAILED) {
        double alpha[4];
        struct error error = {0};
        const struct solve_request request = {
            .solver = &program->solver, .problem = &g.problem, .oracle = g.oracle, .patterns = &g.points,
            .kernel = &kernel, .stop = {size % 2 ? STOP_RCH_GAP : STOP_ITERATIONS, 1e-3}, .budget = {.iterations = 50}};
        oracle_reset(g.oracle);
        require(solve(&request, alpha, &solution, &error) == STATUS_OK);
        require(solution.outcome != OUTCOME_FAILED || is_text_line(solution.reason));
    }
    (void)bytes;
    geometry_close(&g);
}

const struct fuzz_target fuzz_targets[] = {
    {"libsvm", .run = run_libsvm},
    {"csv", .run = run_csv},
    {"matlab", .read = read_matlab},
    {"uci", .run = run_uci},
    {"splits", .read = read_splits},
    {"manifest", .run = run_manifest},
    {"config", .read = read_config},
    {"tune", .read = read_tune},
    {"tables", .read = read_tables},
    {"plots", .read = read_plots},
    {"model", .run = run_model},
    {"records", .read = read_file},
    {"run", .read = read_info},
    {"journal", .run = run_journal},
    {"baseline", .read = read_baseline},
    {"paper", .read = judge_paper},
    {"trace", .run = run_trace},
    {"bundle", .run = run_bundle},
    {"history", .read = read_history},
    {"declaration", .read = read_declaration},
    {"protocol", .run = run_protocol},
    {.name = NULL},
};

const struct fuzz_target *fuzz_target_find(const char *name)
{
    for (const struct fuzz_target *target = fuzz_targets; target->name; target++)
        if (strcmp(target->name, name) == 0)
            return target;
    return NULL;
}

struct fuzzing {
    const struct fuzz_target *target;
    const char *path;
    const unsigned char *bytes;
    size_t size;
};

static void run_target(void *data)
{
    const struct fuzzing *fuzzing = data;
    if (fuzzing->target->read)
        try_to_read(fuzzing->target->read, fuzzing->path);
    else
        fuzzing->target->run(fuzzing->path, fuzzing->bytes, fuzzing->size);
}

void fuzz_run(const struct fuzz_target *target, const char *path, const unsigned char *bytes, size_t size)
{
    struct fuzzing fuzzing = {target, path, bytes, size};
    struct error error = {0};
    went_well(attempt(run_target, &fuzzing, &error), &error);
}
