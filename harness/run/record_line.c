/* Makes, prints and takes records by their table of members. */
#include "harness/run/record_line.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/json_writer.h"
#include "harness/evaluate/session.h"

const char *const setting_groups[SETTING_GROUPS] = {"params", "kernel", "stop"};
const char *const setting_kinds[SETTING_GROUPS] = {"", "type", "rule"};

#define NUMBER(which) .fallback = (double)NAN, FIELD(struct record, field[which])
#define OF_WORK MEMBER_MEASURE | MEMBER_RATIO | MEMBER_LOWER | MEMBER_COST
#define ROUNDING "1e-7%+1e-10%objective+1e-14" /* docs/regression.md has its measured effect */

static const struct member operations_members[] = {
    {"setup", MEMBER_WHOLE, NUMBER(FIELD_SETUP_OPERATIONS), MEMBER_NULLABLE, .path = "kernel_operations.setup",
     .title = "kernel operations", .tolerance = "0", .doc = "null for external solvers"},
    {"iterations", MEMBER_WHOLE, NUMBER(FIELD_KERNEL_OPERATIONS),
     OF_WORK | MEMBER_NULLABLE | MEMBER_FIGURE | MEMBER_COMPARED, .path = "kernel_operations.iterations",
     .measure = "kernel-operations", .title = "kernel operations", .tolerance = "0",
     .doc = "null for external solvers"},
    {"predict", MEMBER_WHOLE, NUMBER(FIELD_PREDICT_OPERATIONS), .path = "kernel_operations.predict",
     .title = "kernel operations", .tolerance = "0"},
    MEMBERS_END_OTHERS_IGNORED,
};

const struct member record_members[] = {
    {"schema", MEMBER_COUNT, FIELD(struct record, schema), MEMBER_REQUIRED, 1, RECORD_SCHEMA,
     .doc = "1 or 2; in 1, kernel_evaluations counted n for each entry of the diagonal."},
    {"config", MEMBER_TEXT, FIELD(struct record, config), .doc = "The configuration's name."},
    {"dataset", MEMBER_TEXT, FIELD(struct record, dataset), MEMBER_REQUIRED | MEMBER_IDENTITY},
    {"split", MEMBER_COUNT, FIELD(struct record, split), MEMBER_REQUIRED | MEMBER_IDENTITY, 1, 1e9},
    {"split_source", MEMBER_CHOICE, FIELD(struct record, source), MEMBER_REQUIRED, .names = split_source_names},
    {"solver", MEMBER_TEXT, FIELD(struct record, solver), MEMBER_REQUIRED | MEMBER_IDENTITY},
    {"params", MEMBER_JSON_OBJECT, FIELD(struct record, params), MEMBER_REQUIRED | MEMBER_IDENTITY,
     .doc = "The parameters that the solver reads, as configured."},
    {"kernel", MEMBER_JSON_OBJECT, FIELD(struct record, kernel), MEMBER_REQUIRED | MEMBER_IDENTITY},
    {"stop", MEMBER_JSON_OBJECT, FIELD(struct record, stop), MEMBER_REQUIRED | MEMBER_IDENTITY,
     .doc = "The rule iterations has the tolerance null."},
    {"outcome", MEMBER_CHOICE, FIELD(struct record, ending), MEMBER_REQUIRED | MEMBER_IDENTITY, .names = outcome_names},
    {"reason", MEMBER_TEXT, FIELD(struct record, reason),
     .doc = "Only if the harness overruled the solver, if the hulls meet, if a rule of a plugin could not be "
            "rechecked, or if the kernel is not known to be positive semidefinite."},
    {"iterations", MEMBER_WHOLE, NUMBER(FIELD_ITERATIONS), OF_WORK | MEMBER_FIGURE | MEMBER_COMPARED,
     .measure = "iterations", .title = "iterations", .tolerance = "0"},
    {"kernel_operations", MEMBER_PART, .size = sizeof(struct record), .inner = operations_members},
    {"kernel_evaluations", MEMBER_WHOLE, NUMBER(FIELD_KERNEL_EVALUATIONS), OF_WORK | MEMBER_NULLABLE,
     .measure = "kernel-evaluations", .title = "kernel evaluations", .tolerance = "0",
     .doc = "null for external solvers"},
    {"support_vectors", MEMBER_WHOLE, NUMBER(FIELD_SUPPORT_VECTORS),
     MEMBER_MEASURE | MEMBER_FIGURE | MEMBER_RATIO | MEMBER_LOWER | MEMBER_COMPARED, .measure = "support-vectors",
     .title = "support vectors", .tolerance = "0"},
    {"error_percent", MEMBER_REAL, NUMBER(FIELD_ERROR),
     MEMBER_NULLABLE | MEMBER_MEASURE | MEMBER_FIGURE | MEMBER_LOWER | MEMBER_TESTED | MEMBER_COMPARED, 0, 100,
     .measure = "error", .title = "test error", .unit = "%", .tolerance = "0"},
    {"objective", MEMBER_REAL, NUMBER(FIELD_OBJECTIVE), MEMBER_NULLABLE | MEMBER_MEASURE, .measure = "objective",
     .title = "objective", .tolerance = "1e-7%+1e-14"},
    {"duality_gap", MEMBER_REAL, NUMBER(FIELD_DUALITY_GAP),
     MEMBER_NULLABLE | MEMBER_MEASURE | MEMBER_RATIO | MEMBER_LOWER | MEMBER_COMPARED, .measure = "gap",
     .title = "duality gap", .tolerance = ROUNDING},
    {"kkt_violation", MEMBER_REAL, NUMBER(FIELD_KKT_VIOLATION),
     MEMBER_NULLABLE | MEMBER_MEASURE | MEMBER_RATIO | MEMBER_LOWER, .measure = "kkt-violation",
     .title = "KKT violation", .tolerance = ROUNDING},
    {"bias", MEMBER_REAL, NUMBER(FIELD_BIAS), MEMBER_NULLABLE},
    {"feasibility", MEMBER_REAL, NUMBER(FIELD_FEASIBILITY), MEMBER_NULLABLE},
    {"mu_effective", MEMBER_REAL, NUMBER(FIELD_MU_EFFECTIVE), MEMBER_NULLABLE, .doc = "null if the solver reads no mu"},
    {"mu_floor", MEMBER_REAL, NUMBER(FIELD_MU_FLOOR), MEMBER_NULLABLE},
    {"rch_mu", MEMBER_REAL, NUMBER(FIELD_RCH_MU), MEMBER_NULLABLE, .doc = "C-SVM only, else null"},
    MEMBERS_END_OTHERS_IGNORED,
};

/* ---- making ---- */

/* The fewest digits, at least 15, that read back as the same number; cJSON's own printing may be wrong in the last
 * place. "null" for a number that is not finite. */
static const char *number_text(double number, char text[32])
{
    if (!isfinite(number))
        return "null";
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    return text;
}

static void add_number(struct pool *pool, struct record *record, enum setting_group group, const char *name,
                       double number)
{
    char text[32];
    record->settings[record->n_settings++] =
        (struct setting){name, pool_strdup(pool, number_text(number, text)), number, group, 0};
}

static void add_word(struct record *record, enum setting_group group, const char *name, const char *word)
{
    record->settings[record->n_settings++] = (struct setting){name, word, (double)NAN, group, 1};
}

static void add_settings(struct pool *pool, struct record *record, const struct config_solver *solver,
                         const struct job *job)
{
    const struct kernel_family *family = kernel_family_of(&job->kernel);
    const size_t n_parameters = solver_count_parameters(solver->solver);
    const size_t n_kernel = kernel_family_count_parameters(family);
    record->settings = pool_array(pool, n_parameters + n_kernel + 3, sizeof *record->settings);
    for (size_t p = 0; p < n_parameters; p++) {
        const struct parameter *parameter = config_solver_parameter(solver, p);
        const char *const *words = parameter_words(parameter);
        const double value = parameter_get(&job->parameters, parameter);
        if (words)
            add_word(record, GROUP_PARAMS, parameter->name, words[(size_t)value]);
        else
            add_number(pool, record, GROUP_PARAMS, parameter->name, value);
    }
    add_word(record, GROUP_KERNEL, "kernel", family->name);
    for (size_t k = 0; k < n_kernel; k++)
        add_number(pool, record, GROUP_KERNEL, family->parameters[k]->name, kernel_parameter(&job->kernel, k));
    add_word(record, GROUP_STOP, "stop", stop_rule_name(job->stop.rule));
    add_number(pool, record, GROUP_STOP, "tolerance",
               job->stop.rule == STOP_ITERATIONS ? (double)NAN : job->stop.tolerance);
}

/* For an external solver only the harness's own kernel values, those of the prediction, are known. */
static void add_result(struct pool *pool, struct record *record, const struct solver *solver,
                       const struct job_result *result)
{
    const struct judgement *judgement = &result->judgement;
    const double uncounted = solver->solve_external ? (double)NAN : 0; /* added to a count */
    double *field = record->field;
    record->ending = result->solution.outcome;
    record->outcome = outcome_name(record->ending);
    record->reason = *result->solution.reason ? pool_strdup(pool, result->solution.reason) : NULL;
    field[FIELD_ITERATIONS] = (double)result->solution.iterations;
    field[FIELD_SETUP_OPERATIONS] = (double)result->operations[PHASE_SETUP] + uncounted;
    field[FIELD_KERNEL_OPERATIONS] = (double)result->operations[PHASE_ITERATIONS] + uncounted;
    field[FIELD_PREDICT_OPERATIONS] = (double)result->operations[PHASE_PREDICT];
    field[FIELD_KERNEL_EVALUATIONS] = (double)result->evaluations + uncounted;
    field[FIELD_SUPPORT_VECTORS] = (double)judgement->support_vectors;
    field[FIELD_ERROR] = result->error_percent;
    field[FIELD_OBJECTIVE] = judgement->objective;
    field[FIELD_DUALITY_GAP] = judgement->duality_gap;
    field[FIELD_KKT_VIOLATION] = judgement->kkt_violation;
    field[FIELD_BIAS] = judgement->bias;
    field[FIELD_FEASIBILITY] = judgement->feasibility;
    field[FIELD_MU_EFFECTIVE] = result->mu_effective;
    field[FIELD_MU_FLOOR] = judgement->mu_floor;
    field[FIELD_RCH_MU] = judgement->rch_mu;
    for (const struct member *member = record_members; result->is_lost && member->kind != MEMBER_LAST; member++)
        if (member->kind == MEMBER_REAL)
            *(double *)(void *)((char *)record + member->offset) = (double)NAN;
}

struct record *record_of_job(struct pool *pool, const struct config *config, const struct dataset *dataset,
                             const struct job *job, const struct job_result *result)
{
    const struct config_solver *solver = &config->solvers[job->solver];
    const struct split *split = &dataset->splits[job->split];
    struct record *record = pool_alloc(pool, sizeof *record);
    record->schema = RECORD_SCHEMA;
    record->config = config->name;
    record->dataset = dataset->name;
    record->split = split->number;
    record->source = split->source;
    record->split_source = split_source_name(split->source);
    record->solver = solver->solver->name;
    record->seconds = (double)NAN;
    add_settings(pool, record, solver, job);
    if (result)
        add_result(pool, record, solver->solver, result);
    return record;
}

/* ---- printing ---- */

static const char *key_of(const struct setting *setting)
{
    return setting->group != GROUP_PARAMS && strcmp(setting->name, setting_groups[setting->group]) == 0
               ? setting_kinds[setting->group]
               : setting->name;
}

static void print_settings(FILE *stream, const struct record *record, const char *group)
{
    const char *comma = "";
    fputc('{', stream);
    for (size_t i = 0; i < record->n_settings; i++) {
        const struct setting *s = &record->settings[i];
        if (strcmp(setting_groups[s->group], group) != 0)
            continue;
        fprintf(stream, "%s\"%s\":", comma, key_of(s));
        if (s->is_text)
            json_print_text(stream, s->text);
        else
            fputs(s->text, stream);
        comma = ",";
    }
    fputc('}', stream);
}

/* Prints the members before the one with the key `end` (NULL: all). */
static void print_members(FILE *stream, const struct member *members, const struct record *record, const char *end)
{
    const char *comma = "";
    char text[32];
    for (; members->kind != MEMBER_LAST && !(end && strcmp(members->key, end) == 0); members++) {
        const void *field = (const char *)record + members->offset;
        if (members->kind == MEMBER_TEXT && !*(const char *const *)field)
            continue;
        fprintf(stream, "%s\"%s\":", comma, members->key);
        comma = ",";
        if (members->kind == MEMBER_TEXT)
            json_print_text(stream, *(const char *const *)field);
        else if (members->kind == MEMBER_CHOICE)
            json_print_text(stream, members->names[(size_t)member_number(members, record)]);
        else if (members->kind == MEMBER_JSON_OBJECT)
            print_settings(stream, record, members->key);
        else if (members->kind != MEMBER_PART)
            fputs(number_text(member_number(members, record), text), stream);
        else {
            fputc('{', stream);
            print_members(stream, members->inner, record, NULL);
            fputc('}', stream);
        }
    }
}

static char *print(struct pool *pool, const struct record *record, const char *end)
{
    struct pool_text *text = pool_text_open(pool);
    FILE *stream = text->stream;
    fputc('{', stream);
    print_members(stream, record_members, record, end);
    fputc(end ? ',' : '}', stream);
    return pool_text_end(text);
}

char *record_line(struct pool *pool, const struct record *record)
{
    return print(pool, record, NULL);
}

char *record_line_head(struct pool *pool, const struct config *config, const struct dataset *dataset,
                       const struct job *job)
{
    return print(pool, record_of_job(pool, config, dataset, job, NULL), "outcome");
}

int record_line_is_of(const struct config *config, const struct dataset *dataset, const struct job *job,
                      const char *line)
{
    struct pool *pool = pool_new();
    const char *head = record_line_head(pool, config, dataset, job);
    const int is_of = strncmp(head, line, strlen(head)) == 0;
    pool_free(pool);
    return is_of;
}

static void release_trace(void *trace)
{
    trace_free(trace);
}

struct trace *trace_new(struct pool *pool)
{
    struct trace *trace = pool_alloc(pool, sizeof *trace);
    pool_keep(pool, release_trace, trace);
    return trace;
}

char *trace_comment(struct pool *pool, const struct record *record)
{
    struct pool_text *text = pool_text_open(pool);
    FILE *stream = text->stream;
    fprintf(stream, "# dataset %s\n# split %zu\n# solver %s", record->dataset, record->split, record->solver);
    for (size_t g = 0; g < SETTING_GROUPS; g++) {
        fprintf(stream, "\n# %s ", setting_groups[g]);
        print_settings(stream, record, setting_groups[g]);
    }
    fputc('\n', stream);
    return pool_text_end(text);
}
